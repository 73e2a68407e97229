"""What several commands share: arguments and their help, positions and engines made from them,
and waiting for the compiler."""

from __future__ import annotations

import contextlib
import dataclasses
import json as json_module
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from mnkala.errors import BadEngine, MnkalaError
from mnkala.folders import file_errors
from mnkala.numbers import counted, read_whole, shortened

if TYPE_CHECKING:
    from mnkala.core import Position, Record, Rules
    from mnkala.search import Engine
    from mnkala.solve.pieces import Split


@dataclasses.dataclass(frozen=True)
class Within:
    """A validator for Cyclopts: the range of numbers that a parameter may have, including both
    ends."""

    low: float
    high: float

    def __call__(self, kind: Any, value: float | None) -> None:
        if value is not None and not self.low <= value <= self.high:
            raise ValueError(f"{self.low:,} to {self.high:,} are possible")


def flag(text: str) -> Parameter:
    """An option without a value, which is off unless it is given."""
    return Parameter(negative=(), show_default=False, help=text)


GameString = Annotated[
    str,
    Parameter(
        help="A game string, such as connect4 or connect4:5x6; see `mnkala games`. Or a whole game: a record, an address, a file."
    ),
]
UsualGame = Annotated[
    str | None,
    Parameter(
        help="A game string, such as connect4 or connect4:5x6; see `mnkala games`. If not given, the game that menus offer first."
    ),
]
PlayedMoves = Annotated[
    str,
    Parameter(
        help="The moves from the start (or from --position), together or separated: 44352, or 4 4 3 5 2."
    ),
]
StartLiteral = Annotated[
    str | None,
    Parameter(help="A position to start from; in Connect the rows from the top: 7/7/7/7/3o3/2xx3."),
]
AsJson = Annotated[bool, flag("Print one JSON object.")]
Processes = Annotated[
    int | None,
    Parameter(
        help="How many processes; one for each core if not given, 0 to stay in this process."
    ),
]
Scheduler = Annotated[
    str | None,
    Parameter(
        help="The address of a Dask scheduler, say tcp://192.168.1.5:8786, to work there instead."
    ),
]
Retry = Annotated[bool, flag("Try failed work again.")]
OutFile = Annotated[Path | None, Parameter(help="The file to write; standard output if not given.")]
BatchFile = Annotated[
    str | None,
    Parameter(
        allow_leading_hyphen=True,
        help="A file (or - for standard input) with one position on each line: moves, @LITERAL and moves, or any other form. Prints a JSON "
        "line for each, in order.",
    ),
]
Table = Annotated[
    int, Parameter(validator=Within(1, 1 << 16), help="Megabytes for the table of each process.")
]
PATIENCE_SECONDS = 1.5
MOST_FAILURES = 10
LONGEST_INPUT = 200
"""The most characters of a bad line that its error repeats."""


def usual_game(game: str | None) -> str:
    """The given game string, or that of the game which menus offer first."""
    from mnkala.core.registry import first_game

    return game or first_game()


def make_position(
    game: str, moves: Sequence[str] = (), literal: str | None = None, open_game: str | None = None
) -> Position:
    """The position that the arguments mean: a game and its moves in any form that
    `core/paste.py` reads, or a file; a literal to start from."""
    return read_record((game, *moves), literal, open_game).position


def read_record(
    words: Sequence[str], literal: str | None = None, open_game: str | None = None
) -> Record:
    """The game that words of the command line stand for. `open_game` is used if they name none."""
    from mnkala.core import Record
    from mnkala.core.paste import typed_text, written_games

    found = written_games(typed_text(words[0]) if len(words) == 1 else " ".join(words))
    if len(found) > 1:
        print(
            f"mnkala: this holds {counted(len(found), 'game')}; the first one is taken",
            file=sys.stderr,
        )
    first = found[0]
    if literal is not None:
        if first.start is not None:
            raise MnkalaError(
                "the position is given twice; leave out --position, or the one beside the game"
            )
        first = dataclasses.replace(first, start=literal)
    record = Record.of_written(first, open_game)
    if first.game is None and record.position.game != open_game:
        print(f"mnkala: read as a game of {record.position.game}", file=sys.stderr)
    return record


@dataclasses.dataclass(frozen=True)
class BatchLine:
    """A line of a batch: its position, or why it has none."""

    number: int
    text: str
    position: Position | None
    error: MnkalaError | None = None
    expected: int | None = None
    """The score at the end of the line, if lines have one."""

    def required(self) -> Position:
        """The position; raises the error if there is none."""
        if self.position is None:
            raise self.error or MnkalaError("no position")
        return self.position

    def refused(self, error: MnkalaError) -> dict[str, Any]:
        """The answer to a line without a position."""
        return {"line": self.number, "input": self.text[:LONGEST_INPUT], "error": str(error)}


