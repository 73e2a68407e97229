"""The report: the summary of claims, the index by report, the studies, the state of the data and
its limitations, as one self-contained page or as Markdown. Every number in it comes from the data
file; `templates/report.html` and `templates/report.md` say how it looks.
"""

from __future__ import annotations

import functools
import importlib.metadata
import itertools
import platform
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import mnkala
from mnkala.explain.words import say
from mnkala.folders import write_text
from mnkala.jobs.pool import machine
from mnkala.jobs.run import in_words
from mnkala.lab.judging import Sentences
from mnkala.lab.plots import Picture, draw_part, for_file, for_page
from mnkala.lab.registry import Brief, Claim, Verdict, briefs, claims_of
from mnkala.lab.results import FULL, NONE, PARTIAL, QUICK, Results
from mnkala.lab.tables import Table, all_rows, show, tables
from mnkala.numbers import counted, written

if TYPE_CHECKING:
    from jinja2 import Environment

TITLE = "The lab: what the reports measured, measured again"
REPORTS = {
    "000": "Connect Four with Minimax, Alpha-Beta and MCTS",
    "001": "(m,n,k)-games of any size",
    "002": "Connect Four on large boards",
    "003": "Mancala (Kalah)",
    "004": "Gomoku",
}
NO_REPORT = "Questions of our own"
NOT_MEASURED = "not measured"
MARKS = {
    Verdict.REPRODUCED.value: "✓",
    Verdict.REFUTED.value: "✗",
    Verdict.NOT_DECIDABLE.value: "?",
    NOT_MEASURED: "–",
}
"""A mark beside each verdict, so that verdicts differ not only by colour."""
SAY = Sentences(__file__)
PACKAGES = ("numpy", "numba", "scipy", "matplotlib")


@dataclass(frozen=True, slots=True)
class ClaimSummary:
    """A claim in the summary."""

    claim: Claim
    verdict: str
    evidence: str
    results: Results

    @property
    def words(self) -> str:
        """The verdict with its mark: `✓ reproduced`."""
        return f"{MARKS[self.verdict]} {self.verdict}"


def summary(results: Sequence[Results]) -> dict[str, list[ClaimSummary]]:
    """The claims that these studies judge, by report."""
    lines: list[ClaimSummary] = []
    for one in results:
        lines += [
            ClaimSummary(claim, judgement.verdict.value, judgement.evidence, one)
            for claim, judgement in one.judgements
        ]
        if not one.rows:
            lines += [
                ClaimSummary(claim, NOT_MEASURED, "there are no data yet", one)
                for claim in claims_of(one.study.name)
            ]
    reports = sorted(
        {line.claim.report for line in lines}
        | ({*REPORTS} if len(results) > 1 and lines else set())
    )
    return {report: [line for line in lines if line.claim.report == report] for report in reports}


def counts(lines: dict[str, list[ClaimSummary]]) -> str:
    """Count the verdicts in a sentence, such as `12 claims: 9 reproduced, 1 refuted and 2 not
    decidable`."""
    found = Counter(line.verdict for some in lines.values() for line in some)
    return SAY.counts(found={verdict: found[verdict] for verdict in MARKS if found[verdict]})


def report_title(report: str) -> str:
    """The title of a report with its number, such as `Report 000: Connect Four …`."""
    return (
        f"Report {report}: {REPORTS[report]}"
        if report in REPORTS
        else f"Report {report}"
        if report
        else NO_REPORT
    )


def index(results: Sequence[Results]) -> dict[str, list[Results]]:
    """The studies by the reports to which they belong: those named by their source, and those whose
    claims they judge.
    """
    found: dict[str, list[Results]] = {report: [] for report in (*REPORTS, "")}
    for one in results:
        named = {
            report for report in re.findall(r"\b\d{3}\b", one.study.source) if report in REPORTS
        }
        named |= {claim.report for claim in claims_of(one.study.name)}
        for report in sorted(named) or [""]:
            found.setdefault(report, []).append(one)
    return {report: some for report, some in found.items() if some}


