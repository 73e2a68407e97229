"""What a connection may cost before its request is complete: bytes and seconds of the head,
seconds of the body, and the number of connections.

uvicorn reads heads of any size, waits for them as long as a client likes, and takes as many
connections as the system allows. Its protocol for httptools is bounded here. When there are too
many connections, the oldest of those that ask for nothing are closed: a browser sends its
request at once, so idle connections cannot shut anybody out.
"""

from __future__ import annotations

import asyncio
import enum
import sys
import time
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from mnkala.web.limits import Limits
from mnkala.web.routes import refuse

LINGER_SECONDS, LINGER_BYTES = 1.0, 1 << 20
"""How long and how much is still read and discarded after a refusal: closing at once would lose
the refusal before the client reads it."""
OTHER_FILES = 100
"""The files that the server opens besides its connections: the database, modules being loaded."""


class Stage(enum.Enum):
    """What a connection is waiting for."""

    HEAD = enum.auto()
    BODY = enum.auto()
    NEXT = enum.auto()
    """The last request is complete; another may follow."""
    GONE = enum.auto()
    """The connection was refused or closed, or is a websocket now."""


class BoundedProtocol(HttpToolsProtocol):
    """A connection within the limits of the server."""

    def __init__(self, *, limits: Limits, **given: Any) -> None:
        super().__init__(**given)
        self.limits = limits
        self.stage = Stage.HEAD
        self.since = time.monotonic()
        self._timer: asyncio.TimerHandle | None = None
        self._begun = False
        """Whether anything has arrived since the stage was entered."""
        self._heads = self._read = self._parsed = 0

    # ---- The connection ----

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait(self.limits.head_seconds)
        self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        self._leave()
        super().handle_websocket_upgrade()

    def _make_room(self) -> None:
        """Keep the number of connections, and of those that have not asked yet, within the
        limits."""
        if len(self.connections) <= self.limits.waiting_connections:
            return
        others = [
            each
            for each in self.connections
            if isinstance(each, BoundedProtocol) and each is not self
        ]
        waiting = [each for each in others if each.stage is Stage.HEAD]
        if len(waiting) >= self.limits.waiting_connections:
            min(waiting, key=lambda each: each.since).close()
        if len(self.connections) > self.limits.connections:
            unused = [each for each in others if each.is_unused]
            if unused:
                min(unused, key=lambda each: each.since).close()
            else:
                self._refuse(
                    503,
                    f"this server has {self.limits.connections} connections at a time, and all are in use; try again soon",
                )

    @property
    def is_unused(self) -> bool:
        """Whether the connection can be closed unnoticed: no request is being read or answered."""
        return self.stage in (Stage.HEAD, Stage.NEXT) and (
            self.cycle is None or self.cycle.response_complete
        )

    def close(self) -> None:
        """Close the connection; its place is free at once."""
        self._leave()
        self.connections.discard(self)
        self.transport.close()

    # ---- A request ----

    def data_received(self, data: bytes) -> None:
        if self.stage is Stage.GONE:
            self._read += len(data)
            if self._read > LINGER_BYTES:
                self.transport.abort()
            return
        if self.stage is Stage.NEXT:
            self.stage, self.since = Stage.HEAD, time.monotonic()
        goes_on, head = self.stage is Stage.HEAD and self._begun, self._heads
        super().data_received(data)
        if self.stage is Stage.HEAD:
            self._begun = True
            if goes_on and head == self._heads:
                self._read += len(data)
            if self._read > self.limits.head_bytes:
                self.send_400_response("")
            elif self._timer is None:
                self._wait(self.limits.head_seconds)
        elif self.stage is Stage.BODY and self._timer is None:
            self._wait(self.limits.body_seconds)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.stage = Stage.HEAD
        self._heads += 1
        self._read = self._parsed = 0

    def on_url(self, url: bytes) -> None:
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._count(len(name) + len(value))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._enter(Stage.BODY)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        if self.cycle is not None and self.cycle.response_complete:
            self._read += len(body)
            if self._read > self.limits.body_bytes:
                raise ValueError("a body goes on after its request was answered")

    def on_message_complete(self) -> None:
        self._enter(Stage.NEXT)
        super().on_message_complete()

    def _count(self, size: int) -> None:
        """Count the parsed bytes of a head. An error here makes the parser stop, and uvicorn
        call `send_400_response`."""
        self._parsed += size
        if self._parsed > self.limits.head_bytes:
            raise ValueError("the head of a request is too large")

    def send_400_response(self, msg: str) -> None:
        if self.stage is Stage.HEAD and max(self._read, self._parsed) > self.limits.head_bytes:
            self._refuse(431, f"the head of a request has at most {self.limits.head_bytes} bytes")
        else:
            self._refuse(400, "this is not an HTTP request")

    # ---- Time, and refusals ----

    def _enter(self, stage: Stage) -> None:
        self.stage, self._begun, self._read = stage, False, 0
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _leave(self) -> None:
        self._enter(Stage.GONE)

    def _wait(self, seconds: float) -> None:
        self._timer = self.loop.call_later(seconds, self._late, seconds)

    def _late(self, seconds: float) -> None:
        if self.stage is Stage.HEAD and not self._begun:
            self.close()
            return
        part = "head" if self.stage is Stage.HEAD else "body"
        self._refuse(408, f"the {part} of a request has to come within {seconds:g} seconds")

    def _refuse(self, status: int, text: str) -> None:
        """Answer with the reason, unless the request has been answered, and close soon."""
        answered = self.stage is Stage.BODY and self.cycle.response_started
        self._leave()
        self.connections.discard(self)
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if not answered:
            answer = refuse(status, text)
            head = b"".join(name + b": " + value + b"\r\n" for name, value in answer.raw_headers)
            self.transport.write(
                STATUS_LINE[status] + head + b"connection: close\r\n\r\n" + bytes(answer.body)
            )
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.loop.call_later(LINGER_SECONDS, self.transport.abort)


def room_for(limits: Limits) -> int:
    """The number of simultaneous connections that this process can serve. Raises its limit of open
    files as far as that is allowed."""
    if sys.platform == "win32":
        return limits.connections
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = limits.connections + OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        return max(1, soft - OTHER_FILES)
    return limits.connections
