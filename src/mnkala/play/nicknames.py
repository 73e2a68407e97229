"""What people want to be called: on the plates, in lists and in records."""

from __future__ import annotations

import unicodedata

from mnkala.errors import MnkalaError
from mnkala.numbers import counted
from mnkala.play.levels import read_level
from mnkala.search.engine import searches

LONGEST = 24


def read_nickname(text: str | None) -> str | None:
    """A name that somebody typed, or None for none. In a record it stands where an engine's would, so it must not be taken for one."""
    name = " ".join(unicodedata.normalize("NFC", text or "").split())
    if len(name) > LONGEST:
        raise MnkalaError(f"a name of {counted(len(name), 'letter')}; a name has up to {LONGEST}")
    if not name.isprintable():
        raise MnkalaError(f"the name {name!a} has characters that cannot be seen; letters, digits, signs and spaces are fine")
    if name.partition(":")[0].lower() in {"human", *searches()} or read_level(name) is not None:
        raise MnkalaError(f"'{name}' is what a computer player is called; choose another name")
    return name or None
