"""The ladder: short matches of the files that passed, against reference players and against their neighbours.

All start from the same random openings, each played twice with the sides changed. A move that is not legal, raises or comes too late
loses the game. Few games say little: every result carries Wilson's interval (see `play/series.py`).
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any, Protocol

from mnkala.core import Position
from mnkala.play.engine_game import points_of
from mnkala.play.series import SeriesResult, opening
from mnkala.school.process import Bounds, StudentError, StudentProcess
from mnkala.school.submission import Submission
from mnkala.search import Engine, parse_engine

REFERENCES = ("random:seed=1", "greedy", "minimax:depth=1", "minimax:depth=2", "minimax:depth=3")
"""The rungs, from the lowest."""
GAMES = ("connect4:5x6", "kalah:4x3")
"""Small boards, so that a match is short; half of the openings of each."""
OPENING = 2
"""Random moves before the players take over."""
ARGUMENTS: dict[str, dict[str, Any]] = {"minimax": {"depth": 3}, "alphabeta": {"depth": 4}, "mcts": {"iterations": 100, "seed": 1},
                                        "heuristic": {}}
"""What each exercise's function is asked for. A heuristic plays the move after which it likes the position best."""
MOST_SECONDS = 2.0
"""For one move, if a single answer is not bounded more tightly already."""
MOST_FORFEITS = 2
"""After so many games lost without an answer the rest of a match counts as lost too."""
NEIGHBOURS = 3
"""How many files further down each file meets: in a class of four everyone meets everyone."""


@dataclasses.dataclass(frozen=True)
class Match:
    """One file's result against a reference player or another file."""

    opponent: str
    wins: int
    draws: int
    losses: int
    forfeits: int = 0
    """Of the losses, those for want of an answer."""
    note: str = ""

    @property
    def result(self) -> SeriesResult:
        """As a series, with its interval."""
        return SeriesResult(self.wins, self.draws, self.losses)

    def turned(self, opponent: str) -> Match:
        """The same match as the other player saw it."""
        return Match(opponent, self.losses, self.draws, self.wins)


def total(matches: Sequence[Match]) -> SeriesResult:
    """All matches as one result."""
    return SeriesResult(sum(match.wins for match in matches), sum(match.draws for match in matches), sum(match.losses for match in matches))


class Forfeit(Exception):
    """A player gave no legal move."""

    def __init__(self, player: LadderPlayer, why: str) -> None:
        super().__init__(why)
        self.player, self.why = player, why


class LadderPlayer(Protocol):
    """Anyone who can choose a move."""

    def choose(self, position: Position) -> int:
        """The code of a legal move, or Forfeit."""


class EnginePlayer:
    """A reference player."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def choose(self, position: Position) -> int:
        return self.engine.analyse(position).line_codes[0]


class StudentPlayer:
    """A student's file, in its process."""

    def __init__(self, process: StudentProcess, exercise: str, bounds: Bounds) -> None:
        self.process, self.exercise = process, exercise
        self.seconds = min(MOST_SECONDS, bounds.seconds)

    def choose(self, position: Position) -> int:
        do: Any = "greedy" if self.exercise == "heuristic" else "move"
        try:
            move = str(self.process.ask(do, position, ARGUMENTS[self.exercise], self.seconds).value)
        except StudentError as error:
            raise Forfeit(self, error.text) from None
        legal = dict(zip(position.legal_moves, position.legal_codes, strict=True))
        if move not in legal:
            raise Forfeit(self, f"played {move[:40]!r} in {position.game} after {position.moves}, which is not legal")
        return legal[move]


@functools.cache
def reference_engine(name: str) -> Engine:
    """A reference player's engine, compiled for the games of the ladder."""
    engine = parse_engine(name)
    for game in GAMES:
        engine.search.prepare(Position(game).rules)
    return engine


@functools.cache
def starts(games: int) -> tuple[Position, ...]:
    """The position that each game of a match begins with: pairs share one, and the games take turns."""
    return tuple(opening(Position(GAMES[number // 2 % len(GAMES)]).rules, OPENING, 1 + number // 2) for number in range(games))


def play_match(one: LadderPlayer, other: LadderPlayer, games: int, opponent: str) -> Match:
    """Play; the result is `one`'s."""
    result, forfeits, note = SeriesResult(), {id(one): 0, id(other): 0}, ""
    for number, start in enumerate(starts(games)):
        seats = (one, other) if number % 2 == 0 else (other, one)
        lost = next((player for player in (one, other) if forfeits[id(player)] >= MOST_FORFEITS), None)
        try:
            if lost is not None:
                raise Forfeit(lost, "")
            result = result.add(_play(start, seats, one))
        except Forfeit as forfeit:
            forfeits[id(forfeit.player)] += 1
            if forfeit.player is one:
                note = note or forfeit.why
            result = result.add(0.0 if forfeit.player is one else 1.0)
    return Match(opponent, result.wins, result.draws, result.losses, forfeits[id(one)], note)


def _play(position: Position, seats: tuple[LadderPlayer, LadderPlayer], one: LadderPlayer) -> float:
    """One game; the points of `one`."""
    while not position.is_over:
        position = position.play_codes([seats[position.mover].choose(position)])
    return points_of(position, seats.index(one))


def against_references(submission: Submission, bounds: Bounds, games: int) -> list[Match]:
    """A file's matches against all rungs."""
    with StudentProcess(submission.source, submission.exercise, bounds) as process:
        player = StudentPlayer(process, submission.exercise, bounds)
        return [play_match(player, EnginePlayer(reference_engine(name)), games, name.partition(":seed")[0]) for name in REFERENCES]


def against_each_other(one: Submission, other: Submission, bounds: Bounds, games: int) -> Match:
    """A match of two files."""
    processes = [StudentProcess(submission.source, submission.exercise, bounds) for submission in (one, other)]
    with processes[0] as first, processes[1] as second:
        players = StudentPlayer(first, one.exercise, bounds), StudentPlayer(second, other.exercise, bounds)
        return play_match(*players, games, other.name)


def pairings(ranked: Sequence[str]) -> list[tuple[str, str]]:
    """Who meets whom: everyone the next few further down."""
    return [(name, below) for place, name in enumerate(ranked) for below in ranked[place + 1:place + 1 + NEIGHBOURS]]


