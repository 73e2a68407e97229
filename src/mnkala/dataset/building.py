"""Builds a data set: find positions, label them as jobs, write the file.

A label is the exact score of a position, or an engine's evaluation. Exact scores of Connect and
Kalah come from the book where it reaches, and otherwise from the kernel that solves many positions,
each with an empty table; those of other games come from their solver. A label therefore depends on
its position alone, not on which worker found it or when.

Labels are kept in a second file until the data set is complete, so that an interrupted build
continues where it stopped.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mnkala import __version__
from mnkala.core import Position, Rules, parse_game
from mnkala.core.score import Score
from mnkala.dataset.sampling import LONGEST, Line, Sample, positions_by_ply, sample
from mnkala.errors import BadEngine, MnkalaError
from mnkala.folders import file_errors
from mnkala.jobs import Job, Progress, Store, run_jobs
from mnkala.jobs.store import remove_store
from mnkala.lazily import needed
from mnkala.search import Engine, parse_engine
from mnkala.solve import solver_for
from mnkala.solve.books import open_book
from mnkala.solve.oracle import out_of_reach
from mnkala.solve.solver import Cost, lent_solver
from mnkala.solve.table_solver import boards_of, solve_slices, solves_many

EXACT = "exact"
RESULTS = {"win": 1, "draw": 0, "loss": -1, "unknown": None}
LOOKED_AT = 20
"""The number of positions of each ply that are solved to see how long that takes."""
MOST_DEAR = 0.1
"""The share of these positions that may take longer than a moment."""

Rows = dict[str, list[Any]]
"""Columns of a table, by name."""


def label_lines(game: str, label: str, lines: list[list[int]]) -> Rows:
    """Label some positions, given by their moves; a job for `mnkala.jobs`."""
    rules = parse_game(game)
    positions = [Position(rules).play_codes(line) for line in lines]
    rows: Rows = {
        "board": [position.to_array(position.mover).ravel().tolist() for position in positions],
        "to_move": [position.mover for position in positions],
        "ply": [len(line) for line in lines],
        "moves": [position.moves for position in positions],
    }
    return rows | (
        exact_scores(positions, rules) if label == EXACT else opinions(positions, engine_of(label))
    )


# ---- Exact scores ----


def exact_scores(positions: Sequence[Position], rules: Rules) -> Rows:
    """Solve positions: their exact scores for the player to move, and what they mean (1 won, 0
    drawn, -1 lost)."""
    solver, book = solver_for(rules)(rules, table_mb=1), open_book(rules)
    scores: list[int | None] = []
    for position in positions:
        known = solver.from_book(position, book)
        scores.append(None if known is None else known.exact)
    left = [position for position, score in zip(positions, scores, strict=True) if score is None]
    earliest = min(left, key=lambda position: len(position.history_codes), default=None)
    if earliest is not None and (why := out_of_reach(earliest)) is not None:
        raise MnkalaError(f"{why}: {earliest.moves or 'the start'}")
    solved = iter(_solved(left, rules))
    found = [next(solved) if score is None else score for score in scores]
    return {"score": found, "result": [(score > 0) - (score < 0) for score in found]}


def _solved(positions: Sequence[Position], rules: Rules) -> list[int]:
    """The exact scores of positions, each for its mover; raises MnkalaError if one is not found."""
    if solves_many(rules) is not None:
        return [
            int(score)
            for scores, _ in solve_slices(boards_of(positions, rules), rules, threads=1)
            for score in scores
        ]
    with lent_solver(rules) as solver:
        answers = [solver.solve(position).score.exact for position in positions]
    if None in answers:
        raise MnkalaError(
            f"the solver {solver.name} has found no score of {positions[answers.index(None)].moves or 'the start'}"
        )
    return [score for score in answers if score is not None]


def first_quick_ply(rules: Rules, seed: int) -> int:
    """The first ply from which nearly all positions of random games can be solved in a moment.

    Books do not count, so that the answer is the same on every machine.
    """
    solver, last_dear = solver_for(rules)(rules, table_mb=1), -1
    for ply, positions in positions_by_ply(rules, seed, LOOKED_AT):
        if sum(
            solver.cost(position) is not Cost.AT_ONCE for position in positions
        ) > MOST_DEAR * len(positions):
            last_dear = ply
    return last_dear + 1


# ---- An engine's evaluation ----


@functools.lru_cache(maxsize=1)
def engine_of(label: str) -> Engine:
    """The engine that a label names, kept for the next job. It must have a limit that ends its
    search."""
    return parse_engine(label, programs=True)


def check_label(label: str, rules: Rules) -> None:
    """Raise an error with the reason if positions of a game cannot be labelled in this way."""
    if label == EXACT:
        solver_for(rules)
        return
    try:
        engine_of(label).search.check(rules)
    except MnkalaError as error:
        raise BadEngine(
            f"--label {label}: {error}; a label is {EXACT} or an engine string, such as deepening:nodes=10000"
        ) from None


def opinions(positions: Sequence[Position], engine: Engine) -> Rows:
    """Evaluate positions with an engine: the score for the player to move and its kind, the result
    if it is proved, and the move."""
    rows: Rows = {"score": [], "kind": [], "result": [], "best": []}
    for position in positions:
        found = engine.analyse(position)
        score = None if found.score is None else found.score.seen_by(position.mover)
        rows["score"].append(None if score is None else score.value)
        rows["kind"].append(None if score is None else _kind(score))
        rows["result"].append(None if score is None else RESULTS[score.result])
        rows["best"].append(found.line_codes[0])
    return rows


def _kind(score: Score) -> str:
    """Whether a number is exact, a bound (lower, upper), or a heuristic's."""
    if score.exact is not None:
        return "exact"
    if score.is_proved or score.at is not None:
        return "lower" if score.value == score.lower or score.at == "least" else "upper"
    return "heuristic"


