"""The one stream of what is known about a position: the rules, the book, the solver, and the
search until those have an answer.

`inspect` yields an `Inspection` whenever something new is known; closing it stops the work. The
page, the terminal, hints, reviews, `mnkala analyse`, `mnkala solve` and their JSON read from it,
so that all of them agree: the moves on one scale, the best first (`move_values`), opinions as
means of two depths, why each move is good or bad, and one policy for estimates beside proofs
(`merged`): what is proved stands, and an estimate fills in what is open, without ever claiming
more than the proof beside it.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import threading
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence

from mnkala.core import Position, Rules
from mnkala.core.score import Score
from mnkala.errors import IllegalMove
from mnkala.explain.contract import Reason
from mnkala.explain.line_reasons import row_reasons
from mnkala.explain.move_values import appraise, in_order
from mnkala.explain.reasons import explain
from mnkala.explain.turn_words import TurnMove, turn_moves
from mnkala.explain.verdicts import proved_verdicts
from mnkala.search import Analysis, Engine, Limit, RootMove, Stop, parse_engine
from mnkala.search.engine import finished
from mnkala.search.runner import Helpers, stream
from mnkala.solve import Exact, NoSolver, find_solver, prove, solver_for
from mnkala.solve.oracle import open_oracle, out_of_reach

HEAD_START = 0.3
"""Seconds for the solver alone: what it proves at once needs no estimate."""
NODES_AT_A_DEPTH = 100_000
"""The node limit of the solver when the only given limit is a depth, which means nothing to a
solver."""
SHORTEST = 0.01
"""The least seconds for an estimate, if proving has taken all the time."""
HINT_LIMIT = Limit(time=2)
TURN_SECONDS = 0.2
"""The seconds for the turn that a hint suggests, if proving its score has taken all the time."""
Prover = Callable[[Position, Limit, Stop], Iterable[Exact]]
"""Yields what is proved about a position, better and better, within a limit and until a flag is
raised; nothing where that is hopeless."""


@dataclasses.dataclass(frozen=True)
class Inspection(Analysis):
    """Everything that is known about a position so far, the best moves first."""

    best: tuple[int, ...] = ()
    """The codes of the best moves."""
    proof: Exact | None = None
    """What the book and the solver have proved; None where nothing can be."""
    out_of_reach: NoSolver | None = None
    """Why nothing can be proved, for a game that has a solver."""

    @property
    def best_codes(self) -> tuple[int, ...]:
        """The best move and all moves that are known to be as good."""
        return self.best

    @property
    def best_code(self) -> int | None:
        """The move to play: the first of the line, or of the best where none was followed, or of
        all where no best one is known."""
        return next(iter((*self.line_codes, *self.best, *(move.code for move in self.moves))), None)

    @property
    def is_settled(self) -> bool:
        """Whether the position's score is proved, so that no part of it is an estimate."""
        return self.score is not None and self.score.exact is not None

    @property
    def done(self) -> bool:
        """Whether every move's score is proved."""
        return self.proof is not None and self.proof.done

    @functools.cached_property
    def reasons(self) -> Mapping[int, tuple[Reason, ...]]:
        """Why moves are good or bad, by code, as far as that is proved or visible on the board."""
        return (
            row_reasons(self.position, self.moves)
            if self.proof is None
            else proved_verdicts(self.proof)
        )


def by_solver(position: Position, limit: Limit, stop: Stop) -> Iterable[Exact]:
    """Yield what the book and the solver of a game prove about a position."""
    nodes = limit.nodes or (NODES_AT_A_DEPTH if limit.depth and not limit.time else None)
    return prove(position, seconds=limit.time, nodes=nodes, stop=stop)


