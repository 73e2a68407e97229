"""Pictures of games, drawn by a process of its own: within the server Python's lock would be held
for up to a tenth of a second at a time, in which nobody else is answered.

There is one such process, started when a picture is first asked for, at low priority. It draws one
picture after the other and ends when its standard input closes, so it outlives no server. If it
dies, another is started. A picture that nobody waits for any more, or that takes too long, is ended
with the process.

Run as `python -m mnkala.web.drawing` this module is that process. It is sent requests with the
limits of the server, and answers what became of them.
"""

from __future__ import annotations

import dataclasses
import threading
import time

import msgspec

from mnkala.core.plugins import blame
from mnkala.errors import MnkalaError
from mnkala.jobs.child import Child, NoLine
from mnkala.jobs.parent import Parent
from mnkala.play.game_state import GameState
from mnkala.play.players import HUMAN, Player
from mnkala.search import Stop
from mnkala.web.http_errors import ServerFull, TooBusy
from mnkala.web.limits import Limits
from mnkala.web.requests import Export, read_position

NICENESS = 5


class Asked(msgspec.Struct, frozen=True):
    """A request to draw a picture."""

    request: Export
    limits: Limits


class File(msgspec.Struct, frozen=True, tag=True):
    """A finished picture or record."""

    content: bytes
    media: str
    name: str


class Failed(msgspec.Struct, frozen=True, tag=True):
    """The reason why a picture could not be drawn."""

    problem: str
    refused: bool
    """Whether the request was at fault, and not the program."""


Answer = File | Failed


def make_file(request: Export, limits: Limits) -> File:
    """Make the requested file in this process."""
    from mnkala.play.export import picture_bytes

    first, second = (Player(name) for name in request.players or (HUMAN, HUMAN))
    game, lost = (
        GameState(read_position(request, limits), (first, second)),
        request.resigned is not None,
    )
    if game.position.is_over and (lost or request.agreed):
        raise MnkalaError(f"the rules ended this game ({game.result}), and nothing else")
    game = dataclasses.replace(
        game,
        resigned=request.resigned,
        agreed=request.agreed and not lost,
        out_of_time=lost and request.out_of_time,
        fault=request.fault if lost else None,
    )
    return File(*picture_bytes(game.position, request.format, request.language, game.record()))


# ---- In the server ----


class Drawing:
    """Has pictures drawn by another process. One thread draws at a time; any thread may call
    `close`."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._process: Child | None = None
        self._closed = False

    def draw(self, request: Export, stop: Stop) -> File:
        """Return a picture. Raises MnkalaError if it cannot be made, or once `stop` is set."""
        asked = Asked(request, self._limits)
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

    def _ask(self, asked: Asked, stop: Stop, until: float) -> Answer | None:
        """The answer of the process; None if it has died."""
        process = self._running()
        process.tell(msgspec.to_builtins(asked))
        try:
            message = process.message(until - time.monotonic(), lambda: not stop.is_set())
        except NoLine as error:
            if error.reason == "ended":
                return None
            process.end()
            raise MnkalaError(
                "this picture takes more than "
                f"{self._limits.seconds_of_drawing:g} s to be drawn, which is "
                "all that this server allows"
            ) from None
        if message is None:
            process.end()
            raise MnkalaError("nobody waits for this picture any more")
        return msgspec.convert(message, Answer)

    def _running(self) -> Child:
        """The drawing process, which is started if it does not run."""
        with self._lock:
            if self._closed:
                raise TooBusy("the server is closing")
            if self._process is None or not self._process.is_running:
                try:
                    self._process = Child.calling("mnkala.web.drawing:main", background=True)
                except OSError as error:
                    raise ServerFull(
                        f"no picture can be drawn now: {error.strerror or error}"
                    ) from None
            return self._process

    def close(self) -> None:
        """End the drawing process for good."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                self._process.end()


# ---- In the process that draws ----


def main() -> None:
    """Draw what is requested until the standard input is closed."""
    parent = Parent(NICENESS)
    for message in parent.messages():
        parent.tell(msgspec.to_builtins(answer_to(msgspec.convert(message, Asked))))


def answer_to(asked: Asked) -> Answer:
    """The picture, or the reason why it cannot be made."""
    try:
        return make_file(asked.request, asked.limits)
    except Exception as error:
        found = error if isinstance(error, MnkalaError) else blame(error)
        return Failed(repr(error), False) if found is None else Failed(str(found), True)