# ---- The file ----
#
# A Parquet file has one row for each position. It is written part by part, and its metadata say
# what it contains.
#
# board         what the player to move sees (`Position.to_array`), row by row: 1 for own marks, 2 for
#               the opponent's; seeds in Kalah
# to_move, ply  the player to move, 0 or 1, and the number of moves played
# moves         the same position as text: `Position(game).play(moves)`
# score         for the player to move: exact, or the engine's number
# result        1 won, 0 drawn, -1 lost with best play; empty where that is not proved
# kind, best    for an engine's label: exact, lower, upper or heuristic; the number of the move that
#               the engine chose


PREFIX = "mnkala."
"""The prefix of mnkala's names in a file's metadata."""


def arrow() -> Any:
    """Import pyarrow, or raise an error that says how to install it."""
    return needed("pyarrow", "a data set in Parquet", "data")


def schema(label: str, shape: tuple[int, ...]) -> Any:
    """The columns of a data set of boards of this shape."""
    pa = arrow()
    cells = shape[0] * shape[1]
    columns = [
        ("board", pa.list_(pa.uint8(), cells)),
        ("to_move", pa.int8()),
        ("ply", pa.int16()),
        ("moves", pa.string()),
        ("score", pa.int32()),
    ]
    columns += (
        [("result", pa.int8())]
        if label == EXACT
        else [("kind", pa.string()), ("result", pa.int8()), ("best", pa.int32())]
    )
    return pa.schema(columns)


def write_table(path: Path, parts: Iterable[Rows], columns: Any, about: Mapping[str, Any]) -> str:
    """Write a file and return the digest of its rows, which its metadata contain too. The file
    appears only once it is complete."""
    pa, parquet = arrow(), needed("pyarrow.parquet", "a data set in Parquet", "data")
    partial, digest = path.with_name(f".{path.name}.{os.getpid()}"), hashlib.sha256()
    with file_errors(path, "written"):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with parquet.ParquetWriter(partial, columns, compression="zstd") as writer:
                for rows in parts:
                    digest.update(
                        json.dumps(
                            [rows[name] for name in columns.names], separators=(",", ":")
                        ).encode()
                    )
                    writer.write_table(pa.table(rows, schema=columns))
                told = {**about, "digest": digest.hexdigest()}
                writer.add_key_value_metadata(
                    {
                        PREFIX + name: value if isinstance(value, str) else json.dumps(value)
                        for name, value in told.items()
                    }
                )
            os.replace(partial, path)
        finally:
            partial.unlink(missing_ok=True)
    return digest.hexdigest()


# ---- Building it ----


PART = 100
"""The number of positions in a job."""
ROWS_AT_ONCE = 100 * PART
"""The number of rows that are written together."""
MOST = 100_000_000
VERSION = 1
"""The version of labels, raised whenever their meaning changes."""


