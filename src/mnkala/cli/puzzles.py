"""`mnkala puzzles`: positions with one solution each, to be found by a person."""

from __future__ import annotations

import json as json_module
import sys
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from mnkala.cli.arguments import UsualGame, announced, flag, usual_game
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
    json: Annotated[
        bool,
        flag("Print a JSON line for each puzzle, with its solution, as soon as it is found."),
    ] = False,
) -> int:
    """Make puzzles: `mnkala puzzles connect4 --win-in 3..8 -n 20`, or `mnkala puzzles kalah`. One
    solution each; the easy ones first.
    """
    from mnkala.core import parse_game
    from mnkala.play.puzzles import check_puzzles, make_puzzles, offered_puzzles, puzzles_of

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
    live = sys.stderr.isatty()

    def progress(done: int, games: int) -> None:
        if live:
            print(
                f"\r{done} of {counted(count, 'puzzle')}, {counted(games, 'game')} looked through ",
                end="",
                file=sys.stderr,
                flush=True,
            )

    try:
        for puzzle in make_puzzles(rules, goals, count, seed, report=progress):
            found.append(puzzle)
            if json:
                print(json_module.dumps(puzzle.to_json()), flush=True)
    finally:
        if live:
            print("\r" + " " * 60 + "\r", end="", file=sys.stderr, flush=True)
        if not json:
            _print(
                sorted(found, key=lambda each: (each.grade.stars, goals.index(each.goal))),
                solutions,
            )
    if len(found) < count:
        wanted = (
            win_in or f"{goals[0]}..{goals[-1]}"
            if family.option == "win_in"
            else ", ".join(map(str, goals))
        )
        print(
            f"mnkala: only {len(found)} of {counted(count, 'puzzle')} were found on this board {family.in_words(wanted)}",
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


def _print(puzzles: list[Puzzle], solutions: bool) -> None:
    from mnkala.play.puzzle_contract import MOST_STARS

    colour = sys.stdout.isatty()
    for number, puzzle in enumerate(puzzles, start=1):
        position = puzzle.position
        stars = "*" * puzzle.grade.stars + "." * (MOST_STARS - puzzle.grade.stars)
        print(f"puzzle {number}  [{stars}]  {puzzle.task(puzzle.goal).text()}")
        print(position.terminal() if colour else position)
        print(f"moves so far: {puzzle.moves}\n")
    if solutions:
        for number, puzzle in enumerate(puzzles, start=1):
            print(f"solution {number}: {puzzle.answer()}")
    elif puzzles:
        print("the solutions: the same command with --solutions")
