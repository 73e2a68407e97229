"""`mnkala puzzles`, positions with one solution each, to be found by a person; and `mnkala lessons`,
lessons in playing, in plain lines."""

from __future__ import annotations

import json as json_module
import sys
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from mnkala.cli.arguments import UsualGame, Within, announced, flag, usual_game
from mnkala.errors import BadGame
from mnkala.numbers import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mnkala.play.puzzle_contract import Goal, Puzzle, PuzzleFamily


def puzzles(
    game: UsualGame = None,
    *,
    win_in: Annotated[
        str | None,
        Parameter(
            help="Connect: how many moves the winner needs, the last one included, 2 to 12: a range such as 3..8, which is the default, or a "
            "number."
        ),
    ] = None,
    kind: Annotated[
        str | None,
        Parameter(
            help="What is to be found. Kalah: only-move (one turn keeps the result), longest-chain, save (one turn does not lose). Gomoku: "
            "fours, threats, defence. Tic-tac-toe: only-win, only-draw. Several with commas; all if not given."
        ),
    ] = None,
    count: Annotated[int, Parameter(name=["--count", "-n"], help="How many puzzles.")] = 20,
    seed: Annotated[
        int, Parameter(help="Another number gives other puzzles; the same gives the same.")
    ] = 0,
    solutions: Annotated[
        bool,
        flag("Print the solutions, below all puzzles."),
    ] = False,
    hint: Annotated[
        int,
        Parameter(
            validator=Within(0, 3),
            help="Print hints below each puzzle: 1 where to look, 2 also the idea, 3 also the move and why.",
        ),
    ] = 0,
    daily: Annotated[
        bool,
        flag("The puzzle of the day, of the game or of all games; the same for everybody."),
    ] = False,
    date: Annotated[
        str | None, Parameter(help="The day of --daily, such as 2026-11-19; today if not given.")
    ] = None,
    mixed: Annotated[
        bool,
        flag("Puzzles of the game or of all games that are near your rating, new ones first."),
    ] = False,
    seconds: Annotated[
        float,
        Parameter(
            help="Give up if no further puzzle is found for so many seconds: some boards hardly have any.",
        ),
    ] = 60.0,
    json: Annotated[
        bool,
        flag("Print a JSON line for each puzzle, with its solution, as soon as it is found."),
    ] = False,
) -> int:
    """Make puzzles: `mnkala puzzles connect4 --win-in 3..8 -n 20`, or `mnkala puzzles kalah`. One
    solution each; the easy ones first.

    `--daily` and `--mixed` choose among those that come with the package, and say what you have
    reached: a rating, and the days in a row with a solved daily puzzle. `mnkala play GAME --puzzle
    daily` lets you solve them.
    """
    if daily or mixed or date is not None:
        return _print_shipped(
            game,
            daily=daily or not mixed,
            date=date,
            count=count,
            hint=hint,
            solutions=solutions,
            json=json,
        )
    from mnkala.core import parse_game
    from mnkala.play.puzzles import check_puzzles, make_puzzles, offered_puzzles, puzzles_of
    from mnkala.terminal.environment import show_progress

    rules = parse_game(usual_game(game))
    try:
        family = puzzles_of(rules)
    except BadGame as error:
        raise BadGame(f"{error}: try `mnkala puzzles {offered_puzzles()[0].game}`") from None
    goals = _goals(family, rules.game_string(), {"win_in": win_in, "kind": kind})
    check_puzzles(rules, goals, count)
    with announced("compiling for this game, once; `mnkala warmup` does it ahead of time"):
        family.prepare(rules)
    found: list[Puzzle] = []

    def progress(done: int, games: int) -> None:
        show_progress(
            f"{done} of {counted(count, 'puzzle')}, {counted(games, 'game')} looked through"
        )

    try:
        for puzzle in make_puzzles(
            rules, goals, count, seed, report=progress, idle_seconds=seconds
        ):
            found.append(puzzle)
            if json:
                print(json_module.dumps(puzzle.to_json()), flush=True)
    finally:
        show_progress("")
        if not json:
            found.sort(key=lambda each: (each.grade.stars, goals.index(each.goal)))
            _print(found, solutions, hint)
    if len(found) < count:
        wanted = (
            win_in or f"{goals[0]}..{goals[-1]}"
            if family.option == "win_in"
            else ", ".join(map(str, goals))
        )
        print(
            f"mnkala: only {len(found)} of {counted(count, 'puzzle')} were found on this board {family.in_words(wanted)}; "
            f"the search ends after {seconds:g} seconds without a further one (--seconds)",
            file=sys.stderr,
        )
        return 1
    return 0


