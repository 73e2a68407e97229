"""The solver of (m,n,k)-games on small boards that are beyond `full-search`: can the mover force
a win, and if not, can the other side?

`small_board.py` answers both questions by trying every useful move, with threats, symmetry and
the bound of Erdős and Selfridge (1973). The answers say who wins and not how soon; if the end is
near, a short full search counts the moves. Where a full search is fast it is used from the
start, so a proved win is played to its end. Answers are kept with the board and shared by all
callers.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator

from mnkala.core import Position, Rules
from mnkala.core.score import Score
from mnkala.families.lines.engine.small_board import (
    NEVER,
    NODES,
    UNKNOWN,
    YES,
    can_win,
    is_small,
    small_board,
)
from mnkala.families.lines.rules import Mnk
from mnkala.native.objects import source_digest
from mnkala.search.limit import Stop
from mnkala.solve.full_search import FullSearch
from mnkala.solve.solver import Cost, Step, register_solver

FEWEST_CELLS, MOST_CELLS = 13, 36
"""The fewest and the most cells. Smaller boards are solved by their rules alone at once. The starts
of eight boards up to 6 x 6 took at most a tenth of a second; 7 x 7 was not solved."""
COUNTING = 50_000
"""The nodes for counting the moves to a proved win: a hundredth of a second."""
NO_LIMIT = 1 << 62


@register_solver
class SmallLinesSolver(FullSearch):
    """k in a row on a board of 13 to 36 cells."""

    name = "small-lines"
    any_game = False
    reach = f"boards of up to {MOST_CELLS} cells"
    reach_key = "lines.reach"

    @classmethod
    def why_not(cls, rules: Rules) -> str | None:
        if (
            not isinstance(rules, Mnk)
            or not is_small(rules)
            or not FEWEST_CELLS <= rules.rows * rules.cols <= MOST_CELLS
        ):
            return f"k in a row is solved on boards of at most {MOST_CELLS} cells, where longer lines win too"
        return FullSearch.why_not(rules)

    @classmethod
    def plays(cls, rules: Rules) -> bool:
        return isinstance(rules, Mnk)

    @classmethod
    def prepare(cls, rules: Rules) -> None:
        super().prepare(rules)
        cls(rules, table_mb=1)._ask(Position(rules), 0, 1, Stop())

    @classmethod
    def kernel_key(cls, rules: Rules) -> str:
        return f"{super().kernel_key(rules)} {cls.name} {source_digest(small_board.__module__)}"

    def steps(
        self,
        position: Position,
        *,
        within: tuple[int, int] | None = None,
        weak: bool = False,
        stop: Stop | None = None,
        nodes: int | None = None,
    ) -> Iterator[Step]:
        """A step for each of the two questions, and one for the moves until the end; or the steps
        of a full search."""
        if super().cost(position) is Cost.AT_ONCE:
            yield from super().steps(position, within=within, weak=weak, stop=stop, nodes=nodes)
            return
        self.check(position)
        started, spent = time.perf_counter(), 0
        span = self.span(position)
        low, high = span if within is None else within
        known = Score(*span, position.mover)
        for attacker in (position.mover, 1 - position.mover):
            # 1. Skip a question whose answer does not matter: whether the score is above 0, or
            #    below.
            own = attacker == position.mover
            if (own and high <= 0) or (not own and low >= 0) or known.lower == known.upper:
                continue
            answer, used = self._ask(
                position, attacker, max(1, (nodes or NO_LIMIT) - spent), stop or Stop()
            )
            spent += used
            # 2. Yield what the answers prove.
            win, loss = known.upper, known.lower
            if answer == YES:
                known = Score.exactly(win if own else loss, position.mover)
            elif answer == NEVER:
                known = known.narrowed(
                    (Score.at_most if own else Score.at_least)(0, position.mover)
                )
            yield Step(known, spent, time.perf_counter() - started)
            if answer == UNKNOWN:
                return
        if spent == 0:
            yield Step(known)
        # 3. Count the moves to the end, if the score is wanted and the end is near.
        if known.lower == known.upper != 0 and low <= span[0] and high >= span[1] and not weak:
            for counted in super().steps(position, stop=stop, nodes=COUNTING):
                if counted.score.plies is not None:
                    yield dataclasses.replace(
                        counted, nodes=spent + counted.nodes, seconds=time.perf_counter() - started
                    )

    def _ask(self, position: Position, attacker: int, nodes: int, stop: Stop) -> tuple[int, int]:
        """Whether a player can force a win, and the number of nodes used."""
        assert isinstance(self.rules, Mnk)
        answer, board = can_win(
            self.rules, position.state().cells, position.mover, attacker, nodes, stop.flag
        )
        return answer, int(board.numbers[NODES])

    def cost(
        self,
        position: Position,
        *,
        score: int | None = None,
        seconds: float | None = None,
        warm: bool = False,
    ) -> Cost:
        """Every position is worth trying, unless a full search answers at once."""
        return Cost.AT_ONCE if super().cost(position) is Cost.AT_ONCE else Cost.WORTH_TRYING

    def clear(self) -> None:
        super().clear()
        assert isinstance(self.rules, Mnk)
        board, lock = small_board(self.rules.rows, self.rules.cols, self.rules.line)
        with lock:
            board.table.fill(0)
