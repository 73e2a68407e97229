"""The numbers that steer the search, in one array, so that a tuner can vary them without compiling
anything.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from mnkala.errors import BadEngine, unknown
from mnkala.families.lines.engine.vcf import MOST_FOURS
from mnkala.native.objects import IntArray
from mnkala.numbers import read_whole, shortened

LARGEST = 1_000_000
"""The largest value of a setting. No setting needs more, and sums and products of such values are
still small numbers."""
LIMITS = {"leaf_fours": (0, MOST_FOURS), "width": (1, LARGEST)}
"""The smallest and the largest value of settings for which they are not 0 and LARGEST: a search for
fours has room for so many, and a position needs a move."""

TUNED = {
    "leaf_fours": (2, 30),
    "leaf_nodes": (8, 256),
    "inner_nodes": (0, 128),
    "width": (4, 40),
    "width_a_ply": (0, 16),
    "late": (1, 10),
    "reduction": (0, 100),
    "danger_plies": (0, 10),
}
"""The settings that are tuned by default, with their ranges."""


@dataclasses.dataclass(frozen=True)
class Settings:
    """The settings of the search, in the order of the constants below."""

    leaf_fours: int = 12
    """The attacker's moves in the longest victory by fours that is looked for at the horizon."""
    leaf_nodes: int = 64
    """The nodes of that search at the horizon."""
    inner_nodes: int = 32
    """The nodes of that search before the horizon; 0 for none."""
    width: int = 10
    """The number of moves tried one ply before the horizon."""
    width_a_ply: int = 4
    """By how many moves the width grows with each ply before that."""
    late: int = 3
    """The number of moves that are searched to full depth."""
    reduction: int = 45
    """Later moves are searched less deep by ln(number of the move) * ln(depth) * this / 100 plies."""
    danger_plies: int = 4
    """The plies beyond the horizon in which an open three is answered."""
    margin: int = 300
    """Near the horizon a position is not searched if the evaluation lies outside the window by this
    for each remaining ply."""
    shallow: int = 3
    """The number of plies before the horizon at which that begins."""

    def __post_init__(self) -> None:
        for name, value in dataclasses.asdict(self).items():
            least, most = LIMITS.get(name, (0, LARGEST))
            if not least <= value <= most:
                raise BadEngine(f"tuning={name}:{value}; {name} is {least:,} to {most:,}")

    def array(self) -> IntArray:
        """The settings as an array for compiled code."""
        return np.array(dataclasses.astuple(self), dtype=np.int64)


def read_settings(text: str) -> Settings:
    """Read settings such as `late:4+width:20`; `auto` means the usual ones."""
    if text == "auto":
        return Settings()
    known = [field.name for field in dataclasses.fields(Settings)]
    changed = {}
    for word in text.split("+"):
        name, _, value = word.partition(":")
        if name not in known:
            raise BadEngine(f"tuning={shortened(word)}; {unknown('setting', name, known)}")
        try:
            changed[name] = read_whole(value)
        except ValueError as error:
            raise BadEngine(
                f"tuning={shortened(word)}; {name} takes a whole number: {error}"
            ) from None
    return Settings(**changed)


(
    LEAF_FOURS,
    LEAF_NODES,
    INNER_NODES,
    WIDTH,
    WIDTH_A_PLY,
    LATE,
    REDUCTION,
    DANGER_PLIES,
    MARGIN,
    SHALLOW,
) = range(10)
"""Indices into the array of settings."""
