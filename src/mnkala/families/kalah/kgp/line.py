r"""Reads and writes the lines of KGP, `[id][@ref] name arguments`, over a connection; server and
client share this code.

An argument is a whole number, a number with a point, a word, a text in double quotes or a board;
its form shows which. A text may hold anything; a backslash precedes quotes and backslashes in it,
and `\n`, `\r` and `\t` have their usual meaning.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import math
import re
from decimal import Decimal

from mnkala.errors import MnkalaError, printable
from mnkala.numbers import counted, read_whole, shortened

LONGEST_LINE = 16_384
"""The most bytes in a line, including its end, as the protocol defines it."""


class BadLine(MnkalaError):
    """A line cannot be read, or its arguments are not those of its command."""


class Word(str):
    """A text that is written without quotes: letters, digits, hyphens and colons."""

    __slots__ = ()


class BoardLiteral(str):
    """A board, such as `<3,0,0,3,3,3,3,3,3>`. Whether its numbers make sense is left to the rules."""

    __slots__ = ()


Argument = int | float | str
_HEAD = re.compile(r"[ \t]*(?:([0-9]{0,18})(?:@([0-9]{1,18}))?[ \t]+)?([A-Za-z0-9]+)(?=[ \t]|\Z)")
_ARGUMENT = re.compile(
    r"""[ \t]+(?:
    (?P<real>[+-]?[0-9]*\.[0-9]+) | (?P<whole>[+-]?[0-9]+) | (?P<word>[A-Za-z0-9:-]+) |
    "(?P<text>(?:\\.|[^"\\])*)" | (?P<board><[0-9]+(?:,[0-9]+)*>)
    )(?=[ \t]|\Z)""",
    re.VERBOSE,
)
_WRITTEN = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
_READ = {"n": "\n", "r": "\r", "t": "\t"}


@dataclasses.dataclass(frozen=True)
class Line:
    """One command of either side."""

    name: str
    arguments: tuple[Argument, ...] = ()
    id: int | None = None
    ref: int | None = None
    """The id of the other side's line that this one answers."""

    @classmethod
    def parse(cls, line: bytes) -> Line | None:
        """Read a line, with or without its end; None for an empty one. Raises BadLine for anything
        else that is no line of the protocol."""
        try:
            text = line.decode().strip(" \t\r\n")
        except UnicodeDecodeError:
            raise BadLine("this line is not text in UTF-8") from None
        if not text:
            return None
        head = _HEAD.match(text)
        if not head:
            raise BadLine(
                f"'{shortened(printable(text))}' is no command; lines are [id][@ref] command arguments"
            )
        number, ref, name = head.groups()
        return cls(
            name,
            _arguments(text, head.end()),
            int(number) if number else None,
            int(ref) if ref else None,
        )

    def __str__(self) -> str:
        head = ("" if self.id is None else str(self.id)) + (
            "" if self.ref is None else f"@{self.ref}"
        )
        return " ".join(([head] if head else []) + [self.name, *map(written, self.arguments)])

    def __bytes__(self) -> bytes:
        return f"{self}\r\n".encode()

    # ---- Arguments of the type that a command takes ----

    def text(self, place: int) -> str:
        """Read an argument that is a word or a text; clients differ in which they write."""
        found = self._at(place, "a word or a text in double quotes")
        if not isinstance(found, str) or isinstance(found, BoardLiteral):
            raise BadLine(
                f"{self.name} takes a word or a text in double quotes, not {shortened(written(found))}"
            )
        return str(found)

    def whole(self, place: int) -> int:
        """Read an argument that is a whole number."""
        found = self._at(place, "a whole number")
        if not isinstance(found, int):
            raise BadLine(f"{self.name} takes a whole number, not {shortened(written(found))}")
        return found

    def board(self, place: int) -> str:
        """Read an argument that is a board."""
        found = self._at(place, "a board")
        if not isinstance(found, BoardLiteral):
            raise BadLine(
                f"{self.name} takes a board, such as <2,0,0,1,1,1,1>, not {shortened(written(found))}"
            )
        return str(found)

    def _at(self, place: int, what: str) -> Argument:
        if place >= len(self.arguments):
            raise BadLine(
                f"{self.name} has {counted(len(self.arguments), 'argument')}; it takes {what} as number {place + 1}"
            )
        return self.arguments[place]


