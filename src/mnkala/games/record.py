"""A game as text: one line of game string, moves and result, with the circumstances in comment lines above it.

    # first: human
    # second: deepening:time=1
    connect4 44352 *

A game that began elsewhere than at the start names its position after an @: `connect4@7/7/7/7/7/3x3 35 *`. A game without
moves has `-` in their place. Results are 1-0, 0-1, 1/2-1/2 and * (not finished).
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import uuid
from pathlib import Path

from mnkala.errors import BadRecord, MnkalaError
from mnkala.folders import file_errors
from mnkala.games.position import Position
from mnkala.numbers import counted

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
NO_MOVES = "-"
LARGEST_FILE = 1 << 20


@dataclasses.dataclass(frozen=True)
class Record:
    """A game that can be written down and read back."""

    position: Position
    """The last position, with its history."""
    result: str = "*"
    tags: tuple[tuple[str, str], ...] = ()
    """Anything else worth keeping: players, date."""

    @classmethod
    def of(cls, position: Position, *, resigned: int | None = None, **tags: str) -> Record:
        """The record of a game; `resigned` is the player who gave up."""
        result = str(position.outcome) if position.outcome else "*"
        if resigned is not None:
            result = ("0-1", "1-0")[resigned]
        return cls(position, result, tuple(tags.items()))

    def without_tags(self) -> str:
        """Game string, moves and result."""
        start = f"@{self.position.start_literal}" if self.position.start_literal else ""
        return f"{self.position.game}{start} {self.position.moves or NO_MOVES} {self.result}"

    def __str__(self) -> str:
        comments = "".join(f"# {name}: {' '.join(value.split())}\n" for name, value in self.tags)
        return f"{comments}{self.without_tags()}\n"

    @classmethod
    def parse(cls, text: str) -> Record:
        """Read what `str` wrote."""
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        tags = tuple((name.strip(), value.strip()) for line in lines if line.startswith("#")
                     for name, colon, value in [line[1:].partition(":")] if colon)
        games = [line for line in lines if not line.startswith("#")]
        if len(games) != 1:
            raise BadRecord(f"{counted(len(games), 'game')}; a record holds one line of game string, moves and result")
        words = games[0].split()
        if len(words) != 3:
            raise BadRecord(f"'{games[0][:80]}' has {counted(len(words), 'word')}; a record is game string, moves and result, "
                            "for example: connect4 44352 *")
        game, moves, result = words
        if result not in RESULTS:
            raise BadRecord(f"'{result}' is not a result; results are {' '.join(RESULTS)}")
        name, at, literal = game.partition("@")
        position = Position(name, literal=literal if at else None)
        record = cls(position if moves == NO_MOVES else position.play(moves), result, tags)
        outcome = record.position.outcome
        if outcome is not None and str(outcome) != result:
            raise BadRecord(f"the moves end in {outcome}, but the record says {result}")
        return record

    def save(self, path: Path) -> None:
        """Write the record; a file that is there is replaced only once the new one is complete."""
        partial = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}")
        try:
            with file_errors(path, "written", BadRecord):
                path.parent.mkdir(parents=True, exist_ok=True)
                partial.write_text(str(self), encoding="utf-8")
                os.replace(partial, path)
        finally:
            with contextlib.suppress(OSError):
                partial.unlink()

    @classmethod
    def load(cls, path: Path) -> Record:
        """Read a saved game."""
        with file_errors(path, "read", BadRecord):
            if path.stat().st_size > LARGEST_FILE:
                raise BadRecord(f"{path} is larger than any record ({LARGEST_FILE} bytes)")
            text = path.read_text(encoding="utf-8")
        try:
            return cls.parse(text)
        except MnkalaError as error:
            raise BadRecord(f"{path}: {error}") from error
