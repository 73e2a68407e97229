"""The server's answers about lessons in playing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnkala.errors import unknown
from mnkala.explain.words import LANGUAGES
from mnkala.play import lessons
from mnkala.play.lessons import BadLesson, Lesson, text_in
from mnkala.play.store import Learned
from mnkala.search import Stop
from mnkala.web.handlers import PUZZLE_SECONDS, judge_of
from mnkala.web.messages import Answer, PuzzleHelp, Tried
from mnkala.web.requests import LessonMove, LessonRequest, read_rules
from mnkala.web.serialise import reason_messages, tried_message

if TYPE_CHECKING:
    from mnkala.web.routes import Call


class LessonView(Answer, frozen=True, kw_only=True):
    """A lesson: a position, what to find in it, the cells that its text is about, and what is said
    once that is found."""

    name: str
    title: str
    text: str
    task: str
    right: str
    start: str | None
    moves: str
    cells: list[tuple[int, int]]
    learned: bool
    """Whether the person has gone through it."""


class CourseView(Answer, frozen=True):
    """The lessons of a game, in the order in which they teach."""

    game: str
    lessons: list[LessonView]


class Courses(Answer, frozen=True):
    """All lessons."""

    courses: list[CourseView]


def list_lessons(call: Call) -> Courses:
    """List the lessons in a language."""
    language = call.query.get("language", "en")
    if language not in LANGUAGES:
        raise BadLesson(unknown("language", language, LANGUAGES))
    learned = call.games.learned(call.person)

    def view(lesson: Lesson) -> LessonView:
        return LessonView(
            name=lesson.name,
            title=text_in(lesson.title, language),
            text=text_in(lesson.text, language),
            task=text_in(lesson.task, language),
            right=text_in(lesson.right, language),
            start=lesson.start,
            moves=lesson.moves,
            cells=list(lesson.cells),
            learned=lesson.key in learned,
        )

    return Courses(
        [CourseView(each.game, [*map(view, each.lessons)]) for each in lessons.courses()]
    )


async def try_move(call: Call) -> Tried:
    """Judge a move in a lesson, and keep that the person has gone through it with its last one."""
    request: LessonMove = call.body

    def work(stop: Stop) -> Tried:
        return tried_message(
            lessons.attempt(lesson, request.played, request.move, seconds=PUZZLE_SECONDS, stop=stop)
        )

    lesson = await call.read(lambda: _lesson(call))
    rules = lesson.position.rules
    tried = await call.ask(call.workers.questions, rules, judge_of(rules), work)
    if tried.solved:
        who = call.games.solver(call.person)
        await call.games.keep(Learned(who.owner, who.here, lesson.key))
    return tried


async def help_out(call: Call) -> PuzzleHelp:
    """Return a right move in a lesson."""
    request: LessonRequest = call.body

    def work(stop: Stop) -> PuzzleHelp:
        move, reasons = lessons.help_with(lesson, request.played, seconds=PUZZLE_SECONDS, stop=stop)
        return PuzzleHelp([move], reason_messages(reasons))

    lesson = await call.read(lambda: _lesson(call))
    rules = lesson.position.rules
    return await call.ask(call.workers.questions, rules, judge_of(rules), work)


def _lesson(call: Call) -> Lesson:
    """The lesson that a request names; what was played in it must be possible."""
    request: LessonRequest = call.body
    read_rules(request.game, call.limits)
    lesson = lessons.course_of(request.game).lesson(request.lesson)
    position = lesson.at(request.played)
    if isinstance(request, LessonMove):
        position.play(request.move)
    return lesson
