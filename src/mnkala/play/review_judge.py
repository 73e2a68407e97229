"""How a review judges a position, by an engine or by one solver that is kept for the whole game, and
how it grades a move by what was given away.

Where only winning counts, `perfect` is asked about each position separately. Where every margin
counts, the solver is kept from the last position to the first: what it proved about the late
ones makes the early ones cheap. It begins with nothing, so that a review that counts nodes still
comes out the same every time.

Grades by chances: a move is compared with the best one by the result that its player could expect,
as lichess.org judges moves by winning chances instead of centipawns. Half a point, 0.5, is a won
game turned into a draw; two searches of a quiet position differ by about a fifth of that, so
anything less is no fault.

Grades by margins: where they are exact there is no such noise, so every point counts. A seed in the
opponent's store instead of one's own, or a disc that the opponent turned, changes the margin by
two, which is the least that can be given away: an inaccuracy. Two of them are a mistake, four a
blunder; so is anything that makes a won game drawn or lost, or a drawn one lost, because that is
what the game is about. A family declares by `Explanations.margins` that its games have this
scale; other games are graded by chances.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import time
from collections.abc import Callable, Iterator
from typing import Literal

from mnkala.core import Position, Rules
from mnkala.core.score import Score
from mnkala.errors import BadEngine
from mnkala.explain.contract import explanations_of
from mnkala.explain.inspection import Inspection, Prover, inspect
from mnkala.search import Engine, Limit, Stop, parse_engine
from mnkala.solve import Exact, find_solver
from mnkala.solve.oracle import Oracle, open_oracle
from mnkala.solve.perfect import SHARE, Perfect

ESTIMATOR, PROVER = parse_engine("auto"), parse_engine("perfect")
ESTIMATE_NODES = 200_000
"""The node limit for a position that cannot be proved."""
MOST_NODES = 100_000_000
"""The node limit of a solver for a whole game."""


@dataclasses.dataclass(frozen=True)
class Look:
    """What a judge knows about a position."""

    found: Inspection
    score: Score
    """The score for the mover; for an opinion, with the mean of its chances over the last two
    depths."""
    scores: dict[int, Score]
    """The scores for the mover, by depth."""

    @property
    def expected(self) -> float:
        """The first player's chance."""
        return self.score.seen_by(0).chance


Looking = Callable[[Position, Limit], Look]


def look(engine: Engine, position: Position, limit: Limit, prover: Prover | None = None) -> Look:
    """Search a position, after an attempt to prove its score where there is a prover; for a
    finished game, return its result. Raises BadEngine if the engine gives no scores."""
    last: dict[int, Inspection] = {}
    for found in inspect(
        position, limit, engine=engine, prover=prover, all_moves=False, head_start=None
    ):
        last[found.depth] = found
    final = last[max(last)]
    if final.score is None and not is_stopped(
        limit.stop
    ):  # a computer so busy that not even one ply was done in time
        *_, final = inspect(
            position, Limit(depth=1, stop=limit.stop), engine=engine, prover=None, all_moves=False
        )
    score = final.score
    if score is None:
        if is_stopped(limit.stop):
            return Look(final, Score.opinion(0, position.mover), {})
        raise BadEngine(
            f"{engine} gives no scores, so it cannot review a game; auto, deepening, alphabeta and mcts can"
        )
    final = dataclasses.replace(
        final,
        moves=tuple(dataclasses.replace(move, score=_plain(move.score)) for move in final.moves),
    )
    scores = {
        depth: _plain(each.score) for depth, each in sorted(last.items()) if each.score is not None
    }
    return Look(final, _plain(score), scores)


def _plain(score: Score) -> Score:
    """A score without the small steps that separate wins, and losses, from each other: a review
    compares expected results."""
    return score if is_opinion(score) else dataclasses.replace(score, expected=None)


def is_opinion(score: Score) -> bool:
    """Whether a score rests on a heuristic alone: nothing is proved, and no end of the game was
    found."""
    return score.kind == "estimate"


