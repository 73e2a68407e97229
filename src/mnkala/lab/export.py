"""Rows out of the lab: CSV, JSON, Parquet and data frames. pandas and pyarrow are optional (`pip install 'mnkala[data]'`)."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

from mnkala.folders import file_errors, write_text
from mnkala.lab.registry import Row
from mnkala.lab.results import columns_of
from mnkala.optional import needed

FORMATS = ("csv", "json", "parquet")


def to_csv(rows: list[Row]) -> str:
    """CSV with a head line; nothing stands for a missing value, JSON for lists."""
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, columns_of(rows), restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return out.getvalue()


def _cell(value: Any) -> Any:
    if value is None:
        return ""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (list, dict, bool)) else value


def to_json(rows: list[Row]) -> str:
    """A list of objects, one a line."""
    return "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n"


def to_frame(rows: list[Row]) -> Any:
    """A pandas data frame."""
    pandas = needed("pandas", "a data frame", "data")
    return pandas.DataFrame(rows, columns=columns_of(rows))


def write(rows: list[Row], path: str | Path, form: str) -> Path:
    """Write the rows into a file."""
    path = Path(path)
    if form != "parquet":
        return write_text(path, to_csv(rows) if form == "csv" else to_json(rows), newline="")
    with file_errors(path, "written"):
        path.parent.mkdir(parents=True, exist_ok=True)
        _write_parquet(rows, path)
    return path


def _write_parquet(rows: list[Row], path: Path) -> None:
    arrow = needed("pyarrow", "Parquet", "data")
    parquet = needed("pyarrow.parquet", "Parquet", "data")
    names = columns_of(rows)
    columns = {name: [row.get(name) for row in rows] for name in names}
    arrays = {}
    for name, values in columns.items():
        try:
            arrays[name] = arrow.array(values)
        except (arrow.ArrowInvalid, arrow.ArrowTypeError):  # a column of several types, say 3 and "all"
            arrays[name] = arrow.array([None if value is None else str(_cell(value)) for value in values])
    parquet.write_table(arrow.table(arrays), path)
