"""The ladder: short matches between the files that passed, and against reference players.

All matches start from the same random openings, each played twice with the sides changed. A player
loses the game by an illegal move, an exception or a late answer. Few games say little, so every
result has Wilson's interval (see `play/series.py`).
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any

from mnkala.core import Position, Rules
from mnkala.play.engine_game import Conditions, play_game
from mnkala.play.series import SeriesResult, opening
from mnkala.programs.process import Fault, Forfeit
from mnkala.school.process import Bounds, StudentError, StudentProcess
from mnkala.school.submission import Submission
from mnkala.search import Analysis, Engine, Limit, Search, Task, parse_engine

REFERENCES = ("random:seed=1", "greedy", "minimax:depth=1", "minimax:depth=2", "minimax:depth=3")
"""The reference players, from the weakest to the strongest."""
GAMES = ("connect4:5x6", "kalah:4x3")
"""Small boards, so that a match is short; each is used for half of the openings."""
OPENING = 2
"""The number of random moves before the players take over."""
ARGUMENTS: dict[str, dict[str, Any]] = {
    "minimax": {"depth": 3},
    "alphabeta": {"depth": 4},
    "mcts": {"iterations": 100, "seed": 1},
    "heuristic": {},
}
"""The arguments that each exercise's function gets. A heuristic plays the move after which it rates
the position best."""
MOST_SECONDS = 2.0
"""The seconds for a move, unless a single answer is limited more tightly already."""
MOST_FORFEITS = 2
"""After this many games lost without an answer the rest of a match counts as lost."""
STRICT = Conditions(lenient=False)
"""An error of our own is no student's fault."""
NEIGHBOURS = 3
"""How many of the files ranked below it each file plays: in a class of four everyone plays
everyone."""


@dataclasses.dataclass(frozen=True)
class Match:
    """The result of one file against a reference player or another file."""

    opponent: str
    result: SeriesResult
    forfeits: int = 0
    """How many of the losses were for lack of an answer."""
    note: str = ""

    def turned(self, opponent: str) -> Match:
        """The match from the other player's point of view."""
        return Match(opponent, self.result.turned())


def total(matches: Sequence[Match]) -> SeriesResult:
    """Combine all matches into one result."""
    return sum((match.result for match in matches), SeriesResult())


@dataclasses.dataclass(frozen=True)
class Student(Search):
    """A student's file as a search, so that it plays as any engine does."""

    name = "student"
    process: StudentProcess
    exercise: str
    seconds: float
    """The time limit of a move."""

    def prepare(self, rules: Rules) -> None:
        """Do nothing, because the student's file is not compiled."""

    def most_nodes(self, rules: Rules, limit: Limit) -> float:
        """The process does the work, so no thread is needed to ask it."""
        return 0

    def run(self, task: Task) -> Analysis:
        position = task.position
        do: Any = "greedy" if self.exercise == "heuristic" else "move"
        try:
            move = str(self.process.ask(do, position, ARGUMENTS[self.exercise], self.seconds).value)
        except StudentError as error:
            raise Forfeit(Fault.EXCEPTION, error.text) from None
        legal = dict(zip(position.legal_moves, position.legal_codes, strict=True))
        if move not in legal:
            raise Forfeit(
                Fault.ILLEGAL_MOVE,
                f"played {move[:40]!r} in {position.game} after {position.moves}, which is not legal",
            )
        return Analysis(position, task.engine, None, (), (legal[move],))


def student(process: StudentProcess, submission: Submission, bounds: Bounds) -> Engine:
    """The engine of a student's file."""
    return Engine(Student(process, submission.exercise, min(MOST_SECONDS, bounds.seconds)))


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
    return tuple(
        opening(Position(GAMES[number // 2 % len(GAMES)]).rules, OPENING, 1 + number // 2)
        for number in range(games)
    )


def play_match(one: Engine, other: Engine, games: int, opponent: str) -> Match:
    """Play a match and return it as `one`'s result."""
    result, forfeits, note = SeriesResult(), [0, 0], ""  # the forfeits of `one` and of `other`
    for number, start in enumerate(starts(games)):
        given_up = next((who for who in (0, 1) if forfeits[who] >= MOST_FORFEITS), None)
        if given_up is not None:
            forfeits[given_up] += 1
            result = result.add(given_up)
            continue
        seat = number % 2
        played = play_game(start, (other, one) if seat else (one, other), STRICT)
        points = played.points[seat]
        if played.fault:
            forfeits[int(points)] += 1
            note = note or ("" if points else played.fault.partition(": ")[2])
        result = result.add(points)
    return Match(opponent, result, forfeits[0], note)


def against_references(submission: Submission, bounds: Bounds, games: int) -> list[Match]:
    """Play a file's matches against all reference players."""
    with StudentProcess(submission.source, submission.exercise, bounds) as process:
        player = student(process, submission, bounds)
        return [
            play_match(player, reference_engine(name), games, name.partition(":seed")[0])
            for name in REFERENCES
        ]


def against_each_other(one: Submission, other: Submission, bounds: Bounds, games: int) -> Match:
    """Play a match of two files."""
    processes = [
        StudentProcess(submission.source, submission.exercise, bounds)
        for submission in (one, other)
    ]
    with processes[0] as first, processes[1] as second:
        return play_match(
            student(first, one, bounds), student(second, other, bounds), games, other.name
        )


def pairings(ranked: Sequence[str]) -> list[tuple[str, str]]:
    """Pair every file with the next few below it in the ranking."""
    return [
        (name, below)
        for place, name in enumerate(ranked)
        for below in ranked[place + 1 : place + 1 + NEIGHBOURS]
    ]
