"""The table of the network that helps to order moves (`shallow_search`): how it is laid out, and where it is kept."""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np

from mnkala.native.objects import IntArray, WordArray

HOUSES = 6
"""Boards of so many houses have a network."""
MOST_SEEDS, MOST_TURNS, MOST_CAPTURED = 13, 11, 15
"""More in a house, in a chain of extra turns or in a capture count as many."""
TURNS, CAPTURED = 2 * HOUSES * (MOST_SEEDS + 1), 2 * HOUSES * (MOST_SEEDS + 1) + MOST_TURNS + 1
OF_OTHER = MOST_TURNS + 1 + MOST_CAPTURED + 1
ROWS = TURNS + 2 * OF_OTHER
"""Rows of the table: a house with a number of seeds, the mover's houses first; the mover's chain and capture; those of the other."""
UNITS, LANES, LANE = 32, 4, 16
WORDS = UNITS // LANES
"""Units, the last of them linear; units a word, and bits of one; words of a row."""
SIGHTS = 2 * HOUSES + 4
ZERO_LINE = 1 << 11
"""What stands for zero in an entry of twelve bits."""
UNIT, OUTPUT, LINEAR = 512, 1600, 128
"""An entry of a rectifier is in parts of 1 / UNIT; its weight tells hundredths of a seed, in sixteenths; an entry of the linear part is in
parts of a seed."""
FILE = Path(__file__).with_name("data") / "network.npz"


@functools.cache
def load_network(houses: int, standard: bool) -> tuple[WordArray, IntArray]:
    """The table and the weights of the units for a board, both empty where there are none."""
    if houses != HOUSES:
        return np.zeros(0, np.uint64), np.zeros(0, np.int64)
    with np.load(FILE, allow_pickle=False) as file:
        rule = "standard" if standard else "empty"
        return file[f"{rule}-table"].astype(np.uint64), file[f"{rule}-weights"].astype(np.int64)
