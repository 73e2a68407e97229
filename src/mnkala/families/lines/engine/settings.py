"""The numbers that steer the search, in one array, so that a tuner can vary them without compiling anything."""

from __future__ import annotations

import dataclasses

import numpy as np

from mnkala.errors import BadEngine
from mnkala.families.lines.engine.vcf import MOST_FOURS
from mnkala.native.objects import IntArray
from mnkala.numbers import read_whole, shortened
from mnkala.suggestions import unknown

LARGEST = 1_000_000
"""No setting needs to be larger, and sums and products of so large ones are still small numbers."""
LIMITS = {"leaf_fours": (0, MOST_FOURS), "width": (1, LARGEST)}
"""The least and the most, where it is not 0 and LARGEST: a search for fours has room for so many, and a position needs a move."""

TUNED = {"leaf_fours": (2, 30), "leaf_nodes": (8, 256), "inner_nodes": (0, 128), "width": (4, 40), "width_a_ply": (0, 16), "late": (1, 10),
         "reduction": (0, 100), "danger_plies": (0, 10)}
"""What is tuned unless others are named, and what within."""


@dataclasses.dataclass(frozen=True)
class Settings:
    """What steers a search; the order of the fields is that of the constants below."""

    leaf_fours: int = 12
    """Attacker's moves of the longest victory by fours that is looked for at the horizon."""
    leaf_nodes: int = 64
    """Nodes of that search."""
    inner_nodes: int = 32
    """The same in front of the horizon; 0 for none."""
    width: int = 10
    """Moves that are looked at one ply in front of the horizon, …"""
    width_a_ply: int = 4
    """… and so many more for each ply."""
    late: int = 3
    """Moves that are searched in full; later ones are searched less deep …"""
    reduction: int = 45
    """… by ln(number of the move) * ln(depth) * this / 100 plies."""
    danger_plies: int = 4
    """Plies beyond the horizon in which an open three is answered."""
    margin: int = 300
    """Near the horizon a position is not searched if the evaluation is out of the window by this for each ply that is left, …"""
    shallow: int = 3
    """… from so many plies on."""

    def __post_init__(self) -> None:
        for name, value in dataclasses.asdict(self).items():
            least, most = LIMITS.get(name, (0, LARGEST))
            if not least <= value <= most:
                raise BadEngine(f"tuning={name}:{value}; {name} is {least:,} to {most:,}")

    def array(self) -> IntArray:
        """The numbers as compiled code reads them."""
        return np.array(dataclasses.astuple(self), dtype=np.int64)


def read_settings(text: str) -> Settings:
    """The settings that `late:4+width:20` names; `auto` for the usual ones."""
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
            raise BadEngine(f"tuning={shortened(word)}; {name} takes a whole number: {error}") from None
    return Settings(**changed)


LEAF_FOURS, LEAF_NODES, INNER_NODES, WIDTH, WIDTH_A_PLY, LATE, REDUCTION, DANGER_PLIES, MARGIN, SHALLOW = range(10)
"""Places in the array."""
