"""A book on disk: two lines of text, the scores, a checksum.

    mnkala book 1                                                        what it is, and the version of its format
    {"cols": 7, "depth": 7, "entries": 39503, "line": 4, "rows": 6}      what it is of
    the scores, as its family has them
    SHA-256 of all before

A file that is damaged in any way is refused as a whole: a wrong score is worse than none.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from mnkala.errors import MnkalaError
from mnkala.folders import file_errors

DIGEST = 32
"""Bytes of the checksum."""


class BadBook(MnkalaError):
    """A book that cannot be used."""


def sealed(magic: bytes, version: int, head: dict[str, Any], body: bytes) -> bytes:
    """The file of a book."""
    whole = magic + f"{version}\n{json.dumps(head, sort_keys=True)}\n".encode() + body
    return whole + hashlib.sha256(whole).digest()


def unsealed(data: bytes, magic: bytes, version: int, name: str) -> tuple[dict[str, Any], bytes]:
    """What a book is of, and its scores; `name` is for messages."""
    if not data.startswith(magic):
        raise BadBook(f"{name} is not {magic.decode().replace('mnkala', 'a').strip()} of mnkala")
    found, _, rest = data[len(magic):].partition(b"\n")
    if found.isdigit() and int(found) > version:
        raise BadBook(f"{name} was written by a newer mnkala (format {int(found)}; this one reads {version})")
    if hashlib.sha256(data[:-DIGEST]).digest() != data[-DIGEST:] or found != str(version).encode():
        raise BadBook(f"{name} is damaged: its checksum does not fit")
    line, _, body = rest.partition(b"\n")
    try:
        head = json.loads(line)
    except ValueError as error:
        raise BadBook(f"{name} cannot be read: {error}") from None
    if not isinstance(head, dict) or len(body) < DIGEST:
        raise BadBook(f"{name} cannot be read: it does not say what it is of")
    return head, body[:-DIGEST]


def read_bytes(path: Path) -> bytes:
    """A whole file."""
    with file_errors(path, "read", BadBook):
        return path.read_bytes()


def write_whole(data: bytes, path: Path) -> None:
    """Write a book whole or not at all: a program that is killed leaves the old file."""
    beside = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        with file_errors(path, "written", BadBook):
            path.parent.mkdir(parents=True, exist_ok=True)
            beside.write_bytes(data)
            beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
