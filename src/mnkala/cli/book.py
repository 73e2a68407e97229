"""`mnkala book`: build, check and read opening books of exact scores."""

from __future__ import annotations

import json as json_module
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter

from mnkala.cli.arguments import AsJson, GameString, PlayedMoves, Processes, Retry, Scheduler, StartLiteral, make_position
from mnkala.errors import MnkalaError
from mnkala.numbers import counted

if TYPE_CHECKING:
    from mnkala.games import Position
    from mnkala.play.opening import Opening
    from mnkala.solve import Solution
    from mnkala.solve.book.bounds import Bounds

book = App(name="book", help="Opening books of exact scores for Connect: read, build and check them.\n\n"
           "Start with `mnkala book show connect4 44`.")
TABLE_MB = 1024


@book.command
def show(game: GameString = "connect4", *moves: PlayedMoves, position: StartLiteral = None, json: AsJson = False) -> None:
    """Explore the opening: every move with its exact score, as far as the book goes: `mnkala book show connect4 44`.

    Scores are for the mover: +1 is a win with the last disc, one more for each disc of the winner that is left over.
    """
    from mnkala.play.opening import opening

    where = make_position(game, moves, position, open_game="connect4")
    found = opening(where)
    if found.book is None:
        raise _no_book(where.game)
    if json:
        print(json_module.dumps(_as_json(found)))
        return
    print(where.terminal() if sys.stdout.isatty() else where)
    if where.is_over:
        print(f"the game is over: {where.outcome}")
        return
    print(f"{where.to_move} to move: {_in_words(where, found.solution)}   (book: {found.book})")
    known = {each.code: each.solution for each in found.moves}
    for move in sorted(where.legal_codes, key=lambda move: (_order(known.get(move)), move)):
        text = where.rules.move_text(move)
        print(f" {'*' if move in found.best_codes else ' '} {text:>3}  {_bounds(known.get(move)):>8}  {_in_words(where, known.get(move))}")
    if found.best_codes:
        print("* best")


def _no_book(game: str) -> MnkalaError:
    return MnkalaError(f"there is no book for {game}; `mnkala book build {game} --plies 4` makes one")


def _order(known: Solution | None) -> tuple[int, int]:
    """The best moves first, the unknown ones last."""
    return (1000, 0) if known is None else (-known.upper, -known.lower)


def _bounds(known: Solution | None) -> str:
    return "?" if known is None else _number(*known.within)


def _number(lower: int, upper: int) -> str:
    low, high = (f"{bound:+d}" if bound else "0" for bound in (lower, upper))
    return low if low == high else f"{low}…{high}"


def _in_words(position: Position, known: Solution | None) -> str:
    """The result in words; `position` is where the move is made that is worth so much to its mover."""
    if known is None:
        return "not in the book"
    mover, other = position.to_move, position.rules.players[1 - position.mover]
    if known.result == "draw":
        return "draw"
    if known.result != "unknown":
        winner = mover if known.lower > 0 else other
        discs = int(position.state().all).bit_count()
        return f"{winner} wins" if known.plies is None else f"{winner} wins on ply {discs + known.plies}"
    return f"{mover} does not win" if known.upper == 0 else f"{mover} does not lose" if known.lower == 0 else "open"


def _as_json(found: Opening) -> dict[str, Any]:
    def told(known: Solution | None) -> dict[str, Any]:
        return {"score": None, "lower": None, "upper": None} if known is None else {
            "score": known.score, "lower": known.lower, "upper": known.upper}

    position, known = found.position, {each.code: each.solution for each in found.moves}
    return {"game": position.game, "position": position.moves, "book": found.book, "plies": found.plies, **told(found.solution),
            "best": [position.rules.move_text(move) for move in found.best_codes],
            "moves": {position.rules.move_text(move): told(known.get(move)) for move in (() if position.is_over else position.legal_codes)}}


