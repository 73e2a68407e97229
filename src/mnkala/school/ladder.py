"""The ladder: short matches between the files that passed, and against reference players.

All matches start from the same random openings, each played twice with the sides changed. A player
loses the game by an illegal move, an exception or a late answer. Few games say little, so every
result has Wilson's interval (see `play/series.py`).
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
"""The reference players, from the weakest to the strongest."""
GAMES = ("connect4:5x6", "kalah:4x3")
"""Small boards, so that a match is short; each is used for half of the openings."""
OPENING = 2
"""The number of random moves before the players take over."""
ARGUMENTS: dict[str, dict[str, Any]] = {"minimax": {"depth": 3}, "alphabeta": {"depth": 4}, "mcts": {"iterations": 100, "seed": 1},
                                        "heuristic": {}}
"""The arguments that each exercise's function gets. A heuristic plays the move after which it rates
the position best."""
MOST_SECONDS = 2.0
"""The seconds for a move, unless a single answer is limited more tightly already."""
MOST_FORFEITS = 2
"""After this many games lost without an answer the rest of a match counts as lost."""
NEIGHBOURS = 3
"""How many of the files ranked below it each file plays: in a class of four everyone plays
everyone."""


@dataclasses.dataclass(frozen=True)
class Match:
    """One file's result against a reference player or another file."""

    opponent: str
    wins: int
    draws: int
    losses: int
    forfeits: int = 0
    """The losses for want of an answer."""
    note: str = ""

    @property
    def result(self) -> SeriesResult:
        """The match as a result of a series, with its interval."""
        return SeriesResult(self.wins, self.draws, self.losses)

    def turned(self, opponent: str) -> Match:
        """The match as the other player saw it."""
        return Match(opponent, self.losses, self.draws, self.wins)


def total(matches: Sequence[Match]) -> SeriesResult:
    """Combine all matches into one result."""
    return SeriesResult(sum(match.wins for match in matches), sum(match.draws for match in matches), sum(match.losses for match in matches))


class Forfeit(Exception):
    """A player did not give a legal move."""

    def __init__(self, player: LadderPlayer, why: str) -> None:
        super().__init__(why)
        self.player, self.why = player, why


class LadderPlayer(Protocol):
    """A player on the ladder."""

    def choose(self, position: Position) -> int:
        """Choose a legal move and return its code, or raise Forfeit."""


class EnginePlayer:
    """A player that is an engine of mnkala."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def choose(self, position: Position) -> int:
        return self.engine.analyse(position).line_codes[0]


class StudentPlayer:
    """A player that is a student's file, in its process."""

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
    """The engine of a reference player, compiled for the games of the ladder."""
    engine = parse_engine(name)
    for game in GAMES:
        engine.search.prepare(Position(game).rules)
    return engine


@functools.cache
def starts(games: int) -> tuple[Position, ...]:
    """The position with which each game of a match begins: two games share one, and the boards
    alternate."""
    return tuple(opening(Position(GAMES[number // 2 % len(GAMES)]).rules, OPENING, 1 + number // 2) for number in range(games))


def play_match(one: LadderPlayer, other: LadderPlayer, games: int, opponent: str) -> Match:
    """Play a match and return it as `one`'s result."""
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
    """Play one game and return the points of `one`."""
    while not position.is_over:
        position = position.play_codes([seats[position.mover].choose(position)])
    return points_of(position, seats.index(one))


def against_references(submission: Submission, bounds: Bounds, games: int) -> list[Match]:
    """Play a file's matches against all reference players."""
    with StudentProcess(submission.source, submission.exercise, bounds) as process:
        player = StudentPlayer(process, submission.exercise, bounds)
        return [play_match(player, EnginePlayer(reference_engine(name)), games, name.partition(":seed")[0]) for name in REFERENCES]


def against_each_other(one: Submission, other: Submission, bounds: Bounds, games: int) -> Match:
    """Play a match of two files."""
    processes = [StudentProcess(submission.source, submission.exercise, bounds) for submission in (one, other)]
    with processes[0] as first, processes[1] as second:
        players = StudentPlayer(first, one.exercise, bounds), StudentPlayer(second, other.exercise, bounds)
        return play_match(*players, games, other.name)


def pairings(ranked: Sequence[str]) -> list[tuple[str, str]]:
    """Pair every file with the next few below it in the ranking."""
    return [(name, below) for place, name in enumerate(ranked) for below in ranked[place + 1:place + 1 + NEIGHBOURS]]


