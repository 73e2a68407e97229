"""Tables of a study's rows, the same for terminal, page and Markdown: words for columns, readable
numbers, and means with their 95 % interval (Student's t) where several rows share a cell. Also the
rows themselves as files for other programs.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from mnkala.folders import file_errors, write_text
from mnkala.lab.registry import Row
from mnkala.lab.results import PartResults, columns_of
from mnkala.lab.study import Part, TableSpec, matches
from mnkala.lazily import needed
from mnkala.play.intervals import student

MISSING = "–"


@dataclass(frozen=True)
class Table:
    """A table of texts that is ready to be shown, and which of its columns are right-aligned."""

    title: str
    head: list[str]
    rows: list[list[str]]
    numeric: list[bool]
    note: str = ""

    def cut(self, most: int) -> Table:
        """The first rows of the table."""
        return replace(self, rows=self.rows[:most])


def label(part: Part, name: str, unit: bool = True) -> str:
    """A column in words, with its unit."""
    own = name.removeprefix("report_")
    words = part.labels.get(name) or part.labels.get(own) or own.replace("_", " ")
    if name.startswith("report_") and name not in part.labels:
        words += ", report"
    measure = part.units.get(name) or part.units.get(own)
    return f"{words} ({measure})" if unit and measure else words


def show(value: Any, digits: int = 4) -> str:
    """Write a value as people read it."""
    if value is None:
        return MISSING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}".replace("-", "−")
    if isinstance(value, float):
        return _float(value, digits)
    if isinstance(value, list):
        return ", ".join(show(one, digits) for one in value)
    if isinstance(value, dict):
        return ", ".join(f"{name} {show(one, digits)}" for name, one in value.items())
    return str(value)


def _float(value: float, digits: int) -> str:
    if not math.isfinite(value):
        return str(value)
    size = math.floor(math.log10(abs(value))) if value else 0
    if size < -4:
        mantissa, exponent = f"{value:.{digits - 2}e}".split("e")
        return f"{mantissa}·10{superscript(int(exponent))}".replace("-", "−")
    decimals = max(0, digits - 1 - size)
    text = f"{value:z,.{decimals}f}".replace("-", "−")
    return text.rstrip("0").rstrip(".") if "." in text and float(value).is_integer() else text


def setting(value: Any) -> str:
    """A value that somebody chose, written as they would write it: 0.25, not 0.2500."""
    if isinstance(value, float) and math.isfinite(value) and 1e-4 <= abs(value) < 1e6:
        text = f"{value:,.10f}".rstrip("0").rstrip(".")
        return (text if len(text) <= 8 else f"{value:,.4g}").replace("-", "−")
    return show(value)


def superscript(number: int) -> str:
    """An exponent in small digits."""
    return str(number).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def is_number(value: Any) -> bool:
    """Whether a value is a number, of which a mean can be taken; true and false are not."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def mean_and_half(values: Sequence[float]) -> tuple[float, float | None]:
    """The mean and half of its 95 % interval by Student's t; None for a single value."""
    if len(values) < 2:
        return float(values[0]), None
    return fmean(values), student(len(values) - 1) * stdev(values) / math.sqrt(len(values))


def with_half(mean: float, half: float | None) -> str:
    """A mean with half of its interval, both to the digits that the interval leaves certain."""
    if not half:
        return show(mean)
    decimals = max(0, 1 - math.floor(math.log10(half)))
    return f"{mean:z,.{decimals}f} ± {half:z,.{decimals}f}".replace("-", "−")


def cell(values: Iterable[Any]) -> str:
    """One cell for all values that fall on it: the value they share, their mean with its interval,
    or how many there are.
    """
    known = [value for value in values if value is not None]
    if not known:
        return MISSING
    if all(value == known[0] for value in known):
        return show(known[0])
    if all(is_number(value) for value in known):
        return with_half(*mean_and_half(known))
    if all(isinstance(value, bool) for value in known):
        return f"yes {sum(known)} of {len(known)}"
    different = list(dict.fromkeys(show(value) for value in known))
    return ", ".join(different) if len(different) <= 3 else f"{len(different)} values"


def tables(results: PartResults) -> list[Table]:
    """Make the tables that a study file describes; if it describes none, a table of all rows."""
    if not results.rows:
        return []
    part = results.part
    return [_table(part, spec, results.rows) for spec in part.tables] or [all_rows(results)]


def all_rows(results: PartResults, title: str = "") -> Table:
    """A table of every row. A fixed value that is the same everywhere is mentioned once, above the
    table.
    """
    part, rows = results.part, results.rows
    columns = [name for name in columns_of(rows) if name != "part"]
    constant = [
        name
        for name in columns
        if len(rows) > 1
        and name in part.fixed
        and all(row.get(name) == rows[0].get(name) for row in rows)
    ]
    columns = [name for name in columns if name not in constant]
    note = "; ".join(
        f"{label(part, name, unit=False)}: {setting(rows[0].get(name))}" for name in constant
    )
    chosen = {*part.varied, *part.fixed}
    return Table(
        title,
        [label(part, name) for name in columns],
        [
            [(setting if name in chosen else show)(row.get(name)) for name in columns]
            for row in rows
        ],
        [_numeric(rows, name) for name in columns],
        note,
    )