def read_batch(rules: Rules, file: str, scored: bool = False) -> Iterator[BatchLine]:
    """The positions of a file, or of standard input for -, one per line; comments are skipped.
    Lines that are `scored` end with a score."""
    for number, line in enumerate(_lines(file), start=1):
        if line.lstrip().startswith("#"):
            continue
        try:
            text, expected = _without_score(line) if scored else (line, None)
            yield BatchLine(number, line.strip(), position_of_line(rules, text), expected=expected)
        except MnkalaError as error:
            yield BatchLine(number, line.strip(), None, error)


def _without_score(line: str) -> tuple[str, int]:
    """A position and the score behind it, as in Pascal Pons' test sets."""
    text, _, score = line.strip().rpartition(" ")
    with contextlib.suppress(ValueError):
        if text:
            return text, read_whole(score)
    raise MnkalaError(
        f"'{shortened(line.strip(), LONGEST_INPUT)}' does not end with a score, such as 44352 -1"
    )


def position_of_line(rules: Rules, line: str) -> Position:
    """The position on a line of a batch, in any form: moves from the start, @LITERAL with moves
    after it, a record."""
    from mnkala.core import Record

    text = line.strip()
    position = Record.parse(text, rules.game_string()).position
    if (
        text not in ("", "-", rules.game_string())
        and not position.history_codes
        and position.start_literal is None
    ):
        raise MnkalaError(f"no moves and no position can be read in '{text[:LONGEST_INPUT]}'")
    if position.game != rules.game_string():
        raise MnkalaError(
            f"a position of {position.game}; all lines of this batch are of {rules.game_string()}"
        )
    return position


def _lines(file: str) -> Iterator[str]:

    with file_errors(file, "read"):
        if file == "-":
            yield from sys.stdin
            return
        with Path(file).expanduser().open(encoding="utf-8") as lines:
            yield from lines


def make_engine(
    engine: str,
    *,
    depth: int | None,
    nodes: int | None,
    time: float | None,
    heuristic: str | None,
    threads: int | None = None,
    depth_from_nodes: int | None = None,
) -> Engine:
    """An engine from its string, with the command's own options applied to it."""
    from mnkala.search import Engine, parse_engine

    base = parse_engine(engine, programs=True)
    limits = {"depth": depth, "nodes": nodes, "time": time}
    given: dict[str, Any] = {name: value for name, value in limits.items() if value is not None}
    options = {"heuristic": heuristic, "threads": threads, "depth_from_nodes": depth_from_nodes}
    chosen = {name: value for name, value in options.items() if value is not None}
    known = {field.name for field in dataclasses.fields(base.search)}
    for name in chosen:
        if name not in known:
            raise BadEngine(
                f"{base.search.name} has no option {name}; its options are {', '.join(sorted(known)) or 'none'}"
            )
    return Engine(
        dataclasses.replace(base.search, **chosen), dataclasses.replace(base.limit, **given)
    )


def prepare(engine: Engine, rules: Rules) -> None:
    """Compile what the engine needs, and say so if it takes long."""
    with announced("compiling for this game, once; `mnkala warmup` does it ahead of time"):
        engine.search.prepare(rules)


def show(json: bool, value: Any, lines: Iterable[str]) -> None:
    """Print an answer: as one JSON object for programs, or as lines of text for people."""
    for line in [json_module.dumps(value)] if json else lines:
        print(line)


@contextlib.contextmanager
def resumable(kept: str | Callable[[], str]) -> Iterator[None]:
    """A block that can be continued later: if a person interrupts it, `kept` says where its
    results are and how to continue."""
    try:
        yield
    except KeyboardInterrupt:
        print(f"\n{kept if isinstance(kept, str) else kept()}", file=sys.stderr)
        raise


def tell_failures(failures: Sequence[object], heading: str) -> None:
    """Report failures on standard error: the heading, and the first of them."""
    if failures:
        first = list(dict.fromkeys(map(str, failures)))[:MOST_FAILURES]
        print(heading, *(f"failed: {failure}" for failure in first), sep="\n", file=sys.stderr)


def show_proof(rules: Rules, told: str, found: Split, again: str) -> None:
    """Print what a proof in pieces has found, where it is kept, and how to repeat what failed."""
    from mnkala.solve.pieces import proof_path

    print(
        f"{rules.game_string()}: {told}   {counted(found.done, 'piece')} now, {found.units:,} in all, kept in {proof_path(rules)}"
    )
    tell_failures(found.failures, f"some work failed and is left alone until `{again} --retry`:")


@contextlib.contextmanager
def announced(text: str) -> Iterator[None]:
    """Print `text` on standard error if the block takes longer than a moment."""
    timer = threading.Timer(
        PATIENCE_SECONDS, lambda: print(f"mnkala: {text} …", file=sys.stderr, flush=True)
    )
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
