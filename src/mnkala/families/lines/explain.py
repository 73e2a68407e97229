"""Explanations of moves in (m,n,k)-games: lines, as in any such game, and the threats that players
of Gomoku speak of.

A reason names what a move makes and what it stops: fours, open threes, victories by fours.
Everything is read off the engine's board (`board_threats.py`), and each claim that somebody must
answer has been tested: on every other cell the threat would remain. Nothing is said if the other
side completes its line first.

`CURVES` turn the numbers of heuristics into chances; `python -m bench.fit_chances` fitted them (see
`explain/chances.py`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import ClassVar

from mnkala.core import Position, Rules
from mnkala.explain.chances import Curve
from mnkala.explain.contract import Answer, Fault, Reason, Threat, cells_of
from mnkala.explain.line_reasons import LineExplanations
from mnkala.families.lines.board_threats import (
    SHORT_VICTORY,
    BoardThreats,
    check_knows_threats,
    joined,
    knows_threats,
    line_threats,
    size_words,
    stops_victory,
    victory,
)
from mnkala.families.lines.engine.patterns import COMPLETES, WINS
from mnkala.families.lines.engine.proofs import BY_FOURS, won_by_fours
from mnkala.families.lines.engine.search import WON
from mnkala.families.lines.engine.threat_search import Threats
from mnkala.search import RootMove, Stop
from mnkala.search.values import score_of

STOPPED_BY_KIND = {
    "open_three": "hint.stops_open_three",
    "double_four": "hint.stops_double_four",
    "four_three": "hint.stops_four_three",
    "double_three": "hint.stops_double_three",
}
FORKS = {"hint.makes_open_four", "hint.makes_double_four"}
MADE = FORKS | {
    "hint.makes_four_three",
    "hint.makes_four",
    "hint.makes_double_three_unstopped",
    "hint.makes_double_three",
    "hint.makes_open_three_unstopped",
    "hint.makes_open_three",
    "hint.threatens_double_four_unstopped",
    "hint.threatens_double_four",
}
STOPPED = {*STOPPED_BY_KIND.values(), "hint.stops_fours"}
OPEN_FOUR = 3
"""The moves of both sides from an open four to the end of the game."""
LINES_IN_THE_MAKING = ("hint.open_lines", "hint.centre")


class ThreatExplanations(LineExplanations):
    """Explains moves with threats, in games whose line is long enough for them."""

    importance: ClassVar = {
        "hint.only_draw": ("hint.wins_by_fours", "hint.makes_open_four", "hint.makes_double_four"),
        "hint.stacked": (
            "hint.makes_four_three",
            "hint.stops_open_three",
            "hint.stops_fours",
            "hint.makes_double_three_unstopped",
            "hint.makes_double_three",
            "hint.makes_four",
            "hint.makes_open_three_unstopped",
            "hint.threatens_double_four_unstopped",
            "hint.makes_open_three",
            "hint.threatens_double_four",
            "hint.stops_double_four",
            "hint.stops_four_three",
            "hint.stops_double_three",
        ),
    }
    said_by: ClassVar = {
        "hint.fork": FORKS,
        "hint.threatens": {"hint.makes_four_three", "hint.makes_four"},
        "hint.wins_in": {"hint.wins_by_fours"},
        "hint.wins_by_force": {"hint.wins_by_fours"},
        "hint.seems_to_win": {"hint.wins_by_fours", *FORKS},
        "hint.builds": MADE,
        "hint.prevents_fork": {"hint.stops_open_three", "hint.stops_fours"},
        "hint.stops_double_four": {
            "hint.prevents_fork",
            "hint.stops_open_three",
            "hint.stops_fours",
        },
        "hint.stops_four_three": {"hint.stops_fours"},
        "hint.disrupts": STOPPED,
        **dict.fromkeys(LINES_IN_THE_MAKING, MADE | STOPPED),
    }

    def __init__(self, rules: Rules) -> None:
        self.threats = knows_threats(rules)
        self.legend = ("lines.legend.by_fours",) if self.threats else ()

    def reasons(
        self, position: Position, move: int, line: tuple[int, ...], *, proved: bool
    ) -> Iterator[Reason]:
        yield from super().reasons(position, move, line, proved=proved)
        if self.threats:
            yield from threat_reasons(position, move)

    def mistake(self, fault: Fault) -> str | None:
        """The key of the text for a victory by fours that was missed or allowed, if a search proves
        it."""
        if not self.threats:
            return super().mistake(fault)
        me = fault.position.mover
        own = victory(fault.position, me)
        if own and own[0] not in fault.played:
            return "lines.mistake.missed_fours"
        allowed = victory(fault.position.play_codes(fault.played), 1 - me)
        if not allowed or not stops_victory(fault.position, 1 - me, fault.best[0]):
            return None
        short = len(allowed) <= SHORT_VICTORY
        return f"lines.mistake.allowed_{'four' if short else 'fours'}"

    def sharpened(self, analysis: Answer) -> Answer:
        return with_open_fours(with_fours(analysis)) if self.threats else with_fours(analysis)

    def check_threats(self, rules: Rules) -> None:
        check_knows_threats(rules)

    def find_threats(self, position: Position, stop: Stop) -> tuple[Threat, ...]:
        return line_threats(position, stop)


def with_fours(analysis: Answer) -> Answer:
    """Add a victory by fours of the player to move to an analysis by `threats` that has not proved
    a win.

    That search looks for such a victory first if only the best move is asked for. If every move
    must have a value it searches them all instead, and what it finds is likely, not proved; here
    the proof replaces it.
    """
    position, score = analysis.position, analysis.score
    asked = analysis.engine.partition(":")[0] == Threats.name and not position.is_over
    line = (
        victory(position, position.mover)
        if asked and (score is None or score.result != "win")
        else ()
    )
    if not line:
        return analysis
    short = len(line) <= SHORT_VICTORY
    proved = score_of(position, WON - len(line), "exact", short)
    if not short:
        proved = won_by_fours(proved, position.rules)
    won = RootMove(line[0], proved, line)
    moves = (won, *(each for each in analysis.moves if each.code != line[0]))
    return dataclasses.replace(
        analysis, score=proved, moves=moves, line_codes=line, note="" if short else BY_FOURS
    )


def with_open_fours(analysis: Answer) -> Answer:
    """Prove the wins that the board shows: by a move after which there are two ways to complete a
    line and the other side has none. A search of candidate moves calls them likely."""
    position, me = analysis.position, analysis.position.mover
    likely = [
        each
        for each in analysis.moves
        if each.score.kind == "likely" and each.score.plies == OPEN_FOUR
    ]
    found = {each.code for each in likely if each.score.prospect == "win"}
    if not found:
        return analysis
    before = BoardThreats.of(position)
    afters = {code: before.after(code, me) for code in found}
    sure = {
        code
        for code, after in afters.items()
        if len(after.cells(me, COMPLETES)) > 1 and not after.cells(1 - me, COMPLETES)
    }
    won = score_of(position, WON - OPEN_FOUR, "exact", True)
    moves = tuple(
        dataclasses.replace(each, score=won) if each.code in sure else each
        for each in analysis.moves
    )
    whole = (
        won
        if analysis.best_code in sure
        and analysis.score is not None
        and not analysis.score.is_proved
        else analysis.score
    )
    return dataclasses.replace(analysis, score=whole, moves=moves)


def threat_reasons(position: Position, move: int) -> Iterator[Reason]:
    """The reasons for a move that does not win at once: what it makes and what it stops."""
    rules, me = position.rules, position.mover
    before = BoardThreats.of(position)
    if before.cells(me, COMPLETES) or set(before.cells(1 - me, COMPLETES)) - {move}:
        return
    values: dict[str, str | int] = size_words(rules) | {"opponent": rules.players[1 - me]}
    line = victory(position, me)
    if line[:1] == (move,) and len(line) > SHORT_VICTORY:
        told = values | {"moves": (len(line) + 1) // 2, "line": joined(rules, line, " ")}
        yield Reason("hint.wins_by_fours", told, cells_of(rules, line[::2]))
    yield from _made(before, move, me, values)
    yield from _stopped(position, before, move, values)


def _made(
    before: BoardThreats, move: int, me: int, values: dict[str, str | int]
) -> Iterator[Reason]:
    """The reason for the most serious threat that the move makes."""
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


def _stopped(
    position: Position, before: BoardThreats, move: int, values: dict[str, str | int]
) -> Iterator[Reason]:
    """The reasons for threats of the other side that the move stops."""
    rules: Rules = before.rules
    you = 1 - position.mover
    doubles = (
        (kind, [cell for cell in cells if before.is_near(cell, move)])
        for kind, cells in before.doubles(you).items()
    )
    for threat in (
        *before.open_threes(you),
        *(each for kind, cells in doubles for each in before.describe_doubles(you, kind, cells)),
    ):
        if move in threat.stops:
            named = {"cells": joined(rules, threat.stones, "-"), "move": joined(rules, threat.at)}
            yield Reason(
                STOPPED_BY_KIND[threat.kind],
                values | named,
                cells_of(rules, (*threat.stones, *threat.at)),
            )
    line = victory(position, you)
    if len(line) > SHORT_VICTORY and stops_victory(position, you, move):
        yield Reason(
            "hint.stops_fours",
            values | {"line": joined(rules, line, " ")},
            cells_of(rules, line[::2]),
        )


LINES = {3: Curve(2600, 27.9), 4: Curve(31_600, 27.9)}
"""Curves of the heuristic `lines` where the length of the line makes a difference. The curve for
three is not fitted, because such boards are solved at once: it is the one for four in `lines`' own
steps of twelve."""
