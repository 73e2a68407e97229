"""The report as one self-contained HTML page, and a study as a notebook shows it."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path

from mnkala.folders import write_text
from mnkala.lab.plots import Picture, draw_part, for_page
from mnkala.lab.report_model import (
    HOW_TO_READ,
    TITLE,
    Line,
    about_data,
    counts,
    environment,
    gaps,
    index,
    limitations,
    paragraphs,
    report_title,
    summary,
)
from mnkala.lab.results import NONE, PARTIAL, QUICK, Results
from mnkala.lab.tables import Table, all_rows, show, tables
from mnkala.numbers import counted

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


def _summary(lines: dict[str, list[Line]]) -> str:
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
