"""`mnkala lessons`: lessons in playing, in plain lines."""

from __future__ import annotations

import sys
from typing import Annotated

from cyclopts import Parameter


def lessons(
    game: Annotated[
        str | None,
        Parameter(
            help="The game, such as tictactoe, connect4, gomoku or kalah; without it, a list."
        ),
    ] = None,
    lesson: Annotated[
        str | None,
        Parameter(
            help="The number or the name of a lesson; without it, the first that is not done."
        ),
    ] = None,
    *,
    language: Annotated[
        str | None, Parameter(help="en, pt or it; by default the language of the terminal.")
    ] = None,
    list_: Annotated[
        bool,
        Parameter(name="--list", negative=(), show_default=False, help="Only list the lessons."),
    ] = False,
) -> int:
    """Learn to play well: `mnkala lessons` lists the lessons, `mnkala lessons connect4` goes on
    where you were.

    The solver judges every move, and the best defence answers. What you have done is kept with
    your games, for the page as well.
    """
    from mnkala.errors import MnkalaError, unknown
    from mnkala.explain.words import LANGUAGES
    from mnkala.play.lessons import course_of
    from mnkala.terminal.environment import language_of_locale
    from mnkala.terminal.lessons import first_open, print_courses, run_lessons

    chosen = language or language_of_locale()
    if chosen not in LANGUAGES:
        raise MnkalaError(unknown("language", chosen, LANGUAGES))
    if game is None:
        print_courses(chosen)
        return 0
    course = course_of(game)
    at = first_open(course) if lesson is None else course.lessons.index(course.lesson(lesson))
    if list_:
        print_courses(chosen, [course])
        return 0
    return run_lessons(course, at, chosen, sys.stdout.isatty())
