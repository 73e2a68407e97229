"""What was measured, as rows of a table for people and of a JSON object for programs."""

from __future__ import annotations

import dataclasses
import importlib.metadata
import platform
import statistics
from collections.abc import Sequence
from typing import Any, Literal

PEERS = ("numba", "numpy", "scipy", "cyclopts", "open_spiel", "easyAI", "bitbully")
"""Packages whose versions belong to the figures; SciPy because Numba imports it where it is
installed.
"""

Direction = Literal["ours/peer", "peer/ours"]


@dataclasses.dataclass(frozen=True)
class Target:
    """What a ratio should be."""

    sign: Literal[">=", "<="]
    value: float

    def met_by(self, ratio: float) -> bool:
        """Whether a ratio is good enough."""
        return ratio >= self.value if self.sign == ">=" else ratio <= self.value

    def __str__(self) -> str:
        return f"{self.sign} {self.value:g}"


@dataclasses.dataclass(frozen=True)
class Row:
    """One figure: ours alone, or beside a peer's, with the ratio as its median and spread over the
    rounds.
    """

    what: str
    unit: str = ""
    ours: float | None = None
    peer: float | None = None
    ratio: float | None = None
    lowest: float | None = None
    highest: float | None = None
    target: Target | None = None
    note: str = ""
    """Why a row is empty, or what else to know."""

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None without a target or without a measurement."""
        return None if self.target is None or self.ratio is None else self.target.met_by(self.ratio)

    def to_json(self) -> dict[str, Any]:
        """The row as a JSON object."""
        return dataclasses.asdict(self) | {
            "target": str(self.target) if self.target else None,
            "met": self.met,
        }


def compared(
    what: str,
    unit: str,
    pairs: Sequence[tuple[float, float]],
    direction: Direction,
    target: Target | None = None,
    note: str = "",
) -> Row:
    """A row from the rounds of two contestants. Ratios are taken within each round; medians need
    not divide to theirs.
    """
    ratios = [ours / peer if direction == "ours/peer" else peer / ours for ours, peer in pairs]
    ours, peer = (statistics.median(figures) for figures in zip(*pairs, strict=True))
    return Row(
        what, unit, ours, peer, statistics.median(ratios), min(ratios), max(ratios), target, note
    )


def alone(what: str, unit: str, figures: Sequence[float], note: str = "") -> Row:
    """A row without a peer: the median, and its spread in the note."""
    spread = f"{_number(min(figures))} to {_number(max(figures))}"
    return Row(what, unit, statistics.median(figures), note=f"{note}; {spread}" if note else spread)


def skipped(what: str, reason: str, target: Target | None = None) -> Row:
    """A row for what could not be measured here."""
    return Row(what, target=target, note=f"skipped: {reason}")


def not_installed(what: str, package: str, target: Target | None = None) -> Row:
    """A row for a peer that is missing."""
    return skipped(what, f"{package} is not installed", target)


def table(rows: Sequence[Row]) -> str:
    """The rows for people."""
    lines = [
        ("what", "unit", "ours", "peer", "ratio", "spread", "target", "met", "note"),
        *(_cells(row) for row in rows),
    ]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    lines.insert(1, tuple("-" * width for width in widths))
    left = (0, 1, 8)
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column in left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def to_json(rows: Sequence[Row]) -> dict[str, Any]:
    """The rows and what they were measured with."""
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "versions": versions(),
        "rows": [row.to_json() for row in rows],
    }


def versions() -> dict[str, str | None]:
    """The versions of the packages that matter to the figures; None for one that is not installed."""
    return {name: _version(name) for name in PEERS}


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _cells(row: Row) -> tuple[str, ...]:
    spread = (
        ""
        if row.lowest is None or row.highest is None
        else f"{_number(row.lowest)} to {_number(row.highest)}"
    )
    met = {None: "", True: "yes", False: "no"}[row.met]
    return (
        row.what,
        row.unit,
        _number(row.ours),
        _number(row.peer),
        _number(row.ratio),
        spread,
        str(row.target or ""),
        met,
        row.note,
    )


def _number(value: float | None) -> str:
    """Three digits that matter."""
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
