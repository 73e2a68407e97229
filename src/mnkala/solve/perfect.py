"""The perfect player: the book first, an exact solver beyond it, and the hardest task for the
opponent among equal moves.

1. The score of the position is found, and its bounds are reported while they close in.

2. A move that keeps the score is as good as any. Of several, it plays the one after which the
most replies give something away (a draw, a win, or the longest defence), because opponents err;
of equal ones, the one that the solver would examine first.

3. If the clock is too short for an answer, half of it is reserved for the strongest heuristic
search, which then chooses the move, and the note says so. If the solver calls the position
hopeless, that search gets all of it; if the answer is nearly certain, little.
"""

from __future__ import annotations

import dataclasses
import functools
import time
from collections.abc import Iterator

from mnkala.core import Position, Rules
from mnkala.core.score import BY_BOOK, Score
from mnkala.errors import BadEngine
from mnkala.native.kernels import mark_compiled
from mnkala.search.analysis import Analysis, RootMove
from mnkala.search.auto import Auto, strongest
from mnkala.search.engine import Search, register_search
from mnkala.search.limit import Limit, Stop
from mnkala.search.root import Task
from mnkala.solve.books import open_book
from mnkala.solve.oracle import Exact, Oracle, open_oracle
from mnkala.solve.solver import find_solver, lent_solver, solver_for

SHARE = 0.5
"""The share of the clock, or of the nodes, for finding the score; the rest is for the heuristic
search, in case that fails."""
SURE_SHARE = 0.8
"""The share of the clock where the score is nearly always found in time."""
DEFAULT_NODES = 400_000_000
"""The node limit if no limit is given: some minutes, four times what the empty board of 6 x 7
takes."""
NODES_AT_A_DEPTH = 100_000
"""The node limit of the solver if the only limit is a depth, which means nothing to a solver: it
proves what takes an instant."""
GUESS_NODES = 2_000
"""The node limit for the move that is shown while nothing is known yet."""
HASTY_NODES = 400
"""The node limit for a move when the clock has run out before anything was searched: a fraction
of a millisecond."""


@dataclasses.dataclass(frozen=True)
class Perfect(Search):
    """Perfect play where a game can be solved: book, exact solver, and the hardest task for the
    opponent.
    """

    name = "perfect"
    plays_out_best = True
    most_threads = 16
    threads: int = 1
    """The number of threads of the solver."""
    book: bool = True
    """Whether to use the opening book."""

    def check(self, rules: Rules) -> None:
        if find_solver(rules) is None:
            raise BadEngine(
                f"perfect cannot play {rules.game_string()}, which no solver fits; auto plays every game"
            )

    def prepare(self, rules: Rules) -> None:
        self.check(rules)
        solver_for(rules).prepare(rules)
        self._heuristic(rules).prepare(rules)
        if self.book and (book := open_book(rules)) is not None:
            book.bounds(Position(rules))  # reading it takes a while, and so does its first answer
        with lent_solver(
            rules, threads=self.threads
        ):  # so does making a solver, with its endgame database
            pass
        mark_compiled(self.kernel_key(rules))

    def kernel_key(self, rules: Rules) -> str:
        return f"{self.name} {solver_for(rules).kernel_key(rules)} {self._heuristic(rules).kernel_key(rules)}"

    def run(self, task: Task) -> Analysis:
        limit = task.limit
        nodes = limit.nodes
        if limit.time is None and nodes is None:
            nodes = DEFAULT_NODES if limit.depth is None else NODES_AT_A_DEPTH
        share = nodes if limit.nodes is None or nodes is None else max(1, int(nodes * SHARE))
        until = None if limit.time is None else task.started + limit.time
        half = None if limit.time is None else task.started + SHARE * limit.time
        with open_oracle(
            task.rules,
            task.stop,
            until=half,
            nodes=share,
            book=self.book,
            threads=self.threads,
            fresh=not _may_remember(limit),
        ) as oracle:
            if limit.time is not None and oracle.solver.is_sure(task.position, limit.time):
                oracle.effort.extend(until=task.started + SURE_SHARE * limit.time, nodes=share)
            elif oracle.is_hopeless(task.position, limit.time):
                return self._heuristic_answer(
                    task, f"out of reach of the solver, which can prove {oracle.solver.reach}", 0
                )
            choice = _Choice(task, oracle)
            for exact in choice.proof():
                if exact.score.exact is not None:
                    oracle.effort.extend(until=until, nodes=nodes)
            if (found := choice.answer()) is not None:
                return found
        why = f"not solved within the limit ({_bounds_in_words(choice.exact.score)})"
        return self._heuristic_answer(task, why, oracle.effort.spent, at_least=choice.guess)

    def _heuristic(self, rules: Rules) -> Search:
        return strongest(rules, min(self.threads, Auto.most_threads))

    def _heuristic_answer(
        self, task: Task, why: str, spent: int, at_least: Analysis | None = None
    ) -> Analysis:
        """The answer of the strongest heuristic search with the rest of the limit; or
        `at_least`, if the search gets less far."""
        note = f"{why}: the heuristic search {strongest(task.rules).name} chose the move"
        limit = task.limit
        left = limit.nodes if limit.nodes is None else max(1, limit.nodes - spent)

        def labelled(answer: Analysis) -> Analysis:
            return dataclasses.replace(answer, nodes=answer.nodes + spent, note=note)

        rest = dataclasses.replace(
            task,
            limit=dataclasses.replace(limit, nodes=left, stop=None),
            report=lambda answer: task.report(labelled(answer)),
        )
        found = self._heuristic(task.rules).run(rest)
        if at_least is not None and at_least.depth > found.depth:
            found = at_least
        if (
            found.depth == 0 and not limit.nodes
        ):  # the computer was busy with something else all the time
            hasty = dataclasses.replace(
                task, limit=Limit(nodes=HASTY_NODES), stop=Stop(), report=lambda analysis: None
            )
            found = strongest(task.rules).run(hasty)
        return labelled(found)