def _arguments(text: str, place: int) -> tuple[Argument, ...]:
    found: list[Argument] = []
    while place < len(text):
        match = _ARGUMENT.match(text, place)
        if not match:
            raise BadLine(
                f"'{shortened(printable(text[place:].strip()))}' is no argument; arguments are numbers, words, texts in double "
                "quotes and boards, with blanks between them"
            )
        found.append(_argument(str(match.lastgroup), match[str(match.lastgroup)]))
        place = match.end()
    return tuple(found)


def _argument(kind: str, text: str) -> Argument:
    if kind == "whole":
        try:
            return read_whole(text)
        except ValueError as error:
            raise BadLine(str(error)) from None
    if kind == "real":
        number = float(text)
        if math.isinf(number):
            raise BadLine(f"{shortened(text)} is too large")
        return number
    if kind == "text":
        return re.sub(r"\\(.)", lambda match: _READ.get(match[1], match[1]), text, flags=re.DOTALL)
    return Word(text) if kind == "word" else BoardLiteral(text)


def written(argument: Argument) -> str:
    """Write an argument as it appears in a line."""
    if isinstance(argument, float):
        digits = f"{Decimal(repr(argument)):f}"
        return digits if "." in digits else f"{digits}.0"
    if not isinstance(argument, str) or isinstance(argument, Word | BoardLiteral):
        return str(argument)
    return '"' + "".join(_WRITTEN.get(letter, letter) for letter in argument) + '"'


# ---- Connection ----


MOST_SKIPPED = 64 * LONGEST_LINE
"""The bytes of a line without an end that are skipped before the connection is given up."""
MOST_UNSENT = 1 << 20
"""The most bytes that may wait for a peer that does not read."""
CLOSING_SECONDS = 1.0
"""Seconds that a connection may take to end properly."""


class Link:
    """Lines over a stream. Ids are even on the server's side and odd on the client's, so that no
    two lines have the same one."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, first_id: int
    ) -> None:
        self.reader, self.writer = reader, writer
        self.next_id = first_id
        self.ended = False

    async def read(self) -> Line | None:
        """The next line that is not empty; None when the connection has ended. Raises BadLine for a
        line that cannot be read, after which the next one can be."""
        while True:
            await asyncio.sleep(
                0
            )  # A peer that sends without pause must not keep the others waiting.
            try:
                line = Line.parse(await self._next())
            except (asyncio.IncompleteReadError, OSError):
                self.ended = True
                return None
            if line is not None:
                return line

    async def _next(self) -> bytes:
        skipped = 0
        while True:
            try:
                line = await self.reader.readuntil(b"\n")
            except asyncio.LimitOverrunError as error:
                skipped += len(await self.reader.readexactly(max(1, error.consumed)))
                if skipped > MOST_SKIPPED:
                    raise ConnectionAbortedError("a line without an end") from None
                continue
            if skipped:
                raise BadLine(
                    f"a line of {skipped + len(line):,} bytes; lines have up to {LONGEST_LINE:,}"
                )
            return line

    def send(self, name: str, *arguments: Argument, ref: int | None = None) -> int:
        """Send a line and return its id. If the other side does not read, the lines that wait are
        limited."""
        number, self.next_id = self.next_id, self.next_id + 2
        self.send_bare(Line(name, arguments, number, ref))
        return number

    def send_bare(self, line: Line) -> None:
        """Send a line without giving it an id."""
        if self.ended or self.writer.is_closing():
            return
        self.writer.write(bytes(line))
        if self.writer.transport.get_write_buffer_size() > MOST_UNSENT:
            self.abort()

    def abort(self) -> None:
        """End the connection at once; a pending `read` returns."""
        self.ended = True
        self.writer.transport.abort()

    async def close(self) -> None:
        """End the connection once everything is sent.

        Incoming data is read and dropped for a moment: a system that is left with unread lines may
        discard what it has just delivered, such as a goodbye.
        """
        was_there, self.ended = not self.ended, True
        with contextlib.suppress(OSError):  # A TimeoutError is one.
            async with asyncio.timeout(CLOSING_SECONDS):
                if was_there:
                    self.writer.write_eof()
                    while await self.reader.read(LONGEST_LINE):
                        pass
        self.abort()
        with contextlib.suppress(OSError):
            await self.writer.wait_closed()
