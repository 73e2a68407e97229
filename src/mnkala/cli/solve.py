"""`mnkala solve`: the exact score of a position and of every move; `solve_batch` solves a whole
file.
"""

from __future__ import annotations

import json as json_module
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from mnkala.cli.arguments import (
    AsJson,
    BatchFile,
    PlayedMoves,
    StartLiteral,
    UsualGame,
    Within,
    announced,
    flag,
    make_position,
    usual_game,
)
from mnkala.errors import MnkalaError

if TYPE_CHECKING:
    from mnkala.core import Position
    from mnkala.core.score import Score
    from mnkala.explain.inspection import Inspection
    from mnkala.solve import Exact

LINE_SECONDS = 3.0
"""How long lines of best play are searched beyond the end of the opening book."""
BOUNDS_SECONDS = 2.0
"""How long a position out of reach is tried, for bounds of its score."""


def solve(
    game: UsualGame = None,
    *moves: PlayedMoves,
    position: StartLiteral = None,
    weak: Annotated[
        bool,
        flag(
            "Prove only who wins, not how soon: this is quicker, and the score remains a pair of bounds."
        ),
    ] = False,
    moves_too: Annotated[
        bool,
        Parameter(
            name="--moves",
            negative="--no-moves",
            help="Also print the score of every move, and the line of best play.",
        ),
    ] = True,
    time: Annotated[
        float | None,
        Parameter(
            help="Seconds for a position; if they do not suffice, what was proved is printed."
        ),
    ] = None,
    threads: Annotated[
        int | None,
        Parameter(
            validator=Within(1, 64),
            help="Threads for one position; 1 if not given. For a batch of Connect or Kalah: positions at a time, on all cores.",
        ),
    ] = None,
    table: Annotated[
        int, Parameter(validator=Within(1, 1 << 16), help="Megabytes that the table may grow to.")
    ] = 256,
    book: Annotated[bool, Parameter(help="Look positions up in the opening book first.")] = True,
    json: AsJson = False,
    batch: BatchFile = None,
    scored: Annotated[
        bool,
        flag(
            "Compare with the score at the end of every line of the batch, as in Pascal Pons' test sets."
        ),
    ] = False,
    out: Annotated[
        Path | None,
        Parameter(
            help="Write the lines of a batch to this file instead; if it holds some already, continue after them."
        ),
    ] = None,
) -> int:
    """Solve a position exactly: `mnkala solve connect4 44352`.

    The score is the mover's: positive if the mover wins, 0 for a draw. In Connect it counts the
    winner's discs left at the end, plus one; in Kalah it is the difference of the stores; elsewhere
    it is 1, 0 or -1.
    """
    from mnkala.cli.solve_batch import Settings, opened, solve_batch
    from mnkala.search.limit import Limit
    from mnkala.solve import solver_for
    from mnkala.solve.oracle import check_open, out_of_reach

    if batch is not None and (moves or position):
        raise MnkalaError(
            "--batch reads the positions from its file; leave out the moves and --position"
        )
    if out is not None and batch is None:
        raise MnkalaError("--out is for a --batch")
    if scored and batch is None:
        raise MnkalaError("--scored is for a --batch")
    Limit(time=time)
    where = make_position(usual_game(game), moves, position, open_game=usual_game(None))
    rules = where.rules
    solver = solver_for(rules)
    check_open(where)
    missing = out_of_reach(where) if batch is None and time is None else None
    if out is not None:
        opened(out).close()
    with announced("compiling the solver, once; `mnkala warmup` does it ahead of time"):
        solver.prepare(rules)
    if batch is not None:
        return solve_batch(rules, batch, out, Settings(weak, time, threads, table, book, scored))
    status = _solve_one(
        where,
        weak=weak,
        moves_too=moves_too and missing is None,
        seconds=time if missing is None else BOUNDS_SECONDS,
        threads=threads or 1,
        table=table,
        book=book,
        json=json,
    )
    if missing is not None and status:
        print(
            f"mnkala: {missing}. These are the bounds that {BOUNDS_SECONDS:g} seconds prove; "
            "--time SECONDS tries longer",
            file=sys.stderr,
        )
    return status


