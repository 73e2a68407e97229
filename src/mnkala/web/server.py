"""Runs the server: prints the address, opens the browser, and stops at once on Ctrl-C. Lock and
port come before (`server_lock.py`).
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import dataclasses
import functools
import logging
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Sequence
from typing import cast

import uvicorn

from mnkala.listening import is_loopback
from mnkala.web.addresses import addresses_of, hosts_of
from mnkala.web.app import make_app
from mnkala.web.connections import BoundedProtocol, room_for
from mnkala.web.limits import USUAL, Limits
from mnkala.web.live_games import LiveGames
from mnkala.web.server_lock import Claim, has_screen

GRACE_SECONDS, KEEP_ALIVE_SECONDS = 2, 75
SWITCH_SECONDS = 0.0005
"""How long a thinking engine may hold Python's lock while a request waits: a tenth of the usual
time."""
ARENA_MAX, MMAP_THRESHOLD = -8, -3
"""The numbers of settings for glibc's `mallopt`."""
MOST_HEAPS, LARGE_BLOCK = 2, 1 << 20


def serve(
    claimed: Claim,
    *,
    browser: bool = True,
    allow_hosts: Sequence[str] = (),
    compile_ahead: bool = True,
    limits: Limits = USUAL,
    say: Callable[[str], None] = print,
) -> None:
    """Serve until interrupted. `allow_hosts` are further names by which browsers may address the
    server."""
    give_memory_back()
    host, database, address = claimed.host, claimed.database, claimed.address
    loopback = is_loopback(host)
    hosts = hosts_of(host, loopback, allow_hosts)
    app = make_app(
        database,
        loopback=loopback,
        hosts=hosts,
        limits=limits,
        compile_ahead=compile_ahead,
        studies_ahead=compile_ahead,
    )
    say(f"mnkala is at {address}  (Ctrl-C ends it; games are kept in {database})")
    if not loopback:
        others = (
            " or ".join(addresses_of(host, claimed.port)) or f"{claimed.shown_host}:{claimed.port}"
        )
        say(
            f"Anybody who can reach {others} can now play, and use this computer's engines within the limits of docs/api.md. "
            "Nothing is encrypted: put a proxy with TLS in front of it before you let strangers in. "
            f"It answers to {hosts}; --allow-host NAME adds a name."
        )
    protocol = functools.partial(
        BoundedProtocol, limits=dataclasses.replace(limits, connections=room_for(limits))
    )
    config = uvicorn.Config(
        app,
        http=cast(type[asyncio.Protocol], protocol),
        ws="websockets-sansio",
        ws_max_size=limits.body_bytes,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        server_header=False,
        ws_per_message_deflate=False,
        backlog=1024,
    )
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    sys.setswitchinterval(SWITCH_SECONDS)
    if browser and has_screen():
        threading.Timer(0.5, webbrowser.open, (address,)).start()
    with claimed.lock, contextlib.suppress(KeyboardInterrupt):
        Server(config, app.state.games).run(sockets=[claimed.listening])
    say("mnkala has stopped; every game is kept.")


def give_memory_back() -> None:
    """Return the tables and buffers of a search to the system when it is over. To be called
    before threads are started.

    glibc gives nearly every thread a heap of its own, and once a large block was freed, further
    ones of up to 32 MB come from these heaps. With thirty threads whose searches come and go,
    two thirds of the heaps were free but lay between blocks in use.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):  # another C library
            set_option = ctypes.CDLL(None).mallopt
            set_option(MMAP_THRESHOLD, LARGE_BLOCK)
            set_option(ARENA_MAX, MOST_HEAPS)


class Server(uvicorn.Server):
    """Stops the engines before it waits for open requests, which wait for them."""

    def __init__(self, config: uvicorn.Config, games: LiveGames) -> None:
        super().__init__(config)
        self.games = games
        self.others: list[asyncio.Server] = []
        """Where it listens while it is open to the network."""
        games.network.door = self

    async def open_door(self, listening: list[socket.socket]) -> None:
        """Also serve those who connect to these sockets, until `close_door`."""
        config = self.config

        def protocol() -> asyncio.Protocol:
            return config.http_protocol_class(  # type: ignore[call-arg]
                config=config, server_state=self.server_state, app_state=self.lifespan.state
            )

        loop = asyncio.get_running_loop()
        for each in listening:
            self.others.append(await loop.create_server(protocol, sock=each))

    def close_door(self) -> None:
        """Stop listening to the network and disconnect those who came from there, so that only this
        computer is served."""
        open_at = {each.getsockname() for server in self.others for each in server.sockets}
        for server in self.others:
            server.close()
        self.others.clear()
        for connection in list(self.server_state.connections):
            transport = connection.transport
            if transport is not None and transport.get_extra_info("sockname") in open_at:
                transport.close()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Shut down once, when the server was asked to end."""
        self.games.stop_work()
        self.close_door()
        await super().shutdown(sockets)
