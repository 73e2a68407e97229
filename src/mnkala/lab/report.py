"""The report: the summary of claims, the index by report, the state of the data and its limitations, on one self-contained page.

Every number in it comes from the data file. `report_markdown.py` writes the same as Markdown, with its pictures beside it.
"""

from __future__ import annotations

import html
import importlib.metadata
import platform
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path

import mnkala
from mnkala.folders import write_text
from mnkala.jobs.run import in_words
from mnkala.jobs.worker import machine
from mnkala.lab.plots import Picture, draw_part, for_page
from mnkala.lab.registry import Claim, Verdict, claims_of
from mnkala.lab.results import FULL, NONE, PARTIAL, QUICK, Results
from mnkala.lab.tables import Table, all_rows, show, tables
from mnkala.lab.wording import listed
from mnkala.numbers import counted

TITLE = "The lab: what the reports measured, measured again"
REPORTS = {"000": "Connect Four with Minimax, Alpha-Beta and MCTS", "001": "(m,n,k)-games of any size",
           "002": "Connect Four on large boards", "003": "Mancala (Kalah)", "004": "Gomoku"}
NO_REPORT = "Questions of our own"
NOT_MEASURED = "not measured"
MARKS = {Verdict.REPRODUCED.value: "✓", Verdict.REFUTED.value: "✗", Verdict.NOT_DECIDABLE.value: "?", NOT_MEASURED: "–"}
"""A mark beside each verdict, so that colour is not all that tells them apart."""
HOW_TO_READ = (
    "Each study asks one question, answers it in two sentences, and shows what the answer rests on; every number comes from the rows. "
    "Intervals are 95 %. “Clearly” means that the interval of a share of points, counted by openings, lies on one side of a half, or that "
    "two intervals do not touch; of twenty such intervals about one misses the truth. A claim on several series holds if all games "
    "together are clearly on its side, most series by themselves, and none clearly on the other. A claim is not decidable where the rows "
    "carry it neither way, or where the report does not tell what would be needed.")
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
        lines += [ClaimSummary(claim, judgement.verdict.value, judgement.evidence, one) for claim, judgement in one.judgements]
        if not one.rows:
            lines += [ClaimSummary(claim, NOT_MEASURED, "there are no data yet", one) for claim in claims_of(one.study.name)]
    reports = sorted({line.claim.report for line in lines} | ({*REPORTS} if len(results) > 1 and lines else set()))
    return {report: [line for line in lines if line.claim.report == report] for report in reports}


def counts(lines: dict[str, list[ClaimSummary]]) -> str:
    """`12 claims: 9 reproduced, 1 refuted and 2 not decidable`."""
    found = Counter(line.verdict for some in lines.values() for line in some)
    return f"{counted(found.total(), 'claim')}: {listed([f'{found[verdict]} {verdict}' for verdict in MARKS if found[verdict]])}."


def report_title(report: str) -> str:
    """`Report 000: Connect Four …`."""
    return f"Report {report}: {REPORTS[report]}" if report in REPORTS else f"Report {report}" if report else NO_REPORT


def index(results: Sequence[Results]) -> dict[str, list[Results]]:
    """The studies by the reports that they speak of: those that their source names, and those whose claims they judge."""
    found: dict[str, list[Results]] = {report: [] for report in (*REPORTS, "")}
    for one in results:
        named = {report for report in re.findall(r"\b\d{3}\b", one.study.source) if report in REPORTS}
        named |= {claim.report for claim in claims_of(one.study.name)}
        for report in sorted(named) or [""]:
            found.setdefault(report, []).append(one)
    return {report: some for report, some in found.items() if some}


def paragraphs(results: Results) -> list[str]:
    """The finding: the answer first."""
    return [paragraph for paragraph in (results.finding or "").split("\n\n") if paragraph]


def limitations() -> list[tuple[str, str]]:
    """What the report does not show, each with its heading."""
    text = resources.files("mnkala.lab").joinpath("templates/limitations.txt").read_text(encoding="utf-8")
    lines = [" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n")]
    return [(heading, rest) for heading, _, rest in (line.partition(": ") for line in lines)]


# ---- The data ----


def about_data(results: Results) -> str:
    """What there is of a study's data, in a sentence."""
    if results.state == NONE:
        return f"There are no data yet: {results.study.command}{_earlier(results)}"
    jobs = {FULL: f"All {counted(results.total, 'job')} of the study", QUICK: f"A quick run only, {counted(results.total, 'job')}",
            PARTIAL: f"Incomplete: {show(results.done)} of {counted(results.total, 'job')}"}[results.state]
    failed = f"; {len(results.failures)} failed" if results.failures else ""
    dates = ""
    if results.dates:
        first, last = (moment[:10] for moment in results.dates)
        dates = f", measured {first}" if first == last else f", measured {first} to {last}"
    return f"{jobs}{failed}, {in_words(results.seconds)} of computing{dates}.{_stale(results)}{_earlier(results)}"


