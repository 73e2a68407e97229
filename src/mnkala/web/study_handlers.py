"""The server's answers about the studies of the lab: the report that comes with the package, and
quick runs on this computer."""

from __future__ import annotations

import contextlib
import functools
import os
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from mnkala.core.registry import families
from mnkala.errors import MnkalaError, unknown
from mnkala.folders import cache_base
from mnkala.jobs.background import Background, BackgroundRun, work_for_parent
from mnkala.lab.plots import Picture, draw_part, for_page, with_attributes
from mnkala.lab.report import (
    SAY,
    Answered,
    ClaimSummary,
    about_data,
    environment,
    in_brief,
    limitations,
    paragraphs,
    summary,
)
from mnkala.lab.results import Results
from mnkala.lab.store import SHIPPED, load
from mnkala.lab.study_file import study_names
from mnkala.lab.tables import Table, show, tables
from mnkala.sources import PACKAGE, state_of_files
from mnkala.web.http_errors import NotFound
from mnkala.web.messages import Answer
from mnkala.web.workers import QuickStudy, quick_data

if TYPE_CHECKING:
    from mnkala.web.routes import Call


DataState = Literal["full", "quick", "partial", "none"]


class StudySummary(Answer, frozen=True, kw_only=True):
    """A study in the list."""

    name: str
    title: str
    question: str
    source: str
    """The report that raised the question, if one did."""
    state: DataState
    """The state of the study's data."""
    done: int
    total: int
    """The number of jobs."""
    stale: int
    """The number of jobs whose rows were measured with other code than the one running here."""
    answer: str
    """The first paragraph of the finding."""
    measured: str
    """The last day of measuring; '' without data."""


class ClaimView(Answer, frozen=True, kw_only=True):
    """A claim of a report, and what the data say about it."""

    report: str
    study: str
    says: str
    verdict: Literal["reproduced", "refuted", "not decidable", "not measured"]
    evidence: str


class QuickRunView(Answer, frozen=True, kw_only=True):
    """The quick study that this server is running, or the last one."""

    study: str
    state: Literal["idle", "running", "done", "cancelled", "failed"]
    done: int
    total: int
    """The number of jobs; 0 until it is known."""
    failed: int
    seconds: float
    """The seconds since the start, or the duration of the run."""
    left: float | None
    """The estimated seconds until the run ends."""
    error: str
    yours: bool
    """Whether the person asking started it, and so may cancel it."""


class BriefView(Answer, frozen=True, kw_only=True):
    """A report, or a question of our own, in brief: one sentence of what was found, and for a report
    one plot."""

    report: str
    """The number of the report; empty for a question of our own."""
    words: str
    """The key of its texts: the question is `KEY.about`, the sentence `KEY.brief`."""
    study: str
    title: str
    """The title of that study."""
    values: dict[str, float]
    """The figures of the sentence, computed from the rows."""
    claims: int
    confirmed: int
    """How many of the report's claims were judged, and how many of them held."""
    figure: FigureView | None = None


class FigureView(Answer, frozen=True):
    """A plot. It has no style attributes, which the content policy forbids; its ink is
    currentColor, and it has a description."""

    title: str
    svg: str
    narrow: str
    """The plot for narrow screens; '' if it is legible there as it is."""


class Studies(Answer, frozen=True):
    """All studies, as in the report that comes with the package."""

    briefs: list[BriefView]
    """The front page: each report and each question of our own in brief."""
    studies: list[StudySummary]
    claims: list[ClaimView]
    how_to_read: str
    limitations: list[tuple[str, str]]
    """What the report does not show, under headings."""
    facts: list[tuple[str, str]]
    """Where and how the data were measured."""
    quick: dict[str, str]
    """The studies that were run quickly here, with the last day."""


class PartView(Answer, frozen=True):
    """A part of a study."""

    title: str
    figures: list[FigureView]
    tables: list[Table]