@book.command
def build(
    game: GameString = "connect4",
    *,
    plies: Annotated[int, Parameter(help="Positions of at most so many plies get their score and their best moves.")],
    jobs: Processes = None,
    cluster: Scheduler = None,
    out: Annotated[Path | None, Parameter(help="The file; if not given, in the user's data folder, where every command finds it.")] = None,
    table: Annotated[int, Parameter(help="Megabytes for the table of each process.")] = TABLE_MB,
    retry: Retry = False,
) -> int:
    """Make a book: `mnkala book build connect4 --plies 6` makes every position of at most 6 plies instant.

    Results are kept as they come. After Ctrl-C (or worse) the same command goes on where it stopped, and an unfinished book can be used.
    """
    from mnkala.games import parse_game
    from mnkala.jobs import shown_on
    from mnkala.solve.book.build import build_book
    from mnkala.solve.book.shelf import own_path, shape_of_books

    if not 1 <= table <= 1 << 16:
        raise MnkalaError(f"--table {table}; 1 to 65536 megabytes are possible")
    rules = parse_game(game)
    path = out or own_path(shape_of_books(rules))
    again = f"mnkala book build {game} --plies {plies}" + (f" --out {out}" if out else "")
    try:
        built = build_book(rules, plies, path, jobs=jobs, cluster=cluster, table_mb=table, retry=retry, progress=shown_on)
    except KeyboardInterrupt:
        print(f"\nwhat is done is kept in {path}; go on with: {again}", file=sys.stderr)
        raise
    _print_known(built.known)
    print(f"best moves are known of {built.with_best:,} of {built.known.known(plies)[1]:,} positions of {counted(plies, 'ply')}")
    print(f"{path}: {path.stat().st_size:,} bytes, {'complete' if built.complete else 'unfinished'} for {counted(plies, 'ply')}")
    if built.failures:
        print(f"some work failed and is left alone until `{again} --retry`:", file=sys.stderr)
    for failure in built.failures[:5]:
        print(f"failed: {failure}", file=sys.stderr)
    return 0 if built.complete else 1


def _print_known(known: Bounds) -> None:
    for plies in range(known.depth + 1):
        exact, positions = known.known(plies)
        print(f"{plies:>3} plies: {exact:>9,} of {positions:>9,} positions have an exact score")


@book.command
def check(
    game: GameString = "connect4",
    *,
    file: Annotated[Path | None, Parameter(help="The book; if not given, the user's own, or the one that comes with mnkala.")] = None,
    count: Annotated[int, Parameter(alias="-n", help="How many entries to solve again.")] = 20,
    seed: Annotated[int, Parameter(help="Chooses them.")] = 1,
) -> int:
    """Check a book: its checksum, and some of its entries, chosen at random, by solving them again."""
    from mnkala.games import parse_game
    from mnkala.solve.book.bounds import close
    from mnkala.solve.book.check import check_entries
    from mnkala.solve.book.shelf import own_path, read_for, shape_of_books, shipped_path

    rules = parse_game(game)
    shape = shape_of_books(rules)
    path = file or next((path for path in (own_path(shape), shipped_path(shape)) if path.is_file()), None)
    if path is None:
        raise _no_book(game)
    known = read_for(path, shape)
    close(known)
    print(f"{path}: the checksum fits, and no score contradicts another")
    _print_known(known)
    wrong = 0
    for number, entry in enumerate(check_entries(known, rules, count, seed), start=1):
        wrong += not entry.agrees
        print(f"{number:>4} of {count}  {entry.position.literal}  {counted(entry.plies, 'ply')}  "
              f"book {_number(entry.lower, entry.upper):>7}  solver {entry.score:+d}  {'ok' if entry.agrees else 'WRONG'}", flush=True)
    print(f"{counted(wrong, 'entry')} {'is' if wrong == 1 else 'are'} wrong" if wrong else "all agree")
    return 1 if wrong else 0
