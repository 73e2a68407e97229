"""`mnkala book`: build, check and read opening books of exact scores."""

from __future__ import annotations

import json as json_module
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter

from mnkala.cli.arguments import (
    AsJson,
    PlayedMoves,
    Processes,
    Retry,
    Scheduler,
    StartLiteral,
    Table,
    UsualGame,
    make_position,
    resumable,
    tell_failures,
    usual_game,
)
from mnkala.errors import MnkalaError
from mnkala.jobs import shown_on
from mnkala.numbers import counted, plural

if TYPE_CHECKING:
    from mnkala.core import Position, Rules
    from mnkala.core.score import Score
    from mnkala.play.opening_explorer import ExploredPosition
    from mnkala.solve.books import Book

book = App(
    name="book",
    help="Opening books of exact scores for Connect and Kalah: read, build and check them.\n\n"
    "Start with `mnkala book show connect4 44`, or `mnkala book show kalah`.",
)
TABLE_MB = 1024


@book.command
def show(
    game: UsualGame = None, *moves: PlayedMoves, position: StartLiteral = None, json: AsJson = False
) -> None:
    """Explore the opening: every move with its exact score, as far as the book goes: `mnkala book
    show connect4 44`.

    Scores and words are for the mover; words count the winner's own moves. In Connect +1 is a win
    with the last disc, one more for each disc of the winner that is left over; in Kalah a score is
    the margin at the end.
    """
    from mnkala.play.opening_explorer import explore_opening

    where = make_position(usual_game(game), moves, position, open_game=usual_game(None))
    found = explore_opening(where)
    if found.book is None:
        raise _no_book(where.rules)
    if json:
        print(json_module.dumps(_as_json(found)))
        return
    print(where.terminal() if sys.stdout.isatty() else where)
    if where.is_over:
        print(f"the game is over: {where.outcome}")
        return
    print(f"{where.to_move} to move: {_in_words(where, found.score)}   (book: {found.book})")
    known = {each.code: each.score for each in found.moves}
    for move in (*known, *(code for code in where.legal_codes if code not in known)):
        text = where.rules.move_text(move)
        print(
            f" {'*' if move in found.best_codes else ' '} {text:>3}  {_bounds(known.get(move)):>8}  {_in_words(where, known.get(move))}"
        )
    if found.best_codes:
        print("* best")


def _no_book(rules: Rules) -> MnkalaError:
    from mnkala.solve.books import books_for

    game, family = rules.game_string(), books_for(rules)
    return MnkalaError(
        f"there is no book for {game}; `mnkala book build {game} --{plural(family.unit)} {family.usual}` makes one"
    )


def _bounds(known: Score | None) -> str:
    return "?" if known is None else _number(*known.within)


def _number(lower: int, upper: int) -> str:
    low, high = (f"{bound:+d}" if bound else "0" for bound in (lower, upper))
    return low if low == high else f"{low}…{high}"


def _in_words(position: Position, known: Score | None) -> str:
    """The result in words, for the player to move."""
    from mnkala.explain.score_words import score_words

    return "not in the book" if known is None else score_words(known, position.rules)


def _as_json(found: ExploredPosition) -> dict[str, Any]:
    from mnkala.core.score import Score

    def facts(known: Score | None) -> dict[str, Any]:
        return (known or Score()).facts()  # everything is open of a move that is not in the book

    position, known = found.position, {each.code: each.score for each in found.moves}
    return {
        "game": position.game,
        "position": position.moves,
        "book": found.book,
        **facts(found.score),
        plural(found.unit): found.depth,
        "best": [position.rules.move_text(move) for move in found.best_codes],
        "moves": {
            position.rules.move_text(move): facts(known.get(move))
            for move in (() if position.is_over else position.legal_codes)
        },
    }


