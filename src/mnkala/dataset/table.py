"""The file of a data set: Parquet, a row a position, written part by part, with what it is in its metadata.

| column | what |
|---|---|
| board | what the player to move sees (`Position.to_array`), row by row: 1 for one's own marks, 2 for the other's; of Kalah the seeds |
| to_move, ply | who is to move, 0 or 1, and how many moves were played |
| moves | the same position as text: `Position(game).play(moves)` |
| score | for the player to move: exact, or the engine's number |
| result | 1 won, 0 drawn, -1 lost with best play; nothing where that is not proved |
| kind, best | of an engine's label: exact, lower, upper or heuristic; the number of the move that it chose |
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from mnkala.dataset.labels import EXACT, Rows
from mnkala.folders import file_errors
from mnkala.optional import needed

PREFIX = "mnkala."
"""Of the names in a file's metadata."""


def arrow() -> Any:
    """pyarrow, or an error that says how to get it."""
    return needed("pyarrow", "a data set in Parquet", "data")


def schema(label: str, shape: tuple[int, ...]) -> Any:
    """The columns of a data set of boards of this shape."""
    pa = arrow()
    cells = shape[0] * shape[1]
    columns = [("board", pa.list_(pa.uint8(), cells)), ("to_move", pa.int8()), ("ply", pa.int16()), ("moves", pa.string()),
               ("score", pa.int32())]
    columns += [("result", pa.int8())] if label == EXACT else [("kind", pa.string()), ("result", pa.int8()), ("best", pa.int32())]
    return pa.schema(columns)


def write_table(path: Path, parts: Iterable[Rows], columns: Any, about: Mapping[str, Any]) -> str:
    """Write a file, which is there only once it is complete; the digest of its rows, which its metadata has too."""
    pa, parquet = arrow(), needed("pyarrow.parquet", "a data set in Parquet", "data")
    partial, digest = path.with_name(f".{path.name}.{os.getpid()}"), hashlib.sha256()
    with file_errors(path, "written"):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with parquet.ParquetWriter(partial, columns, compression="zstd") as writer:
                for rows in parts:
                    digest.update(json.dumps([rows[name] for name in columns.names], separators=(",", ":")).encode())
                    writer.write_table(pa.table(rows, schema=columns))
                told = {**about, "digest": digest.hexdigest()}
                writer.add_key_value_metadata({PREFIX + name: value if isinstance(value, str) else json.dumps(value)
                                               for name, value in told.items()})
            os.replace(partial, path)
        finally:
            partial.unlink(missing_ok=True)
    return digest.hexdigest()


def read_about(path: Path) -> dict[str, str]:
    """What the metadata of a data set says of it."""
    parquet = needed("pyarrow.parquet", "a data set in Parquet", "data")
    with file_errors(path, "read"):
        kept = parquet.read_metadata(path).metadata or {}
    return {name.decode().removeprefix(PREFIX): value.decode() for name, value in kept.items() if name.startswith(PREFIX.encode())}
