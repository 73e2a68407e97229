"""How a review looks at a position: by an engine, or by one solver that is kept for the whole game.

Where only winning counts, `perfect` is asked about each position by itself. Where every margin counts, the solver is kept from
the last position to the first: what it proved of the late ones makes the early ones cheap. It begins with nothing, so that a review that
counts nodes still comes out the same every time.
"""

from __future__ import annotations

import contextlib
import dataclasses
import time
from collections.abc import Callable, Iterator

from mnkala.core import Position, Rules
from mnkala.core.score import Score
from mnkala.errors import BadEngine
from mnkala.explain.chances import chance
from mnkala.explain.grades import counts_margins
from mnkala.search import Analysis, Engine, Limit, Stop, parse_engine
from mnkala.search.engine import finished
from mnkala.search.runner import stream
from mnkala.solve import Exact, find_solver
from mnkala.solve.oracle import Oracle, open_oracle
from mnkala.solve.perfect import SHARE, Perfect
from mnkala.solve.solver import Cost

ESTIMATOR, PROVER = parse_engine("auto"), parse_engine("perfect")
ESTIMATE_NODES = 200_000
"""The node limit for a position that cannot be proved."""
MOST_NODES = 100_000_000
"""The node limit of a solver for a whole game."""


@dataclasses.dataclass(frozen=True)
class Look:
    """An engine's result for a position."""

    analysis: Analysis
    score: Score
    """The score for the player to move."""
    expected: float
    """The first player's chance. For heuristic scores it is the mean over the last two depths,
    because searches of odd and of even depth lean to opposite sides: one of the players has the
    last word."""
    scores: dict[int, Score]
    """The scores for the player to move, by depth."""


Looking = Callable[[Position, Limit], Look]


def look(engine: Engine, position: Position, limit: Limit) -> Look:
    """Search a position or, if the game is over, return its result."""
    last: dict[int, Analysis] = {}
    for analysis in [finished(position, str(engine))] if position.is_over else engine.stream(position, limit):
        last[analysis.depth] = analysis
    *before, final = (analysis for depth, analysis in sorted(last.items()))
    if final.score is None and not is_stopped(limit.stop):
        final = engine.analyse(position, Limit(depth=1, stop=limit.stop))  # a computer so busy that not even one ply was done in time
    score = final.score
    if score is None:
        if is_stopped(limit.stop):
            return Look(final, Score.opinion(0, position.mover), 0.5, {})
        raise BadEngine(f"{engine} gives no scores, so it cannot review a game; auto, deepening, alphabeta and mcts can")
    scores = {analysis.depth: analysis.score for analysis in (*before, final) if analysis.score is not None}
    expected = _first_chance(score, position, engine)
    if is_opinion(score) and len(scores) > 1:
        expected = (expected + _first_chance(list(scores.values())[-2], position, engine)) / 2
    return Look(final, score, expected, scores)


def _first_chance(score: Score, position: Position, engine: Engine) -> float:
    """The result that the first player can expect, from 0 to 1."""
    return chance(score.seen_by(0), position, engine)


def is_opinion(score: Score) -> bool:
    """Whether a score rests on a heuristic alone: nothing is proved, and no end of the game was
    found."""
    return score.kind == "estimate"


def is_stopped(stop: Stop | None) -> bool:
    """Whether the work has been stopped."""
    return stop is not None and stop.is_set()


def proves_margins(engine: Engine, rules: Rules) -> bool:
    """Whether an engine is the solver of a game that is graded by margins."""
    return isinstance(engine.search, Perfect) and counts_margins(rules) and find_solver(rules) is not None


@contextlib.contextmanager
def looking(engine: Engine, rules: Rules, stop: Stop | None, most_nodes: int | None = None) -> Iterator[Looking]:
    """The function that looks at the positions of one game, from the last to the first. A solver
    that is kept between them gets `most_nodes` for all."""
    if not proves_margins(engine, rules):
        yield lambda position, limit: look(engine, position, limit)
        return
    search = engine.search
    assert isinstance(search, Perfect)
    with engine.ready(rules), open_oracle(rules, stop, nodes=0, book=search.book, threads=search.threads, fresh=True) as oracle:
        yield _Margins(engine, oracle, most_nodes).look


class _Margins:
    """Looks at positions with a single solver."""

    def __init__(self, engine: Engine, oracle: Oracle, most_nodes: int | None) -> None:
        self.engine, self.oracle, self.most_nodes = engine, oracle, most_nodes

    def look(self, position: Position, limit: Limit) -> Look:
        """The exact margin with a line of best play; an estimate where it is out of reach."""
        if position.is_over:
            return look(self.engine, position, limit)
        found = self._proved(position, limit)
        if found is None:
            nodes = None if limit.nodes is None else min(limit.nodes, ESTIMATE_NODES)
            return look(ESTIMATOR, position, dataclasses.replace(limit, nodes=nodes, time=_share(limit.time)))
        found = dataclasses.replace(found, engine=str(self.engine), moves=(), depth=len(found.line_codes))
        return Look(found, found.score, _first_chance(found.score, position, self.engine), {})

    def _proved(self, position: Position, limit: Limit) -> Exact | None:
        """The solver's result, if it is a margin with a move that keeps it."""
        effort = self.oracle.effort
        nodes = None if limit.nodes is None else effort.spent + limit.nodes
        if nodes is not None and self.most_nodes is not None:
            nodes = max(effort.spent, min(nodes, self.most_nodes))
        seconds = _share(limit.time)
        effort.extend(until=None if seconds is None else time.perf_counter() + seconds, nodes=nodes)
        if self.oracle.solver.cost(position, seconds=seconds) is Cost.HOPELESS and not self.oracle.is_quick(position):
            return None

        def work(flag: Stop, give: Callable[[Exact], None]) -> None:
            effort.stop = flag  # raised with the asker's, and by Ctrl-C
            for found in self.oracle.prove(position, moves="none"):
                give(found)

        *_, found = stream(work, stop=limit.stop)
        return found if found.score.exact is not None and found.line_codes else None


def _share(seconds: float | None) -> float | None:
    """The share of a position's time for a proof; the rest is for an estimate, in case the proof
    fails."""
    return None if seconds is None else SHARE * seconds