@dataclass(frozen=True, slots=True)
class Answered:
    """A question of the front page with its answer, computed from the rows."""

    brief: Brief
    results: Results
    values: dict[str, float]
    """The figures of the sentence."""
    picture: Picture | None
    """The plot; a question of our own has none here, to keep the page short."""

    @property
    def question(self) -> str:
        """What was asked, in English."""
        return say(f"{self.brief.words}.about")

    @property
    def sentence(self) -> str:
        """What was found, in English."""
        figures = {name: written(value, digits_of(value)) for name, value in self.values.items()}
        return say(f"{self.brief.words}.brief", **figures)


def digits_of(value: float) -> int:
    """The decimals that a figure of a sentence needs; `written` in static/studies.js has the same."""
    return 0 if value == int(value) or value >= 10 else 2 if value >= 0.1 else 3


def in_brief(results: Sequence[Results], plots: bool = True) -> list[Answered]:
    """The front page: the questions of the reports and our own, each with one sentence, and the
    plots of the reports. A question whose study has no such rows is left out."""
    known = {one.study.name: one for one in results if one.rows}
    found = []
    for each in briefs():
        study = known.get(each.study)
        if study is None or not (values := each.values(study.rows)):
            continue
        drawn = (
            picture
            for part in study.parts
            if plots and each.report
            for picture in draw_part(part, study.study, each.plot)
        )
        found.append(Answered(each, study, values, next(drawn, None)))
    return found


def paragraphs(results: Results) -> list[str]:
    """The finding: the answer first."""
    return [paragraph for paragraph in (results.finding or "").split("\n\n") if paragraph]


def limitations() -> list[tuple[str, str]]:
    """The limitations of the report, each with its heading."""
    text = (
        resources.files("mnkala.lab")
        .joinpath("templates/limitations.txt")
        .read_text(encoding="utf-8")
    )
    lines = [" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n")]
    return [(heading, rest) for heading, _, rest in (line.partition(": ") for line in lines)]


# ---- The data ----


def about_data(results: Results) -> str:
    """Describe the data of a study."""
    days = dict.fromkeys(moment[:10] for moment in results.dates or ())
    return SAY.about_data(results=results, computing=in_words(results.seconds), days=days)


def environment(results: Sequence[Results]) -> list[tuple[str, str]]:
    """The machines on which the data were measured, and the software that wrote the report."""
    machines = list(dict.fromkeys(name for one in results for name in one.machines))
    versions = ", ".join(f"{name} {_version(name)}" for name in PACKAGES)
    dates = sorted(moment for one in results if one.dates for moment in one.dates)
    return [
        ("measured on", "; ".join(machines) or "nothing measured yet"),
        ("measured", " to ".join(dict.fromkeys((dates[0][:10], dates[-1][:10]))) if dates else "–"),
        (
            "code",
            ", ".join(
                dict.fromkeys(
                    f"commit {name}" if name else "not recorded"
                    for one in results
                    for name in one.commits
                )
            )
            or "–",
        ),
        ("jobs", show(sum(one.done for one in results))),
        ("computing time", in_words(sum(one.seconds for one in results))),
        (
            "written by",
            f"mnkala {mnkala.__version__}, Python {platform.python_version()}, {versions}",
        ),
        ("written on", f"{machine()}, {datetime.now(UTC):%Y-%m-%d}"),
    ]


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "(not installed)"


def gaps(results: Sequence[Results]) -> list[str]:
    """Describe the studies without full data of the present code."""
    old = [one.study.name for one in results if one.stale]
    return [
        *(SAY.gap(results=one) for one in results if one.state != FULL),
        *([SAY.older(studies=old)] if old else []),
    ]


# ---- The pages ----


FOLDED_FROM = 30
"""Tables with at least so many rows are folded."""
MOST_ROWS = 300
"""The most rows that are shown of a table."""
MOST_FAILURES = 20


@dataclass(frozen=True, slots=True)
class PartView:
    """A part of a study as the templates show it."""

    title: str
    pictures: list[tuple[str, Picture]]
    """The plots, each with its name, such as `pruning-1`."""
    tables: list[Table]
    rows: Table | None
    """All rows, if the study describes other tables; of very many, only the first."""


