"""The report: one self-contained page, and Markdown with its pictures beside it. Every number in it comes from the data file."""

from __future__ import annotations

import html
import importlib.metadata
import platform
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path

import mnkala
from mnkala.folders import write_text
from mnkala.jobs.progress import in_words
from mnkala.jobs.worker import machine
from mnkala.lab.plots import draw_part, for_file, for_page
from mnkala.lab.results import FULL, NONE, PARTIAL, QUICK, Results
from mnkala.lab.tables import Table, all_rows, show, tables
from mnkala.lab.wording import count
from mnkala.numbers import counted

FOLDED_FROM = 30
"""Longer tables are folded."""
MOST_ROWS = 300
"""Of a table of all rows."""
PACKAGES = ("numpy", "numba", "scipy", "matplotlib")


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
    return f" Measured with older code: {count(results.stale, 'job')}; `{results.again_if_stale}` measures them again."


def _earlier(results: Results) -> str:
    """That some data are left out, if they are."""
    if not results.earlier:
        return ""
    return f" Left out: {count(results.earlier, 'job')} that another version of the measure did."


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
    """The studies without full data, in words."""
    words = {NONE: "no data", QUICK: "quick data only", PARTIAL: "incomplete data"}
    return [f"{one.study.name}: {words[one.state]}" for one in results if one.state in words]


# ---- The page ----


def write_page(results: Sequence[Results], folder: Path, name: str) -> Path:
    """Write one HTML page that needs nothing else."""
    return write_text(folder / f"{name}.html", page(results))


def page(results: Sequence[Results]) -> str:
    """The page as text."""
    title = results[0].study.title if len(results) == 1 else "The lab: what the reports measured, measured again"
    sections = "\n".join(section(one, alone=len(results) == 1) for one in results)
    contents = "\n".join(f'<li><a href="#{_id(one)}">{_text(one.study.title)}</a>{_badge(one)}</li>' for one in results)
    lacking = "".join(f"<li>{_text(gap)}</li>" for gap in gaps(results))
    notice = f'<aside><strong>Not all data are full:</strong><ul>{lacking}</ul></aside>' if lacking else ""
    facts = "\n".join(f"<dt>{_text(key)}</dt><dd>{_text(value)}</dd>" for key, value in environment(results))
    template = resources.files("mnkala.lab").joinpath("templates/report.html").read_text(encoding="utf-8")
    nav = f'<nav aria-label="Contents"><h2>Contents</h2><ol>{contents}</ol></nav>' if len(results) > 1 else ""
    fields = {"title": _text(title), "contents": nav, "notice": notice, "facts": facts, "sections": sections}
    return re.sub(r"\{\{(\w+)\}\}", lambda field: fields[field[1]], template)


class Html(str):
    """HTML that a notebook shows."""

    def _repr_html_(self) -> str:
        return self


def shown(results: Results) -> Html:
    """A study as a notebook shows it: finding, plots and tables."""
    return Html(section(results))


def section(results: Results, alone: bool = False) -> str:
    """One study as HTML; `alone` on its page it needs no heading."""
    study = results.study
    figures = iter(range(1, 1000))
    parts = []
    for part in results.parts:
        if part.part.title and len(results.parts) > 1:
            parts.append(f"<h3>{_text(part.part.title)}</h3>")
        for title, svg in draw_part(part, study):
            parts.append(f"<figure>{for_page(svg, f'{_id(results)}-{next(figures)}', title)}</figure>")
        parts += [_html_table(table) for table in tables(part)]
        if part.part.tables and part.rows:
            parts.append(_html_table(_cut(all_rows(part, "All rows"), study.command), folded=True))
    finding = results.finding
    source = f' <span class="source">– {_text(study.source)}</span>' if study.source else ""
    failures = "".join(f"<li>{_text(show(one.values))}: {_text(one.error)}</li>" for one in results.failures[:20])
    return "\n".join([
        f'<section id="{_id(results)}">', "" if alone else f"<h2>{_text(study.title)}{_badge(results)}</h2>",
        f'<p class="question">{_text(study.question)}{source}</p>',
        *(f'<p class="finding">{_paragraph(paragraph)}</p>' for paragraph in (finding or "").split("\n\n") if paragraph),
        *parts, f"<details><summary>Failed jobs</summary><ul>{failures}</ul></details>" if failures else "",
        f'<p class="data">{_text(about_data(results))} Again: <code>{_text(study.command)}</code></p>', "</section>"])


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
    words = {NONE: "no data", QUICK: "quick", PARTIAL: "incomplete"}.get(results.state)
    return f' <span class="badge">{words}</span>' if words else ""


def _id(results: Results) -> str:
    return "study-" + re.sub(r"[^A-Za-z0-9_-]", "-", results.study.name)


def _text(text: str) -> str:
    return html.escape(str(text), quote=False)


def _paragraph(text: str) -> str:
    return _text(text).replace("\n", "<br>")


# ---- Markdown ----


def write_markdown(results: Sequence[Results], folder: Path, name: str) -> Path:
    """Write Markdown, and its plots as SVG files beside it."""
    lines = ["# The lab: what the reports measured, measured again", ""]
    lines += [f"- {key}: {value}" for key, value in environment(results)] + [""]
    if lacking := gaps(results):
        lines += ["Not all data are full: " + "; ".join(lacking) + ".", ""]
    for one in results:
        lines += _markdown_section(one, folder)
    return write_text(folder / f"{name}.md", "\n".join(lines))


def _markdown_section(results: Results, folder: Path) -> list[str]:
    study = results.study
    lines = [f"## {study.title}", "", f"*{study.question}*" + (f" – {study.source}" if study.source else ""), ""]
    if finding := results.finding:
        lines += [finding, ""]
    number = 0
    for part in results.parts:
        if part.part.title and len(results.parts) > 1:
            lines += [f"### {part.part.title}", ""]
        for title, svg in draw_part(part, study):
            number += 1
            file = folder / f"{study.name}-{number}.svg"
            write_text(file, for_file(svg))
            lines += [f"![{title}]({file.name})", ""]
        for table in tables(part):
            lines += [*_markdown_table(table), ""]
    return [*lines, f"{about_data(results)} Again: `{study.command}`", ""]


def _markdown_table(table: Table) -> list[str]:
    rows = ["| " + " | ".join(_bar(value) for value in row) + " |" for row in table.rows]
    head = ["| " + " | ".join(_bar(name) for name in table.head) + " |",
            "|" + "|".join("---:" if numeric else "---" for numeric in table.numeric) + "|"]
    words = " – ".join(text for text in (table.title, table.note) if text)
    if len(table.rows) > FOLDED_FROM:
        title = f"{_text(words or 'Table')} ({counted(len(table.rows), 'row')})"
        return [f"<details><summary>{title}</summary>", "", *head, *rows, "", "</details>"]
    return ([f"**{words}**", ""] if words else []) + head + rows


def _bar(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
