"""The results for people and programs: a table on the terminal, Markdown, CSV and JSON, and
feedback for every student."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from mnkala.errors import MnkalaError
from mnkala.folders import write_text
from mnkala.numbers import counted
from mnkala.play.series import SeriesResult
from mnkala.school.exercises import FULL_MARKS
from mnkala.school.grading import Grade
from mnkala.school.ladder import ARGUMENTS, GAMES, Match, total
from mnkala.school.process import clean

COLUMNS = (
    "place",
    "name",
    "exercise",
    "status",
    "points",
    "ladder",
    "ladder games",
    "against others",
    "note",
)
ON_TERMINAL = ("place", "name", "status", "points", "ladder", "against others")
KINDS = (".md", ".csv", ".json")


def shown(result: SeriesResult) -> str:
    """Write a result as a share with its interval, or as a dash if no games were played."""
    if not result.games:
        return "–"
    low, high = result.interval
    return f"{100 * result.share:.0f} % ({100 * low:.0f}–{100 * high:.0f})"


def rows(grades: Sequence[Grade]) -> list[dict[str, str]]:
    """One row of the table for each graded file, as texts by column. Files that passed have a place
    within their exercise."""
    table = []
    places: dict[str, int] = {}
    for grade in grades:
        if grade.passed:
            places[grade.exercise] = places.get(grade.exercise, 0) + 1
        ladder, peers = total(grade.references), total(grade.peers)
        cells = (
            str(places[grade.exercise]) if grade.passed else "",
            grade.name,
            grade.exercise or "?",
            grade.status,
            f"{grade.points:g} of {FULL_MARKS}",
            shown(ladder),
            str(ladder.games),
            shown(peers),
            grade.note,
        )
        table.append(dict(zip(COLUMNS, (clean(cell) for cell in cells), strict=True)))
    return table


def for_terminal(grades: Sequence[Grade]) -> Group:
    """A table for each exercise, followed by remarks on single files."""
    parts: list[Table | Text] = []
    listed = rows(grades)
    for exercise in dict.fromkeys(row["exercise"] for row in listed):
        of_it = [row for row in listed if row["exercise"] == exercise]
        table = Table(
            title=exercise if exercise != "?" else "not gradable",
            title_justify="left",
            title_style="bold",
        )
        for column in ON_TERMINAL:
            table.add_column(
                column,
                justify="right" if column in ("place", "points") else "left",
                overflow="fold",
            )
        for row in of_it:
            style = "green" if row["status"] == "passed" else "red"
            table.add_row(
                *(
                    Text(row[column], style=style if column == "status" else "")
                    for column in ON_TERMINAL
                )
            )
        parts += [
            table,
            *(Text(f"  {row['name']}: {row['note']}") for row in of_it if row["note"]),
            Text(),
        ]
    if any(grade.references for grade in grades):
        parts.append(
            Text("ladder, against others: share of the points with its 95 % interval", style="dim")
        )
    return Group(*parts)


def markdown(grades: Sequence[Grade]) -> str:
    """Two Markdown tables: the results, and every file's points in each test."""
    lines = [
        "# Results",
        "",
        f"Points are of {FULL_MARKS}. The ladder and the matches against others are shares of the points with a 95 % "
        "interval (Wilson): where intervals overlap much, the order means little.",
        "",
    ]
    lines += _markdown_table([COLUMNS, *(tuple(row.values()) for row in rows(grades))])
    for exercise in dict.fromkeys(grade.exercise for grade in grades if grade.checks):
        graded = [grade for grade in grades if grade.exercise == exercise and grade.checks]
        names = [f"{check.name} ({check.of})" for check in graded[0].checks] if graded else []
        whole = [grade for grade in graded if len(grade.checks) == len(names)]
        lines += ["", f"## {exercise}", ""]
        lines += _markdown_table(
            [
                ("name", *names),
                *(
                    (grade.name, *(f"{check.points:g}" for check in grade.checks))
                    for grade in whole
                ),
            ]
        )
        rungs = [
            (grade.name, *(shown(match.result) for match in grade.references))
            for grade in graded
            if grade.references
        ]
        if rungs:
            first = next(grade for grade in graded if grade.references)
            opponents = [match.opponent for match in first.references]
            lines += [
                "",
                "On the ladder against:",
                "",
                *_markdown_table([("name", *opponents), *rungs]),
            ]
    return "\n".join(lines) + "\n"


def _markdown_table(table: Sequence[Sequence[str]]) -> list[str]:
    def markdown(cells: Sequence[str]) -> str:
        return (
            "| "
            + " | ".join(
                clean(cell).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")
                for cell in cells
            )
            + " |"
        )

    return [markdown(table[0]), "|" + "---|" * len(table[0]), *(markdown(row) for row in table[1:])]


