"""The root of a search in plain Python: the moves of the analysed position, and what is known
about each so far.

Kernels search below the root. The root itself is short, and in Python it can stream, keep the
order and note every move's score.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from typing import Any

from mnkala.core import Position, Rules
from mnkala.core.rules import is_in_place
from mnkala.core.score import Score
from mnkala.native import kernel
from mnkala.search.analysis import Analysis, RootMove
from mnkala.search.buffers import CUTOFFS, EVALUATIONS, NODES, STOPPED, STORED, TABLE_HITS, Buffers
from mnkala.search.candidates import ALL, Candidates, list_moves
from mnkala.search.heuristic import Heuristic
from mnkala.search.limit import DEEPEST, Limit, Stop
from mnkala.search.values import HIGHEST, INFINITY, Kind, is_proved, margin_and_plies, score_of


@dataclasses.dataclass(frozen=True)
class Task:
    """One query to a search, as the runner passes it on."""

    position: Position
    limit: Limit
    stop: Stop
    """The flag that is set when the clock runs out, when the caller stops the search, or when
    nobody needs the answer any longer."""
    report: Callable[[Analysis], None]
    """Called with every better answer during the search."""
    engine: str
    """The engine string, for the answer."""
    all_moves: bool = False
    """Whether every root move needs a score of its own."""
    started: float = dataclasses.field(default_factory=time.perf_counter)

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.position.rules

    def deepest(self) -> int:
        """The depth that no search of this task exceeds: each further ply costs at least one
        more node."""
        return min(
            self.limit.depth or DEEPEST,
            self.limit.nodes or DEEPEST,
            self.rules.longest_game(),
            DEEPEST,
        )


@kernel
def list_root_moves(
    rules: Any, heuristic: Any, state: Any, memory: Any, candidates: Candidates, buffers: Buffers
) -> int:
    """The candidate moves of the root, compiled, because scoring hundreds of moves in plain
    Python would take noticeable time."""
    return list_moves(rules, heuristic, state, memory, candidates, buffers, 0)


@kernel
def begin(rules: Any, heuristic: Any, state: Any) -> Any:
    """Make the memory of a heuristic that keeps an array, in compiled code."""
    return heuristic.begin(rules, state)


@kernel
def follow(rules: Any, heuristic: Any, state: Any, move: int, memory: Any) -> int:
    """Update an array in which a heuristic keeps its memory for a move that was played, in compiled
    code."""
    heuristic.played(rules, state, move, memory)
    return 0


@kernel
def retreat(rules: Any, heuristic: Any, state: Any, move: int, memory: Any) -> int:
    """Update an array in which a heuristic keeps its memory for a move that is about to be taken
    back, in compiled code."""
    heuristic.undone(rules, state, move, memory)
    return 0


@kernel
def play_in_place(rules: Any, state: Any, move: int) -> int:
    """Play a move in a state of arrays."""
    rules.play(state, move)
    return 0


@kernel
def undo_in_place(rules: Any, state: Any, move: int) -> int:
    """Undo a move in a state of arrays."""
    rules.undo(state, move)
    return 0


@dataclasses.dataclass
class RootNode:
    """The result for one root move."""

    move: int
    value: int = -INFINITY
    kind: Kind = "upper"
    complete: bool = False
    line: tuple[int, ...] = ()


class Root:
    """Plays the root moves one by one and asks a kernel for the value of each."""

    def __init__(
        self, task: Task, heuristic: Heuristic, candidates: Candidates, buffers: Buffers
    ) -> None:
        self.task = task
        self.rules = task.rules
        self.heuristic = heuristic
        self.candidates = candidates
        self.buffers = buffers
        self.state = task.position.state()
        self.in_place = is_in_place(self.state)
        """A state that consists only of arrays is played on by compiled code; others are values,
        and quick in Python."""
        self.mover = task.position.mover
        self.memory = (
            begin(self.rules, heuristic, self.state)
            if heuristic.in_place
            else heuristic.begin(self.rules, self.state)
        )
        self.nodes = [RootNode(move) for move in self._moves()]

    def _moves(self) -> list[int]:
        """The candidate moves at the root, in the order of the rules if all are searched,
        otherwise the most promising first."""
        if not self.restricted:
            return list(self.task.position.legal_codes)
        count = list_root_moves(
            self.rules, self.heuristic, self.state, self.memory, self.candidates, self.buffers
        )
        return [int(move) for move in self.buffers.moves[0, :count]]

    @property
    def restricted(self) -> bool:
        """Whether not all moves are considered, so that nothing is proved."""
        return self.candidates.kind != ALL

    @property
    def stopped(self) -> bool:
        """Whether the last value is meaningless because the search had to stop."""
        return bool(self.buffers.counters[STOPPED])

    def search(
        self, node: RootNode, alpha: int, beta: int, below: Callable[[Any, Any, int, int], int]
    ) -> int:
        """Compute the value of one root move within a window, for the mover at the root, and
        note it unless the search was stopped.

        `below(state, memory, alpha, beta)` calls the kernel for the position after the move, at
        ply 1.
        """
        evaluations = self.buffers.counters[EVALUATIONS]
        child = self._play(node.move)
        memory = self._played(child, node.move)
        if self.rules.mover(child) == self.mover:
            value = int(below(child, memory, alpha, beta))
        else:
            value = -int(below(child, memory, -beta, -alpha))
        self._undone(child, node.move, memory)
        if self.in_place:
            undo_in_place(self.rules, child, node.move)
        else:
            self.rules.undo(child, node.move)
        if not self.stopped:
            node.value = value
            node.kind = "upper" if value <= alpha else "lower" if value >= beta else "exact"
            node.complete = bool(self.buffers.counters[EVALUATIONS] == evaluations)
            node.line = (
                node.move,
                *(int(move) for move in self.buffers.line[1, 1 : self.buffers.line_end[1]]),
            )
        return value

    def _play(self, move: int) -> Any:
        if not self.in_place:
            return self.rules.play(self.state, move)
        play_in_place(self.rules, self.state, move)
        return self.state

    def _played(self, child: Any, move: int) -> Any:
        if not self.heuristic.in_place:
            return self.heuristic.played(self.rules, child, move, self.memory)
        follow(self.rules, self.heuristic, child, move, self.memory)
        return self.memory

    def _undone(self, child: Any, move: int, memory: Any) -> None:
        if self.heuristic.in_place:
            retreat(self.rules, self.heuristic, child, move, memory)
        else:
            self.heuristic.undone(self.rules, child, move, memory)

    def proves(self, node: RootNode, depth: int) -> bool:
        """Whether a value depends only on finished games.

        Where only winning counts, a full-width search of `depth` plies sees every win within it,
        so a proved value whose end lies within the depth is exact even if heuristic values were
        used elsewhere in the tree.
        """
        if self.restricted:
            return False
        if node.complete:
            return True
        if self.rules.graded or not is_proved(node.value):
            return False
        return margin_and_plies(node.value)[1] <= depth

    def proves_best(self, best: RootNode, depth: int) -> bool:
        """Whether the value of the position itself is proved: that of the best move, and that no
        other move is better.

        Where only winning counts, a win needs no check of the others: a full-width search saw
        every quicker one.
        """
        if not self.proves(best, depth) or best.kind != "exact":
            return False
        if best.value > HIGHEST and not self.rules.graded:
            return True
        return self.is_unbeaten(best) and all(self.proves(node, depth) for node in self.nodes)

    def is_unbeaten(self, best: RootNode) -> bool:
        """Whether every other move was searched, at this depth or before, and is worth no more.

        A search that was stopped among the root moves may know that the best so far loses, and
        nothing about the others.
        """
        return all(
            node.move == best.move
            or (node.line and node.kind != "lower" and node.value <= best.value)
            for node in self.nodes
        )

    def score_of_position(self, best: RootNode, depth: int) -> Score:
        """The value of the position as people see it: that of the best move or, if others may be
        better, a lower bound."""
        if best.value < -HIGHEST and best.kind != "lower" and not self.is_unbeaten(best):
            best = dataclasses.replace(best, kind="lower")
        return self.score(best, self.proves_best(best, depth))

    def score(self, node: RootNode, proved: bool) -> Score:
        """The value of a root move as people see it."""
        return score_of(self.task.position, node.value, node.kind, proved, self.restricted)

    def analysis(
        self,
        best: RootNode,
        depth: int,
        held: int,
        others: tuple[Buffers, ...] = (),
        note: str = "",
    ) -> Analysis:
        """An analysis with the results so far."""
        position = self.task.position
        counters = sum((buffers.counters for buffers in others), self.buffers.counters.copy())
        moves = tuple(
            RootMove(node.move, self.score(node, self.proves(node, depth)), node.line)
            for node in self.nodes
            if node.line
        )
        return Analysis(
            position=position,
            engine=self.task.engine,
            score=self.score_of_position(best, depth) if best.line else None,
            moves=moves,
            line_codes=best.line or (best.move,),
            depth=depth,
            nodes=int(counters[NODES]),
            evaluations=int(counters[EVALUATIONS]),
            cutoffs=int(counters[CUTOFFS]),
            held=held + int(counters[STORED]),
            table_hits=int(counters[TABLE_HITS]),
            seconds=time.perf_counter() - self.task.started,
            note=note,
        )
