"""Where others can reach this server, and by which names a browser may address it.

The addresses of this computer are listed with the likeliest first, and a link can be shown as a
QR code. Nothing is sent anywhere: the system is asked which addresses it has, and from which of
them it would reach the internet.

A page of another site can point a name of its own at this computer and so pass for our page (DNS
rebinding): a browser then sends that name as Host. So the allowed names are listed. An address
cannot be redirected in this way, so on a network every address is accepted.
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import ipaddress
import re
import socket
from collections.abc import Iterable, Sequence
from typing import Protocol

import ifaddr
import segno

from mnkala.errors import MnkalaError
from mnkala.listening import listen

HEADER = re.compile(r"(\[[0-9a-f:.]+\]|[^\s:/@\[\]]+)(?::[0-9]{1,5})?")
"""The form of the header Host: a name, an address, or an IPv6 address in brackets, optionally
with a port."""
NAME = re.compile(r"[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?")


@dataclasses.dataclass(frozen=True)
class Hosts:
    """The names that a server answers to."""

    names: tuple[str, ...]
    """The accepted host names, in lower case."""
    addresses: bool
    """Whether any IP address is accepted as well."""
    bound: str
    """The address on which the server listens."""

    def __contains__(self, host: str) -> bool:
        """Whether the value of the header Host is accepted."""
        found = HEADER.fullmatch(host.lower())
        if found is None:
            return False
        name = found[1].removesuffix(".")
        return name in self.names or (self.addresses and _is_address(name.strip("[]")))

    def __str__(self) -> str:
        return ", ".join(self.names) + (" and any address" if self.addresses else "")


LOOPBACK = Hosts(("localhost", "127.0.0.1", "[::1]"), addresses=False, bound="127.0.0.1")


def hosts_of(bound: str, loopback: bool, allowed: Sequence[str] = ()) -> Hosts:
    """The names accepted by a server that listens on `bound`: this computer's own names, the
    `allowed` ones and, on a network, addresses."""
    for name in allowed:
        if not NAME.fullmatch(name.lower()) and not _is_address(name.strip("[]")):
            raise MnkalaError(
                f"--allow-host {name[:60]}; a host is a name such as games.example.org, without scheme, port or path"
            )
    own = [*LOOPBACK.names, f"[{bound}]" if ":" in bound else bound]
    if not loopback:
        host = socket.gethostname()
        own += [host, f"{host.partition('.')[0]}.local"]
    names = dict.fromkeys(
        name.lower() for name in (*own, *allowed) if name not in ("0.0.0.0", "[::]")
    )
    return Hosts(tuple(names), addresses=not loopback, bound=bound)


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


class Door(Protocol):
    """The running server, as far as it can listen to the network as well."""

    async def open_door(self, listening: list[socket.socket]) -> None:
        """Also serve those who connect to these sockets, until `close_door`."""

    def close_door(self) -> None:
        """Stop listening to the network and disconnect those who came from there, so that only this
        computer is served."""


@dataclasses.dataclass
class Network:
    """Who can reach the server. One that was started for this computer alone can be opened to the
    home network by a person at this computer, and closed again."""

    loopback: bool
    """Whether it was started for this computer alone."""
    own: Hosts = LOOPBACK
    """The names that it was started with."""
    door: Door | None = None
    opened_by: str | None = None
    """The person who has opened it; None while it is as it was started."""

    @property
    def hosts(self) -> Hosts:
        """The names that it answers to now."""
        return self.own if self.opened_by is None else hosts_of(EVERY_ADDRESS[0], False)

    @property
    def can_be_opened(self) -> bool:
        """Whether a button may open it: not behind a proxy, which has a name of its own."""
        return self.loopback and self.door is not None and {*self.own.names} <= {*LOOPBACK.names}

    def is_here(self, person: str) -> bool:
        """Whether a person counts as sitting at this computer: everybody where nobody else can
        reach it, otherwise only the one who opened it."""
        return self.loopback and self.opened_by in (None, person)

    def links(self, port: int) -> list[str]:
        """The links by which others can reach the page now."""
        if self.opened_by is not None:
            return addresses_of(EVERY_ADDRESS[0], port)
        return [] if self.loopback else addresses_of(self.own.bound, port)

    async def open(self, person: str, port: int) -> None:
        """Listen on every network address of this computer; `person` is who asked for it."""
        listening = []
        for link in addresses_of(EVERY_ADDRESS[0], port):
            with contextlib.suppress(MnkalaError):
                listening.append(listen(link.split("//")[1].rsplit(":", 1)[0], [port]))
        if not listening or self.door is None:
            raise MnkalaError(
                "this computer is on no network that others can join", "error.no_network"
            )
        await self.door.open_door(listening)
        self.opened_by = person

    def close(self) -> None:
        """Serve only this computer again."""
        if self.door is not None:
            self.door.close_door()
        self.opened_by = None


COMMAND = "mnkala web --host 0.0.0.0"
EVERY_ADDRESS = ("0.0.0.0", "::")
"""The addresses that mean listening on all networks, by IPv4 alone and by both protocols."""
ELSEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses reserved for documentation, which nobody has: only the route to them is looked up."""
MOST = 8
VIRTUAL = re.compile(
    r"docker|br-|veth|virbr|vmnet|vboxnet|lxc|cni|flannel|vethernet|virtualbox|vmware",
    re.IGNORECASE,
)
"""Networks between this computer and virtual machines on it."""
QUIET_ZONE = 4
"""The white modules around a QR code that its standard demands."""


def addresses_of(bound: str, port: int) -> list[str]:
    """The links by which others reach a server that listens on `bound`, IPv4 first."""
    hosts = plausible(_addresses(), _outgoing()) if bound in EVERY_ADDRESS else [bound]
    return [
        f"http://{f'[{host}]' if ':' in host else host}:{port}/"
        for host in hosts
        if bound == "::" or ":" not in host or host == bound
    ]


def plausible(found: Iterable[tuple[str, str]], outgoing: Iterable[str]) -> list[str]:
    """The addresses (network, address) that another device may reach: IPv4 first, and within
    each kind the outgoing one first."""
    likely = list(
        dict.fromkeys([*outgoing, *(address for name, address in found if not VIRTUAL.match(name))])
    )
    known = [
        address
        for address in map(ipaddress.ip_address, likely)
        if not (
            address.is_loopback
            or address.is_link_local
            or address.is_multicast
            or address.is_unspecified
        )
    ]
    return [str(address) for address in sorted(known, key=lambda address: address.version)][:MOST]


def _addresses() -> list[tuple[str, str]]:
    with contextlib.suppress(OSError):
        return [
            (adapter.nice_name, address.ip if isinstance(address.ip, str) else address.ip[0])
            for adapter in ifaddr.get_adapters()
            for address in adapter.ips
        ]
    return []


def _outgoing() -> list[str]:
    """The addresses from which the system would reach the internet."""
    found = []
    for family, elsewhere in ELSEWHERE.items():
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
            asking.connect((elsewhere, 9))
            found.append(str(asking.getsockname()[0]))
    return found


def qr_code(text: str) -> bytes:
    """A QR code as SVG: black on white in every theme, as cameras want it."""
    data = io.BytesIO()
    code = segno.make(text, error="m", micro=False)
    code.save(
        data, kind="svg", border=QUIET_ZONE, dark="#000", light="#fff", omitsize=True, xmldecl=False
    )
    return data.getvalue()
