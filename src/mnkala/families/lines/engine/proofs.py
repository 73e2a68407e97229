"""What is proved at the root before and beside the search: victories of the player to move, and
moves that lose.

On any board they are victories by fours and by threats; on a small board everything is tried
(`small_board.py`), as far as the nodes allow.
"""

from __future__ import annotations

import dataclasses

from mnkala.core import Rules
from mnkala.core.score import Score
from mnkala.families.lines.engine.iterative_deepening import Searcher
from mnkala.families.lines.engine.shared_search import NODES
from mnkala.families.lines.engine.small_board import BUDGET, CHOSEN, YES, can_win, is_small
from mnkala.families.lines.engine.small_board import NODES as SMALL_NODES
from mnkala.families.lines.engine.vcf import NODES as FOURS_NODES
from mnkala.families.lines.engine.vcf import shortest
from mnkala.families.lines.engine.vct import refutation, shortest_by_threats
from mnkala.families.lines.rules import FIVE, Mnk
from mnkala.search.root import Task

BY_FOURS = "by fours"
"""The note of an analysis in which a victory every move of which forces the answer was proved."""
ROOT_FOURS, ROOT_THREATS = 40, 16
"""The attacker's moves in the longest victory by fours, and by threats, that is looked for before
the search."""
FOURS = (120_000, 120_000, 8)
"""The nodes for victories by fours: the largest number, the number for each second, and the divisor
of a limit of nodes."""
LARGE = (60_000, 60_000, 8)
"""The same numbers for each of the other proofs."""
SMALL = (4_000_000, 2_500_000, 2)
"""The same numbers on a small board, where nodes are faster (four million a second) and a proof is
all that matters."""


def won_by_fours(score: Score, rules: Rules) -> Score:
    """A score that such a victory proves."""
    return dataclasses.replace(
        score, source="fours" if isinstance(rules, Mnk) and rules.line == FIVE else "threats"
    )


@dataclasses.dataclass(frozen=True)
class Victory:
    """A forced win of the player to move."""

    moves: int
    """The largest number of moves that the winner needs."""
    line: tuple[int, ...]
    note: str = ""


class Proofs:
    """Proofs about one position, within a share of its limit."""

    def __init__(self, task: Task, lead: Searcher) -> None:
        self.task, self.lead = task, lead
        self.refuted: dict[int, bool] = {}
        """Root moves that were examined, with whether they lose by force."""
        self.checked = 0
        """The number of nodes used to examine root moves."""
        assert isinstance(task.rules, Mnk)
        self.rules = task.rules
        self.small = is_small(task.rules)

    def victory(self) -> Victory | None:
        """A forced win of the player to move, if one is found."""
        return (
            self._by_fours() or self._by_threats() or (self._by_all_moves() if self.small else None)
        )

    def _by_fours(self) -> Victory | None:
        lead = self.lead
        moves = int(shortest(lead.board, lead.mover, ROOT_FOURS, self._share(*FOURS), lead.fours))
        lead.thread.counters[NODES] += lead.fours.numbers[FOURS_NODES]
        if moves == 0:
            return None
        line = tuple(int(cell) for cell in lead.fours.line[0, : lead.fours.length[0]])
        if len(line) % 2 == 0:
            line = (*line, self._completing(line))
        return Victory(moves, line, BY_FOURS if moves > 2 else "")

    def _by_threats(self) -> Victory | None:
        lead = self.lead
        moves = int(
            shortest_by_threats(
                lead.board,
                lead.mover,
                lead.mover,
                ROOT_THREATS,
                self._share(*LARGE),
                lead.sequences,
                lead.thread,
                lead.fours,
            )
        )
        lead.thread.counters[NODES] += lead.sequences.numbers[FOURS_NODES]
        if moves == 0:
            return None
        return Victory(
            moves,
            tuple(int(cell) for cell in lead.sequences.line[0, : lead.sequences.length[0]]),
            "by threats",
        )

    def _by_all_moves(self) -> Victory | None:
        lead = self.lead
        nodes = self._share(*SMALL)
        answer, board = can_win(
            self.rules, lead.board.cells, lead.mover, lead.mover, nodes, lead.stop.flag
        )
        lead.thread.counters[NODES] += board.numbers[SMALL_NODES]
        return (
            Victory(int(board.numbers[BUDGET]), (int(board.numbers[CHOSEN]),))
            if answer == YES
            else None
        )

    def is_refuted(self, place: int) -> bool:
        """Whether the other side has a forced win after a root move. Each move is examined once,
        all within one share of nodes."""
        cell = int(self.lead.root[place])
        if cell not in self.refuted:
            self.refuted[cell] = self._loses(cell)
        return self.refuted[cell]

    def _loses(self, cell: int) -> bool:
        lead = self.lead
        share = self._share(*SMALL) if self.small else self._share(*LARGE)
        nodes = max(1, min(share // 2, 2 * share - self.checked))
        if self.small:
            cells = lead.board.cells.copy()
            cells[cell] = 1 + lead.mover
            answer, board = can_win(
                self.rules, cells, 1 - lead.mover, 1 - lead.mover, nodes, lead.stop.flag
            )
            self.checked += int(board.numbers[SMALL_NODES])
            return answer == YES
        used = lead.sequences.numbers[FOURS_NODES] + lead.fours.numbers[FOURS_NODES]
        found = bool(
            refutation(
                lead.board,
                lead.mover,
                cell,
                ROOT_THREATS,
                nodes,
                lead.sequences,
                lead.thread,
                lead.fours,
            )
        )
        self.checked += int(
            lead.sequences.numbers[FOURS_NODES] + lead.fours.numbers[FOURS_NODES] - used
        )
        return found

    def _share(self, most: int, a_second: int, part: int) -> int:
        """The number of nodes for one search of forced victories."""
        limit, nodes = self.task.limit, most
        if limit.nodes is not None:
            nodes = min(nodes, limit.nodes // part)
        if limit.time is not None:
            nodes = min(nodes, int(limit.time * a_second))
        return max(1, nodes)

    def _completing(self, line: tuple[int, ...]) -> int:
        """The move that completes a line after a line of play."""
        after = self.task.position.play_codes(line)
        return next(move for move in after.legal_codes if after.play_codes((move,)).is_over)
