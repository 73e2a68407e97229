"""Runs the server: finds a port, prints the address, opens the browser, and stops at once on Ctrl-C."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import dataclasses
import functools
import logging
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

import uvicorn

from mnkala.listening import LOOPBACK, is_loopback, listen
from mnkala.web.addresses import EVERY_ADDRESS, addresses_of
from mnkala.web.app import make_app
from mnkala.web.connections import BoundedProtocol, room_for
from mnkala.web.hosts import hosts_of
from mnkala.web.limits import USUAL, Limits
from mnkala.web.live_games import LiveGames
from mnkala.web.server_lock import AlreadyServed, ServerLock

FIRST_PORT, PORTS_TO_TRY = 8080, 100
GRACE_SECONDS, KEEP_ALIVE_SECONDS = 2, 75
SWITCH_SECONDS = 0.0005
"""How long a thinking engine may hold Python's lock while a request waits: ten times less than usual."""
ARENA_MAX, MMAP_THRESHOLD = -8, -3
"""Names of settings in glibc's `mallopt`."""
MOST_HEAPS, LARGE_BLOCK = 2, 1 << 20


def serve(database: Path, *, host: str = LOOPBACK, port: int | None = None, browser: bool = True, allow_hosts: Sequence[str] = (),
          compile_ahead: bool = True, limits: Limits = USUAL, say: Callable[[str], None] = print) -> None:
    """Serve until interrupted. `allow_hosts` are names that browsers may call it by, beside this computer's own."""
    particular = port is not None or host != LOOPBACK or bool(allow_hosts)
    lock = claim(database, particular=particular, browser=browser, say=say)
    if lock is None:
        return
    give_memory_back()
    loopback = is_loopback(host)
    hosts = hosts_of(host, loopback, allow_hosts)
    ports = [port] if port is not None else [*range(FIRST_PORT, FIRST_PORT + PORTS_TO_TRY), 0]
    listening = listen(host, ports)
    chosen = listening.getsockname()[1]
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{'localhost' if host in ('127.0.0.1', '::1', *EVERY_ADDRESS) else shown}:{chosen}/"
    app = make_app(database, loopback=loopback, hosts=hosts, limits=limits, compile_ahead=compile_ahead)
    lock.announce(address)
    say(f"mnkala is at {address}  (Ctrl-C ends it; games are kept in {database})")
    if not loopback:
        others = " or ".join(addresses_of(host, chosen)) or f"{shown}:{chosen}"
        say(f"Anybody who can reach {others} can now play, and use this computer's engines within the limits of docs/api.md. "
            "Nothing is encrypted: put a proxy with TLS in front of it before you let strangers in. "
            f"It answers to {hosts}; --allow-host NAME adds a name.")
    protocol = functools.partial(BoundedProtocol, limits=dataclasses.replace(limits, connections=room_for(limits)))
    config = uvicorn.Config(app, http=cast(type[asyncio.Protocol], protocol), ws="websockets-sansio", ws_max_size=limits.body_bytes,
                            log_level="warning", access_log=False,
                            timeout_graceful_shutdown=GRACE_SECONDS, timeout_keep_alive=KEEP_ALIVE_SECONDS, server_header=False,
                            ws_per_message_deflate=False, backlog=1024)
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    sys.setswitchinterval(SWITCH_SECONDS)
    if browser and has_screen():
        threading.Timer(0.5, webbrowser.open, (address,)).start()
    with lock, contextlib.suppress(KeyboardInterrupt):
        Server(config, app.state.games).run(sockets=[listening])
    say("mnkala has stopped; every game is kept.")
    sys.stdout.flush()


def claim(database: Path, *, particular: bool, browser: bool, say: Callable[[str], None]) -> ServerLock | None:
    """The right to serve these games. Where another server has it, whoever wants nothing particular is led to that one's page."""
    try:
        return ServerLock(database)
    except AlreadyServed as taken:
        if particular or not taken.address:
            raise
        say(f"mnkala is running already, at {taken.address}  (games are kept in {database})")
        if browser and has_screen():
            webbrowser.open(taken.address)
        return None


def give_memory_back() -> None:
    """Have the tables and buffers of a search go back to the system when it is over. To be called
    before threads are started.

    glibc gives nearly every thread a heap of its own, and once a large block was freed the next
    ones of up to 32 MB come from these heaps. With thirty threads whose searches come and go,
    two thirds of what the heaps held was free, but lay between what was not.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):  # another library for C
            set_option = ctypes.CDLL(None).mallopt
            set_option(MMAP_THRESHOLD, LARGE_BLOCK)
            set_option(ARENA_MAX, MOST_HEAPS)


class Server(uvicorn.Server):
    """Stops the engines before it waits for the requests that wait for them."""

    def __init__(self, config: uvicorn.Config, games: LiveGames) -> None:
        super().__init__(config)
        self.games = games

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Called once, when the server was asked to end."""
        self.games.stop_work()
        await super().shutdown(sockets)


def has_screen() -> bool:
    """Whether a browser with windows can be opened. Without a screen Python would take a text browser, in this very terminal."""
    return sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"))