def _numeric(rows: list[Row], name: str) -> bool:
    return all(is_number(row.get(name)) for row in rows if row.get(name) is not None)


def _table(part: Part, spec: TableSpec, rows: list[Row]) -> Table:
    rows = [row for row in rows if matches(row, spec.where)]
    keys = list(spec.rows) or part.varied
    shown = list(spec.show) or [
        name
        for name in columns_of(rows)
        if name not in keys
        and name not in part.varied
        and name not in part.fixed
        and name != "part"
    ]
    groups = grouped(rows, keys)
    several = any(len(some) > 1 for some in groups.values()) and not spec.spread
    note = "means over the rows of a case, ± half of the 95 % interval" if several else ""
    if not spec.spread:
        body = [
            [*map(setting, key), *(cell(row.get(name) for row in some) for name in shown)]
            for key, some in groups.items()
        ]
        columns = [*keys, *shown]
        return Table(
            spec.title,
            [label(part, name) for name in columns],
            body,
            [_numeric(rows, name) for name in columns],
            note,
        )
    spread = list(
        dict.fromkeys(
            _hashable(row.get(spec.spread))
            for row in rows
            if any(row.get(name) is not None for name in shown)
        )
    )
    single = len(shown) == 1
    of_spread = label(part, spec.spread, unit=False)
    words = [
        f"{of_spread} {setting(value)}" if isinstance(value, (int, float)) else show(value)
        for value in spread
    ]
    head = [label(part, name) for name in keys]
    head += [each if single else f"{each}: {label(part, name)}" for each in words for name in shown]
    numeric = [_numeric(rows, name) for name in (*keys, *shown * len(spread))]
    body = [
        [
            *map(setting, key),
            *(
                _cell(spec, name, [row for row in some if _hashable(row.get(spec.spread)) == value])
                for value in spread
                for name in shown
            ),
        ]
        for key, some in groups.items()
    ]
    note = (
        label(part, shown[0]) + (", with its 95 % interval" if spec.interval else "")
        if single
        else ""
    )
    return Table(spec.title or note, head, body, numeric, note if spec.title else "")


def _cell(spec: TableSpec, name: str, rows: list[Row]) -> str:
    """Write one cell of a table whose columns are the values of a setting: a single value with its
    interval, if the table has intervals, otherwise as `cell` does."""
    columns = (name, *(spec.interval or ()))
    known = [row for row in rows if all(is_number(row.get(column)) for column in columns)]
    if not spec.interval or len(known) != 1:
        return cell(row.get(name) for row in rows)
    value, low, high = (f"{known[0][column]:z.2f}" for column in columns)
    return f"{value} ({low}–{high})"


def grouped(rows: Iterable[Row], names: Iterable[str]) -> dict[tuple[Any, ...], list[Row]]:
    """Group rows by the values of some columns, in the order in which these first appear."""
    names = tuple(names)
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(_hashable(row.get(name)) for name in names), []).append(row)
    return groups


def _hashable(value: Any) -> Any:
    return show(value) if isinstance(value, (list, dict)) else value


# ---- Exports ----


FORMATS = ("csv", "json", "parquet")


def to_csv(rows: list[Row]) -> str:
    """CSV with a head line, in which missing values are empty and lists are JSON."""
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, columns_of(rows), restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _plain(value) for name, value in row.items()} for row in rows)
    return out.getvalue()


def _plain(value: Any) -> Any:
    if value is None:
        return ""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (list, dict, bool)) else value


def to_json(rows: list[Row]) -> str:
    """A list of objects, one a line."""
    return "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n"


def to_frame(rows: list[Row]) -> Any:
    """Convert rows to a pandas data frame."""
    pandas = needed("pandas", "a data frame", "data")
    return pandas.DataFrame(rows, columns=columns_of(rows))


def write(rows: list[Row], path: str | Path, form: str) -> Path:
    """Write the rows into a file as `csv`, `json` or `parquet`."""
    path = Path(path)
    if form != "parquet":
        return write_text(path, to_csv(rows) if form == "csv" else to_json(rows), newline="")
    arrow, parquet = (needed(name, "Parquet", "data") for name in ("pyarrow", "pyarrow.parquet"))
    arrays = {}
    for name in columns_of(rows):
        values = [row.get(name) for row in rows]
        try:
            arrays[name] = arrow.array(values)
        except (
            arrow.ArrowInvalid,
            arrow.ArrowTypeError,
        ):  # a column of several types, say 3 and "all"
            arrays[name] = arrow.array(
                [None if value is None else str(_plain(value)) for value in values]
            )
    with file_errors(path, "written"):
        path.parent.mkdir(parents=True, exist_ok=True)
        parquet.write_table(arrow.table(arrays), path)
    return path
