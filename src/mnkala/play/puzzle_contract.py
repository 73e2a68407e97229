"""The contract of puzzles: what a family of games provides so that the command, the page and the
terminal have puzzles of it.

A puzzle is a position with one thing to find in it, its *goal*, and one solution. The family
decides which goals there are: a number is a win in so many of one's own moves, a word a kind of
puzzle that the family knows. Goals are plain values, so that they can stand in addresses and
requests. A family provides its puzzles by `Family.puzzles`.

Texts of the family begin with its stem, `PuzzleFamily.texts`. `STEM.about` says what kind of
task its puzzles are. Goals that are words have a name, `STEM.GOAL.name`, and an instruction,
`STEM.GOAL.find`; those that are numbers share the words for wins in so many moves.
"""

from __future__ import annotations

import abc
import contextlib
import dataclasses
import random
import time
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any, ClassVar, Generic, TypeVar

from mnkala.core import Position, Rules
from mnkala.core.position import turns
from mnkala.core.score import Score
from mnkala.errors import MnkalaError, unknown
from mnkala.explain.contract import Reason
from mnkala.explain.score_words import score_words
from mnkala.explain.words import named_moves, named_turn
from mnkala.numbers import counted, shortened
from mnkala.search import Engine, Limit, Stop, parse_engine
from mnkala.solve import solver_for
from mnkala.solve.oracle import Oracle, open_oracle

Goal = int | str
MOST_STARS = 5
FEWEST_POINTS, POINTS_PER_STAR = 800.0, 200.0
"""The rating of a puzzle with one star, and what each other star adds. The ratings follow from the
grades; nobody has measured them."""
SHALLOW_DEPTH = 4
"""The number of plies that a person sees at a glance."""


class BadPuzzle(MnkalaError):
    """Puzzles that cannot be made."""


class NotSolvedInTime(MnkalaError):
    """A position is too hard to judge in the available time."""


@dataclasses.dataclass(frozen=True)
class Grade:
    """How hard a puzzle is, and why."""

    stars: int
    """The difficulty, from 1 (easy) to 5 (hard)."""
    rank: int
    """The rank of the solution by the heuristic alone; 1 if it looks best."""
    tempting: int
    """Wrong moves that look as good as the solution."""


@dataclasses.dataclass(frozen=True)
class Puzzle(abc.ABC):
    """A position, what to find in it, and the answer."""

    game: str
    moves: str
    """The moves from the start of the game to the position."""
    solution: tuple[str, ...]
    """The one right move and its continuation."""
    grade: Grade

    @property
    @abc.abstractmethod
    def goal(self) -> Goal:
        """The goal to be reached."""

    @abc.abstractmethod
    def task(self, left: Goal) -> Reason:
        """The remaining task in words."""

    @abc.abstractmethod
    def answer(self) -> str:
        """The solution and what makes it hard, as the command prints it."""

    @abc.abstractmethod
    def facts(self) -> dict[str, Any]:
        """The family's own facts about the puzzle, above all its goal."""

    @property
    def rating(self) -> float:
        """How hard the puzzle is on the scale of ratings, by its stars: 200 points for each."""
        return FEWEST_POINTS + POINTS_PER_STAR * (self.grade.stars - 1)

    @property
    def position(self) -> Position:
        """The position in which something is to be found."""
        return Position(self.game).play(self.moves)

    def to_json(self) -> dict[str, Any]:
        """The puzzle as `mnkala puzzles --json` prints it."""
        position = self.position
        return {
            "game": self.game,
            "moves": self.moves,
            "position": position.literal,
            "mover": position.to_move,
            **self.facts(),
            "solution": list(self.solution),
            "grade": dataclasses.asdict(self.grade),
        }


