"""`mnkala solve`: the exact score of a position, of every move, of a whole file."""

from __future__ import annotations

import itertools
import json as json_module
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

from cyclopts import Parameter

from mnkala.cli.arguments import AsJson, PlayedMoves, StartLiteral, announced, make_position

if TYPE_CHECKING:
    from mnkala.games import Position, Rules
    from mnkala.solve import Exact, Solution

CHUNK = 2048
"""Lines of a batch that are read ahead."""


def solve(
    game: Annotated[str, Parameter(
        help="A game string: connect4, connect:6x7x5, kalah:4x3, tictactoe, or a small game of your own.")] = "connect4",
    *moves: PlayedMoves,
    position: StartLiteral = None,
    weak: Annotated[bool, Parameter(help="Only who wins, not how soon: quicker, and the score stays a pair of bounds.")] = False,
    moves_too: Annotated[bool, Parameter(name="--moves", negative="--no-moves",
        help="Also the score of every move, and the line of best play.")] = True,
    time: Annotated[float | None, Parameter(help="Seconds to think; bounds are printed if they do not suffice.")] = None,
    threads: Annotated[int | None, Parameter(
        help="Threads for one position; 1 if not given. For a batch: positions at a time; all cores if not given.")] = None,
    table: Annotated[int, Parameter(help="Megabytes that the table may grow to.")] = 256,
    book: Annotated[bool, Parameter(help="Look positions up in the opening book first.")] = True,
    json: AsJson = False,
    batch: Annotated[str | None, Parameter(allow_leading_hyphen=True,
        help="A file (or - for standard input) with a position of Connect a line: moves. Prints a JSON line for each, in order.")] = None,
    out: Annotated[Path | None, Parameter(
        help="Write the lines of a batch to this file instead; if it holds some already, go on after them.")] = None,
) -> int:
    """Solve a position exactly: `mnkala solve connect4 44352`.

    The score is the mover's: positive if the mover wins, 0 for a draw. In Connect it counts the winner's discs left at the end, plus one;
    in Kalah it is the difference of the stores; elsewhere it is 1, 0 or -1.
    """
    from mnkala.errors import MnkalaError
    from mnkala.search.limit import Limit
    from mnkala.solve import solver_for
    from mnkala.solve.connect.shape import shape_for
    from mnkala.solve.oracle import check_open

    if batch is not None and (moves or position):
        raise MnkalaError("--batch reads the positions from its file; leave out the moves and --position")
    if out is not None and batch is None:
        raise MnkalaError("--out is for a --batch")
    if threads is not None and not 1 <= threads <= 64:
        raise MnkalaError(f"--threads {threads}; 1 to 64 are possible")
    if not 1 <= table <= 1 << 16:
        raise MnkalaError(f"--table {table}; 1 to 65536 megabytes are possible")
    Limit(time=time)
    where = make_position(game, moves, position, open_game="connect4")
    rules = where.rules
    solver = solver_for(rules)
    check_open(where)
    if batch is not None:
        shape_for(rules)
    if out is not None:
        _opened(out).close()
    with announced("compiling the solver, once; `mnkala warmup` does it ahead of time"):
        solver.prepare(rules)
    if batch is not None:
        return _solve_batch(rules, batch, out, threads)
    return _solve_one(where, weak=weak, moves_too=moves_too, seconds=time, threads=threads or 1, table=table, book=book, json=json)


def _solve_one(where: Position, *, weak: bool, moves_too: bool, seconds: float | None, threads: int, table: int, book: bool,
               json: bool) -> int:
    from mnkala.search.limit import Stop
    from mnkala.search.runner import stream
    from mnkala.solve.oracle import out_of_reach, prove

    if not json:
        print(where.terminal() if sys.stdout.isatty() else where)
        print(f"{where.to_move} to move")
    if seconds is None and (why := out_of_reach(where)) is not None:
        print(f"mnkala: {why}; --time sets an end to trying", file=sys.stderr)

    def work(stop: Stop, give: Callable[[Exact], None]) -> None:
        for found in prove(where, seconds=seconds, stop=stop, moves="all" if moves_too else "none", lines=moves_too, weak=weak, book=book,
                           threads=threads, table_mb=table):
            give(found)

    told = None
    for found in stream(work):
        if not json and found.solution.score is None and found.solution.within != told:
            told = found.solution.within
            print(f"  {found.solution}   nodes {found.nodes:>13,}  {found.seconds:8.3f} s", flush=True)
    if json:
        print(json_module.dumps(_to_json(found, moves_too)))
    else:
        _print(found, moves_too)
    return 0 if found.solution.score is not None or (weak and found.solution.result != "unknown") else 1


def _in_words(solution: Solution, graded: bool) -> str:
    if solution.result == "unknown":
        return "open"
    if solution.score is None or solution.result == "draw":
        return solution.result
    if graded:
        return f"{solution.result} by {abs(solution.score)}"
    return solution.result if solution.plies is None else f"{solution.result} in {solution.plies}"


