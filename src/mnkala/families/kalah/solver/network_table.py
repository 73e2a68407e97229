"""The table of the network that helps the move ordering (`shallow_search.py`): its layout, and the
files that hold it."""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np

from mnkala.native.objects import IntArray, WordArray

HOUSES = 6
"""The number of houses of the boards that have a network."""
MOST_SEEDS, MOST_TURNS, MOST_CAPTURED = 13, 11, 15
"""The largest numbers of seeds in a house, extra turns in a chain and captured seeds that are
distinguished; more count as many."""
TURNS, CAPTURED = 2 * HOUSES * (MOST_SEEDS + 1), 2 * HOUSES * (MOST_SEEDS + 1) + MOST_TURNS + 1
OF_OTHER = MOST_TURNS + 1 + MOST_CAPTURED + 1
ROWS = TURNS + 2 * OF_OTHER
"""The number of rows: a house with a number of seeds, the mover's houses first; the mover's chain
and capture; those of the other."""
UNITS, LANES, LANE = 32, 4, 16
WORDS = UNITS // LANES
"""Units in all, of which the last is linear; units in a word; bits of a unit; words in a row."""
SIGHTS = 2 * HOUSES + 4
ZERO_LINE = 1 << 11
"""The value that represents zero in an entry of twelve bits."""
UNIT, OUTPUT, LINEAR = 512, 1600, 128
"""Units of the table: an entry of a rectifier counts 1 / UNIT; its weight is in hundredths of a
seed, in sixteenths; an entry of the linear part is in parts of a seed."""
FILE = Path(__file__).with_name("data") / "network.npz"


@functools.cache
def load_network(houses: int, standard: bool) -> tuple[WordArray, IntArray]:
    """Load the table and the weights of the units for a board, both empty where there are none."""
    if houses != HOUSES:
        return np.zeros(0, np.uint64), np.zeros(0, np.int64)
    with np.load(FILE, allow_pickle=False) as file:
        rule = "standard" if standard else "empty"
        return file[f"{rule}-table"].astype(np.uint64), file[f"{rule}-weights"].astype(np.int64)
