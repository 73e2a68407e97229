"""Build a data set: find positions, label them as jobs, write the file. Labels are kept beside the file until it is complete, so that an
interrupted build goes on where it stopped."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path

from mnkala import __version__
from mnkala.core import Position, Rules
from mnkala.dataset.labels import EXACT, Rows, check_label, first_quick_ply
from mnkala.dataset.sampling import LONGEST, Line, Sample, sample
from mnkala.dataset.table import arrow, schema, write_table
from mnkala.errors import MnkalaError
from mnkala.jobs import Job, Progress, Store, run_jobs

PART = 100
"""Positions in a job."""
ROWS_AT_ONCE = 100 * PART
"""Rows that are written together."""
MOST = 100_000_000
VERSION = 1
"""Raised when the same label means something else."""


@dataclasses.dataclass(frozen=True)
class Plan:
    """What a data set shall be."""

    rules: Rules
    count: int
    label: str = EXACT
    seed: int = 1
    plies: tuple[int, int] | None = None
    """Positions after so many moves, from and to; None for all that are labelled quickly."""

    def __post_init__(self) -> None:
        if not 1 <= self.count <= MOST:
            raise MnkalaError(f"{self.count} positions; a data set has 1 to {MOST:,}")
        check_label(self.label, self.rules)

    def settled(self) -> Plan:
        """The same with its plies: of exact scores those from which on positions are solved in a moment, of others all."""
        if self.plies is not None:
            return self
        low = first_quick_ply(self.rules, self.seed) if self.label == EXACT else 0
        return dataclasses.replace(self, plies=(low, min(LONGEST, self.rules.longest_game())))

    @property
    def command(self) -> str:
        """The command that makes it again."""
        plies = "" if self.plies is None else f" --plies {self.plies[0]}..{self.plies[1]}"
        return f"mnkala dataset {self.rules.game_string()} -n {self.count} --label {self.label}{plies} --seed {self.seed}"


@dataclasses.dataclass(frozen=True)
class Built:
    """What became of a build."""

    path: Path
    rows: int
    plan: Plan
    exhausted: bool
    """Whether there are fewer positions than were asked for."""
    digest: str = ""
    """Of the rows; '' if the file was not written because some work failed."""
    failures: tuple[str, ...] = ()


def kept_path(path: Path) -> Path:
    """Where labels are kept until the file is complete."""
    return path.with_name(f"{path.name}.unfinished")


def build(plan: Plan, path: Path, *, jobs: int | None = None, cluster: str | None = None, retry: bool = False,
          progress: Callable[[str], Progress] | None = None) -> Built:
    """Build a data set into a file that is not there yet."""
    arrow()  # says at once what is missing
    if path.exists():
        raise MnkalaError(f"{path} is there already; name another file by --out, or remove it")
    plan = plan.settled()
    assert plan.plies is not None
    found = sample(plan.rules, plan.count, plan.seed, *plan.plies)
    if not found.lines:
        raise MnkalaError(f"no game of {plan.rules.game_string()} goes on after {plan.plies[0]} moves, as far as random play tells")
    work = [_job(plan, found.lines[start:start + PART]) for start in range(0, len(found.lines), PART)]
    with Store(kept_path(path)) as store:
        run_jobs(work, store, workers=jobs, cluster=cluster, retry=retry, progress=progress("labelling") if progress else None)
        failures = [outcome.error for outcome in store.outcomes([job.key for job in work]).values() if outcome.error is not None]
        if failures:
            return Built(path, 0, plan, found.exhausted, failures=tuple(failures))
        digest = _write(plan, found, work, store, path)
    for end in ("", "-wal", "-shm"):
        with contextlib.suppress(OSError):
            Path(f"{kept_path(path)}{end}").unlink()
    return Built(path, len(found.lines), plan, found.exhausted, digest)


def _job(plan: Plan, lines: tuple[Line, ...]) -> Job:
    arguments = {"game": plan.rules.game_string(), "label": plan.label, "lines": [list(line) for line in lines]}
    digest = hashlib.sha256(json.dumps(arguments).encode()).hexdigest()[:32]
    return Job(f"dataset {VERSION} {digest}", "mnkala.dataset.labels:label_lines", arguments)


def _write(plan: Plan, found: Sample, work: list[Job], store: Store, path: Path) -> str:
    shape = Position(plan.rules).to_array().shape
    about = {"game": plan.rules.game_string(), "shape": shape, "label": plan.label, "seed": plan.seed, "plies": plan.plies,
             "rows": len(found.lines), "command": plan.command, "version": __version__}
    return write_table(path, _parts(work, store), schema(plan.label, shape), about)


def _parts(work: list[Job], store: Store) -> Iterator[Rows]:
    """The labelled rows in the order of the positions, many at a time."""
    step = ROWS_AT_ONCE // PART
    for start in range(0, len(work), step):
        some = [job.key for job in work[start:start + step]]
        outcomes = store.outcomes(some)
        parts: list[Rows] = [outcomes[key].value for key in some]
        yield {name: [value for part in parts for value in part[name]] for name in parts[0]}
