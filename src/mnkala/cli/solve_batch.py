"""`mnkala solve --batch`: the exact score of every position of a file, in order; what is done
already is not done again."""

from __future__ import annotations

import dataclasses
import itertools
import json as json_module
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from mnkala.cli.arguments import BatchLine, read_batch
from mnkala.core import Position, Rules
from mnkala.errors import BadPosition, MnkalaError
from mnkala.folders import file_errors
from mnkala.numbers import counted
from mnkala.search.limit import Stop
from mnkala.search.runner import run
from mnkala.solve import prove, solver_for
from mnkala.solve.books import Book, open_book
from mnkala.solve.oracle import Moves, out_of_reach
from mnkala.solve.solver import Cost, Solver, Step, lent_solver
from mnkala.solve.table_solver import boards_of, solve_slices, solves_many

CHUNK = 2048
"""The number of lines that are read ahead."""


@dataclasses.dataclass(frozen=True)
class Settings:
    """How each position of a batch is solved."""

    weak: bool
    seconds: float | None
    """The time limit for each position."""
    threads: int | None
    table_mb: int
    book: bool
    scored: bool = False
    """Whether lines end with a score for comparison."""

    @property
    def exact(self) -> bool:
        """Whether only the exact score will do."""
        return not self.weak and self.seconds is None


def solve_batch(rules: Rules, file: str, out: Path | None, settings: Settings) -> int:
    """Print a JSON line for every line of a file, in order; a line that cannot be solved gets an
    error and does not stop the rest."""
    done = _lines_of(out)
    if done:
        print(
            f"mnkala: {out} holds {counted(done, 'line')} already; going on after {'it' if done == 1 else 'them'}",
            file=sys.stderr,
        )
    failed = wrong = 0

    def work(stop: Stop) -> None:
        nonlocal failed, wrong
        readings = itertools.islice(read_batch(rules, file, settings.scored), done, None)
        target = opened(out) if out is not None else sys.stdout
        try:
            for chunk in iter(lambda: list(itertools.islice(readings, CHUNK)), []):
                for answer in _answers(chunk, rules, settings, stop):
                    failed += "error" in answer
                    wrong += answer.get("agrees") is False
                    target.write(json_module.dumps(answer) + "\n")
                    target.flush()
                if stop.is_set():
                    return
        finally:
            if out is not None:
                target.close()

    run(work)
    if failed:
        print(f"mnkala: {counted(failed, 'line')} could not be solved", file=sys.stderr)
    if wrong:
        print(
            f"mnkala: {counted(wrong, 'line')} {'has' if wrong == 1 else 'have'} another score",
            file=sys.stderr,
        )
    return 1 if failed or wrong else 0


def _lines_of(out: Path | None) -> int:
    """The number of complete lines in a file; an incomplete last one, left by an interruption,
    is cut off."""
    if out is None or not out.exists():
        return 0
    with file_errors(out, "read or written"):
        content = out.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if len(whole) < len(content):
            out.write_bytes(whole)
        return whole.count(b"\n")


def opened(out: Path) -> TextIO:
    """The file for the answers, in a folder that is created if needed."""
    with file_errors(out, "written"):
        out.parent.mkdir(parents=True, exist_ok=True)
        return out.open("a", encoding="utf-8")


def _answers(
    chunk: list[BatchLine], rules: Rules, settings: Settings, stop: Stop
) -> Iterator[dict[str, Any]]:
    """The answers to some lines, in order, until the work is stopped."""
    book = open_book(rules) if settings.book else None
    with lent_solver(rules) as solver:
        found = [_at_once(reading, solver, book, settings) for reading in chunk]
    rest = iter(
        _solved(
            [
                reading.position
                for reading, known in zip(chunk, found, strict=True)
                if known is None and reading.position
            ],
            rules,
            settings,
            stop,
        )
    )
    for reading, known in zip(chunk, found, strict=True):
        answer = next(rest, None) if known is None else known
        if answer is None:
            return
        yield (
            reading.refused(answer)
            if isinstance(answer, MnkalaError)
            else _to_json(reading, answer)
        )


def _at_once(
    reading: BatchLine, solver: Solver, book: Book | None, settings: Settings
) -> Step | MnkalaError | None:
    """What is known about a line without solving anything: why it is refused, or its exact score
    in the book."""
    if reading.position is None:
        return reading.error
    if reading.position.is_over:
        return BadPosition("the game is over: there is nothing to solve")
    known = solver.from_book(reading.position, book)
    if known is not None and known.exact is not None:
        return Step(known)
    if (
        settings.seconds is None
        and solver.cost(reading.position) is Cost.HOPELESS
        and (why := out_of_reach(reading.position))
    ):
        return BadPosition(f"{why}; --time SECONDS tries anyway")
    return None


def _solved(
    positions: list[Position], rules: Rules, settings: Settings, stop: Stop
) -> Iterator[Step]:
    """The solutions of positions, in order: of Connect and Kalah on all cores, of other games
    one after the other."""
    if (cls := solves_many(rules)) is not None and settings.exact:
        solver, waiting = cls(rules, table_mb=1), iter(positions)
        for scores, nodes in solve_slices(
            boards_of(positions, rules), rules, threads=settings.threads, stop=stop
        ):
            for score, count in zip(scores.tolist(), nodes.tolist(), strict=True):
                yield solver.step(next(waiting), score, score, nodes=count)
        return
    moves: Moves = (
        "all" if solver_for(rules).counts_plies and not settings.weak else "none"
    )  # they tell how long the game lasts
    for position in positions:
        *_, found = prove(
            position,
            seconds=settings.seconds,
            stop=stop,
            moves=moves,
            lines=False,
            weak=settings.weak,
            book=settings.book,
            threads=settings.threads or 1,
            table_mb=settings.table_mb,
        )
        if stop.is_set():
            return
        yield Step(found.score, found.nodes)


def _to_json(reading: BatchLine, found: Step) -> dict[str, Any]:
    assert reading.position is not None
    score = found.score
    compared: dict[str, Any] = {}
    if reading.expected is not None:
        agrees = score.lower <= reading.expected <= score.upper
        compared = {"expected": reading.expected, "agrees": agrees}
    return {
        "start": reading.position.start_literal,
        "moves": reading.position.moves,
        "score": score.exact,
        "lower": score.lower,
        "upper": score.upper,
        "result": score.result,
        "plies": score.plies,
        "nodes": found.nodes,
        "source": score.book or score.source,
        **compared,
    }
