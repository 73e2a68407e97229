"""`mnkala puzzles`: positions with one winning move each, to be found by a person."""

from __future__ import annotations

import json as json_module
import sys
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from mnkala.numbers import counted

if TYPE_CHECKING:
    from mnkala.play.puzzles import Puzzle


def puzzles(
    game: Annotated[str, Parameter(
        help="A game string of Connect on a board that can be solved, such as connect4 or connect4:5x6.")] = "connect4",
    *,
    win_in: Annotated[str, Parameter(
        help="How many moves the winner needs, the last one included, 2 to 12: a range such as 3..8, or a number.")] = "3..8",
    count: Annotated[int, Parameter(name=["--count", "-n"], help="How many puzzles.")] = 20,
    seed: Annotated[int, Parameter(help="Another number gives other puzzles; the same gives the same.")] = 0,
    solutions: Annotated[bool, Parameter(negative=(), show_default=False, help="Print the solutions, below all puzzles.")] = False,
    json: Annotated[bool, Parameter(negative=(), show_default=False,
        help="Print a JSON line for each puzzle, with its solution, as soon as it is found.")] = False,
) -> int:
    """Make puzzles: `mnkala puzzles connect4 --win-in 3..8 -n 20`. One move wins, and no other; the easy ones come first."""
    from mnkala.cli.arguments import announced
    from mnkala.errors import BadGame
    from mnkala.games import parse_game
    from mnkala.play.puzzles import check_game, check_lengths, make_puzzles
    from mnkala.search import parse_engine

    rules = parse_game(game)
    try:
        check_game(rules)
    except BadGame as error:
        raise BadGame(f"{error}: try `mnkala puzzles connect4`") from None
    lengths = read_lengths(win_in)
    check_lengths(lengths, count)
    engine = parse_engine("perfect")
    with announced("compiling for this game, once; `mnkala warmup` does it ahead of time"):
        engine.search.prepare(rules)
    found: list[Puzzle] = []
    live = sys.stderr.isatty()

    def progress(done: int, games: int) -> None:
        if live:
            print(f"\r{done} of {counted(count, 'puzzle')}, {counted(games, 'game')} looked through ", end="", file=sys.stderr, flush=True)

    try:
        for puzzle in make_puzzles(rules, lengths, count, seed, report=progress):
            found.append(puzzle)
            if json:
                print(json_module.dumps(puzzle.to_json()), flush=True)
    finally:
        if live:
            print("\r" + " " * 60 + "\r", end="", file=sys.stderr, flush=True)
        if not json:
            _print(sorted(found, key=lambda each: (each.grade.stars, each.win_in)), solutions)
    if len(found) < count:
        print(f"mnkala: only {len(found)} of {counted(count, 'puzzle')} were found on this board with a win in {win_in}", file=sys.stderr)
        return 1
    return 0


def read_lengths(text: str) -> range:
    """`3..8`, or `5`."""
    from mnkala.numbers import read_whole
    from mnkala.play.puzzles import BadPuzzle

    first, dots, last = text.partition("..")
    try:
        return range(read_whole(first), read_whole(last if dots else first) + 1)
    except ValueError:
        raise BadPuzzle(f"--win-in {text}: it takes a number of moves or a range, such as 5 or 3..8") from None


def _print(puzzles: list[Puzzle], solutions: bool) -> None:
    from mnkala.play.puzzles import MOST_STARS

    colour = sys.stdout.isatty()
    for number, puzzle in enumerate(puzzles, start=1):
        position = puzzle.position
        stars = "*" * puzzle.grade.stars + "." * (MOST_STARS - puzzle.grade.stars)
        print(f"puzzle {number}  [{stars}]  {position.to_move} moves and wins in {puzzle.win_in}")
        print(position.terminal() if colour else position)
        print(f"moves so far: {puzzle.moves}\n")
    if solutions:
        for number, puzzle in enumerate(puzzles, start=1):
            grade = puzzle.grade
            rules = puzzle.position.rules
            line = rules.moves_text(rules.parse_moves(" ".join(puzzle.solution[1:])))
            print(f"solution {number}: {puzzle.solution[0]}, then {line}  (looks like choice {grade.rank}, "
                  f"{counted(grade.tempting, 'tempting wrong move')}, {counted(grade.quiet, 'quiet move')})")
    elif puzzles:
        print("the solutions: the same command with --solutions")