def _stale(results: Results) -> str:
    """That some data are of an older engine, if they are."""
    if not results.stale:
        return ""
    return f" Measured with older code: {counted(results.stale, 'job')}; `{results.again_if_stale}` measures them again."


def _earlier(results: Results) -> str:
    """That some data are left out, if they are."""
    if not results.earlier:
        return ""
    return f" Left out: {counted(results.earlier, 'job')} that another version of the measure did."


def environment(results: Sequence[Results]) -> list[tuple[str, str]]:
    """Where the data were measured, and what wrote the report."""
    machines = list(dict.fromkeys(name for one in results for name in one.machines))
    versions = ", ".join(f"{name} {_version(name)}" for name in PACKAGES)
    dates = sorted(moment for one in results if one.dates for moment in one.dates)
    return [
        ("measured on", "; ".join(machines) or "nothing measured yet"),
        ("measured", " to ".join(dict.fromkeys((dates[0][:10], dates[-1][:10]))) if dates else "–"),
        ("code", ", ".join(dict.fromkeys(f"commit {name}" if name else "not told" for one in results for name in one.commits)) or "–"),
        ("jobs", show(sum(one.done for one in results))),
        ("computing time", in_words(sum(one.seconds for one in results))),
        ("written by", f"mnkala {mnkala.__version__}, Python {platform.python_version()}, {versions}"),
        ("written on", f"{machine()}, {datetime.now(UTC):%Y-%m-%d}"),
    ]


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "(not installed)"


def gaps(results: Sequence[Results]) -> list[str]:
    """The studies without full data of today's code, in words."""
    words = {NONE: "no data", QUICK: "quick data only", PARTIAL: "incomplete data"}
    found = [f"{one.study.name}: {words[one.state]}" for one in results if one.state in words]
    old = [one.study.name for one in results if one.stale]
    return [*found, *([f"measured with older code: {listed(old)}"] if old else [])]


# ---- The page ----


FOLDED_FROM = 30
"""Longer tables are folded."""
MOST_ROWS = 300
"""Of a table of all rows."""


def write_page(results: Sequence[Results], folder: Path, name: str) -> Path:
    """Write one HTML page that needs nothing else."""
    return write_text(folder / f"{name}.html", page(results))


def page(results: Sequence[Results]) -> str:
    """The page as text."""
    alone = len(results) == 1
    lacking = "".join(f"<li>{_text(gap)}</li>" for gap in gaps(results))
    fields = {
        "title": _text(results[0].study.title if alone else TITLE),
        "notice": f"<aside><strong>Not all data are full and new:</strong><ul>{lacking}</ul></aside>" if lacking else "",
        "summary": _summary(summary(results)),
        "index": "" if alone else _index(results),
        "sections": "\n".join(section(one, alone=alone) for one in results),
        "limitations": "" if alone else _limitations(),
        "facts": "\n".join(f"<dt>{_text(key)}</dt><dd>{_text(value)}</dd>" for key, value in environment(results)),
    }
    template = resources.files("mnkala.lab").joinpath("templates/report.html").read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda field: fields[field[1]], template)


def _summary(lines: dict[str, list[ClaimSummary]]) -> str:
    """One line a claim, by report."""
    if not lines:
        return ""
    body = []
    for report, some in lines.items():
        body.append(f'<tbody><tr><th scope="rowgroup" colspan="4">{_text(report_title(report))}</th></tr>')
        body += [f'<tr><td>{_text(line.claim.says)}</td><td class="verdict {line.verdict.replace(" ", "-")}">{_text(line.words)}</td>'
                 f'<td>{_text(line.evidence)}</td><td><a href="#{_id(line.results)}">{_text(line.results.study.name)}</a></td></tr>'
                 for line in some] or ['<tr><td colspan="4">No study here judges a claim of it.</td></tr>']
        body.append("</tbody>")
    return ("<section id=\"summary\"><h2>What became of the reports’ claims</h2>"
            f"<p>{_text(counts(lines))} {_text(HOW_TO_READ)}</p>"
            '<div class="table" tabindex="0"><table class="claims"><thead><tr><th scope="col">Claim</th><th scope="col">Verdict</th>'
            f'<th scope="col">Evidence</th><th scope="col">Study</th></tr></thead>{"".join(body)}</table></div></section>')