def is_stopped(stop: Stop | None) -> bool:
    """Whether the work has been stopped."""
    return stop is not None and stop.is_set()


def proves_margins(engine: Engine, rules: Rules) -> bool:
    """Whether an engine is the solver of a game that is graded by margins."""
    return (
        isinstance(engine.search, Perfect)
        and counts_margins(rules)
        and find_solver(rules) is not None
    )


@contextlib.contextmanager
def looking(
    engine: Engine, rules: Rules, stop: Stop | None, most_nodes: int | None = None
) -> Iterator[Looking]:
    """The function that looks at the positions of one game, from the last to the first. A solver
    that is kept between them gets `most_nodes` for all."""
    if not proves_margins(engine, rules):
        yield lambda position, limit: look(engine, position, limit)
        return
    search = engine.search
    assert isinstance(search, Perfect)
    with (
        engine.ready(rules),
        open_oracle(
            rules, stop, nodes=0, book=search.book, threads=search.threads, fresh=True
        ) as oracle,
    ):
        yield _Margins(oracle, most_nodes).look


class _Margins:
    """Looks at positions with a single solver."""

    def __init__(self, oracle: Oracle, most_nodes: int | None) -> None:
        self.oracle, self.most_nodes = oracle, most_nodes

    def look(self, position: Position, limit: Limit) -> Look:
        """The exact margin with a line of best play; an estimate where it is out of reach."""
        nodes = None if limit.nodes is None else min(limit.nodes, ESTIMATE_NODES)
        return look(
            ESTIMATOR,
            position,
            dataclasses.replace(limit, nodes=nodes),
            functools.partial(self._proofs, limit.nodes),
        )

    def _proofs(
        self, nodes: int | None, position: Position, limit: Limit, stop: Stop
    ) -> Iterator[Exact]:
        """The solver's result, if it is a margin with a move that keeps it."""
        effort = self.oracle.effort
        nodes = None if nodes is None else effort.spent + nodes
        if nodes is not None and self.most_nodes is not None:
            nodes = max(effort.spent, min(nodes, self.most_nodes))
        # What is left of the time is for an estimate, in case the proof fails.
        seconds = None if limit.time is None else SHARE * limit.time
        effort.extend(until=None if seconds is None else time.perf_counter() + seconds, nodes=nodes)
        effort.stop = stop  # raised with the asker's, and by Ctrl-C
        if self.oracle.is_hopeless(position, seconds):
            return
        *_, found = self.oracle.prove(position, moves="none")
        if found.score.exact is not None and found.line_codes:
            yield dataclasses.replace(found, moves=(), depth=len(found.line_codes))


Grade = Literal["best", "good", "inaccuracy", "mistake", "blunder"]
GRADES: tuple[Grade, ...] = ("best", "good", "inaccuracy", "mistake", "blunder")
INACCURACY, MISTAKE, BLUNDER = 0.1, 0.2, 0.3
"""The losses of chance from which a move counts as an inaccuracy, a mistake or a blunder."""
MARGIN_OF_MISTAKE, MARGIN_OF_BLUNDER = 4, 8
"""The losses of margin from which a turn counts as a mistake or a blunder; any smaller loss is an
inaccuracy."""


def counts_margins(rules: Rules) -> bool:
    """Whether moves of a game are graded by margins, where its solver knows them."""
    return explanations_of(rules).margins


def grade_by_chance(loss: float) -> Grade:
    """Grade a move that is not known to be best by the chance that it gave away."""
    return (
        "blunder"
        if loss >= BLUNDER
        else "mistake"
        if loss >= MISTAKE
        else "inaccuracy"
        if loss >= INACCURACY
        else "good"
    )


def grade_by_margin(lost: int, *, turned: bool) -> Grade:
    """Grade a move or a turn by the margin that it gave away and by whether it made the result
    worse."""
    if lost <= 0:
        return "best"
    return (
        "blunder"
        if turned or lost >= MARGIN_OF_BLUNDER
        else "mistake"
        if lost >= MARGIN_OF_MISTAKE
        else "inaccuracy"
    )