def _source(found: Exact) -> str:
    return found.solution.book or found.solution.source


def _print(found: Exact, moves_too: bool) -> None:
    rules, whole = found.position.rules, found.solution
    print(f"score {whole} ({_in_words(whole, rules.graded)})   {_source(found)}, nodes {found.nodes:,}, {found.seconds:.3f} s")
    order = sorted(found.moves, key=lambda known: (-known.solution.upper, -known.solution.lower, known.code))
    for known in order if moves_too else ():
        print(f"  {rules.move_text(known.code):>3}  {known.solution!s:>4}  {_in_words(known.solution, rules.graded)}")
    if found.line_codes:
        print(f"line {rules.moves_text(found.line_codes)}")


def _to_json(found: Exact, moves_too: bool) -> dict[str, Any]:
    where, rules = found.position, found.position.rules
    return {
        "game": where.game, "position": where.literal, "played": where.moves, **_facts(found.solution),
        "moves": {rules.move_text(known.code): _facts(known.solution) for known in (found.moves if moves_too else ())},
        "line": [rules.move_text(move) for move in found.line_codes], "nodes": found.nodes, "seconds": round(found.seconds, 6),
        "source": _source(found),
    }


def _facts(solution: Solution) -> dict[str, Any]:
    return {"score": solution.score, "lower": solution.lower, "upper": solution.upper, "result": solution.result, "plies": solution.plies}


# ---- Many positions ----


def _solve_batch(rules: Rules, file: str, out: Path | None, threads: int | None) -> int:
    """A JSON line for every line of a file, in order; a line that cannot be read gets an error and does not stop the rest."""
    from mnkala.cli.analyse import read_lines
    from mnkala.search.limit import Stop
    from mnkala.search.runner import run

    done = _lines_of(out)
    if done:
        print(f"mnkala: {out} holds {done:,} lines already; going on after them", file=sys.stderr)
    failed = 0

    def work(stop: Stop) -> None:
        nonlocal failed
        lines = enumerate(read_lines(file), start=1)
        target = _opened(out) if out is not None else sys.stdout
        try:
            for chunk in iter(lambda: list(itertools.islice(lines, CHUNK)), []):
                failed += _solve_chunk([(number, line) for number, line in chunk if number > done], rules, target, threads, stop)
                if stop.is_set():
                    return
        finally:
            if out is not None:
                target.close()

    run(work)
    if failed:
        print(f"mnkala: {failed} lines could not be solved", file=sys.stderr)
    return 1 if failed else 0


def _lines_of(out: Path | None) -> int:
    """How many whole lines a file holds; what an interruption left of a last one is cut off."""
    from mnkala.folders import file_errors

    if out is None or not out.exists():
        return 0
    with file_errors(out, "read or written"):
        content = out.read_bytes()
        whole = content[:content.rfind(b"\n") + 1]
        if len(whole) < len(content):
            out.write_bytes(whole)
        return whole.count(b"\n")


def _opened(out: Path) -> TextIO:
    """The file to write answers to, in a folder that is made if need be."""
    from mnkala.folders import file_errors

    with file_errors(out, "written"):
        out.parent.mkdir(parents=True, exist_ok=True)
        return out.open("a", encoding="utf-8")


def _solve_chunk(chunk: list[tuple[int, str]], rules: Rules, target: TextIO, threads: int | None, stop: Any) -> int:
    """Solve some lines and write their answers; how many could not be solved."""
    from mnkala.errors import BadPosition, MnkalaError
    from mnkala.games import Position
    from mnkala.solve import ConnectSolver
    from mnkala.solve.connect.many import boards_of, solve_slices

    readings: list[Position | MnkalaError] = []
    for _, line in chunk:
        try:
            position = Position(rules).play(line.strip())
            readings.append(BadPosition("the game is over: there is nothing to solve") if position.is_over else position)
        except MnkalaError as error:
            readings.append(error)
    solver = ConnectSolver(rules, table_mb=1)
    good = [reading for reading in readings if isinstance(reading, Position)]
    answers = _each(solve_slices(*boards_of(good, rules), rules, threads=threads, stop=stop))
    for (number, line), reading in zip(chunk, readings, strict=True):
        if isinstance(reading, MnkalaError):
            answer: dict[str, Any] = {"line": number, "input": line.strip()[:200], "error": str(reading)}
        else:
            found = next(answers, None)
            if found is None:
                return 0
            solution = solver.solution(reading, found[0], found[0], nodes=found[1])
            answer = {"moves": reading.moves, "score": found[0], "result": solution.result, "plies": solution.plies, "nodes": found[1]}
        target.write(json_module.dumps(answer) + "\n")
        target.flush()
    return len(readings) - len(good)


def _each(slices: Iterator[tuple[Any, Any]]) -> Iterator[tuple[int, int]]:
    for scores, nodes in slices:
        yield from zip(scores.tolist(), nodes.tolist(), strict=True)
