"""The data of studies: what a store holds of a study, as rows of a table.

Work is identified by measure and arguments, not by study, so quick and full runs and several studies share what they have in common.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mnkala.errors import MnkalaError
from mnkala.jobs import Job, Outcome, Store
from mnkala.lab.model import Part, Study, Work
from mnkala.lab.registry import Row, find_finding, load_code
from mnkala.lab.study import load_study
from mnkala.lab.study_reader import BadStudy

if TYPE_CHECKING:
    from mnkala.lab.plots import Picture

FULL, QUICK, PARTIAL, NONE = "full", "quick", "partial", "none"


def default_data() -> Path:
    """MNKALA_LAB_DATA, or lab.sqlite in the user's data folder."""
    from mnkala.play.files import data_folder

    chosen = os.environ.get("MNKALA_LAB_DATA")
    return Path(chosen) if chosen else data_folder() / "lab.sqlite"


def job_of(work: Work) -> Job:
    """The work as a job that any worker can do."""
    arguments: Row = {"measure": work.measure, "values": work.values}
    if work.code is not None:
        arguments["code"] = str(work.code)
    if work.repetition is not None:
        arguments["repetition"] = work.repetition
    return Job(work.key, "mnkala.lab.registry:perform", arguments)


@dataclass(frozen=True)
class Failure:
    """Work without a result."""

    values: Row
    error: str


@dataclass(frozen=True)
class PartResults:
    """The data of one part."""

    part: Part
    rows: list[Row]
    references: list[Row]
    """The report's own figures under their own names, with what they are joined on."""

    @property
    def columns(self) -> list[str]:
        """All columns, in the order in which they first appear."""
        return list(dict.fromkeys(name for row in self.rows for name in row))


@dataclass(frozen=True)
class Results:
    """The data of a study."""

    study: Study
    parts: list[PartResults]
    state: str
    """full, quick (all of a quick run), partial or none."""
    done: int
    total: int
    """Jobs of the run that the state speaks of: done and in all."""
    failures: list[Failure] = field(default_factory=list)
    machines: list[str] = field(default_factory=list)
    dates: tuple[str, str] | None = None
    seconds: float = 0.0
    """Time of all jobs together."""
    earlier: int = 0
    """Jobs that the data file holds only from another version of a measure; they are not among the rows."""

    @property
    def rows(self) -> list[Row]:
        """All rows; in a study of several parts each says its `part`."""
        return [row for part in self.parts for row in part.rows]

    @property
    def references(self) -> list[Row]:
        """All figures of the reports."""
        return [row for part in self.parts for row in part.references]

    @property
    def finding(self) -> str | None:
        """What the data say, in words computed from them."""
        for part in self.study.parts:
            if part.code is not None:
                load_code(part.code)
        function = find_finding(self.study.name)
        if function is None or not self.rows:
            return None
        import inspect

        if "references" in inspect.signature(function).parameters:
            return function(self.rows, references=self.references)
        return function(self.rows)

    def to_frame(self) -> Any:
        """The rows as a pandas data frame."""
        from mnkala.lab.export import to_frame

        return to_frame(self.rows)

    def to_csv(self, path: str | Path) -> Path:
        """Write the rows as CSV."""
        from mnkala.lab.export import write

        return write(self.rows, path, "csv")

    def to_json(self, path: str | Path) -> Path:
        """Write the rows as JSON."""
        from mnkala.lab.export import write

        return write(self.rows, path, "json")

    def to_parquet(self, path: str | Path) -> Path:
        """Write the rows as Parquet."""
        from mnkala.lab.export import write

        return write(self.rows, path, "parquet")

    def figures(self) -> list[Picture]:
        """The plots: title and SVG of each."""
        from mnkala.lab.plots import draw_part

        return [figure for part in self.parts for figure in draw_part(part, self.study)]

    def _repr_html_(self) -> str:
        """What a notebook shows: finding, plots and tables."""
        from mnkala.lab.report import section

        return section(self)

    def check_columns(self) -> None:
        """Refuse plots and tables of columns that do not exist; known only now that there are data."""
        for part in self.parts:
            known = [*part.columns, *dict.fromkeys(name for row in part.references for name in row)]
            for spec in part.part.plots if part.rows else ():
                _check(self.study, "plot", spec.line, spec.columns, known)
            for table in part.part.tables if part.rows else ():
                _check(self.study, "table", table.line, table.names, known)


def _check(study: Study, kind: str, line: int, wanted: list[str], known: list[str]) -> None:
    for name in wanted:
        if name not in known:
            raise BadStudy(f"{study.path}, line {line}: the {kind} names the column {name!r}, which does not exist; "
                           f"columns are {', '.join(dict.fromkeys(known))}")


def load(study: str | Path | Study, data: str | Path | None = None, *, quick: bool | None = None) -> Results:
    """The data of a study: of the full run if it is there, else of a quick one (or of the one that `quick` says)."""
    study = study if isinstance(study, Study) else load_study(study)
    path = Path(data) if data is not None else default_data()
    if data is not None and not path.is_file():
        raise MnkalaError(f"there is no file {path}; `{study.command} --data {path}` makes it")
    if not path.is_file():
        return read(study, None, bool(quick))
    with Store(path) as store:
        return read(study, store, _better(study, store) if quick is None else quick)


def _better(study: Study, store: Store) -> bool:
    """Whether the quick run tells more than what there is of the full one."""
    full, quick = ([work.key for part in study.parts for work in part.work(is_quick)] for is_quick in (False, True))
    full_done, quick_done = (sum(not outcome.failed for outcome in store.outcomes(keys).values()) for keys in (full, quick))
    return full_done < len(full) and full_done <= quick_done


def read(study: Study, store: Store | None, quick: bool) -> Results:
    """The data of the quick or of the full run."""
    work = {part.name: part.work(quick) for part in study.parts}
    keys = [one.key for some in work.values() for one in some]
    outcomes = store.outcomes(keys) if store else {}
    several = len(study.parts) > 1
    parts, failures = [], []
    for part in study.parts:
        label = {"part": part.name} if several else {}
        rows = [{**label, **one.cells, **row} for one in work[part.name] for row in _rows(outcomes.get(one.key))]
        failures += [Failure({**label, **one.cells}, outcomes[one.key].error or "") for one in work[part.name]
                     if one.key in outcomes and outcomes[one.key].failed]
        parts.append(PartResults(part, _joined(part, rows), [{**label, **reference.values} for reference in part.references]))
    total = len(set(keys))
    same = not quick or {one.key for part in study.parts for one in part.work()} == set(keys)
    state = NONE if not any(part.rows for part in parts) else PARTIAL if len(outcomes) < total else FULL if same or not quick else QUICK
    machines = Counter(outcome.machine for outcome in outcomes.values())
    return Results(study, parts, state, len(outcomes), total, failures, [name for name, _ in machines.most_common()],
                   store.dates(outcomes) if store else None, sum(outcome.seconds for outcome in outcomes.values()),
                   store.under_other_keys(job_of(one) for some in work.values() for one in some) if store else 0)


def _rows(outcome: Outcome | None) -> list[Row]:
    value: Any = outcome.value if outcome is not None else None
    return value or []


def _joined(part: Part, rows: list[Row]) -> list[Row]:
    """Each row with the report's figures for the same case; None where it gives none."""
    names = dict.fromkeys(name for reference in part.references for name in reference.figures)
    joined = []
    for row in rows:
        figures: Row = dict.fromkeys(names)
        for reference in part.references:
            if reference.matches(row):
                figures |= reference.figures
        joined.append({**row, **figures})
    return joined
