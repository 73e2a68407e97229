"""Sockets that a server listens on: on which port, and who can reach them."""

from __future__ import annotations

import ipaddress
import socket
import sys
from collections.abc import Sequence

from mnkala.errors import MnkalaError

LOOPBACK = "127.0.0.1"
BACKLOG = 1024


def is_loopback(host: str) -> bool:
    """Whether only this computer reaches a host name or address."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def listen(host: str, ports: Sequence[int]) -> socket.socket:
    """Open a listening socket on the first of these ports that is free; port 0 is any free one.
    Raises MnkalaError if there is none."""
    if not host:
        raise MnkalaError(
            "--host is empty; it takes an address, such as 127.0.0.1, or 0.0.0.0 for the whole network"
        )
    for port in ports:
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            # With the protocol named, asyncio switches Nagle's algorithm off; else every answer
            # would wait 40 ms for a receipt.
            made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
            if sys.platform != "win32":
                made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            made.bind((host, port))
            made.listen(BACKLOG)
            made.setblocking(False)
        except (
            OSError,
            OverflowError,
            TypeError,
            UnicodeError,
        ) as error:  # the last two: no name at all
            made.close()
            if (
                len(ports) == 1
                or not isinstance(error, OSError)
                or isinstance(error, socket.gaierror)
            ):
                raise MnkalaError(
                    f"cannot listen on {host} port {port}: {getattr(error, 'strerror', None) or error}"
                ) from error
            continue
        return made
    raise MnkalaError(f"no port of {host} is free")
