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

PLY = 4
"""Depths are counted in quarters of a ply."""
MOST_HISTORY, MOST_BONUS = 1 << 14, 1 << 13
"""The largest history of a move, and the most that one cut-off adds to it."""
LARGEST = 1_000_000
"""The largest value of a setting. No setting needs more, and sums and products of such values are
still small numbers."""
LIMITS = {
    "leaf_fours": (0, MOST_FOURS),
    "width": (1, LARGEST),
    "width_power": (0, 400),
    "singular_share": (0, 100),
}
"""The smallest and the largest value of settings for which they are not 0 and LARGEST: a search for
fours has room for so many, a position needs a move, the number of moves has to fit in a word, and
the search for a singular move is not deeper than the one that asks for it."""

TUNED = {
    "leaf_fours": (2, 30),
    "leaf_nodes": (8, 256),
    "inner_nodes": (0, 128),
    "width": (2, 12),
    "width_power": (50, 250),
    "late": (1, 10),
    "reduction": (0, 200),
    "danger_plies": (0, 10),
    "margin": (50, 500),
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
    width: int = 6
    """The number of moves tried, to which the depth in plies to a power is added."""
    width_power: int = 150
    """That power, in hundredths."""
    not_improving_width: int = 70
    """The share of these moves, in hundredths, that is tried where the evaluation has not risen in two
    plies."""
    late: int = 2
    """The number of moves that are searched to full depth."""
    reduction: int = 70
    """Later moves are searched less deep by ln(number of the move) * ln(depth) * this / 100 plies,"""
    not_improving: int = 2
    """by so many quarters of a ply more where the evaluation has not risen,"""
    cut: int = 4
    """and where a move is expected to exceed the window, unless it is a killer,"""
    wide: int = 2
    """and by so many less where the window is open."""
    danger_plies: int = 4
    """The plies beyond the horizon in which an open three is answered."""
    margin: int = 240
    """A position is not searched if the evaluation exceeds the window by this for each remaining ply,
    of which one is not counted where the evaluation has risen."""
    razor: int = 200
    """Near the horizon it is not searched if the evaluation falls short by this for each remaining ply."""
    shallow: int = 2
    """The number of plies before the horizon at which that begins."""
    no_entry: int = 1
    """With an open window a position is searched so many quarters of a ply less deep if the table has
    no move for it,"""
    old_entry: int = 28
    """and else by this share, in hundredths, of the difference to the depth in the table,"""
    most_old: int = 14
    """but by no more quarters of a ply than this."""
    singular: int = 26
    """The least depth, in quarters of a ply, at which the table's move may be extended."""
    singular_margin: int = 3
    """By how much for each ply the other moves must fall short of its value."""
    singular_share: int = 46
    """The depth of the search that shows it, as a share in hundredths."""
    not_singular: int = 6
    """The quarters of a ply by which the move is searched less deep if others seem good enough too."""
    bonus: int = 32
    """What a cut-off adds to the history of its move for each square of a ply."""
    history_weight: int = 128
    """What the largest history counts in the order of moves."""

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
    WIDTH_POWER,
    NOT_IMPROVING_WIDTH,
    LATE,
    REDUCTION,
    NOT_IMPROVING,
    CUT,
    WIDE,
    DANGER_PLIES,
    MARGIN,
    RAZOR,
    SHALLOW,
    NO_ENTRY,
    OLD_ENTRY,
    MOST_OLD,
    SINGULAR,
    SINGULAR_MARGIN,
    SINGULAR_SHARE,
    NOT_SINGULAR,
    BONUS,
    HISTORY_WEIGHT,
) = range(24)
"""Indices into the array of settings."""
