"""The search `overlooking`: another search with human oversights, from which the levels are
made.

People seldom move at random. They see some of what is there and choose well among that. So, move
by move and each with a seeded chance,

1. a win in one move is seen and made (unless `keen=off`);

2. what the opponent's last move changed may have been overlooked: the search then examines the
board as if the opponent had played something else, and its answer is a plan that continues as if
nothing had happened;

3. each move may have been overlooked: the best of the others is chosen;

4. of moves that promise about the same, any may be chosen, so that games differ.

With `sight=1` steps 2 and 3 have no effect: what is left is the search itself, with the choice
of step 4.
"""

from __future__ import annotations

import dataclasses
import random
import time
from collections.abc import Sequence

from mnkala.core import Position, Rules
from mnkala.errors import BadEngine, unknown
from mnkala.explain.chances import chance
from mnkala.search.analysis import Analysis, RootMove
from mnkala.search.engine import Engine, Search, register_search, searches
from mnkala.search.root import Task

UNDECIDED = (0.01, 0.99)
"""Moves whose chances lie within are exchanged for others that promise about the same; a won game
is not put off, nor a lost one hurried.
"""


@dataclasses.dataclass(frozen=True)
class Overlooking(Search):
    """Another search with human oversights: it misses moves and, now and then, what the last
    move changed."""

    name = "overlooking"
    engine: str = "auto"
    """The name of the search that chooses among what was seen."""
    sight: float = 0.8
    """The chance that something is seen: a move, or the effect of the opponent's last one."""
    spread: float = 0.02
    """Moves whose promise is at most this much below the best are equally likely to be chosen."""
    keen: bool = True
    """Whether a win in one move is never missed."""
    seed: int = -1
    """Fixes what is overlooked, so that the same game gets the same move; -1 varies it every
    time."""

    def __post_init__(self) -> None:
        if not 0 <= self.sight <= 1:
            raise BadEngine(f"sight={self.sight:g}; it is a chance, 0 to 1")
        if not 0 <= self.spread <= 1:
            raise BadEngine(f"spread={self.spread:g}; it is a difference of chances, 0 to 1")
        others = [name for name in searches() if name != self.name]
        if self.engine not in others:
            raise BadEngine(unknown("engine", self.engine, others))

    @property
    def base(self) -> Search:
        """The search that chooses among what was seen."""
        return searches()[self.engine]()

    def check(self, rules: Rules) -> None:
        self.base.check(rules)

    def parts(self, rules: Rules) -> tuple[object, ...]:
        return self.base.parts(rules)

    def described(self, rules: Rules) -> str:
        return self.base.described(rules)

    def kernel_key(self, rules: Rules) -> str:
        return self.base.kernel_key(rules)

    def prepare(self, rules: Rules) -> None:
        self.base.prepare(rules)

    def run(self, task: Task) -> Analysis:
        position = task.position
        fixed = (
            None
            if self.seed < 0
            else f"{self.seed}:{position.game}:{position.start_literal}:{position.history_codes}"
        )
        rng = random.Random(fixed)
        wins = wins_in_one(position) if self.keen else []
        if wins:
            move = rng.choice(wins)
            return Analysis(
                position,
                task.engine,
                None,
                (),
                (move,),
                nodes=len(position.legal_codes),
                held=1,
                seconds=time.perf_counter() - task.started,
            )
        base = self.base
        engine = Engine(base, task.limit)
        looked_at = self._as_noticed(position, rng)
        question = dataclasses.replace(
            task,
            position=looked_at,
            engine=str(engine),
            all_moves=True,
            report=lambda analysis: None,
        )
        found = base.run(question)
        legal = [
            move
            for move in found.moves
            if looked_at is position or move.code in position.legal_codes
        ]
        seen = [move for move in legal if rng.random() < self.sight]
        chosen = self._choose(seen or legal, engine, looked_at, rng)
        if chosen is None:
            line = (
                found.line_codes
                if found.line_codes[:1] and found.line_codes[0] in position.legal_codes
                else (rng.choice(position.legal_codes),)
            )
            return self._answer(task, found, line, None)
        return self._answer(
            task,
            found,
            chosen.line_codes if looked_at is position else chosen.line_codes[:1],
            chosen if looked_at is position else None,
        )

    def _as_noticed(self, position: Position, rng: random.Random) -> Position:
        """The board as the player has it in mind: as it is, or as if the opponent had moved
        otherwise."""
        if (
            rng.random() < self.sight
            or not position.history_codes
            or position.movers[-1] == position.mover
        ):
            return position
        before, last = position.back(), position.history_codes[-1]
        for move in rng.sample(before.legal_codes, len(before.legal_codes)):
            other = before.play_codes((move,))
            if move != last and not other.is_over and other.mover == position.mover:
                return other
        return position

    def _choose(
        self, moves: Sequence[RootMove], engine: Engine, position: Position, rng: random.Random
    ) -> RootMove | None:
        """Choose one of the moves that promise the most."""
        if not moves:
            return None
        promised = [chance(move.score, position, engine) for move in moves]
        best = max(promised)
        if UNDECIDED[0] < best < UNDECIDED[1]:
            return rng.choice(
                [
                    move
                    for move, each in zip(moves, promised, strict=True)
                    if each >= best - self.spread
                ]
            )
        among = [move for move, each in zip(moves, promised, strict=True) if each == best]
        soonest = max(key_of(move, best > UNDECIDED[0]) for move in among)
        return rng.choice([move for move in among if key_of(move, best > UNDECIDED[0]) == soonest])

    def _answer(
        self, task: Task, found: Analysis, line: tuple[int, ...], chosen: RootMove | None
    ) -> Analysis:
        """Make the answer from the search's analysis, the line that is played and the move that was
        chosen."""
        score = None if chosen is None else chosen.score
        return dataclasses.replace(
            found,
            position=task.position,
            engine=task.engine,
            score=score,
            line_codes=line,
            moves=() if chosen is None else (chosen,),
            seconds=time.perf_counter() - task.started,
            note="",
        )


def key_of(move: RootMove, won: bool) -> tuple[int, int]:
    """The order of certain results: by score and, of equal ones, by an early win or a late loss."""
    plies = move.score.plies or 0
    return move.score.value, -plies if won else plies


def wins_in_one(position: Position) -> list[int]:
    """The moves that end the game with a win for the player who makes them."""
    return [move for move in position.legal_codes if _wins(position, move)]


def _wins(position: Position, move: int) -> bool:
    after = position.play_codes((move,))
    return after.is_over and after.outcome is not None and after.outcome.winner == position.mover


register_search(Overlooking)