class _Choice:
    """The choice of a move by a proof, reported in steps."""

    def __init__(self, task: Task, oracle: Oracle) -> None:
        self.task, self.oracle, self.position = task, oracle, task.position
        self.exact: Exact
        self.every_move = task.all_moves or oracle.solver.counts_plies

    def proof(self) -> Iterator[Exact]:
        """The steps of the proof, each of which is reported; if a proof takes only milliseconds,
        none before the score is known."""
        quick = self.oracle.is_quick(self.position)
        for found in self.oracle.prove(
            self.position, moves="all" if self.every_move else "best", lines=False
        ):
            self.exact = found
            if self.exact.score.exact is None:
                if not quick:
                    self.task.report(
                        self._analysis(self.guess.line_codes, 0, _bounds_in_words(self.exact.score))
                    )
            elif self.every_move and self.exact.best_codes:
                self.task.report(self._analysis(self.exact.best_codes[:1], self._depth(), ""))
            yield found

    def answer(self) -> Analysis | None:
        """The exact answer, or None if time or nodes ran out before a move was known to be best."""
        best = [
            move
            for move in self.oracle.solver.order(self.position)
            if move in self.exact.best_codes
        ]
        if not best:
            return None
        move, note = self._hardest(best)
        score = self.exact.score
        source = f"from the book {score.book}" if score.source == BY_BOOK else ""
        return self._analysis(
            self._line(move, score),
            self._depth(),
            "; ".join(filter(None, (source, note))),
            lines=self.task.all_moves,
        )

    def _hardest(self, best: list[int]) -> tuple[int, str]:
        """Choose the best move after which the most replies spoil the opponent's result; return it
        with a note for people.
        """
        if len(best) == 1:
            return best[0], ""
        traps = {}
        for move in best:
            after = self.position.play_codes((move,))
            found = (
                (0, 0)
                if after.is_over or after.mover == self.position.mover
                else self._traps(after)
            )
            if found is None:
                return best[0], ""
            traps[move] = found
        move = max(best, key=lambda each: (traps[each][0], -traps[each][1]))
        spoiled, kept = traps[move]
        told = f"of {len(best)} equal moves the hardest to answer: {spoiled} of {spoiled + kept} replies spoil something"
        return move, told if spoiled else ""

    def _traps(self, position: Position) -> tuple[int, int] | None:
        """How hard the position after a best move is for its mover: the replies that give
        something away, and the replies that do not.

        A reply gives something away if it loses a proved win or draw, or if in a lost game it
        loses by more, or sooner, than it must.
        """
        score = self.exact.score.seen_by(position.mover).lower
        needed = 1 if score > 0 else score
        spoiled = kept = 0
        for reply in position.legal_codes:
            after = position.play_codes((reply,))
            bound = needed - 1 if after.mover == position.mover else -needed
            keeps = (
                self.oracle.is_above(after, needed - 1, position.mover)
                if self.oracle.is_quick(after, bound)
                else None
            )
            if keeps is None:
                return None
            spoiled, kept = spoiled + (not keeps), kept + keeps
        return spoiled, kept

    def _line(self, move: int, score: Score) -> tuple[int, ...]:
        """A move with its score, followed by best play: the whole turn, and beyond it as far as
        that is quickly known."""
        return (
            move,
            *self.oracle.line(
                self.position.play_codes((move,)),
                score.after(),
                patient=False,
                turn_of=self.position.mover,
            ),
        )

    def _depth(self) -> int:
        return self.exact.score.plies or self.task.deepest()

    @functools.cached_property
    def guess(self) -> Analysis:
        """The answer of a short search, to be shown while nothing is proved yet."""
        quick = dataclasses.replace(
            self.task, limit=Limit(nodes=GUESS_NODES), report=lambda analysis: None, all_moves=False
        )
        return strongest(self.task.rules).run(quick)

    def _analysis(
        self, line: tuple[int, ...], depth: int, note: str, *, lines: bool = False
    ) -> Analysis:
        moves = []
        for known in self.exact.moves:
            if known.score.result != "unknown":
                follow = (
                    line
                    if line[:1] == (known.code,)
                    else self._line(known.code, known.score)
                    if lines
                    else (known.code,)
                )
                moves.append(RootMove(known.code, known.score, follow))
        return Analysis(
            self.position,
            self.task.engine,
            self.exact.score,
            tuple(moves),
            line,
            depth=depth,
            nodes=self.exact.nodes,
            held=self.oracle.solver.held(),
            seconds=time.perf_counter() - self.task.started,
            note=note,
        )


def _bounds_in_words(bounds: Score) -> str:
    return f"its score lies between {bounds.lower} and {bounds.upper}"


def _may_remember(limit: Limit) -> bool:
    """Whether answers may depend on earlier searches: with a limit of nodes or depth they must be
    reproducible, so they may not."""
    return limit.nodes is None and limit.depth is None


register_search(Perfect)
