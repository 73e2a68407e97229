"""Finds the openings that our engines put on the board by Swap2: three stones near a corner after
which a search thinks the game most even.

`python -m bench.swap2_openings [ENGINE]` tries random triples within the corner, looks longer at
the best of them, and prints those that stay within two in a hundred of even and that either side
wins now and then when the engine plays itself, for `OPENINGS` in `mnkala/families/lines/swap2.py`.
"""

from __future__ import annotations

import dataclasses
import itertools
import random
import sys

from mnkala import Engine, Limit, Position, parse_engine
from mnkala.arena.openings import is_contested
from mnkala.families.lines.rules import Mnk, code_at
from mnkala.families.lines.swap2 import chance_of

CORNER, TRIED, LOOKED_AT, SHOWN = 5, 120, 24, 8
GLANCE, LOOK = Limit(nodes=60_000), Limit(nodes=1_000_000)
EVEN = 0.02
Stones = tuple[tuple[int, int], ...]


def position_after(stones: Stones) -> Position:
    """The board with the three stones."""
    rules = Mnk(15, 15, 5, False)
    return Position(rules).play_codes(code_at(rules, x, y) for x, y in stones)


def unevenness(stones: Stones, engine: Engine, limit: Limit) -> float:
    """How far from even the game is after these stones."""
    return abs(
        chance_of(dataclasses.replace(engine, limit=limit).analyse(position_after(stones))) - 0.5
    )


def main() -> None:
    engine = parse_engine(sys.argv[1] if len(sys.argv) > 1 else "threats")
    rng = random.Random(1)
    cells = [(x, y) for x in range(CORNER) for y in range(CORNER)]
    triples = {tuple(rng.sample(cells, 3)) for _ in range(TRIED)}
    glanced = sorted(triples, key=lambda stones: (unevenness(stones, engine, GLANCE), stones))[
        :LOOKED_AT
    ]
    looked = sorted((unevenness(stones, engine, LOOK), stones) for stones in glanced)
    contested = (
        pair for pair in looked if pair[0] < EVEN and is_contested(position_after(pair[1]), engine)
    )
    for distance, stones in itertools.islice(contested, SHOWN):
        print(f"{stones},  # {distance:.3f}", flush=True)


if __name__ == "__main__":
    main()
