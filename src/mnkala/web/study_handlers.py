"""What the server answers about the studies of the lab: the report that comes with the package, and quick runs on this computer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnkala.errors import MnkalaError
from mnkala.suggestions import unknown
from mnkala.web.http_errors import NotFound
from mnkala.web.quick_study import QuickRun
from mnkala.web.study_messages import QuickRunView, Studies, StudyView
from mnkala.web.study_views import names, studies_message, study_message

if TYPE_CHECKING:
    from mnkala.web.routes import Call

DATA = ("report", "quick")
"""Whose rows are meant: those that come with the package, or those of a quick run here."""


async def list_studies(call: Call) -> Studies:
    """All studies."""
    return await call.run(call.workers.studies, studies_message)


async def get_study(call: Call) -> StudyView:
    """One study."""
    name, data = call.path["name"], call.query.get("data", DATA[0])
    if data not in DATA:
        raise MnkalaError(f"data={data[:20]}; it is {' or '.join(DATA)}")

    def work() -> StudyView:
        if name not in names():
            raise NotFound(unknown("study", name[:60], names()))
        view = study_message(name, data == "quick")
        if view is None:
            raise NotFound(f"there was no quick run of {name} on this computer")
        return view

    return await call.run(call.workers.studies, work)


# ---- Quick runs ----


def get_run(call: Call) -> QuickRunView:
    """The run as it stands."""
    return _run_message(call.workers.quick_study.run, call.person)


async def start_run(call: Call) -> QuickRunView:
    """Start one, by the name of a study that comes with the package: never a path."""
    name = call.body.study

    def work() -> QuickRun:
        if name not in names():
            raise MnkalaError(unknown("study", name, names()))
        return call.workers.quick_study.start(name, call.person)

    return _run_message(await call.read(work), call.person)


async def cancel_run(call: Call) -> None:
    """End it."""
    await call.read(lambda: call.workers.quick_study.cancel(call.person))


def _run_message(run: QuickRun, person: str) -> QuickRunView:
    return QuickRunView(study=run.study, state=run.state, done=run.done, total=run.total, failed=run.failed, seconds=run.elapsed,
                        left=run.left, error=run.error, yours=run.person == person)
