"""Lessons in playing: positions in an order that teaches, each with something to find in it.

A family of games brings a course for a game as a file `lessons/GAME.toml` in its folder
(`Family.lessons`): the `game`, its `place` among the courses, and the lessons as `[[lesson]]`:

- `name` is kept with what a person has learned, and stands in addresses.

- `moves` from the start of the game, or from `start`, a position literal.

- `goal` is what the player to move has to reach: `win`, `hold` (not lose) or `best` (give nothing
  away), judged by the game's solver, or a goal of the puzzles of the game, such as a number of moves
  in which to win.

- `turns` is how many turns the learner makes; 0 means until the game ends. The best defence
  answers.

- `title`, `text`, `task` and `right` have a text in each language; `right` is the reason, shown
  after the right move.

- `show` lists cells that the text is about, as column letters and row numbers from below.

- The other keys hold what the texts claim, proved by `check_lesson`: `answers`, all right first
  moves; `score`, the exact score of the player to move; `scores`, those of single moves; `line`,
  moves of both sides, of which the player's own are right; `completes`, after some moves, all cells
  where a mark would complete a line, such as `{ "" = ["o b3"] }`.

Whatever a person tries is judged live. No answer is stored to be compared with.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import tomllib
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from mnkala.core import Position
from mnkala.core.grid import column_name, column_number
from mnkala.core.picture import Cell
from mnkala.core.plugins import PluginWarning
from mnkala.core.registry import families
from mnkala.errors import MnkalaError, unknown
from mnkala.explain.contract import Reason
from mnkala.explain.line_reasons import Lines
from mnkala.explain.words import LANGUAGES
from mnkala.play.one_move_puzzles import GOALS, ResultGoals
from mnkala.play.puzzle_contract import Attempt, Goal, Goals
from mnkala.play.puzzles import find_puzzles, refused
from mnkala.search import Stop

Said = dict[str, str]
"""A text in every language; English stands in for one that is missing."""


class BadLesson(MnkalaError):
    """A lesson that does not exist, or that claims what is not true."""


class Lesson(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A position, what to find in it, and the texts about it. The fields are the keys described at
    the top of this module."""

    game: str
    name: str
    goal: Goal
    title: Said
    text: Said
    task: Said
    right: Said
    moves: str = ""
    start: str | None = None
    turns: int = 1
    show: list[str] = []
    answers: list[str]
    score: int | None = None
    scores: dict[str, int] = {}
    line: str = ""
    completes: dict[str, list[str]] = {}

    @property
    def key(self) -> str:
        """The name of the lesson among all lessons."""
        return f"{self.game}/{self.name}"

    @property
    def position(self) -> Position:
        """The position to look at."""
        return Position(self.game, literal=self.start).play(self.moves)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells that the text is about, by row and column from the top left."""
        rows = len(self.position.rules.picture(self.position.state()).cells)
        names = [(each.rstrip("0123456789"), each) for each in self.show]
        return tuple(
            (rows - int(each[len(column) :]), column_number(column)) for column, each in names
        )

    @property
    def goals(self) -> Goals[Any]:
        """What judges its goal: the solver, or the puzzles of the game."""
        rules = self.position.rules
        if self.goal in GOALS:
            return ResultGoals()
        found = find_puzzles(rules)
        if found is None:
            raise BadLesson(unknown("goal", str(self.goal), map(str, GOALS)))
        found.check_possible(rules, self.goal)
        return found

    def at(self, played: Sequence[str]) -> Position:
        """The position after moves of both sides."""
        position = self.position
        for move in played:
            position = position.play(move)
        return position

    def is_done(self, after: Position) -> bool:
        """Whether the lesson has ended in this position: the game is over, or the learner has made
        as many turns as the lesson lasts (`turns`)."""
        first = self.position
        movers = [*after.movers[len(first.movers) :], None if after.is_over else after.mover]
        ended = sum(
            mover == first.mover != following for mover, following in itertools.pairwise(movers)
        )
        return after.is_over or (bool(self.turns) and ended >= self.turns)


@dataclasses.dataclass(frozen=True)
class Course:
    """The lessons of a game, in the order in which they teach."""

    game: str
    place: int
    lessons: tuple[Lesson, ...]

    def lesson(self, name: str) -> Lesson:
        """A lesson by its name, or by its number from 1; raises BadLesson if there is none."""
        named = {each.name: each for each in self.lessons}
        named |= {str(number): each for number, each in enumerate(self.lessons, start=1)}
        if name not in named:
            raise BadLesson(unknown("lesson", name, [each.name for each in self.lessons]))
        return named[name]


def courses() -> tuple[Course, ...]:
    """All courses, in the order in which they are offered."""
    files = tuple(file for family in families() for file in family.lessons())
    return tuple(sorted(_courses(files), key=lambda course: course.place))


def course_of(game: str) -> Course:
    """The course for exactly this game string (case does not matter), such as "kalah" or
    "tictactoe"; raises BadLesson if there is none."""
    wanted, known = game.strip().lower(), courses()
    for course in known:
        if wanted == course.game:
            return course
    raise BadLesson(unknown("course", game, [course.game for course in known]))


@functools.lru_cache(maxsize=4)
def _courses(files: tuple[Path, ...]) -> tuple[Course, ...]:
    return tuple(_readable(files))


def _readable(files: tuple[Path, ...]) -> Iterator[Course]:
    for file in files:
        try:
            yield read_course(file)
        except (OSError, ValueError, MnkalaError) as error:
            warnings.warn(
                f"the lessons in {file} were left out: {error}", PluginWarning, stacklevel=2
            )


def read_course(file: Path) -> Course:
    """Read the lessons of a file; an error says what is wrong with it."""
    told = tomllib.loads(file.read_text(encoding="utf-8"))
    game = str(told.get("game", file.stem))
    lessons = tuple(
        msgspec.convert({"game": game} | each, Lesson) for each in told.get("lesson", ())
    )
    for lesson in lessons:
        for said in (lesson.title, lesson.text, lesson.task, lesson.right):
            if "en" not in said or not said.keys() <= LANGUAGES.keys():
                raise BadLesson(f"a text of {lesson.name} is not in English, or in no language")
        lesson.goals.left(lesson.position, lesson.goal, ())
    return Course(game, int(told.get("place", 100)), lessons)


def text_in(said: Mapping[str, str], language: str) -> str:
    """A text of a lesson in a language."""
    return said.get(language, said["en"])


# ---- Judging ----


def attempt(
    lesson: Lesson,
    played: Sequence[str],
    move: str,
    *,
    seconds: float | None = None,
    stop: Stop | None = None,
) -> Attempt:
    """Judge a move in a lesson, after the moves that both sides have played. A wrong move comes
    back with its refutation."""
    goals, position = lesson.goals, lesson.at(played)
    left = goals.left(position, lesson.goal, played)
    position.play(move)
    with goals.judge(position, seconds, stop) as judge:
        tried = goals.attempt(judge, position, left, move)
    if tried.right and lesson.is_done(tried.after):
        return dataclasses.replace(tried, answered=tried.after, left="")
    return refused(goals, tried, left)


def help_with(
    lesson: Lesson, played: Sequence[str], *, seconds: float | None = None, stop: Stop | None = None
) -> tuple[str, tuple[Reason, ...]]:
    """A right move in a lesson, and why it is right."""
    goals, position = lesson.goals, lesson.at(played)
    left = goals.left(position, lesson.goal, played)
    with goals.judge(position, seconds, stop) as judge:
        line = goals.solution(judge, position, left)
    return line[0], goals.reasons(position, line)


def check_lesson(lesson: Lesson) -> None:
    """Prove what a lesson claims; raise BadLesson for the first claim that is not true."""
    goals, position = lesson.goals, lesson.position
    text = position.rules.move_text
    left = goals.left(position, lesson.goal, ())
    with goals.judge(position, None, None) as judge:
        right = [
            move
            for move in map(text, position.legal_codes)
            if goals.attempt(judge, position, left, move).right
        ]
    if sorted(right) != sorted(lesson.answers):
        raise BadLesson(f"{lesson.key}: right are {', '.join(right) or 'no moves'}")
    _check_scores(lesson)
    for moves, cells in lesson.completes.items():
        found = _completing(position.play(moves))
        if found != cells:
            raise BadLesson(f"{lesson.key}: after '{moves}' a line is completed by {found}")
    played: list[str] = []
    line = position.play(lesson.line).history[len(position.history) :]
    for move in line:
        now = lesson.at(played)
        if now.mover == position.mover and not attempt(lesson, played, move).right:
            raise BadLesson(f"{lesson.key}: {move} is wrong after {' '.join(played)}")
        played.append(move)
    if lesson.turns == 0 and line and not lesson.at(line).is_over:
        raise BadLesson(f"{lesson.key}: its line does not end the game")


def _completing(position: Position) -> list[str]:
    """The marks that would complete a line, with their cells, whether they can be reached yet or
    not."""
    board = Lines(position.rules, position.state())
    rows = len(board.cells)
    return sorted(
        f"{mark} {column_name(column)}{rows - row}"
        for player, mark in enumerate(position.rules.players)
        for row, line in enumerate(board.cells)
        for column, held in enumerate(line)
        if not held and board.completes((row, column), player)
    )


def _check_scores(lesson: Lesson) -> None:
    if lesson.score is None and not lesson.scores:
        return
    position = lesson.position
    with ResultGoals().judge(position, None, None) as oracle:
        found = {
            "the position": (lesson.score, oracle.answer(position).exact),
            **{
                move: (score, oracle.answer(position.play(move)).before(position.mover).exact)
                for move, score in lesson.scores.items()
            },
        }
    for what, (claimed, exact) in found.items():
        if claimed is not None and claimed != exact:
            raise BadLesson(f"{lesson.key}: the score of {what} is {exact}, not {claimed}")
