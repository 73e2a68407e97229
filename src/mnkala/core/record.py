"""A game as text: one line of game string, moves and result, with the circumstances in comment
lines above it.

    # first: human
    # second: deepening:time=1
    connect4 44352 *

A game that began elsewhere than at the start names its position after an @: `connect4@7/7/7/7/7/3x3
35 *`. A game without moves has `-` in their place. Results are 1-0, 0-1, 1/2-1/2 and * (not
finished). A game that its rules did not end says what did: `# ending: resignation`, `time`, or a
fault, such as `illegal move`. A family may have other forms in which its games are written and read
back (`Family.game_files`).
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import uuid
from collections.abc import Iterable, Iterator
from pathlib import Path

from mnkala.core.paste import (
    NO_MOVES,
    Make,
    Written,
    file_text,
    form_named,
    form_of,
    make_position,
    written_games,
)
from mnkala.core.position import Position
from mnkala.errors import BadRecord, MnkalaError
from mnkala.folders import file_errors
from mnkala.numbers import counted


def record_text(
    game: str, start: str | None, moves: str, result: str, tags: Iterable[tuple[str, str]] = ()
) -> str:
    """Write a record from its parts."""
    comments = "".join(f"# {name}: {' '.join(value.split())}\n" for name, value in tags)
    return f"{comments}{game}{f'@{start}' if start else ''} {moves or NO_MOVES} {result}\n"


@dataclasses.dataclass(frozen=True)
class Record:
    """A game with tags, which can be written as text and read back."""

    position: Position
    """The last position, with the history of the game."""
    result: str = "*"
    tags: tuple[tuple[str, str], ...] = ()
    """Names and values of anything else worth keeping, such as players and date."""

    @classmethod
    def of(cls, position: Position, *, resigned: int | None = None, **tags: str) -> Record:
        """The record of a game; `resigned` is the player who resigned."""
        result = str(position.outcome) if position.outcome else "*"
        if resigned is not None:
            result = ("0-1", "1-0")[resigned]
        return cls(position, result, tuple(tags.items()))

    def without_tags(self) -> str:
        """The record in one line, without its tags: game string, moves and result."""
        return record_text(
            self.position.game, self.position.start_literal, self.position.moves, self.result
        ).strip()

    def __str__(self) -> str:
        return record_text(
            self.position.game,
            self.position.start_literal,
            self.position.moves,
            self.result,
            self.tags,
        )

    @classmethod
    def parse(
        cls,
        text: str,
        game: str | None = None,
        start: str | None = None,
        make: Make = make_position,
    ) -> Record:
        """Read a game in any form (`paste.py`): what `str` wrote, moves alone, a literal, an
        address.

        A text that names no game belongs to the open one, `game` from `start` on, or else to the
        only game that it fits.
        """
        found = written_games(text)
        if len(found) > 1:
            text = f"{counted(len(found), 'game')}; only one is expected here"
            raise BadRecord(text, "error.one_game", games=len(found))
        return cls.of_written(found[0], game, start, make)

    @classmethod
    def of_written(
        cls,
        written: Written,
        game: str | None = None,
        start: str | None = None,
        make: Make = make_position,
    ) -> Record:
        """The record of one of several games in a text."""
        position = written.position(game, start, make)
        return cls(position, str(position.outcome or written.result or "*"), written.tags)

    @classmethod
    def parse_many(cls, text: str, make: Make = make_position) -> Iterator[Record]:
        """Read many records, one after the other: each has its comment lines above it. A file of
        another program is read as a whole.
        """
        if form_of(text) is not None:
            for written in written_games(text):
                yield cls.of_written(written, make=make)
            return
        lines: list[str] = []
        for number, line in enumerate(text.splitlines(), start=1):
            lines.append(line)
            if line.strip() and not line.strip().startswith("#"):
                try:
                    yield cls.parse("\n".join(lines), make=make)
                except MnkalaError as error:
                    text = f"line {number}: {error}"
                    raise BadRecord(text, "error.in_line", line=number, why=error) from error
                lines.clear()

    def text(self, form: str = "record") -> str:
        """The game as a record, or in the format of another program with this name."""
        found = form_named(form, self.position.rules)
        if found is None:
            return str(self)
        found.check(self.position)
        return found.write(self)

    def save(self, path: Path) -> None:
        """Write the record, or the format that the file name ends with; an existing file is
        replaced only once the new one is complete."""
        text = self.text(path.suffix[1:].lower())
        partial = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}")
        try:
            with file_errors(path, "written", BadRecord):
                path.parent.mkdir(parents=True, exist_ok=True)
                partial.write_text(text, encoding="utf-8")
                os.replace(partial, path)
        finally:
            with contextlib.suppress(OSError):
                partial.unlink()

    @classmethod
    def load(cls, path: Path) -> Record:
        """Read a saved game from a file."""
        text = file_text(path)
        try:
            return cls.parse(text)
        except MnkalaError as error:
            raise BadRecord(f"{path}: {error}") from error
