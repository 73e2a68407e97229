"""The forms of files in which other programs keep games: what it takes to read and to write one.

Each is made for the games of one family, which names it (`Family.game_files`). Whoever reads what somebody pasted, saves a game by the name
of a file or offers files of a game asks here, and need not know which forms there are.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from mnkala.core.registry import families, family_of
from mnkala.errors import MnkalaError

if TYPE_CHECKING:
    from mnkala.core.paste import Written
    from mnkala.core.position import Position
    from mnkala.core.record import Record
    from mnkala.core.rules import Rules


class GameFile:
    """Base class of the file formats of other programs."""

    name: ClassVar[str]
    """How the names of its files end, and what requests call it. The page labels it by the text `play.file_NAME`."""
    media: ClassVar[str] = "text/plain; charset=utf-8"
    """The media type under which such a file is served."""

    def is_meant(self, text: str) -> bool:
        """Whether a text is meant to be such a file, valid or not."""
        raise NotImplementedError

    def read(self, text: str) -> list[Written]:
        """The games of a file, at least one; raises BadRecord for a bad file."""
        raise NotImplementedError

    def check(self, position: Position) -> None:
        """Raise an error with the reason if the game so far cannot be written in this format."""

    def write(self, record: Record) -> str:
        """Write a game as a file. The caller has already called `check`."""
        raise NotImplementedError


def form_of(text: str) -> GameFile | None:
    """The format that a text is written in, if it is that of another program."""
    return next((form for form in _forms() if form.is_meant(text)), None)


def form_named(name: str, rules: Rules) -> GameFile | None:
    """The format of this name: the one of the game's own family, or one whose `check` explains why
    it cannot write this game."""
    return next((form for form in (*family_of(rules).game_files(), *_forms()) if form.name == name), None)


def forms_for(position: Position) -> Iterator[str]:
    """The names of the formats in which a game can be written."""
    for form in family_of(position.rules).game_files():
        with contextlib.suppress(MnkalaError):
            form.check(position)
            yield form.name


def _forms() -> Iterator[GameFile]:
    for family in families():
        yield from family.game_files()
