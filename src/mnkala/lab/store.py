"""What a store holds of a study, as rows of a table.

Work is identified by measure and arguments, not by study, so quick and full runs and several studies share what they have in common.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from mnkala.arena.identity import digest_for
from mnkala.errors import MnkalaError
from mnkala.folders import data_folder
from mnkala.jobs import Job, Outcome, Store
from mnkala.lab.registry import Row, find_measure
from mnkala.lab.results import FULL, NONE, PARTIAL, QUICK, Failure, PartResults, Results
from mnkala.lab.shipped import SHIPPED, open_shipped
from mnkala.lab.study import Part, Study, Work
from mnkala.lab.study_file import load_study
from mnkala.sources import commit


def default_data() -> Path:
    """MNKALA_LAB_DATA, or lab.sqlite in the user's data folder."""
    chosen = os.environ.get("MNKALA_LAB_DATA")
    return Path(chosen) if chosen else data_folder() / "lab.sqlite"


def job_of(work: Work) -> Job:
    """The work as a job that any worker can do."""
    arguments: Row = {"measure": work.measure, "values": work.values}
    if work.code is not None:
        arguments["code"] = str(work.code)
    if work.repetition is not None:
        arguments["repetition"] = work.repetition
    return Job(work.key, "mnkala.lab.registry:perform", arguments, code_of(work))


def code_of(work: Work) -> str:
    """The digest of all code that the rows of a call depend on, and the commit that it lies in: the engines, what is known of the game
    that is played, and what the measure is made of. A file of one's own is part of the key instead."""
    found = find_measure(work.measure)
    game = work.values.get("game", found.parameters["game"].default if "game" in found.parameters else None)
    return f"{digest_for(game if isinstance(game, str) else None, found.function)} {commit()}".rstrip()


def stale_keys(works: Iterable[Work], outcomes: Mapping[str, Outcome]) -> list[str]:
    """The keys of the rows that other code made."""
    return [work.key for work in works if work.key in outcomes and _digest(outcomes[work.key].code) != _digest(code_of(work))]


def _digest(code: str) -> str:
    return code.partition(" ")[0]


def load(study: str | Path | Study, data: str | Path | None = None, *, quick: bool | None = None) -> Results:
    """The data of a study: of the full run if it is there, else of a quick one (or of the one that `quick` says).

    `data` is a file, or `shipped` for the rows of the report that comes with the package.
    """
    study = study if isinstance(study, Study) else load_study(study)
    if str(data) == SHIPPED:
        with open_shipped() as store:
            return read(study, store, _better(study, store) if quick is None else quick)
    path = Path(data) if data is not None else default_data()
    if data is not None and not path.is_file():
        raise MnkalaError(f"there is no file {path}; `{study.command} --data {path}` makes it")
    if not path.is_file():
        return read(study, None, bool(quick))
    with Store(path) as store:
        return read(study, store, _better(study, store) if quick is None else quick)


def _better(study: Study, store: Store) -> bool:
    """Whether the quick run tells more than what there is of the full one."""
    full, quick = ([work.key for work in study.work(is_quick)] for is_quick in (False, True))
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
    whole = not quick or {one.key for one in study.work()} == set(keys)
    state = NONE if not any(part.rows for part in parts) else PARTIAL if len(outcomes) < total else FULL if whole else QUICK
    machines = Counter(outcome.machine for outcome in outcomes.values())
    return Results(study, parts, state, len(outcomes), total, failures, [name for name, _ in machines.most_common()],
                   store.dates(outcomes) if store else None, sum(outcome.seconds for outcome in outcomes.values()),
                   store.under_other_keys(job_of(one) for some in work.values() for one in some) if store else 0,
                   len(set(stale_keys((one for some in work.values() for one in some), outcomes))),
                   sorted({outcome.code.partition(" ")[2] for outcome in outcomes.values()}))


def _rows(outcome: Outcome | None) -> list[Row]:
    value: Any = outcome.value if outcome is not None else None
    return value or []


def _joined(part: Part, rows: list[Row]) -> list[Row]:
    """Each row with the report's figures for the same case; None where it gives none."""
    references = part.references
    names = dict.fromkeys(name for reference in references for name in reference.figures)
    joined = []
    for row in rows:
        figures: Row = dict.fromkeys(names)
        for reference in references:
            if reference.matches(row):
                figures |= reference.figures
        joined.append({**row, **figures})
    return joined
