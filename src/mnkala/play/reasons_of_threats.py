"""Reasons for a move of Gomoku and its kin that name what it makes and what it stops: fours, open threes, victories by fours.

All is read off the board of the engine (`line_threats`), and each claim that somebody must answer has been tried: on every other cell the
threat would still be there. Nothing is said where the other side completes its line first.
"""

from __future__ import annotations

from collections.abc import Iterator

from mnkala.games import Position, Rules
from mnkala.gomoku.combinations import COMPLETES, WINS
from mnkala.gomoku.patterns import FOUR, OPEN_FOUR, OPEN_THREE, WIDE_THREE
from mnkala.play.line_threats import SHORT_VICTORY, Reading, cells_of, joined, size_words, stops_victory, victory
from mnkala.play.reason import Reason

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
    rules, kinds = before.rules, before.kinds(me, move)
    after = before.after(move, me)
    ways = after.cells(me, COMPLETES)
    if len(ways) > 1:
        key = "hint.makes_open_four" if OPEN_FOUR in kinds else "hint.makes_double_four"
        yield Reason(key, values | {"moves": joined(rules, ways)}, cells_of(rules, (move, *ways)))
        return
    threes = sum(kind in (OPEN_THREE, WIDE_THREE) for kind in kinds)
    if ways and FOUR in kinds:
        key = "hint.makes_four_three" if threes else "hint.makes_four"
        yield Reason(key, values | {"move": joined(rules, ways)}, cells_of(rules, (move, *ways)))
    elif threes:
        at = after.cells(me, WINS)
        answers = after.answers(me, at)
        key = f"hint.makes_{'double' if threes > 1 else 'open'}_three{'' if answers else '_unstopped'}"
        yield Reason(key, values | {"moves": joined(rules, answers)}, cells_of(rules, (move, *at)))


def _stopped(position: Position, before: Reading, move: int, values: dict[str, str | int]) -> Iterator[Reason]:
    """What the other side threatened, and does no longer."""
    rules: Rules = before.rules
    you = 1 - position.mover
    for threat in (*before.open_threes(you), *before.doubles(you)):
        if move in threat.stops:
            named = {"cells": joined(rules, threat.stones, "-"), "move": joined(rules, threat.at)}
            yield Reason(STOPPED[threat.kind], values | named, cells_of(rules, (*threat.stones, *threat.at)))
    line = victory(position, you)
    if len(line) > SHORT_VICTORY and stops_victory(position, you, move):
        yield Reason("hint.stops_fours", values | {"line": joined(rules, line, " ")}, cells_of(rules, line[::2]))
