"""The engine `threats`: the strong player of (m,n,k)-games and Gomoku."""

from __future__ import annotations

import dataclasses
import time

import numpy as np

from mnkala.errors import BadEngine
from mnkala.games import Position, Rules
from mnkala.games.mnk import Mnk, build
from mnkala.gomoku.board import Board, free_cells, make_board
from mnkala.gomoku.fours import NODES as FOURS_NODES
from mnkala.gomoku.fours import make_fours, shortest
from mnkala.gomoku.root import list_root, search_root
from mnkala.gomoku.search import WON
from mnkala.gomoku.sequences import refutation, shortest_by_threats
from mnkala.gomoku.settings import Settings, read_settings
from mnkala.gomoku.sharing import Sharing, share
from mnkala.gomoku.thread import CUTOFFS, EVALUATIONS, MOST_PLIES, NODES, STOPPED, STORED, TABLE_HITS, make_thread
from mnkala.gomoku.weights import Weights, read_weights
from mnkala.native.compiled import mark_compiled
from mnkala.native.loading import loading
from mnkala.search.analysis import Analysis, RootMove
from mnkala.search.engine import Search, register_search
from mnkala.search.helpers import Helpers
from mnkala.search.limit import Limit, Stop
from mnkala.search.root import Task
from mnkala.search.table import EXACT, KEPT_BITS, LARGEST_BITS, LOWER, SMALLEST_BITS, Table, lent_table, table_bits
from mnkala.search.values import HIGHEST, INFINITY, Kind, Score, score_of

FIRST_WINDOW = 60
"""Half the width of the first aspiration window; it quadruples each time that the value falls outside."""
MOST_THREADS = 2
DEFAULT_NODES = 400_000
ROOT_FOURS, ROOT_THREATS = 40, 16
"""Attacker's moves of the longest victory by fours, and by threats, that is looked for before anything else, …"""
ROOT_NODES, NODES_A_SECOND, SHARE = 60_000, 60_000, 8
"""… and the nodes for each: at most so many, so many a second, and of a limit of nodes one part in so many."""
HANDFUL = 6
"""So many of the best moves get a value of their own where all moves are asked for."""
WIN_STANDS, LOSS_STANDS = 1, 3
"""See `Leader._deepen`."""
LONGEST_LINE = 64
"""Moves of a line that are kept."""
DEEPEST = 60


@dataclasses.dataclass(frozen=True)
class Threats(Search):
    """Threats on lines by table, victories by fours, and a principal variation search over them: the strong player of Gomoku."""

    name = "threats"
    threads: int = 1
    """1 or 2 threads on one shared table."""
    table_bits: int = KEPT_BITS
    """The table holds 2^table_bits positions of 16 bytes."""
    heuristic: str = "auto"
    """The evaluation: learned (auto), guessed (as it was before anything was learnt), or a file that `mnkala tune` wrote."""
    tuning: str = "auto"
    """Numbers that steer the search, where they differ from the usual: late:4+width:20."""

    def __post_init__(self) -> None:
        read_settings(self.tuning)
        if not SMALLEST_BITS <= self.table_bits <= LARGEST_BITS:
            raise BadEngine(f"a table of 2^{self.table_bits} entries; the exponent is {SMALLEST_BITS} to {LARGEST_BITS}")
        if not 1 <= self.threads <= MOST_THREADS:
            raise BadEngine(f"{self.threads} threads; threats runs on 1 to {MOST_THREADS}")

    def settings_for(self, rules: Rules) -> Settings:
        """What steers the search of a game."""
        return read_settings(self.tuning)

    def weights_for(self, rules: Rules) -> Weights:
        """The evaluation's numbers for a game."""
        return read_weights(self.heuristic)

    def check(self, rules: Rules) -> None:
        if not isinstance(rules, Mnk):
            raise BadEngine(f"threats cannot play {rules.game_string()}; it plays (m,n,k)-games and Gomoku")
        self.weights_for(rules)

    def combination(self, rules: Rules) -> str:
        return self.name

    def prepare(self, rules: Rules) -> None:
        self.check(rules)
        assert isinstance(rules, Mnk)
        if (rules.line, rules.exact) in _prepared:
            return
        with loading():
            # A small board of its own, as an empty one compiles nothing and one kernel serves all sizes; then the tables of this game.
            Leader(self, Task(Position(build(7, 7, 4)).play_codes((24,)), Limit(depth=1), Stop(), lambda analysis: None, engine="")).run()
            make_board(rules, Position(rules).state().cells, self.weights_for(rules))
        _prepared.add((rules.line, rules.exact))
        mark_compiled(self.combination(rules))

    def run(self, task: Task) -> Analysis:
        if task.limit == Limit():
            task = dataclasses.replace(task, limit=Limit(nodes=DEFAULT_NODES))
        return Leader(self, task).run()


