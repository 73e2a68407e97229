"""Studies as the server sends them: the rows of the report that comes with the package, or those of quick runs, as findings, plots, tables.

Drawing takes a second or two a study, so what was made is kept until its rows change. The lab is imported when a study is first asked for,
so that the server starts quickly; only the thread of the queue `studies` comes here.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from mnkala.web.quick_study import quick_data
from mnkala.web.study_messages import ClaimView, FigureView, PartView, Studies, StudySummary, StudyView, TableView

if TYPE_CHECKING:
    from mnkala.lab.plots import Picture
    from mnkala.lab.report_model import Line
    from mnkala.lab.results import Results
    from mnkala.lab.tables import Table

MOST_ROWS = 300
"""Of a table; `mnkala lab export` has all."""
MOST_FAILURES = 20


@functools.cache
def shipped_studies() -> Studies:
    """All studies of the report: they never change while a server runs."""
    from mnkala.lab.report_model import HOW_TO_READ, environment, limitations, summary

    results = [_shipped(name) for name in names()]
    claims = [_claim(line) for lines in summary(results).values() for line in lines]
    return Studies([_summary(one) for one in results], claims, HOW_TO_READ, limitations(), environment(results), {})


def names() -> list[str]:
    """The studies that come with the package."""
    from mnkala.lab.study_file import study_names

    return study_names()


@functools.cache
def _shipped(name: str) -> Results:
    from mnkala.lab.shipped import SHIPPED
    from mnkala.lab.store import load

    return load(name, SHIPPED)


def studies_message() -> Studies:
    """The list."""
    return msgspec.structs.replace(shipped_studies(), quick={name: day for name in names() if (day := quick_day(name))})


# ---- One study ----


def study_message(name: str, quick: bool) -> StudyView | None:
    """A study with the rows of the report or of a quick run; None if there was no such run."""
    if not quick:
        return msgspec.structs.replace(_shipped_view(name), quick=quick_day(name))
    stamp = _stamp()
    return _quick_view(name, stamp) if stamp and quick_day(name) else None


@functools.cache
def _shipped_view(name: str) -> StudyView:
    return _view(_shipped(name), "", quick=False)


@functools.lru_cache(maxsize=8)
def _quick_view(name: str, stamp: float) -> StudyView:
    return _view(_quick(name, stamp), quick_day(name), quick=True)


@functools.lru_cache(maxsize=32)
def _quick(name: str, stamp: float) -> Results:
    """The rows of a quick run, in the state of the file that the stamp names."""
    from mnkala.lab.store import load

    return load(name, quick_data(), quick=True)


def quick_day(name: str) -> str:
    """The last day of a whole quick run on this computer; '' if there was none."""
    stamp = _stamp()
    results = _quick(name, stamp) if stamp else None
    return results.dates[1][:10] if results and results.dates and results.rows and results.done == results.total else ""


def _stamp() -> float:
    """Tells one state of the file of quick runs from another; 0 without such a file."""
    data = quick_data()
    times = [path.stat().st_mtime for path in (data, Path(f"{data}-wal")) if path.is_file()]
    return max(times, default=0.0)


# ---- As messages ----


def _summary(results: Results) -> StudySummary:
    from mnkala.lab.report_model import paragraphs

    study = results.study
    return StudySummary(name=study.name, title=study.title, question=study.question, source=study.source,
                        state=results.state, done=results.done, total=results.total, stale=results.stale,  # type: ignore[arg-type]
                        answer=next(iter(paragraphs(results)), ""), measured=results.dates[1][:10] if results.dates else "")


def _claim(line: Line) -> ClaimView:
    return ClaimView(report=line.claim.report, study=line.claim.study, says=line.claim.says, verdict=line.verdict,  # type: ignore[arg-type]
                     evidence=line.evidence)


def _view(results: Results, day: str, quick: bool) -> StudyView:
    from mnkala.lab.plots import draw_part
    from mnkala.lab.report_model import about_data, paragraphs, summary
    from mnkala.lab.tables import show, tables

    study, parts, number = results.study, [], 0
    for part in results.parts:
        figures = []
        for picture in draw_part(part, study):
            number += 1
            figures.append(_figure(picture, f"{study.name}-{number}"))
        parts.append(PartView(part.part.title if len(results.parts) > 1 else "", figures, [_table(table) for table in tables(part)]))
    return StudyView(summary=_summary(results), data="quick" if quick else "report", quick=day, parts=parts, finding=paragraphs(results),
                     claims=[_claim(line) for lines in summary([results]).values() for line in lines],
                     about=about_data(results), command=f"{study.command}{' --quick' if quick else ''}",
                     failures=[f"{show(one.values)}: {one.error}" for one in results.failures[:MOST_FAILURES]])


def _figure(picture: Picture, name: str) -> FigureView:
    from mnkala.lab.plots import for_page
    from mnkala.lab.svg_attributes import with_attributes

    narrow = picture.draw_narrow
    return FigureView(picture.title, with_attributes(for_page(picture.svg, name, picture.words)),
                      with_attributes(for_page(narrow(), f"{name}-narrow", picture.words)) if narrow else "")


def _table(table: Table) -> TableView:
    return TableView(table.title, table.note, table.head, table.numeric, table.rows[:MOST_ROWS])
