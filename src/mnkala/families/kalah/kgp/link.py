"""A connection that speaks KGP, seen from either end: lines in, lines out, with bounds on both."""

from __future__ import annotations

import asyncio
import contextlib

from mnkala.families.kalah.kgp.line import LONGEST_LINE, Argument, BadLine, Line

MOST_SKIPPED = 64 * LONGEST_LINE
"""Bytes of a line without an end that are passed over before the connection is given up."""
MOST_UNSENT = 1 << 20
"""Bytes that may wait for somebody who does not read."""
CLOSING_SECONDS = 1.0
"""How long a connection may take to end in order."""


class Link:
    """Lines over a stream. Its ids are even on the server's side and odd on the client's, so that no two lines have the same."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, first_id: int) -> None:
        self.reader, self.writer = reader, writer
        self.next_id = first_id
        self.ended = False

    async def read(self) -> Line | None:
        """The next line that is not empty; None when the connection has ended. Raises BadLine for one that cannot be read, after which the
        next one can."""
        while True:
            await asyncio.sleep(0)  # whoever sends without pause must not keep the others waiting
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
                raise BadLine(f"a line of {skipped + len(line):,} bytes; lines have up to {LONGEST_LINE:,}")
            return line

    def send(self, name: str, *arguments: Argument, ref: int | None = None) -> int:
        """Send a line; its id. What the other side does not read is not kept without end."""
        number, self.next_id = self.next_id, self.next_id + 2
        self.send_bare(Line(name, arguments, number, ref))
        return number

    def send_bare(self, line: Line) -> None:
        """Send a line as it is."""
        if self.ended or self.writer.is_closing():
            return
        self.writer.write(bytes(line))
        if self.writer.transport.get_write_buffer_size() > MOST_UNSENT:
            self.abort()

    def abort(self) -> None:
        """End the connection at once; whoever reads from it is told."""
        self.ended = True
        self.writer.transport.abort()

    async def close(self) -> None:
        """End the connection once everything is sent. What still comes in is read and dropped for a moment: a system that is left with
        unread lines may take back what it has just delivered, such as a goodbye."""
        was_there, self.ended = not self.ended, True
        with contextlib.suppress(OSError):  # a TimeoutError is one
            async with asyncio.timeout(CLOSING_SECONDS):
                if was_there:
                    self.writer.write_eof()
                    while await self.reader.read(LONGEST_LINE):
                        pass
        self.abort()
        with contextlib.suppress(OSError):
            await self.writer.wait_closed()