def _goals(family: PuzzleFamily[Any], game: str, given: dict[str, str | None]) -> Sequence[Goal]:
    """The goals that the options name, or all; an error for an option that does not fit the
    game."""
    from mnkala.play.puzzle_contract import BadPuzzle

    text = given.pop(family.option)
    for other, value in given.items():
        if value is not None:
            wrong, right = (f"--{name.replace('_', '-')}" for name in (other, family.option))
            raise BadPuzzle(f"{wrong} does not fit {game}; its puzzles are chosen by {right}")
    return family.offered if text is None else family.read_goals(text)


def _print_shipped(
    game: str | None,
    *,
    daily: bool,
    date: str | None,
    count: int,
    hint: int,
    solutions: bool,
    json: bool,
) -> int:
    """Print puzzles that come with the package, either those of a day or some near the person's
    rating, and return the exit status."""
    import datetime
    import random

    from mnkala.errors import MnkalaError
    from mnkala.play import puzzle_progress as reached
    from mnkala.play.puzzle_contract import BadPuzzle
    from mnkala.play.saved_games import open_store
    from mnkala.terminal.puzzles import reached_words

    today = datetime.date.today()
    try:
        day = today if date is None else datetime.date.fromisoformat(date)
    except ValueError:
        raise BadPuzzle(f"'{date}' is no date; write it as 2026-11-19") from None
    with open_store() as store:
        state = reached.progress(store, reached.Solver(), today, game)
    games = reached.games_with_daily() if game is None else [game]
    if daily:
        found = [reached.daily(each, day) for each in games]
    else:
        pool = [each for name in games for each in reached.shipped(name)]
        found = reached.mixed(pool, state, count, random.Random())
    if not found:
        raise MnkalaError(f"no puzzles for {game} come with the package")
    if json:
        for each in found:
            print(json_module.dumps(each.puzzle.to_json()))
        return 0
    _print([each.puzzle for each in found], solutions, hint)
    print(reached_words(state, "en"))
    return 0


def _print(puzzles: list[Puzzle], solutions: bool, hint: int) -> None:
    from mnkala.play.puzzle_contract import MOST_STARS
    from mnkala.terminal.puzzles import Task

    colour = sys.stdout.isatty()
    for number, puzzle in enumerate(puzzles, start=1):
        position = puzzle.position
        stars = "*" * puzzle.grade.stars + "." * (MOST_STARS - puzzle.grade.stars)
        print(f"puzzle {number}  [{stars}]  {puzzle.task(puzzle.goal).text()}")
        print(position.terminal() if colour else position)
        print(f"{puzzle.game}, moves so far: {puzzle.moves}")
        if hint:
            task = Task(puzzle, number - 1, len(puzzles), puzzle.goal)
            known = task.help(position)
            for step in range(1, hint + 1):
                told = (text.rstrip(".") for text in task.hint_words(known, step, "en"))
                print(f"hint {step}: {'. '.join(told)}.")
        print()
    if solutions:
        for number, puzzle in enumerate(puzzles, start=1):
            print(f"solution {number}: {puzzle.answer()}")
    elif puzzles:
        print("the solutions: the same command with --solutions")


# ---- Lessons ----


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
