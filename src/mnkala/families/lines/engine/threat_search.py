"""The engine `threats`: the strong player of (m,n,k)-games and Gomoku."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Mapping

import numpy as np

from mnkala.core import Position, Rules
from mnkala.core.score import Score
from mnkala.families.lines.engine.board import check_fits, free_cells, make_board
from mnkala.families.lines.engine.iterative_deepening import DEEPEST, HANDFUL, Found, Searcher
from mnkala.families.lines.engine.proofs import BY_FOURS, Proofs, Victory, won_by_fours
from mnkala.families.lines.engine.search import WON
from mnkala.families.lines.engine.settings import TUNED, Settings, read_settings
from mnkala.families.lines.engine.shared_search import (
    CUTOFFS,
    EVALUATIONS,
    MOST_PLIES,
    NODES,
    STORED,
    TABLE_HITS,
    share,
)
from mnkala.families.lines.engine.small_board import is_small, small_board
from mnkala.families.lines.engine.transposition_table import game_table
from mnkala.families.lines.engine.weights import LOGIT, NAMES, Weights, read_weights
from mnkala.families.lines.rules import Mnk, build
from mnkala.native.kernels import loading, mark_compiled
from mnkala.search.analysis import Analysis, RootMove
from mnkala.search.engine import Search, Tunable, register_search
from mnkala.search.limit import Limit, Stop
from mnkala.search.root import Task
from mnkala.search.runner import Helpers
from mnkala.search.table import EXACT, KEPT_BITS, LOWER, table_bits
from mnkala.search.values import HIGHEST, Kind, score_of

DEFAULT_NODES = 400_000
WIN_STANDS, LOSS_STANDS = 1, 3
"""The numbers of depths after which a forced win, and a forced loss, end the search; see
`Leader._deepen`."""


@dataclasses.dataclass(frozen=True)
class Threats(Search):
    """Threats on lines by table, victories by fours, and a principal variation search over them:
    the strong player of Gomoku.
    """

    name = "threats"
    threads: int = 1
    """The number of threads, 1 or 2, which share one table."""
    table_bits: int = KEPT_BITS
    """The size of the table: 2^table_bits positions of 16 bytes."""
    keep: bool = False
    """Whether the table is kept from one move of a game to the next."""
    heuristic: str = "auto"
    """The evaluation: learned (auto), guessed (as it was before anything was learnt), or a file
    that `mnkala tune` wrote."""
    tuning: str = "auto"
    """Numbers that steer the search, where they differ from the usual ones: late:4+width:20."""

    def __post_init__(self) -> None:
        super().__post_init__()
        read_settings(self.tuning)

    def weights_for(self, rules: Rules) -> Weights:
        """The weights of the evaluation for a game."""
        return read_weights(self.heuristic)

    @classmethod
    def heuristic_names(cls) -> tuple[str, ...]:
        return NAMES

    def numbers(self) -> dict[str, Tunable]:
        """The settings as numbers that can be tuned; one option holds them all."""
        return {
            name: Tunable(value, True, TUNED.get(name))
            for name, value in dataclasses.asdict(read_settings(self.tuning)).items()
        }

    def with_numbers(self, values: Mapping[str, float]) -> Threats:
        """The engine with other settings; only those that are not the usual ones appear in its
        string."""
        settings = dataclasses.asdict(read_settings(self.tuning)) | {
            name: round(value) for name, value in values.items()
        }
        usual = dataclasses.asdict(Settings())
        changed = "+".join(
            f"{name}:{value}" for name, value in settings.items() if value != usual[name]
        )
        return dataclasses.replace(self, tuning=changed or "auto")

    @classmethod
    def chance(cls, value: int) -> float:
        return 1 / (1 + math.exp(-max(-700.0, value / LOGIT)))

    def check(self, rules: Rules) -> None:
        check_fits(rules)
        self.weights_for(rules)

    def kernel_key(self, rules: Rules) -> str:
        return self.name

    def prepare(self, rules: Rules) -> None:
        self.check(rules)
        assert isinstance(rules, Mnk)
        if is_small(rules):
            small_board(rules.rows, rules.cols, rules.line)
        if (rules.line, rules.exact) in _prepared:
            return
        with loading():
            # Use boards of its own, because an empty one compiles nothing and one kernel serves all
            # sizes: one small and one large board, which different kernels prove. Then make the
            # tables of this game.
            for board, limit in (
                (build(5, 5, 4), Limit(depth=1, nodes=400)),
                (build(9, 9, 5), Limit(depth=1)),
            ):
                position = Position(board).play_codes((board.rows * board.cols // 2,))
                Leader(self, Task(position, limit, Stop(), lambda analysis: None, engine="")).run()
            make_board(rules, Position(rules).state().cells, self.weights_for(rules))
        _prepared.add((rules.line, rules.exact))
        mark_compiled(self.kernel_key(rules))

    def run(self, task: Task) -> Analysis:
        if task.limit == Limit():
            task = dataclasses.replace(task, limit=Limit(nodes=DEFAULT_NODES))
        return Leader(self, task).run()


_prepared: set[tuple[int, bool]] = set()
"""The lines for which this process has kernels and tables."""


class Leader:
    """The search of one position."""

    def __init__(self, search: Threats, task: Task) -> None:
        self.search, self.task = search, task

    def run(self) -> Analysis:
        """Search depth after depth and report each."""
        with game_table(
            self.task, table_bits(self.search.table_bits, self.task.limit), self.search.keep
        ) as (table, age):
            search, rules = self.search, self.task.rules
            searchers = [
                Searcher(
                    self.task,
                    read_settings(search.tuning),
                    search.weights_for(rules),
                    table,
                    age,
                    each,
                )
                for each in share(search.threads, MOST_PLIES + 2)
            ]
            lead = searchers[0]
            if len(lead.root) == 0:
                return self._opening()
            proofs, helpers = (
                Proofs(self.task, lead),
                Helpers(searcher.help for searcher in searchers[1:]),
            )
            try:
                victory = None if self.task.all_moves else proofs.victory()
                return (
                    self._deepen(lead, searchers, proofs)
                    if victory is None
                    else self._won(victory, searchers)
                )
            finally:
                for searcher in searchers[1:]:
                    searcher.stop.set()
                helpers.join()

    def _opening(self) -> Analysis:
        """The analysis of an empty board: the middle."""
        rules = self.task.rules
        assert isinstance(rules, Mnk)
        middle = (rules.rows // 2) * rules.cols + rules.cols // 2
        score = Score.opinion(0, self.task.position.mover)
        return Analysis(
            self.task.position,
            self.task.engine,
            score,
            (RootMove(middle, score, (middle,)),),
            (middle,),
            depth=1,
            nodes=1,
            seconds=time.perf_counter() - self.task.started,
        )

    def _deepen(self, lead: Searcher, searchers: list[Searcher], proofs: Proofs) -> Analysis:
        """Search one depth after the other.

        A position with a single move is answered at once. A forced result is examined again, with
        more moves at every depth that could avert it: a win for WIN_STANDS depths, a loss for
        LOSS_STANDS.
        """
        best, centre, stands = 0, None, 0
        rows = lead.found()
        answer = self._analysis(searchers, None, (), (int(lead.root[best]),), 0)
        single = len(lead.root) == 1 and not self.task.all_moves
        for depth in range(
            1, min(self.task.limit.depth or DEEPEST, DEEPEST, free_cells(lead.board)) + 1
        ):
            found = lead.widening(depth, centre)
            while lead.can_drop() and found >= 0 and not lead.stopped and proofs.is_refuted(found):
                lead.drop(found)
                found = lead.widening(depth, None)
            if found >= 0 and (
                not lead.stopped or (lead.kinds[found] == EXACT and not self.task.all_moves)
            ):
                best, centre, rows = found, int(lead.values[found]), lead.found()
                answer = self._answer(rows, searchers, best, depth)
                self.task.report(answer)
                lead.reorder(best)
            forced = centre is not None and abs(centre) > HIGHEST
            stands = stands + 1 if forced else 0
            if (
                lead.stopped
                or single
                or (centre is not None and stands > (WIN_STANDS if centre > 0 else LOSS_STANDS))
            ):
                break
        moves = self._moves(rows) if answer.depth > 0 else ()
        return dataclasses.replace(
            answer,
            moves=moves,
            nodes=sum(int(searcher.thread.counters[NODES]) for searcher in searchers),
        )

    def _won(self, victory: Victory, searchers: list[Searcher]) -> Analysis:
        """The analysis of a proved victory. That none has fewer moves is certain only if it takes
        at most two."""
        score = score_of(
            self.task.position, WON - 2 * victory.moves + 1, "exact", victory.moves <= 2
        )
        if victory.note == BY_FOURS:
            score = won_by_fours(score, self.task.rules)
        line = victory.line
        return self._analysis(
            searchers, score, (RootMove(line[0], score, line),), line, len(line), victory.note
        )

    def _answer(self, rows: Found, searchers: list[Searcher], best: int, depth: int) -> Analysis:
        """The analysis of a depth: the best move, and the others where all are asked for.

        Otherwise the others are added at the end of the search, because reporting all root moves
        takes as long as some hundred nodes.
        """
        chosen = self._move(rows, best)
        return self._analysis(
            searchers,
            chosen.score,
            self._moves(rows) if self.task.all_moves else (chosen,),
            chosen.line_codes,
            depth,
        )

    def _moves(self, rows: Found) -> tuple[RootMove, ...]:
        """The root moves about which something is known, the best first; where all are asked for,
        only those with a value of their own."""
        order = np.argsort(-rows.values, kind="stable").tolist()
        if self.task.all_moves:
            return tuple(self._move(rows, i) for i in order if rows.kinds[i] == EXACT)[:HANDFUL]
        return tuple(self._move(rows, i) for i in order if rows.kinds[i] != 0)

    def _move(self, rows: Found, place: int) -> RootMove:
        kind: Kind = (
            "exact"
            if rows.kinds[place] == EXACT
            else "lower"
            if rows.kinds[place] == LOWER
            else "upper"
        )
        score = score_of(self.task.position, int(rows.values[place]), kind, False, restricted=True)
        return RootMove(int(rows.root[place]), score, rows.line(place))

    def _analysis(
        self,
        searchers: list[Searcher],
        score: Score | None,
        moves: tuple[RootMove, ...],
        line: tuple[int, ...],
        depth: int,
        note: str = "",
    ) -> Analysis:
        counters = np.sum([searcher.thread.counters for searcher in searchers], axis=0)
        return Analysis(
            position=self.task.position,
            engine=self.task.engine,
            score=score,
            moves=moves,
            line_codes=line,
            depth=depth,
            nodes=int(counters[NODES]),
            evaluations=int(counters[EVALUATIONS]),
            cutoffs=int(counters[CUTOFFS]),
            held=depth + 1 + int(counters[STORED]),
            table_hits=int(counters[TABLE_HITS]),
            seconds=time.perf_counter() - self.task.started,
            note=note,
        )


register_search(Threats)