@dataclasses.dataclass(frozen=True)
class Attempt:
    """The judgement of an attempted move."""

    move: str
    right: bool
    """Whether the goal can still be reached."""
    known: Score
    """The score of the move for the player who tried it; for a right move at least what was
    needed."""
    after: Position
    """The position after the move."""
    answered: Position
    """The position after the defender's reply as well, if there is one."""
    left: Goal
    """The remaining goal; 0 or an empty text once the puzzle is solved."""
    line: tuple[str, ...]
    """A wrong move, and the line that refutes it."""
    said: tuple[Reason, ...] = ()
    """What is wrong with the move, the headline first. `{score}` in these texts is the value of
    the move; here it is in English, and readers of other languages replace it."""
    why: tuple[Reason, ...] = ()
    """What the reply to a wrong move does on the board."""

    @property
    def solved(self) -> bool:
        """Whether the move solved the puzzle."""
        return self.right and not self.left

    @property
    def turns(self) -> tuple[tuple[str, ...], ...]:
        """The line, grouped into whole turns."""
        before, text = self.after.back(), self.after.rules.move_text
        codes = before.play(self.line).history_codes[len(before.history_codes) :]
        return tuple(tuple(map(text, turn.codes)) for turn in turns(before, codes))

    @property
    def refutation(self) -> tuple[str, ...]:
        """The moves after a wrong one that show why it is wrong: the rest of the turn, and the
        opponent's whole turn; empty if there is nothing to show."""
        own, *theirs = self.turns if self.line else ((),)
        return (*own[1:], *theirs[0]) if theirs else ()

    @property
    def reply(self) -> str | None:
        """The defender's reply."""
        return (
            self.answered.history[-1]
            if len(self.answered.history) > len(self.after.history)
            else None
        )


class Maker(abc.ABC):
    """Looks for puzzles in games with a solver of its own, so that what it finds depends on
    nothing but the games."""

    @abc.abstractmethod
    def game(self, rng: random.Random) -> list[Position]:
        """The positions of a game between two careful players, in order."""

    @abc.abstractmethod
    def from_game(self, game: list[Position], wanted: set[Goal]) -> Puzzle | None:
        """A puzzle with a wanted goal that came up in a game, or None."""

    @abc.abstractmethod
    def from_position(self, position: Position, wanted: set[Goal]) -> Puzzle | None:
        """The puzzle with a wanted goal that a position is, or None."""


Judge = TypeVar("Judge")
"""Whatever proves the value of moves in puzzles; usually an oracle."""


class Goals(abc.ABC, Generic[Judge]):
    """What can be asked for in a position, and how moves towards it are judged: the part of puzzles
    that lessons share."""

    @abc.abstractmethod
    def prepare(self, rules: Rules) -> None:
        """Compile everything that judging moves of a game needs, and making puzzles of it."""

    @abc.abstractmethod
    def judge(
        self, position: Position, seconds: float | None, stop: Stop | None
    ) -> contextlib.AbstractContextManager[Judge]:
        """The judge of the moves of a puzzle, with everything compiled and read in advance, so
        that its time limit counts only judging."""

    @abc.abstractmethod
    def left(self, position: Position, goal: Goal, played: Sequence[str]) -> Goal:
        """The remaining goal of a puzzle after some moves; raise an error if there is none or it
        cannot be reached."""

    @abc.abstractmethod
    def attempt(self, judge: Judge, position: Position, left: Goal, move: str) -> Attempt:
        """Judge a legal move."""

    def refusal(self, tried: Attempt, left: Goal) -> tuple[Reason, ...]:
        """The reasons why a move is wrong, as `Attempt.said` holds them: by default the value of
        the move, and the opponent's answer."""
        rules = tried.after.rules
        move = named_moves(rules, tried.move)
        head = Reason("puzzle.wrong_turn", {"move": move, "score": score_words(tried.known, rules)})
        own, *answers = (named_turn(rules, turn) for turn in tried.turns) if tried.line else ("",)
        key = "puzzle.answered" if own == move else "puzzle.answered_after"
        return (head, Reason(key, {"own": own, "line": answers[0]})) if answers else (head,)

    @abc.abstractmethod
    def solution(self, judge: Judge, position: Position, left: Goal) -> tuple[str, ...]:
        """The solution from a position of the puzzle; raise an error if there is none."""

    @abc.abstractmethod
    def reasons(self, position: Position, line: tuple[str, ...]) -> tuple[Reason, ...]:
        """Why the first move of a solution is the one to play."""