_prepared: set[tuple[int, bool]] = set()
"""Lines for which this process has kernels and tables."""


class Searcher:
    """One thread's search: a board and a memory of its own, a shared table."""

    def __init__(self, search: Threats, task: Task, table: Table, sharing: Sharing) -> None:
        self.task = task
        self.stop = task.stop if sharing.number == 0 else Stop()
        assert isinstance(task.rules, Mnk)
        self.board: Board = make_board(task.rules, task.position.state().cells, search.weights_for(task.rules))
        self.mover = task.position.mover
        self.thread = make_thread(len(self.board.cells), self.stop, search.settings_for(task.rules), task.limit.nodes)
        self.fours, self.sequences = make_fours(self.stop.flag), make_fours(self.stop.flag, MOST_PLIES + 2)
        self.sharing, self.table = sharing, table
        root = np.zeros(len(self.board.cells), np.int64)
        self.root = root[:list_root(self.board, self.mover, self.thread, root)].copy()
        self.values, self.kinds = np.zeros_like(self.root), np.zeros_like(self.root)
        self.lines = np.zeros((len(self.root), LONGEST_LINE), np.int64)
        self.every = task.all_moves
        self.tops = np.zeros(min(len(self.root), HANDFUL) if self.every else 1, np.int64)

    def depth(self, depth: int, alpha: int, beta: int) -> int:
        """Search the root moves; the place of the best one, or -1."""
        return int(search_root(self.board, self.mover, depth, alpha, beta, self.root, self.values, self.kinds, self.lines, self.tops,
                               self.thread, self.fours, self.sequences, self.sharing, self.table))

    @property
    def stopped(self) -> bool:
        """Whether the search had to stop."""
        return bool(self.thread.counters[STOPPED])

    def reorder(self, best: int) -> None:
        """Put the best move in front for the next depth, or all of which the value is known, and leave the others in their order."""
        known = {i: int(self.values[i]) for i in range(len(self.root)) if self.kinds[i] == EXACT} if self.every else {best: 0}
        order = sorted(range(len(self.root)), key=lambda i: (i not in known, -known.get(i, 0)))
        for array in (self.root, self.values, self.kinds):
            array[:] = array[order]
        self.lines[:] = self.lines[order]

    def drop(self, place: int) -> None:
        """Leave out a root move."""
        keep = [i for i in range(len(self.root)) if i != place]
        self.root, self.values, self.kinds, self.lines = self.root[keep], self.values[keep], self.kinds[keep], self.lines[keep]
        self.tops = self.tops[:len(keep)].copy()

    def widening(self, depth: int, centre: int | None) -> int:
        """A depth with an aspiration window (Slate and Atkin 1977) around the last value."""
        if centre is None or self.every or abs(centre) > HIGHEST:
            return self.depth(depth, -INFINITY, INFINITY)
        width = FIRST_WINDOW
        alpha, beta = centre - width, centre + width
        while True:
            best = self.depth(depth, alpha, beta)
            if best < 0 or self.stopped:
                return best
            value = self.values[best]
            if alpha < value < beta:
                return best
            width *= 4
            if value <= alpha:
                alpha = centre - width if width < 4096 else -INFINITY
            else:
                beta = centre + width if width < 4096 else INFINITY
                self.reorder(best)

    def help(self) -> None:
        """Fill the table for the leading thread until told to stop."""
        centre = None
        for depth in range(1, DEEPEST + 1):
            best = self.widening(depth, centre)
            if self.stopped or best < 0:
                return
            centre = int(self.values[best])
            self.reorder(best)


