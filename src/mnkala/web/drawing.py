"""Pictures of games, drawn by a process of its own: within the server Python's lock would be held
for up to a tenth of a second at a time, in which nobody else is answered.

There is one such process, started when a picture is first asked for, at low priority. It draws one
picture after the other and ends when its standard input closes, so it outlives no server. If it
dies, another is started. A picture that nobody waits for any more, or that takes too long, is ended
with the process.

Run as `python -m mnkala.web.drawing` this module is that process. Messages are in MessagePack, each
behind its length: a request with the limits of the server, and what became of it.
"""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import threading
import time
from typing import IO

import msgspec

from mnkala.core.plugin_errors import blame
from mnkala.errors import MnkalaError
from mnkala.jobs.supervised import Supervised
from mnkala.play import Match, Player
from mnkala.play.match import HUMAN
from mnkala.search import Stop
from mnkala.web.http_errors import ServerFull
from mnkala.web.limits import Limits
from mnkala.web.requests import Export, read_position
from mnkala.web.work_queues import TooBusy

NICENESS = 5
WAKE_SECONDS = 0.05
"""How often a picture that is being drawn is found to be no longer wanted."""
LENGTH_BYTES = 8


class Asked(msgspec.Struct, frozen=True):
    """A picture to be drawn."""

    request: Export
    limits: Limits


class File(msgspec.Struct, frozen=True, tag=True):
    """A picture or a record."""

    content: bytes
    media: str
    name: str


class Failed(msgspec.Struct, frozen=True, tag=True):
    """Why there is none."""

    problem: str
    refused: bool
    """Whether the request was at fault, and not the program."""


Answer = File | Failed


def make_file(request: Export, limits: Limits) -> File:
    """What was asked for, made here and now."""
    from mnkala.play.export import picture_bytes

    first, second = (Player(name) for name in request.players or (HUMAN, HUMAN))
    match = Match(read_position(request, limits), (first, second))
    if match.position.is_over and request.resigned is not None:
        raise MnkalaError(f"the rules ended this game ({match.result}); nobody resigned")
    lost = request.resigned is not None
    match.resigned, match.out_of_time = request.resigned, lost and request.out_of_time
    match.fault = request.fault if lost else None
    return File(*picture_bytes(match.position, request.format, request.language, match.record()))


# ---- In the server ----


class Drawing:
    """Has pictures drawn. One thread draws at a time; `close` may be called by any."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._process: _Process | None = None
        self._closed = False

    def draw(self, request: Export, stop: Stop) -> File:
        """A picture. Raises MnkalaError where there can be none, or once `stop` is raised."""
        asked = msgspec.msgpack.encode(Asked(request, self._limits))
        until = time.monotonic() + self._limits.seconds_of_drawing
        # Once more where the process has died, which may be for no fault of this picture.
        match self._ask(asked, stop, until) or self._ask(asked, stop, until):
            case File() as file:
                return file
            case Failed(problem, refused=True):
                raise MnkalaError(problem)
            case Failed(problem):
                raise RuntimeError(problem)
        raise ServerFull("the process that draws pictures has died; try again")

    def _ask(self, asked: bytes, stop: Stop, until: float) -> Answer | None:
        """What the process answers; None if it has died."""
        process = self._running()
        process.send(asked)
        while True:
            with contextlib.suppress(queue.Empty):
                return process.answers.get(timeout=WAKE_SECONDS)
            if stop.is_set():
                process.end()
                raise MnkalaError("nobody waits for this picture any more")
            if time.monotonic() > until:
                process.end()
                raise MnkalaError("this picture takes more than "
                                  f"{self._limits.seconds_of_drawing:g} s to be drawn, which is "
                                  "all that this server allows")

    def _running(self) -> _Process:
        with self._lock:
            if self._closed:
                raise TooBusy("the server is closing")
            if self._process is None or not self._process.is_running:
                self._process = _Process()
            return self._process

    def close(self) -> None:
        """End the process, for good."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                self._process.end()


class _Process:
    """The process that draws, and a thread that hears its answers."""

    def __init__(self) -> None:
        try:
            self.process = Supervised.module_in_bytes("mnkala.web.drawing", stderr=subprocess.DEVNULL)
        except OSError as error:
            raise ServerFull(f"no picture can be drawn now: {error.strerror or error}") from None
        self.answers: queue.SimpleQueue[Answer | None] = queue.SimpleQueue()
        threading.Thread(target=self._listen, name="drawing", daemon=True).start()

    @property
    def is_running(self) -> bool:
        """Whether it can be asked."""
        return self.process.poll() is None

    def send(self, asked: bytes) -> None:
        """Ask for a picture. If the process is no more, its answer is None."""
        assert self.process.stdin is not None
        with contextlib.suppress(OSError):
            write_message(self.process.stdin, asked)

    def end(self) -> None:
        """End it at once."""
        self.process.end()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        while (message := read_message(self.process.stdout)) is not None:
            self.answers.put(msgspec.msgpack.decode(message, type=Answer))
        self.process.wait()
        self.answers.put(None)
        for pipe in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()  # type: ignore[union-attr]


# ---- Messages ----


def write_message(stream: IO[bytes], message: bytes) -> None:
    """Send a message."""
    stream.write(len(message).to_bytes(LENGTH_BYTES, "big") + message)
    stream.flush()


def read_message(stream: IO[bytes]) -> bytes | None:
    """The next message; None if the other side is gone."""
    head = stream.read(LENGTH_BYTES)
    length = int.from_bytes(head, "big")
    message = stream.read(length) if len(head) == LENGTH_BYTES else b""
    return message if message and len(message) == length else None


# ---- In the process that draws ----


def main() -> None:
    """Draw what is asked for until nobody can ask any more."""
    out, sys.stdout = sys.stdout.buffer, sys.stderr  # whatever a plug-in prints is no answer
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(NICENESS)
    while (message := read_message(sys.stdin.buffer)) is not None:
        write_message(out, msgspec.msgpack.encode(answer_to(message)))


def answer_to(message: bytes) -> Answer:
    """The picture, or why there is none."""
    asked = msgspec.msgpack.decode(message, type=Asked)
    try:
        return make_file(asked.request, asked.limits)
    except Exception as error:
        found = error if isinstance(error, MnkalaError) else blame(error)
        return Failed(repr(error), False) if found is None else Failed(str(found), True)


if __name__ == "__main__":
    main()
