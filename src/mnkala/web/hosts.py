"""By which names a browser may call the server.

A page of another site can point a name of its own at this computer and so pass for our page (DNS rebinding): a browser then sends that
name as Host. So names are listed. An address cannot be pointed anywhere, so on a network every address is fine.
"""

from __future__ import annotations

import dataclasses
import ipaddress
import re
import socket
from collections.abc import Sequence

from mnkala.errors import MnkalaError

HEADER = re.compile(r"(\[[0-9a-f:.]+\]|[^\s:/@\[\]]+)(?::[0-9]{1,5})?")
"""The header Host: a name, an address, or an IPv6 address in brackets, and perhaps a port."""
NAME = re.compile(r"[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?")


@dataclasses.dataclass(frozen=True)
class Hosts:
    """The names that a server answers to."""

    names: tuple[str, ...]
    """In small letters."""
    addresses: bool
    """Whether any address will do as well."""
    bound: str
    """What the server listens on."""

    def __contains__(self, host: str) -> bool:
        """Whether the header Host names one of them."""
        found = HEADER.fullmatch(host.lower())
        if found is None:
            return False
        name = found[1].removesuffix(".")
        return name in self.names or (self.addresses and _is_address(name.strip("[]")))

    def __str__(self) -> str:
        return ", ".join(self.names) + (" and any address" if self.addresses else "")


LOOPBACK = Hosts(("localhost", "127.0.0.1", "[::1]"), addresses=False, bound="127.0.0.1")


def hosts_of(bound: str, loopback: bool, allowed: Sequence[str] = ()) -> Hosts:
    """What a server that listens on `bound` answers to: this computer's own names, the `allowed` ones and, on a network, addresses."""
    for name in allowed:
        if not NAME.fullmatch(name.lower()) and not _is_address(name.strip("[]")):
            raise MnkalaError(f"--allow-host {name[:60]}; a host is a name such as games.example.org, without scheme, port or path")
    own = [*LOOPBACK.names, f"[{bound}]" if ":" in bound else bound]
    if not loopback:
        host = socket.gethostname()
        own += [host, f"{host.partition('.')[0]}.local"]
    names = dict.fromkeys(name.lower() for name in (*own, *allowed) if name not in ("0.0.0.0", "[::]"))
    return Hosts(tuple(names), addresses=not loopback, bound=bound)


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