def parts_of(results: Results, plots: bool = True) -> list[PartView]:
    """The parts of a study, its pictures numbered through; without plots nothing is drawn."""
    numbers = itertools.count(1)
    views = []
    for part in results.parts:
        rows = (
            _cut(all_rows(part, "All rows"), results.study.command)
            if part.part.tables and part.rows
            else None
        )
        drawn = draw_part(part, results.study) if plots else []
        pictures = [(f"{results.study.name}-{next(numbers)}", picture) for picture in drawn]
        views.append(
            PartView(
                part.part.title if len(results.parts) > 1 else "", pictures, tables(part), rows
            )
        )
    return views


def _cut(table: Table, command: str) -> Table:
    """Keep only the first rows of a long table, with a note that says how to get the others."""
    if len(table.rows) <= MOST_ROWS:
        return table
    note = f"the first {MOST_ROWS} of {show(len(table.rows))}; all of them: {command.replace('lab run', 'lab export')}"
    return replace(
        table, rows=table.rows[:MOST_ROWS], note="; ".join(filter(None, (table.note, note)))
    )


def badge(results: Results) -> str:
    """A word that marks data as incomplete or out of date; empty for other data."""
    return {NONE: "no data", QUICK: "quick", PARTIAL: "incomplete"}.get(results.state) or (
        "older code" if results.stale else ""
    )


def anchor(study: str) -> str:
    """The anchor at which a study begins in the page."""
    return "study-" + re.sub(r"[^A-Za-z0-9_-]", "-", study)


def write_page(results: Sequence[Results], folder: Path, name: str) -> Path:
    """Write one self-contained HTML page."""
    return write_text(folder / f"{name}.html", page(results))


def page(results: Sequence[Results]) -> str:
    """The page as text."""
    return _filled("report.html", results)


def write_markdown(results: Sequence[Results], folder: Path, name: str, plots: bool = True) -> Path:
    """Write Markdown, with its plots as SVG files beside it unless `plots` is false."""
    files: dict[str, str] = {}

    def file_of(number: str, picture: Picture) -> str:
        files[f"{number}.svg"] = for_file(picture.svg)
        return f"{number}.svg"

    text = _filled("report.md", results, file_of=file_of, plots=plots)
    for file, svg in files.items():
        write_text(folder / file, svg)
    return write_text(folder / f"{name}.md", text)


def _filled(template: str, results: Sequence[Results], **more: object) -> str:
    """Fill a template. A single study, which may be a user's own, has its own title and neither an
    index nor our limitations.
    """
    alone = len(results) == 1
    return (
        _templates()
        .get_template(template)
        .render(
            results=results,
            alone=alone,
            title=results[0].study.title if alone else TITLE,
            claims=summary(results),
            **more,
        )
    )


class Html(str):
    """HTML that a notebook shows."""

    def _repr_html_(self) -> str:
        return self


def shown(results: Results) -> Html:
    """A study for a notebook: its finding, plots and tables."""
    return Html(_templates().get_template("study.html").module.study(results, alone=False))  # type: ignore[attr-defined]


@functools.cache
def _templates() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    made = Environment(
        loader=PackageLoader("mnkala.lab"),
        autoescape=lambda name: name is None or name.endswith(".html"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.globals |= {
        "about_data": about_data,
        "anchor": anchor,
        "badge": badge,
        "counts": counts,
        "environment": environment,
        "gaps": gaps,
        "in_brief": in_brief,
        "index": index,
        "limitations": limitations,
        "paragraphs": paragraphs,
        "parts_of": parts_of,
        "report_title": report_title,
        "how_to_read": SAY.how_to_read,
        "FOLDED_FROM": FOLDED_FROM,
        "MOST_FAILURES": MOST_FAILURES,
    }
    made.filters |= {
        "count": counted,
        "show": show,
        "drawn": lambda picture, name: Markup(for_page(picture.svg, name, picture.words)),
        "narrow": lambda picture, name: Markup(
            for_page(picture.draw_narrow(), f"{name}-narrow", picture.words)
        ),
        "cell": lambda text: text.replace("|", "\\|").replace("\n", " "),
    }
    return made
