"""Where others reach this server: the addresses of this computer in its networks, the likeliest first; and a QR code of a link.

Nothing is sent anywhere: the system is asked which addresses it has, and from which of them it would speak to the world.
"""

from __future__ import annotations

import contextlib
import io
import ipaddress
import re
import socket
from collections.abc import Iterable

import ifaddr
import segno

COMMAND = "mnkala web --host 0.0.0.0"
EVERY_ADDRESS = ("0.0.0.0", "::")
"""What a server listens on that is open to all networks, by IPv4 and by both."""
ELSEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses for documentation, which nobody has: only the way to them is looked up."""
MOST = 8
VIRTUAL = re.compile(r"docker|br-|veth|virbr|vmnet|vboxnet|lxc|cni|flannel|vethernet|virtualbox|vmware", re.IGNORECASE)
"""Networks between this computer and machines within it."""
QUIET_ZONE = 4
"""White modules around a QR code, which its standard asks for."""


def addresses_of(bound: str, port: int) -> list[str]:
    """The addresses by which others reach a server that listens on `bound`, as links: IPv4 first."""
    hosts = plausible(_addresses(), _outgoing()) if bound in EVERY_ADDRESS else [bound]
    return [f"http://{f'[{host}]' if ':' in host else host}:{port}/" for host in hosts if bound == "::" or ":" not in host or host == bound]


def plausible(found: Iterable[tuple[str, str]], outgoing: Iterable[str]) -> list[str]:
    """Those of the addresses (network, address) that another device may know: IPv4 first, of each kind the outgoing one first."""
    likely = list(dict.fromkeys([*outgoing, *(address for name, address in found if not VIRTUAL.match(name))]))
    known = [address for address in map(ipaddress.ip_address, likely)
             if not (address.is_loopback or address.is_link_local or address.is_multicast or address.is_unspecified)]
    return [str(address) for address in sorted(known, key=lambda address: address.version)][:MOST]


def _addresses() -> list[tuple[str, str]]:
    with contextlib.suppress(OSError):
        return [(adapter.nice_name, address.ip if isinstance(address.ip, str) else address.ip[0])
                for adapter in ifaddr.get_adapters() for address in adapter.ips]
    return []


def _outgoing() -> list[str]:
    """From which addresses the system would speak to the world."""
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
    code.save(data, kind="svg", border=QUIET_ZONE, dark="#000", light="#fff", omitsize=True, xmldecl=False)
    return data.getvalue()
