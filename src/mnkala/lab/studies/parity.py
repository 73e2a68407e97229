"""Whether alpha-beta prunes better at even or at odd depths, which report 002 leaves open."""

from __future__ import annotations

import functools
import itertools
import math

from mnkala.core import Position, Rules
from mnkala.lab.positions import answer, nodes_by_depth, position_of
from mnkala.lab.registry import Row, measure
from mnkala.search import Limit

UNPRUNED = "minimax:heuristic=nothing,depth={depth},candidates={candidates}"
"""How many nodes there are does not depend on the heuristic, so the cheapest counts them."""

OTHER_HEURISTIC = {"connect": "zero-sum", "mnk": "criticality", "kalah": "stores"}
"""For each family a heuristic other than the game's own choice, so that an answer does not hang on one of them."""

LISTED, SORTED, LEARNT = "as listed", "by heuristic", "deepening"
ORDERINGS = (LISTED, SORTED, LEARNT)
"""How moves are tried: in the order of the rules; best first by the heuristic, at every node; and as iterative deepening learns it
from its table, killer moves and history."""


@measure("parity", version=1)
def parity(game: str, heuristic: str, deepest: int, seed: int, plies: int = 4) -> list[Row]:
    """Nodes at every depth with and without pruning, in several orders of the moves, from one random position.

    `heuristic` is `usual` (the game's own), `other` (see OTHER_HEURISTIC) or a name.
    """
    position = position_of(game, plies, seed)
    name = _heuristic(position.rules, heuristic)
    unpruned = [_unpruned(game, plies, seed, depth) for depth in range(1, deepest + 1)]
    rows: list[Row] = []
    for ordering in ORDERINGS:
        counts = _pruned(position, name, ordering, deepest)
        if len(counts) < deepest:  # Deepening proved the result and stopped: there is nothing to compare at the larger depths.
            continue
        ratios = [full / nodes for full, nodes in zip(unpruned, counts, strict=True)]
        rows += [{"ordering": ordering, "depth": depth, "parity": "odd" if depth % 2 else "even", "unpruned": unpruned[depth - 1],
                  "pruned": counts[depth - 1], "ratio": ratios[depth - 1], "surplus": _surplus(ratios, depth)}
                 for depth in range(1, deepest + 1)]
    return rows


def _surplus(ratios: list[float], depth: int) -> float | None:
    """How many times more a depth saves than the (geometric) mean of the depths before and after it, which are of the other parity."""
    if not 1 < depth < len(ratios):
        return None
    before, here, after = ratios[depth - 2 : depth + 1]
    return here / math.sqrt(before * after)


def _heuristic(rules: Rules, heuristic: str) -> str:
    if heuristic == "usual":
        return rules.heuristic
    return OTHER_HEURISTIC.get(rules.name, "nothing") if heuristic == "other" else heuristic


@functools.lru_cache(maxsize=4096)
def _unpruned(game: str, plies: int, seed: int, depth: int) -> int:
    """Kept, because one worker often gets the same position again for another heuristic."""
    position = position_of(game, plies, seed)
    return answer(UNPRUNED.format(depth=depth, candidates=position.rules.candidates()), position).nodes


def _pruned(position: Position, heuristic: str, ordering: str, deepest: int) -> list[int]:
    """Nodes of the searches to depth 1, 2, …, all over the same candidates."""
    if ordering == LEARNT:
        totals = [0, *nodes_by_depth(f"deepening:heuristic={heuristic}", position, Limit(depth=deepest))]
        return [after - before for before, after in itertools.pairwise(totals)]
    if ordering == LISTED:
        return [answer(f"alphabeta:depth={depth},heuristic={heuristic}", position).nodes for depth in range(1, deepest + 1)]
    # Report 001's player, told to keep all moves and to sort them, is alpha-beta ordered by the heuristic. It does not count the root.
    engine = f"budget:select=sort,q={position.rules.most_moves()},candidates={position.rules.candidates()},heuristic={heuristic}"
    return [1 + answer(f"{engine},depth={depth}", position).nodes for depth in range(1, deepest + 1)]
