"""The report as Markdown, with its pictures beside it."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path

from mnkala.folders import write_text
from mnkala.lab.plots import draw_part, for_file
from mnkala.lab.report import (
    FOLDED_FROM,
    HOW_TO_READ,
    TITLE,
    ClaimSummary,
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
from mnkala.lab.results import Results
from mnkala.lab.tables import Table, tables
from mnkala.numbers import counted


def write_markdown(results: Sequence[Results], folder: Path, name: str) -> Path:
    """Write Markdown, and its plots as SVG files beside it. A study alone, perhaps one's own, needs neither index nor our limitations."""
    alone = len(results) == 1
    lines = [f"# {results[0].study.title if alone else TITLE}", ""]
    if lacking := gaps(results):
        lines += [f"> Not all data are full and new: {'; '.join(lacking)}.", ""]
    lines += [*_summary(summary(results)), *([] if alone else _index(results))]
    for one in results:
        lines += _section(one, folder, alone)
    if not alone:
        lines += ["## Limitations", "", *(f"- **{heading}.** {text}" for heading, text in limitations()), ""]
    lines += ["## Where and how this was measured", "", *(f"- {key}: {value}" for key, value in environment(results)), ""]
    return write_text(folder / f"{name}.md", "\n".join(lines))


def claim_line(line: ClaimSummary) -> str:
    """A claim as a row of its report's table."""
    study = line.results.study.name
    cells = (line.claim.says, line.words, line.evidence, f"[{study}](#{anchor(study)})")
    return "| " + " | ".join(_bar(cell) for cell in cells) + " |"


def anchor(study: str) -> str:
    """Where a study begins."""
    return f"study-{study}"


def _summary(lines: dict[str, list[ClaimSummary]]) -> list[str]:
    if not lines:
        return []
    text = ["## What became of the reports’ claims", "", f"{counts(lines)} {HOW_TO_READ}", ""]
    for report, some in lines.items():
        text += [f"### {report_title(report)}", ""]
        if some:
            text += ["| claim | verdict | evidence | study |", "|---|---|---|---|", *(claim_line(line) for line in some), ""]
        else:
            text += ["No study here judges a claim of it.", ""]
    return text


def _index(results: Sequence[Results]) -> list[str]:
    text = ["## Studies by report", ""]
    for report, some in index(results).items():
        text.append(f"- {report_title(report)}: " + "; ".join(f"[{one.study.title}](#{anchor(one.study.name)})" for one in some))
    return [*text, ""]


def _section(results: Results, folder: Path, alone: bool) -> list[str]:
    """One study: title, question, answer, plots, tables, how to repeat."""
    study = results.study
    lines = [f'<a id="{anchor(study.name)}"></a>', "", *([] if alone else [f"## {study.title}", ""]),
             f"*{study.question}*" + (f" – {study.source}" if study.source else ""), ""]
    said = paragraphs(results)
    lines += [f"**{said[0]}**", "", *(line for paragraph in said[1:] for line in (paragraph, ""))] if said else []
    number = 0
    for part in results.parts:
        if part.part.title and len(results.parts) > 1:
            lines += [f"### {part.part.title}", ""]
        for picture in draw_part(part, study):
            number += 1
            file = folder / f"{study.name}-{number}.svg"
            write_text(file, for_file(picture.svg))
            lines += [f"![{picture.words}]({file.name})", ""]
        for table in tables(part):
            lines += [*_table(table), ""]
    return [*lines, f"How to repeat: `{study.command}`, in small with `--quick`. {about_data(results)}", ""]


def _table(table: Table) -> list[str]:
    rows = ["| " + " | ".join(_bar(value) for value in row) + " |" for row in table.rows]
    head = ["| " + " | ".join(_bar(name) for name in table.head) + " |",
            "|" + "|".join("---:" if numeric else "---" for numeric in table.numeric) + "|"]
    words = " – ".join(text for text in (table.title, table.note) if text)
    if len(table.rows) > FOLDED_FROM:
        title = f"{html.escape(words or 'Table', quote=False)} ({counted(len(table.rows), 'row')})"
        return [f"<details><summary>{title}</summary>", "", *head, *rows, "", "</details>"]
    return ([f"**{words}**", ""] if words else []) + head + rows


def _bar(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