class StudyView(Answer, frozen=True, kw_only=True):
    """A study with its data: those of the report, or of a quick run on this computer."""

    summary: StudySummary
    data: Literal["report", "quick"]
    finding: list[str]
    """The paragraphs of the finding."""
    parts: list[PartView]
    claims: list[ClaimView]
    about: str
    """A sentence about the data."""
    command: str
    """The command that repeats the study."""
    failures: list[str]
    quick: str
    """The last day of a quick run on this computer; '' if there was none."""


MOST_ROWS = 300
"""The most rows of a table; `mnkala lab export` has all."""
MOST_FAILURES = 20
PREPARING_SECONDS = 300.0
"""The longest time for computing all studies."""


@functools.cache
def shipped_studies() -> Studies:
    """All studies of the report. They change only with the package, so they are computed once for
    each state of it, and then kept in the user's cache."""
    if (found := _kept_studies()) is not None:
        return found
    kept, state, studies = _place(), _state(), _shipped_studies()
    with contextlib.suppress(OSError):  # It is only computed again.
        kept.parent.mkdir(parents=True, exist_ok=True)
        new = kept.with_name(f"{kept.name}-{os.getpid()}")
        new.write_bytes(msgspec.json.encode(_Kept(state, studies)))
        new.replace(kept)
    return studies


class _Kept(msgspec.Struct, frozen=True):
    """The studies, and the state of the package of which they are."""

    state: str
    studies: Studies


def _place() -> Path:
    return cache_base() / "studies.json"


@functools.cache
def _state() -> str:
    return state_of_files([PACKAGE, *(family.folder.parent for family in families())])


def _kept_studies() -> Studies | None:
    """The studies that were computed before for this state of the package."""
    with contextlib.suppress(OSError, msgspec.MsgspecError):
        found = msgspec.json.decode(_place().read_bytes(), type=_Kept)
        if found.state == _state():
            return found.studies
    return None


def prepare_studies() -> Background | None:
    """Compute the studies in a process of its own at low priority, unless they are kept."""
    if _kept_studies() is not None:
        return None
    return Background("mnkala.web.study_handlers:keep_studies", seconds=PREPARING_SECONDS)


def keep_studies() -> None:
    """Compute and keep the studies, for the server that started this process."""
    work_for_parent(lambda progress: shipped_studies())


def _shipped_studies() -> Studies:
    results = [_results(name, None) for name in study_names()]
    claims = [_claim(line) for lines in summary(results).values() for line in lines]
    return Studies(
        [_brief(each, claims) for each in in_brief(results)],
        [_summary(one) for one in results],
        claims,
        SAY.how_to_read(),
        limitations(),
        environment(results),
        {},
    )


def _brief(each: Answered, claims: list[ClaimView]) -> BriefView:
    judged = [claim.verdict for claim in claims if claim.report == each.brief.report]
    study = each.results.study
    return BriefView(
        report=each.brief.report,
        words=each.brief.words,
        study=study.name,
        title=study.title,
        values=each.values,
        claims=len(judged),
        confirmed=judged.count("reproduced"),
        figure=_figure(each.picture, f"brief-{study.name}") if each.picture else None,
    )


def studies_message() -> Studies:
    """Make the list of all studies."""
    return msgspec.structs.replace(
        shipped_studies(), quick={name: day for name in study_names() if (day := quick_day(name))}
    )


# ---- One study ----


def study_message(name: str, quick: bool) -> StudyView | None:
    """A study with the rows of the report or of a quick run; None if there was no such run."""
    day = quick_day(name)
    return (
        msgspec.structs.replace(_view(name, _stamp() if quick else None), quick=day)
        if day or not quick
        else None
    )


@functools.lru_cache(maxsize=64)
def _results(name: str, stamp: float | None) -> Results:
    """The rows of the report, or those of a quick run in the state of the file that the stamp
    names.
    """
    return load(name, SHIPPED) if stamp is None else load(name, quick_data(), quick=True)


def quick_day(name: str) -> str:
    """The last day of a complete quick run on this computer; '' if there was none."""
    stamp = _stamp()
    results = _results(name, stamp) if stamp else None
    return (
        results.dates[1][:10]
        if results and results.dates and results.rows and results.done == results.total
        else ""
    )


