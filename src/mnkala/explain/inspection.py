"""The one stream of what is known of a position: the rules, the book, the solver, and the search
until those have spoken.

`inspect` yields an `Inspection` whenever something new is known; closing it stops the work. The
page, the terminal, `mnkala analyse` and its JSON read from it, so that all say the same: the moves
on one scale and the best first (`move_values`), opinions as means of two depths, why each move is
good or bad, and one policy for estimates beside proofs (`merged`): what is proved stands, and an
estimate fills what is open, without ever saying more than the proof beside it.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Generator, Mapping, Sequence

from mnkala.core import Position
from mnkala.core.score import Score
from mnkala.explain.contract import Reason
from mnkala.explain.line_reasons import row_reasons
from mnkala.explain.move_values import appraise, in_order
from mnkala.explain.verdicts import proved_verdicts
from mnkala.search import Analysis, Engine, Limit, RootMove, Stop, parse_engine
from mnkala.search.engine import finished
from mnkala.search.runner import Helpers, stream
from mnkala.solve import Exact, find_solver, prove, solver_for
from mnkala.solve.oracle import out_of_reach

HEAD_START = 0.3
"""Seconds for the solver alone: what it proves at once needs no estimate."""
NODES_AT_A_DEPTH = 100_000
"""The node limit of the solver when the only given limit is a depth, which means nothing to a
solver."""


@dataclasses.dataclass(frozen=True)
class Inspection(Analysis):
    """Everything that is known about a position so far, the best moves first."""

    best: tuple[int, ...] = ()
    """The codes of the best moves."""
    reasons: Mapping[int, tuple[Reason, ...]] = dataclasses.field(default_factory=dict)
    """Why moves are good or bad, by code, as far as that is proved or visible on the board."""
    proof: Exact | None = None
    """What the book and the solver have proved; None where nothing can be."""
    out_of_reach: str = ""
    """Why nothing can be proved, for a game that has a solver."""

    @property
    def best_codes(self) -> tuple[int, ...]:
        """The best move and all moves that are known to be as good."""
        return self.best

    @property
    def is_settled(self) -> bool:
        """Whether the position's score is proved, so that no part of it is an estimate."""
        return self.score is not None and self.score.exact is not None


def inspect(position: Position, limit: Limit | None = None, *, engine: Engine | str = "auto",
            stop: Stop | None = None) -> Generator[Inspection, None, None]:
    """Yield what is known about a position, better and better. The limit applies to the search and
    to the solver; without one the search goes as deep as it does by default, and the solver works
    until everything is proved."""
    chosen = parse_engine(engine) if isinstance(engine, str) else engine
    limit = limit or chosen.limit
    if position.is_over:
        yield merged(None, finished(position, str(chosen)))
        return
    why = out_of_reach(position, limit.time)
    if why is not None:
        told = why if find_solver(position.rules) is not None else ""
        for estimate in chosen.stream(position, limit, all_moves=True, stop=stop):
            yield dataclasses.replace(merged(None, estimate), out_of_reach=told)
        return
    with chosen.ready(position.rules):  # before there are two threads: Numba loads nothing in two at a time
        solver_for(position.rules).prepare(position.rules)
    yield from stream(_Both(position, limit, chosen).work, stop=stop or limit.stop)


class _Both:
    """The solver and the search working on one position, each in its own thread."""

    def __init__(self, position: Position, limit: Limit, engine: Engine) -> None:
        self.position, self.limit, self.engine = position, limit, engine
        self.lock, self.settled = threading.Lock(), threading.Event()
        self.proof: Exact | None = None
        self.estimate: Analysis | None = None

    def work(self, stop: Stop, give: Callable[[Inspection], None]) -> None:
        """Prove, and estimate in the meantime."""
        searching, nodes = Stop(stop), self.limit.nodes or (NODES_AT_A_DEPTH if self.limit.depth and not self.limit.time else None)

        def heard(*, proof: Exact | None = None, estimate: Analysis | None = None) -> None:
            with self.lock:
                self.proof, self.estimate = proof or self.proof, estimate or self.estimate
                if self.proof is not None:
                    give(merged(self.proof, self.estimate))

        def estimate() -> None:
            if not self.settled.wait(HEAD_START):
                for found in self.engine.stream(self.position, self.limit, all_moves=True, stop=searching):
                    heard(estimate=found)

        helper = Helpers([estimate])
        try:
            for proof in prove(self.position, seconds=self.limit.time, nodes=nodes, stop=stop):
                heard(proof=proof)
                if proof.score.exact is not None:
                    self.settled.set()
                    searching.set()
        except BaseException:
            searching.set()
            self.settled.set()
            raise
        finally:
            if stop.is_set():
                self.settled.set()
            helper.join()


# ---- One truth ----


def merged(proof: Exact | None, estimate: Analysis | None) -> Inspection:
    """Combine a proof and an estimate of the same position."""
    guess = None if estimate is None else appraise(estimate)
    if proof is None:
        assert guess is not None
        reasons = row_reasons(guess.position, guess.moves)
        return _inspection(guess, guess.score, guess.moves, guess.line_codes, guess.best_codes, reasons, None)
    proved = appraise(proof)
    whole = proved.score
    guesses = {} if whole.exact is not None or guess is None else {each.code: each for each in guess.moves}
    ceiling = whole.chance if whole.result != "unknown" else 1.0
    moves = [_filled(each, guesses.get(each.code), ceiling) for each in proved.moves]
    reasons = proved_verdicts(proof)
    if whole.result != "unknown" or guess is None:
        return _inspection(proved, whole, in_order(moves, proved.best_codes), proved.line_codes, proved.best_codes, reasons, proof)
    # The result is open: the moves that the estimate likes lead, but a draw that is proved can be
    # had, whatever the estimate thinks of it.
    drawn = [each.code for each in proved.moves if each.score.result == "draw"]
    liked = [each for each in moves if each.code in guess.best_codes and each.score.result != "loss"]
    sure = bool(drawn) and all(each.score.chance < 0.5 for each in liked)
    best = drawn if sure else [each.code for each in liked]
    ordered = in_order(moves, best)
    line = guess.line_codes if guess.line_codes[:1] == (ordered[0].code,) else ordered[0].line_codes
    if sure or not best or guess.score is None:
        return _inspection(guess, whole, ordered, line, best, reasons, proof)
    opinion = dataclasses.replace(guess.score, expected=ordered[0].score.chance)
    return _inspection(guess, opinion, ordered, line, best, reasons, proof)


def _filled(known: RootMove, guess: RootMove | None, ceiling: float) -> RootMove:
    """The proved score of a move or, while its result is open, the estimate, limited to what the
    proof allows."""
    if guess is None or known.score.result != "unknown":
        return known
    most = min(ceiling, 0.5 if known.score.upper <= 0 else 1.0)
    return dataclasses.replace(guess, score=dataclasses.replace(guess.score, expected=min(guess.score.chance, most)))


def _inspection(teller: Analysis, score: Score | None, moves: Sequence[RootMove], line: tuple[int, ...], best: Sequence[int],
                reasons: Mapping[int, tuple[Reason, ...]], proof: Exact | None) -> Inspection:
    told = {field.name: getattr(teller, field.name) for field in dataclasses.fields(Analysis)}
    told |= {"score": score, "moves": tuple(moves), "line_codes": line}
    return Inspection(**told, best=tuple(best), reasons=reasons, proof=proof)
