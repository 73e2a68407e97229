"""The data of studies: kept in a file of results or shipped with the package, read as rows of a
table, and measured where they are missing.

Work is identified by measure and arguments, not by study, so quick and full runs and several
studies share the work that they have in common.
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

from mnkala.arena.game_job import digest_for
from mnkala.errors import MnkalaError, unknown
from mnkala.folders import data_folder, file_errors
from mnkala.jobs import Job, Outcome, Progress, Store, run_jobs
from mnkala.jobs.background import work_for_parent
from mnkala.lab.registry import Row, find_measure
from mnkala.lab.results import FULL, NONE, PARTIAL, QUICK, Failure, PartResults, Results
from mnkala.lab.study import Part, Study, Work
from mnkala.lab.study_file import check_columns, load_study, study_names
from mnkala.numbers import counted
from mnkala.sources import commit

# ---- The rows that come with the package ----
#
# The page, `--data shipped` and docs/report are made from one packed file. `python -m
# mnkala.lab.store pack FILE` ships the rows of all studies in a file of results, and `unpack FILE`
# writes the shipped rows into a new file, so that `mnkala lab run all --stale --data FILE` can
# measure again what an older engine measured.


SHIPPED = "shipped"
"""The value of `--data` for these rows; a file of that name is ./shipped."""
PACKED = "data/report.sqlite.xz"


def open_shipped() -> Store:
    """Open the shipped rows in memory, which takes some hundredths of a second."""
    packed = resources.files("mnkala.lab").joinpath(PACKED)
    with file_errors(PACKED, "read"):
        try:
            content = lzma.decompress(packed.read_bytes())
        except lzma.LZMAError as error:
            raise MnkalaError(f"{PACKED} of the package is damaged: {error}") from None
    return Store(PACKED, content)


def pack(data: Path, packed: Path | None = None) -> int:
    """Ship the rows of the full runs of all studies that a file of results holds; return the number
    of jobs.
    """
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
    """Write the shipped rows into a new file of results; return the number of jobs. Raises
    MnkalaError if the file exists."""
    if data.exists():
        raise MnkalaError(f"{data} is there already; choose another name")
    with open_shipped() as store, file_errors(data, "written"):
        keys = [outcome.key for outcome in store.all()]
        data.parent.mkdir(parents=True, exist_ok=True)
        data.write_bytes(store.as_bytes(keys))
    return len(keys)


# ---- Reading results ----


def default_data() -> Path:
    """MNKALA_LAB_DATA, or lab.sqlite in the user's data folder."""
    chosen = os.environ.get("MNKALA_LAB_DATA")
    return Path(chosen) if chosen else data_folder() / "lab.sqlite"


def job_of(work: Work) -> Job:
    """The work as a job that any worker can do."""
    optional = {
        "code": None if work.code is None else str(work.code),
        "repetition": work.repetition,
    }
    arguments: Row = {
        "measure": work.measure,
        "values": work.values,
        **{name: one for name, one in optional.items() if one is not None},
    }
    return Job(work.key, "mnkala.lab.registry:perform", arguments, code_of(work))


def code_of(work: Work) -> str:
    """The digest of all code on which the rows of a call depend (the engines, the family of the
    game, and the measure), and its commit. A user's own file is part of the key instead.
    """
    found = find_measure(work.measure)
    game = work.values.get(
        "game", found.parameters["game"].default if "game" in found.parameters else None
    )
    return (
        f"{digest_for(game if isinstance(game, str) else None, found.function)} {commit()}".rstrip()
    )


def stale_keys(works: Iterable[Work], outcomes: Mapping[str, Outcome]) -> list[str]:
    """The keys of the rows that other code measured."""
    return [
        work.key
        for work in works
        if work.key in outcomes and _digest(outcomes[work.key].code) != _digest(code_of(work))
    ]


def _digest(code: str) -> str:
    return code.partition(" ")[0]


def load(
    study: str | Path | Study, data: str | Path | None = None, *, quick: bool | None = None
) -> Results:
    """The data of a study: of the full run if they exist, otherwise of a quick run, unless `quick`
    chooses one of them.

    `data` is a file, or `shipped` for the rows of the report that comes with the package.
    """
    study = study if isinstance(study, Study) else load_study(study)
    path = Path(data) if data is not None else default_data()
    if str(data) != SHIPPED and not path.is_file():
        if data is not None:
            raise MnkalaError(f"there is no file {path}; `{study.command} --data {path}` makes it")
        return read(study, None, bool(quick))
    with open_shipped() if str(data) == SHIPPED else Store(path) as store:
        return read(study, store, _better(study, store) if quick is None else quick)