def _stamp() -> float:
    """A number that changes with the file of quick runs; 0 without such a file."""
    data = quick_data()
    times = [path.stat().st_mtime for path in (data, Path(f"{data}-wal")) if path.is_file()]
    return max(times, default=0.0)


# ---- As messages ----


def _summary(results: Results) -> StudySummary:
    study = results.study
    return StudySummary(
        name=study.name,
        title=study.title,
        question=study.question,
        source=study.source,
        state=results.state,  # type: ignore[arg-type]
        done=results.done,
        total=results.total,
        stale=results.stale,
        answer=next(iter(paragraphs(results)), ""),
        measured=results.dates[1][:10] if results.dates else "",
    )


def _claim(line: ClaimSummary) -> ClaimView:
    return ClaimView(
        report=line.claim.report,
        study=line.claim.study,
        says=line.claim.says,
        verdict=line.verdict,  # type: ignore[arg-type]
        evidence=line.evidence,
    )


@functools.lru_cache(maxsize=32)
def _view(name: str, stamp: float | None) -> StudyView:
    results, quick = _results(name, stamp), stamp is not None
    study, parts, number = results.study, [], 0
    for part in results.parts:
        figures = []
        for picture in draw_part(part, study):
            number += 1
            figures.append(_figure(picture, f"{study.name}-{number}"))
        parts.append(
            PartView(
                part.part.title if len(results.parts) > 1 else "",
                figures,
                [table.cut(MOST_ROWS) for table in tables(part)],
            )
        )
    return StudyView(
        summary=_summary(results),
        data="quick" if quick else "report",
        quick="",
        parts=parts,
        finding=paragraphs(results),
        claims=[_claim(line) for lines in summary([results]).values() for line in lines],
        about=about_data(results),
        command=f"{study.command}{' --quick' if quick else ''}",
        failures=[f"{show(one.values)}: {one.error}" for one in results.failures[:MOST_FAILURES]],
    )


def _figure(picture: Picture, name: str) -> FigureView:
    narrow = picture.draw_narrow
    return FigureView(
        picture.title,
        with_attributes(for_page(picture.svg, name, picture.words)),
        with_attributes(for_page(narrow(), f"{name}-narrow", picture.words)) if narrow else "",
    )


DATA = ("report", "quick")
"""Which rows are meant: those that come with the package, or those of a quick run here."""


async def list_studies(call: Call) -> Studies:
    """List all studies."""
    return await call.run(call.workers.questions, studies_message, alone="study")


async def get_study(call: Call) -> StudyView:
    """Describe one study."""
    name, data = call.path["name"], call.query.get("data", DATA[0])
    if data not in DATA:
        raise MnkalaError(f"data={data[:20]}; it is {' or '.join(DATA)}")

    def work() -> StudyView:
        if name not in study_names():
            raise NotFound(unknown("study", name[:60], study_names()))
        view = study_message(name, data == "quick")
        if view is None:
            raise NotFound(f"there was no quick run of {name} on this computer")
        return view

    return await call.run(call.workers.questions, work, alone="study")


# ---- Quick runs ----


def start_run(call: Call) -> QuickRunView:
    """Start a quick run of a shipped study by its name, never by a path."""
    if call.body.study not in study_names():
        raise MnkalaError(unknown("study", call.body.study, study_names()))
    call.workers.quick_study.start(call.body.study, call.person)
    return run_message(call.workers.quick_study, call.person)


def run_message(quick: QuickStudy, person: str) -> QuickRunView:
    """The state of the current or last quick run."""
    run = quick.work.run if quick.work is not None else BackgroundRun()
    return QuickRunView(
        study=quick.study,
        state=run.state if quick.work is not None else "idle",
        done=run.done,
        total=run.total,
        failed=run.failed,
        seconds=run.elapsed if quick.work is not None else 0.0,
        left=run.left,
        error=run.error,
        yours=quick.is_of(person),
    )