def inspect(
    position: Position,
    limit: Limit | None = None,
    *,
    engine: Engine | str | None = "auto",
    prover: Prover | None = by_solver,
    all_moves: bool = True,
    head_start: float | None = HEAD_START,
    stop: Stop | None = None,
) -> Generator[Inspection, None, None]:
    """Yield what is known about a position, better and better.

    The limit applies to the search and to the prover; without one the search goes as deep as it
    does by default, and the solver works until everything is proved. Without a `prover` the engine
    alone speaks; without an `engine` nothing is estimated. `all_moves` asks for an estimate of each
    move, and `head_start` says after how many seconds estimates begin; None means only where the
    prover has failed.
    """
    chosen = parse_engine(engine) if isinstance(engine, str) else engine
    limit = limit or (Limit() if chosen is None else chosen.limit)
    if position.is_over:
        yield merged(None, finished(position, str(chosen)))
        return
    told = None
    if (
        chosen is not None
        and prover is by_solver
        and (why := out_of_reach(position, limit.time)) is not None
    ):
        prover, told = None, why if find_solver(position.rules) is not None else None
    if prover is None:
        assert chosen is not None, "an engine or a prover has to be asked"
        for estimate in chosen.stream(position, limit, all_moves=all_moves, stop=stop):
            yield dataclasses.replace(merged(None, estimate), out_of_reach=told)
        return
    if chosen is not None:
        with chosen.ready(
            position.rules
        ):  # before there are two threads: Numba loads nothing in two at a time
            solver_for(position.rules).prepare(position.rules)
    yield from stream(
        _Both(position, limit, prover, chosen, all_moves, head_start).work, stop=stop or limit.stop
    )


@dataclasses.dataclass
class _Both:
    """The prover and the search working on one position, each in its own thread."""

    position: Position
    limit: Limit
    prover: Prover
    engine: Engine | None
    all_moves: bool
    head_start: float | None

    def work(self, stop: Stop, give: Callable[[Inspection], None]) -> None:
        """Prove, and estimate in the meantime."""
        lock, tried, searching, started = (
            threading.Lock(),
            threading.Event(),
            Stop(stop),
            time.perf_counter(),
        )
        proof: Exact | None = None
        guess: Analysis | None = None

        def heard() -> None:
            if proof is not None or tried.is_set():
                give(merged(proof, guess))

        def estimate(engine: Engine) -> None:
            nonlocal guess
            tried.wait(self.head_start)
            left = (
                None
                if self.limit.time is None
                else max(SHORTEST, self.limit.time - (time.perf_counter() - started))
            )
            if searching.is_set():
                return
            for found in engine.stream(
                self.position,
                dataclasses.replace(self.limit, time=left),
                all_moves=self.all_moves,
                stop=searching,
            ):
                with lock:
                    guess = found
                    heard()

        helper = Helpers([] if self.engine is None else [functools.partial(estimate, self.engine)])
        try:
            for found in self.prover(self.position, self.limit, stop):
                with lock:
                    proof = found
                    heard()
                if found.score.exact is not None and found.best_codes:
                    searching.set()
        except BaseException:
            searching.set()
            raise
        finally:
            tried.set()
            helper.join()


# ---- Hints ----


@dataclasses.dataclass(frozen=True)
class Hint:
    """A suggested move, with its reasons."""

    move: str
    score: Score | None
    """The score for the player to move; None if the engine has no opinion."""
    line: tuple[str, ...]
    """The move and the continuation that the engine expects."""
    reasons: tuple[Reason, ...]
    """The reasons, the most important first."""
    turn: tuple[TurnMove, ...] = ()
    """The whole turn that begins with the move, in games where a player may move again."""


def hint_engine(rules: Rules) -> Engine:
    """The engine to prepare before a hint is asked for: it compiles the solver, where one fits,
    and the strongest search."""
    return parse_engine("auto" if find_solver(rules) is None else "perfect")


