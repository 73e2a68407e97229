"""What one client, and all clients together, can make a KGP server do. Each bound is told to whoever meets it."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Limits:
    """The bounds of a server, beside those of a line (`line.py`) and of a connection (`link.py`)."""

    connections: int = 200
    """At a time."""
    names: int = 10_000
    """Players whose results are kept; nobody else is let in then."""
    bad_lines: int = 100
    """Lines of one client that cannot be read or are not understood; the connection ends with the next."""
    mode_seconds: float = 30.0
    """How long a client may take to choose its mode."""
    silence_seconds: float = 20.0
    """After so long without a line a client is pinged, and after as long again it is given up."""
    games_at_once: int = 64
    """The most that `--at-once` takes."""


USUAL = Limits()