def _better(study: Study, store: Store) -> bool:
    """Whether the quick run has more rows to show than the finished part of the full run."""
    full, quick = ([work.key for work in study.work(is_quick)] for is_quick in (False, True))
    full_done, quick_done = (
        sum(not outcome.failed for outcome in store.outcomes(keys).values())
        for keys in (full, quick)
    )
    return full_done < len(full) and full_done <= quick_done


def read(study: Study, store: Store | None, quick: bool) -> Results:
    """The data of the quick or of the full run."""
    works = study.work(quick)
    keys = {one.key for one in works}
    outcomes = store.outcomes(keys) if store else {}
    parts, failures = [], []
    for part in study.parts:
        label = {"part": part.name} if len(study.parts) > 1 else {}
        known = [
            ({**label, **one.cells}, outcomes[one.key])
            for one in part.work(quick)
            if one.key in outcomes
        ]
        rows = [{**cells, **row} for cells, outcome in known for row in outcome.value or []]
        failures += [
            Failure(cells, outcome.error or "") for cells, outcome in known if outcome.failed
        ]
        parts.append(
            PartResults(
                part,
                _joined(part, rows),
                [{**label, **reference.values} for reference in part.references],
            )
        )
    total = len(keys)
    whole = not quick or {one.key for one in study.work()} == keys
    state = (
        NONE
        if not any(part.rows for part in parts)
        else PARTIAL
        if len(outcomes) < total
        else FULL
        if whole
        else QUICK
    )
    machines = Counter(outcome.machine for outcome in outcomes.values())
    return Results(
        study,
        parts,
        state,
        len(outcomes),
        total,
        failures,
        [name for name, _ in machines.most_common()],
        store.dates(outcomes) if store else None,
        sum(outcome.seconds for outcome in outcomes.values()),
        store.under_other_keys(map(job_of, works)) if store else 0,
        len(set(stale_keys(works, outcomes))),
        sorted({outcome.code.partition(" ")[2] for outcome in outcomes.values()}),
    )


def _joined(part: Part, rows: list[Row]) -> list[Row]:
    """Add to each row the report's figures for the same case, or None where it gives none."""
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


def run(
    study: str | Path | Study,
    data: str | Path | None = None,
    *,
    quick: bool = False,
    jobs: int | None = None,
    cluster: str | None = None,
    progress: Progress | None = None,
    retry: bool = False,
    fresh: bool = False,
    stale: bool = False,
) -> Results:
    """Measure what the data file does not hold yet, and return all rows.

    `jobs` processes (None: one for each core; 0: the calling process) do the work, or a Dask
    `cluster`. `retry` repeats failed work, `fresh` all work; `stale` only repeats what older code
    measured and does not add what is missing. Ctrl-C raises KeyboardInterrupt; the same call
    continues from there.
    """
    study = study if isinstance(study, Study) else load_study(study)
    if str(data) == SHIPPED:
        raise MnkalaError(
            f"the data {SHIPPED} with mnkala cannot be changed; name a file, "
            "or copy them into one: python -m mnkala.lab.store unpack FILE"
        )
    work = [job_of(one) for one in study.work(quick)]
    with Store(data if data is not None else default_data()) as store:
        if fresh:
            store.forget(job.key for job in work)
        if stale:
            old = set(stale_keys(study.work(quick), store.outcomes(job.key for job in work)))
            store.forget(old)
            work = [job for job in work if job.key in old]
        check_columns(read(study, store, quick))
        summary = run_jobs(
            work, store, workers=jobs, cluster=cluster, progress=progress, retry=retry
        )
        results = replace(read(study, store, quick), summary=summary)
    check_columns(results)
    return results


# ---- A quick study in a process of its own ----


def run_quickly(name: str, data: Path, progress: Progress) -> None:
    """Measure what the file does not hold of a quick run of a shipped study; all of it, if it holds
    all or rows of an older engine."""
    if name not in study_names():
        raise MnkalaError(unknown("study", name, study_names()))
    study = load_study(name)
    there = load(study, data, quick=True) if data.is_file() else None
    fresh = there is not None and (there.done == there.total or there.stale > 0)
    run(study, data, quick=True, jobs=0, progress=progress, retry=True, fresh=fresh)


def answer_page() -> None:
    """Run the study and the file that the arguments name, one job at a time, for the server that
    started this process."""
    name, data = sys.argv[1:]
    work_for_parent(lambda progress: run_quickly(name, Path(data), progress))


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
