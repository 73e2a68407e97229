"""A process that runs a shipped study quickly for somebody else: `python -m
mnkala.lab.quick_process STUDY FILE`.

It runs at low priority and measures one job at a time. On standard output it tells, a JSON line
each, how much there is to do ({"total": …, "kept": …}), each job that is done ({"failed": …}), and
at the end {"problem": …}, which is empty if all went well. It ends at once when its standard input
is closed: whoever started it has had enough, or is gone. What was measured until then is in the
file, and the same command goes on from there; where all is there already, or of an older engine, it
begins anew.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from mnkala.errors import MnkalaError, unknown
from mnkala.jobs import Outcome, Progress
from mnkala.jobs.parent import Parent
from mnkala.lab.store import load, run
from mnkala.lab.study_file import load_study, study_names

NICENESS = 10


class Told(Progress):
    """Tells the parent how far the work is."""

    def __init__(self, parent: Parent) -> None:
        self._parent = parent

    def begin(self, total: int, kept: int) -> None:
        self._parent.tell({"total": total, "kept": kept})

    def done(self, outcome: Outcome) -> None:
        self._parent.tell({"failed": outcome.failed})


def run_quickly(name: str, data: Path, progress: Progress) -> None:
    """Measure what the file does not hold of a quick run; all of it, if it holds all or rows of an
    older engine.
    """
    if name not in study_names():
        raise MnkalaError(unknown("study", name, study_names()))
    study = load_study(name)
    there = load(study, data, quick=True) if data.is_file() else None
    fresh = there is not None and (there.done == there.total or there.stale > 0)
    run(study, data, quick=True, jobs=0, progress=progress, retry=True, fresh=fresh)


def main() -> None:
    """Run the study and tell of it."""
    parent = Parent(NICENESS)
    parent.follow()
    name, data = sys.argv[1:]
    problem = ""
    try:
        run_quickly(name, Path(data), Told(parent))
    except MnkalaError as error:
        problem = str(error)
    parent.tell({"problem": problem})
    os._exit(0)


if __name__ == "__main__":
    main()