@dataclasses.dataclass(frozen=True)
class DataSetPlan:
    """The content of a data set that is to be built."""

    rules: Rules
    count: int
    label: str = EXACT
    seed: int = 1
    plies: tuple[int, int] | None = None
    """The fewest and the most moves played before a position; None for all positions that can be
    labelled quickly."""

    def __post_init__(self) -> None:
        if not 1 <= self.count <= MOST:
            raise MnkalaError(f"{self.count} positions; a data set has 1 to {MOST:,}")
        check_label(self.label, self.rules)

    def settled(self) -> DataSetPlan:
        """The plan with its range of plies filled in: for exact scores the plies at which positions
        are solved in a moment, otherwise all plies."""
        if self.plies is not None:
            return self
        low = first_quick_ply(self.rules, self.seed) if self.label == EXACT else 0
        return dataclasses.replace(self, plies=(low, min(LONGEST, self.rules.longest_game())))

    @property
    def command(self) -> str:
        """The command that builds this data set again."""
        plies = "" if self.plies is None else f" --plies {self.plies[0]}..{self.plies[1]}"
        return f"mnkala dataset {self.rules.game_string()} -n {self.count} --label {self.label}{plies} --seed {self.seed}"


@dataclasses.dataclass(frozen=True)
class Built:
    """The result of a build."""

    path: Path
    rows: int
    plan: DataSetPlan
    exhausted: bool
    """Whether fewer positions exist than were asked for."""
    digest: str = ""
    """The digest of the rows; '' if the file was not written because some jobs failed."""
    failures: tuple[str, ...] = ()


def kept_path(path: Path) -> Path:
    """The file in which labels are kept until the data set is complete."""
    return path.with_name(f"{path.name}.unfinished")


def build(
    plan: DataSetPlan,
    path: Path,
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    retry: bool = False,
    progress: Callable[[str], Progress] | None = None,
) -> Built:
    """Build a data set and write it to a file; raises MnkalaError if the file exists already."""
    arrow()  # Fails at once if pyarrow is missing.
    if path.exists():
        raise MnkalaError(f"{path} is there already; name another file by --out, or remove it")
    plan = plan.settled()
    assert plan.plies is not None
    found = sample(plan.rules, plan.count, plan.seed, *plan.plies)
    if not found.lines:
        raise MnkalaError(
            f"no game of {plan.rules.game_string()} goes on after {plan.plies[0]} moves, as far as random play tells"
        )
    work = [
        _job(plan, found.lines[start : start + PART]) for start in range(0, len(found.lines), PART)
    ]
    with Store(kept_path(path)) as store:
        run_jobs(
            work,
            store,
            workers=jobs,
            cluster=cluster,
            retry=retry,
            progress=progress("labelling") if progress else None,
        )
        failures = store.errors(job.key for job in work)
        if failures:
            return Built(path, 0, plan, found.exhausted, failures=tuple(failures))
        digest = _write(plan, found, work, store, path)
    remove_store(kept_path(path))
    return Built(path, len(found.lines), plan, found.exhausted, digest)


def _job(plan: DataSetPlan, lines: tuple[Line, ...]) -> Job:
    arguments = {
        "game": plan.rules.game_string(),
        "label": plan.label,
        "lines": [list(line) for line in lines],
    }
    digest = hashlib.sha256(json.dumps(arguments).encode()).hexdigest()[:32]
    return Job(f"dataset {VERSION} {digest}", f"{__name__}:{label_lines.__name__}", arguments)


def _write(plan: DataSetPlan, found: Sample, work: list[Job], store: Store, path: Path) -> str:
    """Write the file with a description of the data set in its metadata; return the digest of its
    rows."""
    shape = Position(plan.rules).to_array().shape
    about = {
        "game": plan.rules.game_string(),
        "shape": shape,
        "label": plan.label,
        "seed": plan.seed,
        "plies": plan.plies,
        "rows": len(found.lines),
        "command": plan.command,
        "version": __version__,
    }
    return write_table(path, _parts(work, store), schema(plan.label, shape), about)


def _parts(work: list[Job], store: Store) -> Iterator[Rows]:
    """Yield the labelled rows in the order of the positions, many at a time."""
    step = ROWS_AT_ONCE // PART
    for start in range(0, len(work), step):
        some = [job.key for job in work[start : start + step]]
        outcomes = store.outcomes(some)
        parts: list[Rows] = [outcomes[key].value for key in some]
        yield {name: [value for part in parts for value in part[name]] for name in parts[0]}
