"""The data of studies: kept in a file of results or shipped with the package, read as rows of a table, and measured where it is missing.

Work is identified by measure and arguments, not by study, so quick and full runs and several studies share what they have in common.
"""

from __future__ import annotations

import lzma
import os
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

from mnkala.arena.game_job import digest_for
from mnkala.errors import MnkalaError
from mnkala.folders import data_folder, file_errors
from mnkala.jobs import Job, Outcome, Progress, Store, run_jobs
from mnkala.lab.registry import Row, find_measure
from mnkala.lab.results import FULL, NONE, PARTIAL, QUICK, Failure, PartResults, Results
from mnkala.lab.study import Part, Study, Work
from mnkala.lab.study_file import check_columns, load_study
from mnkala.numbers import counted
from mnkala.sources import commit

# ---- The rows that come with the package ----
#
# One packed file, from which the page, `--data shipped` and docs/report are made.
#
# `python -m mnkala.lab.store pack FILE` ships the rows of all studies in a file of results, `unpack FILE` writes them into one, so that
# `mnkala lab run all --stale --data FILE` can measure again what an older engine measured.


SHIPPED = "shipped"
"""What `--data` calls these rows; a file of that name is ./shipped."""
PACKED = "data/report.sqlite.xz"


def open_shipped() -> Store:
    """The rows, in memory: some hundredths of a second."""
    packed = resources.files("mnkala.lab").joinpath(PACKED)
    with file_errors(PACKED, "read"):
        try:
            content = lzma.decompress(packed.read_bytes())
        except lzma.LZMAError as error:
            raise MnkalaError(f"{PACKED} of the package is damaged: {error}") from None
    return Store(PACKED, content)


def pack(data: Path, packed: Path | None = None) -> int:
    """Ship the rows of the full runs of all studies that a file of results holds; how many."""
    from mnkala.lab.study_file import all_studies

    if not data.is_file():
        raise MnkalaError(f"there is no file {data}")
    with Store(data) as store:
        wanted = sorted({work.key for study in all_studies() for work in study.work()})
        keys = list(store.outcomes(wanted))
        content = lzma.compress(store.as_bytes(keys), preset=9 | lzma.PRESET_EXTREME)
    target = packed or Path(str(resources.files("mnkala.lab").joinpath(PACKED)))
    with file_errors(target, "written"):
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return len(keys)


def unpack(data: Path) -> int:
    """Write the shipped rows into a new file of results; how many."""
    if data.exists():
        raise MnkalaError(f"{data} is there already; choose another name")
    with open_shipped() as store, file_errors(data, "written"):
        keys = [outcome.key for outcome in store.all()]
        data.parent.mkdir(parents=True, exist_ok=True)
        data.write_bytes(store.as_bytes(keys))
    return len(keys)


# ---- What a file of results holds ----


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


# ---- Running a study ----


__all__ = ["load", "run"]


def run(study: str | Path | Study, data: str | Path | None = None, *, quick: bool = False, jobs: int | None = None,
        cluster: str | None = None, progress: Progress | None = None, retry: bool = False, fresh: bool = False,
        stale: bool = False) -> Results:
    """Measure what the data file does not hold yet, and give all rows.

    `jobs` processes (None: one a core; 0: in this process) or a Dask `cluster`. `retry` tries failed work again, `fresh` all of it,
    `stale` only measures again what older code measured, and leaves alone what is not there.
    Ctrl-C raises KeyboardInterrupt; the same call goes on from there.
    """
    study = study if isinstance(study, Study) else load_study(study)
    if str(data) == SHIPPED:
        raise MnkalaError(f"what is {SHIPPED} with mnkala is not written to; name a file, "
                          "or copy it into one: python -m mnkala.lab.store unpack FILE")
    work = [job_of(one) for one in study.work(quick)]
    with Store(data if data is not None else default_data()) as store:
        if fresh:
            store.forget(job.key for job in work)
        if stale:
            old = set(stale_keys(study.work(quick), store.outcomes(job.key for job in work)))
            store.forget(old)
            work = [job for job in work if job.key in old]
        check_columns(read(study, store, quick))
        summary = run_jobs(work, store, workers=jobs, cluster=cluster, progress=progress, retry=retry)
        results = replace(read(study, store, quick), summary=summary)
    check_columns(results)
    return results


# ---- The command line of this module ----


def main(words: Sequence[str]) -> int:
    """The command line of this module."""
    if len(words) != 2 or words[0] not in ("pack", "unpack"):
        print("python -m mnkala.lab.store pack|unpack FILE", file=sys.stderr)
        return 2
    try:
        print(counted((pack if words[0] == "pack" else unpack)(Path(words[1])), "job"))
    except MnkalaError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
