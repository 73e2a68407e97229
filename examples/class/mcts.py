"""Exercise 3: Monte-Carlo tree search with UCT."""

import random

from mnkala import Position


def mcts(position: Position, iterations: int, rng: random.Random) -> str:
    """The most visited move after `iterations` rounds of selection, expansion, playout and backing
    up.

    Take all random numbers from `rng`, so that the same generator gives the same move again.
    """
    return rng.choice(position.legal_moves)  # legal, but naive: a search without a tree