def advice(
    position: Position, limit: Limit = HINT_LIMIT, *, stop: Stop | None = None
) -> Inspection:
    """Everything that a hint rests on: what is known once every move's score is proved and the best
    turn followed, or else when the limit is met. Raises IllegalMove if the game is over."""
    if position.is_over:
        raise IllegalMove(
            f"the game is over ({position.outcome}); a hint needs a position with a move to make"
        )
    with contextlib.closing(inspect(position, limit, stop=stop)) as answers:
        for found in answers:
            if found.done and found.line_codes:
                break
    if (
        found.score is not None and found.is_settled and not found.line_codes
    ):  # the time was up, but what is known tells the turn
        with open_oracle(position.rules, stop, until=time.perf_counter() + TURN_SECONDS) as oracle:
            return dataclasses.replace(
                found,
                line_codes=oracle.line(
                    position, found.score, patient=False, turn_of=position.mover
                ),
            )
    return found


def hint(position: Position, limit: Limit = HINT_LIMIT, *, stop: Stop | None = None) -> Hint:
    """Suggest a move and explain it."""
    return hint_of(advice(position, limit, stop=stop))


def hint_of(found: Inspection) -> Hint:
    """The hint that follows from an inspection."""
    return Hint(
        found.best_move,
        found.score,
        found.line,
        explain(found),
        turn_moves(found.position, found.line_codes),
    )


# ---- One truth ----


def merged(proof: Exact | None, estimate: Analysis | None) -> Inspection:
    """Combine a proof and an estimate of the same position."""
    guess = None if estimate is None else appraise(estimate)
    if proof is None:
        assert guess is not None
        return _inspection(
            guess, guess.score, guess.moves, guess.line_codes, guess.best_codes, None
        )
    proved = appraise(proof)
    whole = proved.score
    known = whole.exact is not None and proved.best_codes
    guesses = {} if known or guess is None else {each.code: each for each in guess.moves}
    ceiling = whole.chance if whole.result != "unknown" else 1.0
    moves = [_filled(each, guesses.get(each.code), ceiling) for each in proved.moves]
    if whole.result != "unknown" or guess is None:
        return _inspection(
            proved,
            whole,
            in_order(moves, proved.best_codes),
            proved.line_codes,
            proved.best_codes,
            proof,
        )
    # The result is open: the moves that the estimate likes lead, but a draw that is proved can be
    # had, whatever the estimate thinks of it.
    drawn = [each.code for each in proved.moves if each.score.result == "draw"]
    liked = [
        each for each in moves if each.code in guess.best_codes and each.score.result != "loss"
    ]
    sure = bool(drawn) and all(each.score.chance < 0.5 for each in liked)
    best = drawn if sure else [each.code for each in liked]
    ordered = in_order(moves, best)
    line = guess.line_codes if guess.line_codes[:1] == (ordered[0].code,) else ordered[0].line_codes
    if sure or not best or guess.score is None:
        return _inspection(guess, whole, ordered, line, best, proof)
    opinion = dataclasses.replace(guess.score, expected=ordered[0].score.chance)
    return _inspection(guess, opinion, ordered, line, best, proof)


def _filled(known: RootMove, guess: RootMove | None, ceiling: float) -> RootMove:
    """Return the proved score of a move or, while its result is open, the estimate, limited to what
    the proof allows. `ceiling` is the largest chance that the estimate may claim."""
    if guess is None or known.score.result != "unknown":
        return known
    most = min(ceiling, 0.5 if known.score.upper <= 0 else 1.0)
    return dataclasses.replace(
        guess, score=dataclasses.replace(guess.score, expected=min(guess.score.chance, most))
    )


def _inspection(
    teller: Analysis,
    score: Score | None,
    moves: Sequence[RootMove],
    line: tuple[int, ...],
    best: Sequence[int],
    proof: Exact | None,
) -> Inspection:
    """Make an inspection from an analysis (`teller`), with another score, moves and line."""
    told = {field.name: getattr(teller, field.name) for field in dataclasses.fields(Analysis)}
    told |= {"score": score, "moves": tuple(moves), "line_codes": line}
    return Inspection(**told, best=tuple(best), proof=proof)