def _solve_one(
    where: Position,
    *,
    weak: bool,
    moves_too: bool,
    seconds: float | None,
    threads: int,
    table: int,
    book: bool,
    json: bool,
) -> int:
    from mnkala.explain.inspection import inspect
    from mnkala.search.limit import Limit, Stop
    from mnkala.solve.oracle import prove

    if not json:
        print(where.terminal() if sys.stdout.isatty() else where)
        print(f"{where.to_move} to move")

    def proofs(position: Position, limit: Limit, stop: Stop) -> Iterator[Exact]:
        return prove(
            position,
            seconds=limit.time,
            stop=stop,
            moves="all" if moves_too else "none",
            lines=moves_too,
            line_seconds=LINE_SECONDS,
            weak=weak,
            book=book,
            threads=threads,
            table_mb=table,
        )

    told = None
    for found in inspect(where, Limit(time=seconds), engine=None, prover=proofs):
        assert found.score is not None, "bounds at least are known at once"
        score: Score = found.score
        if not json and score.exact is None and score.within != told:
            told = score.within
            print(
                f"  {_number(score)}   nodes {found.nodes:>13,}  {found.seconds:8.3f} s", flush=True
            )
    if json:
        print(json_module.dumps(_to_json(found, score, moves_too)))
    else:
        _print(found, score, moves_too)
    return 0 if score.exact is not None or (weak and score.result != "unknown") else 1


def _effort(found: Inspection, score: Score) -> str:
    """The source of the score, and the effort that it took."""
    if score.book:
        return f"from the opening book ({score.book}), {found.seconds:.3f} s"
    return f"{score.source or 'open'}, nodes {found.nodes:,}, {found.seconds:.3f} s"


def _where_it_stops(found: Inspection, score: Score) -> str:
    """Why a line does not reach the end of the game; empty if it does."""
    if found.position.play_codes(found.line_codes).is_over:
        return ""
    return (
        " … (the book ends here; --no-book searches on)"
        if score.book
        else " … (the time was up here)"
    )


def _print(found: Inspection, score: Score, moves_too: bool) -> None:
    """Print the score, then every move with its score, why it is good or bad, the line of best
    play and its first turn."""
    from mnkala.core.position import written_line
    from mnkala.explain.score_words import score_words
    from mnkala.explain.turn_words import best_turn_words
    from mnkala.explain.verdicts import reasons_beyond
    from mnkala.terminal.environment import print_wrapped

    rules = found.position.rules
    print(f"score {_number(score)} ({score_words(score, rules)})   {_effort(found, score)}")
    for known in found.moves if moves_too else ():
        print(
            f"  {rules.move_text(known.code):>3}  {_number(known.score):>4}  {score_words(known.score, rules)}"
        )
        if words := reasons_beyond(found.reasons.get(known.code, ())):
            print_wrapped(f"             {words}")
    if found.line_codes:
        print_wrapped(
            f"line {written_line(found.position, found.line_codes)}{_where_it_stops(found, score)}"
        )
        if turn := best_turn_words(found.position, found.line_codes):
            print_wrapped(turn)


def _to_json(found: Inspection, score: Score, moves_too: bool) -> dict[str, Any]:
    where, rules = found.position, found.position.rules
    return {
        "game": where.game,
        "position": where.literal,
        "played": where.moves,
        **score.facts(),
        "moves": {
            rules.move_text(known.code): known.score.facts()
            | {
                "line": [rules.move_text(move) for move in known.line_codes],
                "why": [reason.to_json() for reason in found.reasons.get(known.code, ())],
            }
            for known in (found.moves if moves_too else ())
        },
        "line": [rules.move_text(move) for move in found.line_codes],
        "nodes": found.nodes,
        "seconds": round(found.seconds, 6),
        "source": score.book or score.source,
    }


def _number(score: Score) -> str:
    """The game's own score, as programs write it."""
    return (
        f"between {score.lower} and {score.upper}"
        if score.exact is None
        else f"{score.exact:+d}"
        if score.exact
        else "0"
    )
