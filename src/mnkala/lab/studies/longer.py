"""What thinking longer buys: the Elo of twice the nodes for each search, and of one ply more for
each heuristic.

Since Nau (1979) it is known that deeper search can play worse in some games, and since Thompson
(1982) that in others each doubling is worth about the same. Both are asked here of every family, by
matches of a search against itself.
"""

from __future__ import annotations

import math
from statistics import fmean

from mnkala.arena.sprt import elo_of_share
from mnkala.lab.judging import Sentences, grouped, having, result_of, slope_interval, verdict
from mnkala.lab.measuring import seed_of_pair, series, summary
from mnkala.lab.registry import Row, brief, finding, measure


@measure("doubling", version=1)
def doubling(*, game: str, search: str, nodes: int, games: int, seed: int = 1) -> Row:
    """A search with twice the nodes (Monte-Carlo search: twice the iterations) against itself."""
    ones = (
        [(f"mcts:iterations={limit},seed={{seed}}", "") for limit in (2 * nodes, nodes)]
        if search == "mcts"
        else [(search, f"nodes {limit}") for limit in (2 * nodes, nodes)]
    )
    return _compared(game, ones[0], ones[1], games, seed_of_pair(seed, search, str(nodes)))


@measure("one-ply-more", version=1)
def one_ply_more(*, game: str, heuristic: str, depth: int, games: int, seed: int = 1) -> Row:
    """Alpha-beta one ply deeper against itself."""
    engine = f"alphabeta:heuristic={heuristic}"
    more, less = (engine, f"depth {depth + 1}"), (engine, f"depth {depth}")
    return _compared(game, more, less, games, seed_of_pair(seed, engine, str(depth)))


def _compared(
    game: str, more: tuple[str, str], less: tuple[str, str], games: int, seed: int
) -> Row:
    """The row of a match with the difference in Elo. Half a game more is imagined as won and half a
    game as lost, so that the Elo of a match without a loss is finite."""
    row = summary(series(game, more, less, games, seed, seed))
    shares = {"elo": row["share"], "elo_low": row["low"], "elo_high": row["high"]}
    return row | {
        name: round(elo_of_share((share * games + 0.5) / (games + 1)), 1)
        for name, share in shares.items()
    }


# ---- What the rows say ----


SAY = Sentences(__file__)


@finding("longer")
def in_words(rows: list[Row]) -> str:
    """The mean Elo of a doubling by search, how it changes with the nodes, and where one ply more
    plays clearly worse."""
    doubled, deeper = having(rows, "nodes", "elo"), having(rows, "heuristic", "depth", "elo")
    steps = {
        case: verdict(result_of(some))
        for case, some in grouped(deeper, "game", "heuristic", "depth").items()
    }
    return SAY.finding(
        doubled=[
            {
                "game": game,
                "search": search,
                "elo": fmean(row["elo"] for row in some),
                "slope": slope_interval([(math.log2(row["nodes"]), row["elo"]) for row in some])
                if len(some) > 2
                else None,
            }
            for (game, search), some in grouped(doubled, "game", "search").items()
        ],
        better=list(steps.values()).count("ahead"),
        steps=len(steps),
        worse=[case for case, side in steps.items() if side == "behind"],
        even=_even_steps(deeper),
    )


@brief("longer")
def in_brief(rows: list[Row]) -> Row:
    """The mean Elo of a doubling for the search that gains least and for the one that gains most,
    and how often one ply more plays clearly worse."""
    doubled = grouped(having(rows, "nodes", "elo"), "game", "search").values()
    steps = [result_of([row]) for row in having(rows, "heuristic", "depth", "elo")]
    means = [fmean(row["elo"] for row in some) for some in doubled]
    return (
        {
            "least": round(min(means)),
            "most": round(max(means)),
            "worse": sum(verdict(step) == "behind" for step in steps),
            "steps": len(steps),
        }
        if means and steps
        else {}
    )


def _even_steps(rows: list[Row]) -> tuple[float, float] | None:
    """The mean Elo of a ply that leads to an even depth, and of one that leads to an odd depth."""
    parts = [[row["elo"] for row in rows if row["depth"] % 2 == odd] for odd in (1, 0)]
    return (fmean(parts[0]), fmean(parts[1])) if all(parts) else None