def _index(results: Sequence[Results]) -> str:
    lists = [f"<li>{_text(report_title(report))}<ul>"
             + "".join(f'<li><a href="#{_id(one)}">{_text(one.study.title)}</a>{_badge(one)}</li>' for one in some) + "</ul></li>"
             for report, some in index(results).items()]
    return f'<nav aria-label="Studies by report"><h2>Studies by report</h2><ul>{"".join(lists)}</ul></nav>'


def _limitations() -> str:
    items = "".join(f"<dt>{_text(heading)}</dt><dd>{_text(text)}</dd>" for heading, text in limitations())
    return f'<section id="limitations"><h2>Limitations</h2><dl class="limitations">{items}</dl></section>'


class Html(str):
    """HTML that a notebook shows."""

    def _repr_html_(self) -> str:
        return self


def shown(results: Results) -> Html:
    """A study as a notebook shows it: finding, plots and tables."""
    return Html(section(results))


def section(results: Results, alone: bool = False) -> str:
    """One study: title, question, answer, plots, tables, how to repeat. `alone` on its page it needs no heading."""
    study = results.study
    figures = iter(range(1, 1000))
    parts = []
    for part in results.parts:
        if part.part.title and len(results.parts) > 1:
            parts.append(f"<h3>{_text(part.part.title)}</h3>")
        parts += [_figure(picture, f"{_id(results)}-{next(figures)}") for picture in draw_part(part, study)]
        parts += [_html_table(table) for table in tables(part)]
        if part.part.tables and part.rows:
            parts.append(_html_table(_cut(all_rows(part, "All rows"), study.command), folded=True))
    source = f' <span class="source">– {_text(study.source)}</span>' if study.source else ""
    failures = "".join(f"<li>{_text(show(one.values))}: {_text(one.error)}</li>" for one in results.failures[:20])
    said = [f'<p class="{kind}">{_text(paragraph)}</p>' for kind, paragraph in
            zip(["answer", *["finding"] * 99], paragraphs(results), strict=False)]
    return "\n".join([
        f'<section id="{_id(results)}">', "" if alone else f"<h2>{_text(study.title)}{_badge(results)}</h2>",
        f'<p class="question">{_text(study.question)}{source}</p>', *said, *parts,
        f"<details><summary>Failed jobs</summary><ul>{failures}</ul></details>" if failures else "",
        f'<p class="data"><strong>How to repeat:</strong> <code>{_text(study.command)}</code>, in small with <code>--quick</code>. '
        f"{_text(about_data(results))}</p>", "</section>"])


def _figure(picture: Picture, name: str) -> str:
    """A plot; a wide one twice, of which a page shows the one that fits."""
    if picture.draw_narrow is None:
        return f"<figure>{for_page(picture.svg, name, picture.words)}</figure>"
    return (f'<figure class="wide">{for_page(picture.svg, name, picture.words)}</figure>'
            f'<figure class="narrow">{for_page(picture.draw_narrow(), f"{name}-narrow", picture.words)}</figure>')


def _cut(table: Table, command: str) -> Table:
    """The first rows, if there are very many, and how to get the others."""
    if len(table.rows) <= MOST_ROWS:
        return table
    note = f"the first {MOST_ROWS} of {show(len(table.rows))}; all of them: {command.replace('lab run', 'lab export')}"
    return replace(table, rows=table.rows[:MOST_ROWS], note="; ".join(filter(None, (table.note, note))))


def _html_table(table: Table, folded: bool = False) -> str:
    head = "".join(f'<th scope="col"{_side(numeric)}>{_text(name)}</th>' for name, numeric in zip(table.head, table.numeric, strict=True))
    body = "\n".join("<tr>" + "".join(f"<td{_side(numeric)}>{_text(value)}</td>" for value, numeric in zip(row, table.numeric, strict=True))
                     + "</tr>" for row in table.rows)
    words = " – ".join(_text(text) for text in (table.title, table.note) if text)
    caption = f"<caption>{words}</caption>" if words else ""
    text = f'<div class="table" tabindex="0"><table>{caption}<thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table></div>'
    if folded or len(table.rows) > FOLDED_FROM:
        return f"<details><summary>{_text(table.title or 'Table')} ({counted(len(table.rows), 'row')})</summary>{text}</details>"
    return text


def _side(numeric: bool) -> str:
    return ' class="number"' if numeric else ""


def _badge(results: Results) -> str:
    words = {NONE: "no data", QUICK: "quick", PARTIAL: "incomplete"}.get(results.state) or ("older code" if results.stale else "")
    return f' <span class="badge">{words}</span>' if words else ""


def _id(results: Results) -> str:
    return "study-" + re.sub(r"[^A-Za-z0-9_-]", "-", results.study.name)


def _text(text: str) -> str:
    return html.escape(str(text), quote=False)