class PuzzleFamily(Goals[Judge]):
    """Puzzles of one kind of boards. A family of games may have several of these, for boards of
    different sizes.
    """

    game: ClassVar[str]
    """The game string of the board whose puzzles are offered first."""
    texts: ClassVar[str]
    """The stem of the family's texts."""
    option: ClassVar[str]
    """The name of a goal in requests and options: `win_in` for numbers, `kind` for words."""
    offered: ClassVar[Sequence[Goal]]
    """The goals offered to people."""
    boards: ClassVar[str]
    """The boards that have puzzles, for people."""
    patience: ClassVar[int]
    """The number of games without a puzzle after which any goal is accepted; after three times
    as many, the search ends."""
    ideas: ClassVar[Mapping[str, Set[str]]] = {
        "puzzle.idea_fork": {"hint.fork", "hint.stacked"},
        "puzzle.idea_threat": {"hint.threatens"},
        "puzzle.idea_stop": {"hint.prevents_fork", "hint.blocks"},
        "puzzle.idea_later": {"hint.odd_threat", "hint.even_threat"},
    }
    """What right moves are about: keys of texts, with the keys of the reasons by which that is
    recognised. The first that fits is told as a hint."""
    trains: ClassVar[Mapping[str, tuple[Goal, ...]]] = {}
    """The goals that train people who make a kind of mistake (`Explanations.mistake`), by the key of its text; all goals
    for a kind that is not named."""

    def idea(self, position: Position, line: tuple[str, ...]) -> Reason:
        """What the first move of a solution is about, without naming the move."""
        keys = {reason.key for reason in self.reasons(position, line)}
        idea = next((text for text, known in self.ideas.items() if keys & known), "puzzle.idea_any")
        return Reason(idea, {"opponent": position.rules.players[1 - position.mover]})

    @abc.abstractmethod
    def fits(self, rules: Rules) -> bool:
        """Whether puzzles exist for a game."""

    def read_goals(self, text: str) -> Sequence[Goal]:
        """Read goals as they are typed, by default kinds separated by commas; raises BadPuzzle for
        any other text."""
        found = tuple(dict.fromkeys(word.strip() for word in text.split(",")))
        for word in found:
            if word not in self.offered:
                raise BadPuzzle(unknown("puzzle kind", word, map(str, self.offered)))
        return found

    def read_goal(self, text: str) -> Goal:
        """Read a single goal as it is typed; raises BadPuzzle for anything else, including several
        goals."""
        goals = self.read_goals(text)
        if len(goals) != 1:
            raise BadPuzzle(
                f"'{shortened(text)}' means {counted(len(goals), 'kind')} of puzzles; one is needed, such as {self.offered[0]}"
            )
        self.check_goals(goals)
        return goals[0]

    def check_goals(self, goals: Sequence[Goal]) -> None:
        """Raise BadPuzzle if no game of the family has such puzzles."""
        if not goals or not all(goal in self.offered for goal in goals):
            raise BadPuzzle(
                f"puzzles for {self.boards} are of the kinds {', '.join(map(str, self.offered))}"
            )

    def check_possible(self, rules: Rules, goal: Goal) -> None:
        """Raise an error with the reason if a board cannot have puzzles with a goal, without
        searching for one."""
        self.check_goals([goal])

    def in_words(self, goal: Goal) -> str:
        """Describe puzzles with a goal for an error message: 'with a win in 3', or 'of the kind
        save'."""
        return f"of the kind {goal}"

    @abc.abstractmethod
    def maker(self, rules: Rules, stop: Stop) -> Maker:
        """A maker of puzzles for a game, with everything compiled."""

    @abc.abstractmethod
    def read(self, entry: dict[str, Any]) -> Puzzle:
        """Read a puzzle from its JSON values."""


class SolverGoals(Goals[Oracle]):
    """Goals whose moves a solver judges."""

    def prepare(self, rules: Rules) -> None:
        """Compile the perfect player and its solver."""
        parse_engine("perfect").search.prepare(rules)

    @contextlib.contextmanager
    def judge(
        self, position: Position, seconds: float | None, stop: Stop | None
    ) -> Iterator[Oracle]:
        """An oracle for the position's game."""
        solver_for(position.rules).prepare(position.rules)
        with open_oracle(position.rules, stop) as oracle:
            oracle.effort.extend(
                until=None if seconds is None else time.perf_counter() + seconds, nodes=None
            )
            yield oracle


class SolverPuzzles(SolverGoals, PuzzleFamily[Oracle]):
    """Puzzles of games that a solver judges."""


def glances(engine: Engine, position: Position, depth: int) -> dict[int, int]:
    """The values of every move by a shallow search, for comparison."""
    found = engine.analyse(position, Limit(depth=depth), all_moves=True)
    # A proved score is the game's own, in units of discs, and lies beyond every heuristic value.
    return {
        each.code: each.score.value + 10**9 * {"win": 1, "loss": -1}.get(each.score.result, 0)
        for each in found.moves
    }


def rivals(engine: Engine, position: Position, move: int, depth: int = SHALLOW_DEPTH) -> int:
    """The number of other moves that a shallow search rates as high."""
    values = glances(engine, position, depth)
    return sum(value >= values[move] for other, value in values.items() if other != move)