def as_csv(grades: Sequence[Grade]) -> str:
    """One CSV row for each file. A leading apostrophe keeps a spreadsheet from taking a name for a
    formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        [
            "place",
            "name",
            "student",
            "exercise",
            "status",
            "points",
            "of",
            *(
                f"{what}_{number}"
                for what in ("ladder", "peers")
                for number in ("share", "low", "high", "games")
            ),
            "note",
        ]
    )
    for grade, row in zip(grades, rows(grades), strict=True):
        numbers: list[object] = []
        for result in (total(grade.references), total(grade.peers)):
            low, high = result.interval
            numbers += (
                [round(result.share, 4), round(low, 4), round(high, 4), result.games]
                if result.games
                else ["", "", "", 0]
            )
        texts = [
            _no_formula(text) for text in (grade.name, grade.student, grade.exercise, grade.status)
        ]
        writer.writerow(
            [
                row["place"],
                *texts,
                grade.points,
                FULL_MARKS,
                *numbers,
                _no_formula(clean(grade.note)),
            ]
        )
    return out.getvalue()


def _no_formula(text: str) -> str:
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text


def as_json(grades: Sequence[Grade]) -> list[dict[str, Any]]:
    """All results as JSON values."""

    def match(played: Match) -> dict[str, Any]:
        result = played.result
        low, high = result.interval
        return {
            "opponent": played.opponent,
            "wins": result.wins,
            "draws": result.draws,
            "losses": result.losses,
            "forfeits": played.forfeits,
            "note": played.note,
            "share": result.share,
            "low": low,
            "high": high,
        }

    return [
        {
            "name": grade.name,
            "student": grade.student,
            "exercise": grade.exercise,
            "status": grade.status,
            "points": grade.points,
            "of": FULL_MARKS,
            "reason": grade.reason,
            "note": grade.note,
            "same_as": grade.same_as,
            "place": row["place"] or None,
            "tests": [dataclasses.asdict(check) for check in grade.checks],
            "ladder": [match(played) for played in grade.references],
            "peers": [match(played) for played in grade.peers],
        }
        for grade, row in zip(grades, rows(grades), strict=True)
    ]


def check_out(path: Path) -> None:
    """Check before grading that results can be written to this path."""
    if path.suffix.lower() not in KINDS:
        raise MnkalaError(
            f"{path} has the ending '{path.suffix}'; results are written to files that end in {', '.join(KINDS)}"
        )
    if not path.parent.is_dir():
        raise MnkalaError(f"there is no folder {path.parent} to write {path.name} to")


def write(grades: Sequence[Grade], path: Path) -> None:
    """Write the results in the format that the file name ends with."""
    kind = path.suffix.lower()
    text = (
        markdown(grades)
        if kind == ".md"
        else as_csv(grades)
        if kind == ".csv"
        else json.dumps(as_json(grades), indent=1) + "\n"
    )
    write_text(path, text)


# ---- Feedback for students ----


def feedback(grade: Grade) -> str:
    """The feedback for one student."""
    lines = [f"{grade.name}: {grade.points:g} of {FULL_MARKS} points, {grade.status}", ""]
    if grade.reason:
        reason = clean(grade.reason.removeprefix("the file "))
        lines += [f"Nothing counts, because the file {reason}.", ""]
    for check in grade.checks:
        mark = "ok  " if check.points == check.of else "part" if check.points else "no  "
        lines.append(
            f"{mark} {check.points:g} of {check.of}  {check.name} ({check.passed} of {counted(check.cases, 'case')})"
        )
        lines += [f"       {clean(failure)}" for failure in check.failures]
        lines += [f"       Hint: {check.help}"] if check.help else []
    if grade.references:
        asked = (
            ", ".join(
                f"{key} {value}"
                for key, value in ARGUMENTS[grade.exercise].items()
                if key != "seed"
            )
            or "one move ahead"
        )
        lines += ["", f"The ladder ({', '.join(GAMES)}; your function with {asked}):"]
        lines += [f"  against {match.opponent:20} {match.result}" for match in grade.references]
        lines += [f"  {clean(match.note)}" for match in grade.references if match.note][:1]
    if grade.peers:
        lines += [
            "",
            "Against the files next to yours:",
            *(f"  against {match.opponent:20} {match.result}" for match in grade.peers),
        ]
    if grade.printed.strip():
        lines += [
            "",
            "What the file printed (the beginning):",
            *("  " + clean(line) for line in grade.printed.splitlines()[:20]),
        ]
    return "\n".join(lines).rstrip() + "\n"


def write_feedback(grades: Sequence[Grade], folder: Path) -> None:
    """Write a text file for every graded file, in folders named as those of the files, so that no
    two share one."""
    for grade in grades:
        write_text(folder / f"{grade.name}.txt", feedback(grade))