@book.command
def build(
    game: UsualGame = None,
    *,
    plies: Annotated[
        int | None,
        Parameter(
            help="For Connect: positions of up to this many plies get their score and best moves."
        ),
    ] = None,
    turns: Annotated[
        int | None,
        Parameter(
            help="For Kalah: positions of this many first turns, and those right after them, get their "
            "score."
        ),
    ] = None,
    jobs: Processes = None,
    cluster: Scheduler = None,
    out: Annotated[
        Path | None,
        Parameter(
            help="The file; if not given, in the user's data folder, where every command finds it."
        ),
    ] = None,
    table: Table = TABLE_MB,
    retry: Retry = False,
) -> int:
    """Make a book: `mnkala book build connect4 --plies 6` makes every position of at most 6 plies
    instant, and `mnkala book build kalah --turns 3` every position of the first three turns.

    Results are kept as they come. After Ctrl-C (or worse) the same command continues where it
    stopped, and an unfinished book can be used.
    """
    from mnkala.core import parse_game
    from mnkala.solve.books import books_for, own_path

    rules = parse_game(usual_game(game))
    family, path = books_for(rules), out or own_path(rules)
    option = f"--{plural(family.unit)}"
    depth = {"ply": plies, "turn": turns}[family.unit]
    if depth is None or (plies is not None and turns is not None):
        raise MnkalaError(
            f"say how far the book of {rules.game_string()} shall reach: {option} {family.usual}, and nothing else"
        )
    again = f"mnkala book build {rules.game_string()} {option} {depth}" + (
        f" --out {out}" if out else ""
    )
    with resumable(f"what is done is kept in {path}; continue with: {again}"):
        built = family.build(
            rules,
            depth,
            path,
            jobs=jobs,
            cluster=cluster,
            table_mb=table,
            retry=retry,
            progress=shown_on,
        )
    _print_known(built.book)
    for note in built.notes:
        print(note)
    print(
        f"{path}: {path.stat().st_size:,} bytes, {'complete' if built.complete else 'unfinished'} for {counted(depth, family.unit)}"
    )
    tell_failures(built.failures, f"some work failed and is left alone until `{again} --retry`:")
    return 0 if built.complete else 1


def _print_known(book: Book) -> None:
    for depth, (exact, positions) in enumerate(book.counts()):
        print(
            f"{depth:>3} {plural(book.unit)}: {exact:>9,} of {positions:>9,} positions have an exact score"
        )


@book.command
def check(
    game: UsualGame = None,
    *,
    file: Annotated[
        Path | None,
        Parameter(
            help="The book; if not given, the user's own, or the one that comes with mnkala."
        ),
    ] = None,
    count: Annotated[int, Parameter(alias="-n", help="How many entries to solve again.")] = 20,
    seed: Annotated[int, Parameter(help="The seed that chooses them.")] = 1,
) -> int:
    """Check a book: its checksum, and some of its entries, chosen at random, by solving them again."""
    from mnkala.core import parse_game
    from mnkala.solve.books import books_for, own_path, shipped_path

    rules = parse_game(usual_game(game))
    family = books_for(rules)
    path = file or next(
        (path for path in (own_path(rules), shipped_path(rules)) if path.is_file()), None
    )
    if path is None:
        raise _no_book(rules)
    known, entries = family.read(path, rules), family.check(path, rules, count, seed)
    print(f"{path}: the checksum fits, and no score contradicts another")
    _print_known(known)
    wrong = 0
    for number, entry in enumerate(entries, start=1):
        wrong += not entry.agrees
        print(
            f"{number:>4} of {count}  {entry.position.literal}  {counted(entry.depth, family.unit)}  "
            f"book {_number(entry.lower, entry.upper):>7}  solver {entry.score:+d}  {'ok' if entry.agrees else 'WRONG'}",
            flush=True,
        )
    print(
        f"{counted(wrong, 'entry')} {'is' if wrong == 1 else 'are'} wrong" if wrong else "all agree"
    )
    return 1 if wrong else 0