class Leader:
    """The search of one position."""

    def __init__(self, search: Threats, task: Task) -> None:
        self.search, self.task = search, task
        self.refuted: dict[int, bool] = {}
        """Root moves that were looked at, and whether they lose by force."""
        self.checked = 0
        """Nodes for that."""

    def run(self) -> Analysis:
        """Search depth after depth and report each."""
        with lent_table(table_bits(self.search.table_bits, self.task.limit)) as table:
            searchers = [Searcher(self.search, self.task, table, each) for each in share(self.search.threads, MOST_PLIES + 2)]
            lead = searchers[0]
            if len(lead.root) == 0:
                return self._opening()
            helpers = Helpers(searcher.help for searcher in searchers[1:])
            try:
                if not self.task.all_moves and (found := self._by_fours(lead) or self._by_threats(lead)) is not None:
                    return found
                return self._deepen(lead, searchers)
            finally:
                for searcher in searchers[1:]:
                    searcher.stop.set()
                helpers.join()

    def _opening(self) -> Analysis:
        """A board without a mark: the middle."""
        rules = self.task.rules
        assert isinstance(rules, Mnk)
        middle = (rules.rows // 2) * rules.cols + rules.cols // 2
        score = Score(0, "heuristic", self.task.position.mover)
        return Analysis(self.task.position, self.task.engine, score, (RootMove(middle, score, (middle,)),), (middle,), depth=1, nodes=1,
                        seconds=time.perf_counter() - self.task.started)

    def _by_fours(self, lead: Searcher) -> Analysis | None:
        """A victory by fours, which is proved."""
        moves = int(shortest(lead.board, lead.mover, ROOT_FOURS, self._share(), lead.fours))
        lead.thread.counters[NODES] += lead.fours.numbers[FOURS_NODES]
        if moves == 0:
            return None
        line = tuple(int(cell) for cell in lead.fours.line[0, :lead.fours.length[0]])
        if len(line) % 2 == 0:
            line = (*line, self._completing(line))
        score = score_of(self.task.position, WON - 2 * moves + 1, "exact", moves <= 2)
        return self._analysis([lead], score, (RootMove(line[0], score, line),), line, len(line), "by fours" if moves > 2 else "")

    def _by_threats(self, lead: Searcher) -> Analysis | None:
        """A victory by fours and open threes, which is proved too."""
        moves = int(shortest_by_threats(lead.board, lead.mover, lead.mover, ROOT_THREATS, self._share(), lead.sequences, lead.thread,
                                        lead.fours))
        lead.thread.counters[NODES] += lead.sequences.numbers[FOURS_NODES]
        if moves == 0:
            return None
        line = tuple(int(cell) for cell in lead.sequences.line[0, :lead.sequences.length[0]])
        score = score_of(self.task.position, WON - 2 * moves + 1, "exact", False)
        return self._analysis([lead], score, (RootMove(line[0], score, line),), line, len(line), "by threats")

    def _share(self) -> int:
        """Nodes for a search of forced victories."""
        limit, nodes = self.task.limit, ROOT_NODES
        if limit.nodes is not None:
            nodes = min(nodes, limit.nodes // SHARE)
        if limit.time is not None:
            nodes = min(nodes, int(limit.time * NODES_A_SECOND))
        return max(1, nodes)

    def _is_refuted(self, lead: Searcher, best: int) -> bool:
        """Whether the other side has a forced victory after a root move. Each move is looked at once, all within one share of nodes."""
        cell = int(lead.root[best])
        used = lead.sequences.numbers[FOURS_NODES] + lead.fours.numbers[FOURS_NODES]
        if cell not in self.refuted:
            left = max(1, min(self._share() // 2, 2 * self._share() - self.checked))
            self.refuted[cell] = bool(refutation(lead.board, lead.mover, cell, ROOT_THREATS, left, lead.sequences, lead.thread, lead.fours))
            self.checked += int(lead.sequences.numbers[FOURS_NODES] + lead.fours.numbers[FOURS_NODES] - used)
        return self.refuted[cell]

    def _completing(self, line: tuple[int, ...]) -> int:
        """The move that completes a line at the end of a line of play."""
        after = self.task.position.play_codes(line)
        return next(move for move in after.legal_codes if after.play_codes((move,)).is_over)

    def _deepen(self, lead: Searcher, searchers: list[Searcher]) -> Analysis:
        """One depth after the other. A single move to choose from is an answer. A forced result is looked at again, with more moves at
        every depth that could avert it: a win for WIN_STANDS depths, a loss for LOSS_STANDS."""
        best, centre, stands = 0, None, 0
        answer = self._answer(lead, searchers, best, 0)
        single = len(lead.root) == 1 and not self.task.all_moves
        for depth in range(1, min(self.task.limit.depth or DEEPEST, DEEPEST, free_cells(lead.board)) + 1):
            found = lead.widening(depth, centre)
            while len(lead.root) > 1 and found >= 0 and not lead.stopped and self._is_refuted(lead, found):
                lead.drop(found)
                found = lead.widening(depth, None)
            if found >= 0 and (not lead.stopped or (lead.kinds[found] == EXACT and not self.task.all_moves)):
                best, centre = found, int(lead.values[found])
                answer = self._answer(lead, searchers, best, depth)
                self.task.report(answer)
                lead.reorder(best)
            forced = centre is not None and abs(centre) > HIGHEST
            stands = stands + 1 if forced else 0
            if lead.stopped or single or (centre is not None and stands > (WIN_STANDS if centre > 0 else LOSS_STANDS)):
                break
        return dataclasses.replace(answer, nodes=sum(int(searcher.thread.counters[NODES]) for searcher in searchers))

    def _answer(self, lead: Searcher, searchers: list[Searcher], best: int, depth: int) -> Analysis:
        position = self.task.position
        moves: list[RootMove] = []
        order = sorted(range(len(lead.root)), key=lambda i: -int(lead.values[i]))
        for i in order:
            wanted = lead.kinds[i] == EXACT and len(moves) < HANDFUL if self.task.all_moves else lead.kinds[i] != 0
            if depth > 0 and wanted:
                kind: Kind = "exact" if lead.kinds[i] == EXACT else "lower" if lead.kinds[i] == LOWER else "upper"
                line = tuple(int(cell) for cell in lead.lines[i, 1 : lead.lines[i, 0] + 1])
                moves.append(RootMove(int(lead.root[i]), score_of(position, int(lead.values[i]), kind, False, restricted=True), line))
        chosen = next((move for move in moves if move.code == lead.root[best]), None)
        line = chosen.line_codes if chosen else (int(lead.root[best]),)
        return self._analysis(searchers, chosen.score if chosen else None, tuple(moves), line, depth)

    def _analysis(self, searchers: list[Searcher], score: Score | None, moves: tuple[RootMove, ...], line: tuple[int, ...], depth: int,
                  note: str = "") -> Analysis:
        counters = np.sum([searcher.thread.counters for searcher in searchers], axis=0)
        return Analysis(
            position=self.task.position, engine=self.task.engine, score=score, moves=moves, line_codes=line, depth=depth,
            nodes=int(counters[NODES]), evaluations=int(counters[EVALUATIONS]), cutoffs=int(counters[CUTOFFS]),
            held=depth + 1 + int(counters[STORED]), table_hits=int(counters[TABLE_HITS]),
            seconds=time.perf_counter() - self.task.started, note=note,
        )


register_search(Threats)
