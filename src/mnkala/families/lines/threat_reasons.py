"""Reasons for a move of Gomoku and its kin that name what it makes and what it stops: fours, open threes, victories by fours.

All is read off the board of the engine (`line_threats`), and each claim that somebody must answer has been tried: on every other cell the
threat would still be there. Nothing is said where the other side completes its line first.
"""

from __future__ import annotations

from collections.abc import Iterator

from mnkala.core import Position, Rules
from mnkala.explain.reason import Reason
from mnkala.families.lines.board_threats import (
    SHORT_VICTORY,
    Reading,
    cells_of,
    joined,
    size_words,
    stops_victory,
    victory,
)
from mnkala.families.lines.engine.combinations import COMPLETES, WINS

STOPPED = {"open_three": "hint.stops_open_three", "double_four": "hint.stops_double_four", "four_three": "hint.stops_four_three",
           "double_three": "hint.stops_double_three"}


def threat_reasons(position: Position, move: int) -> Iterator[Reason]:
    """What a move that does not win at once makes and stops."""
    rules, me = position.rules, position.mover
    before = Reading.of(position)
    if before.cells(me, COMPLETES) or set(before.cells(1 - me, COMPLETES)) - {move}:
        return
    values: dict[str, str | int] = size_words(rules) | {"opponent": rules.players[1 - me]}
    line = victory(position, me)
    if line[:1] == (move,) and len(line) > SHORT_VICTORY:
        yield Reason("hint.wins_by_fours", values | {"plies": len(line), "line": joined(rules, line, " ")}, cells_of(rules, line[::2]))
    yield from _made(before, move, me, values)
    yield from _stopped(position, before, move, values)


def _made(before: Reading, move: int, me: int, values: dict[str, str | int]) -> Iterator[Reason]:
    """The gravest thing that the move makes."""
    rules, parts = before.rules, before.parts(me, move)
    after = before.after(move, me)
    ways = after.cells(me, COMPLETES)
    threes = len({part.direction for part in parts if part.kind == "open_three"})
    if len(ways) > 1:
        key = f"hint.makes_{'open' if before.makes_open_four(me, move) else 'double'}_four"
        yield Reason(key, values | {"moves": joined(rules, ways)}, cells_of(rules, (move, *ways)))
    elif ways:
        key = "hint.makes_four_three" if threes else "hint.makes_four"
        yield Reason(key, values | {"move": joined(rules, ways)}, cells_of(rules, (move, *ways)))
    elif gained := after.gained(me, before):
        at = after.cells(me, WINS)
        answers = after.answers(me, at)
        made = "threatens_double_four"
        if threes:
            made = "makes_double_three" if threes > 1 else "makes_open_three"
        key = f"hint.{made}{'' if answers else '_unstopped'}"
        named = {"moves": joined(rules, answers), "at": joined(rules, gained)}
        yield Reason(key, values | named, cells_of(rules, (move, *at)))


def _stopped(position: Position, before: Reading, move: int, values: dict[str, str | int]) -> Iterator[Reason]:
    """What the other side threatened, and does no longer."""
    rules: Rules = before.rules
    you = 1 - position.mover
    doubles = ((kind, [cell for cell in cells if before.is_near(cell, move)]) for kind, cells in before.doubles(you).items())
    for threat in (*before.open_threes(you), *(each for kind, cells in doubles for each in before.told_doubles(you, kind, cells))):
        if move in threat.stops:
            named = {"cells": joined(rules, threat.stones, "-"), "move": joined(rules, threat.at)}
            yield Reason(STOPPED[threat.kind], values | named, cells_of(rules, (*threat.stones, *threat.at)))
    line = victory(position, you)
    if len(line) > SHORT_VICTORY and stops_victory(position, you, move):
        yield Reason("hint.stops_fours", values | {"line": joined(rules, line, " ")}, cells_of(rules, line[::2]))
