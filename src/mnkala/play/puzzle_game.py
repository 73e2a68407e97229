"""A puzzle being played: the solver judges every move, the best defence answers, and a hint or the solution is always at hand.

The first move of a puzzle has one solution. Later on more than one move may still win in time, and each of them is right.
"""

from __future__ import annotations

import contextlib
import dataclasses
import time
from collections.abc import Iterator

from mnkala.errors import IllegalMove, MnkalaError
from mnkala.games import Position
from mnkala.numbers import counted
from mnkala.play.puzzles import check_game
from mnkala.play.reason import Reason
from mnkala.play.reasons import explain
from mnkala.search import Analysis, Limit, Score, Stop, parse_engine
from mnkala.solve import ConnectSolver, Solution
from mnkala.solve.oracle import Oracle, check_open, open_oracle
from mnkala.solve.solution import SOLVED

DEFENDER = parse_engine("perfect")
"""Of equally long defences it chooses the one that is hardest to meet."""
DEFENDER_NODES = 3_000_000
"""Some seconds at most, and always the same answer."""


class NotSolvedInTime(MnkalaError):
    """A position that is too hard to judge here."""


@dataclasses.dataclass(frozen=True)
class Attempt:
    """A move that was tried."""

    move: str
    right: bool
    """Whether it still wins in time."""
    known: Solution
    """Its score, for the player who tried it; of a right move at least what was needed."""
    after: Position
    """With the move."""
    answered: Position
    """With the defender's answer too, if there is one."""
    left: int
    """Moves of one's own that are left for the win."""
    line: tuple[str, ...]
    """A wrong move, and what refutes it."""

    @property
    def solved(self) -> bool:
        """Whether that was the last move."""
        return self.right and self.after.is_over

    @property
    def reply(self) -> str | None:
        """The defender's answer."""
        return self.answered.history[-1] if len(self.answered.history) > len(self.after.history) else None


def needed_score(position: Position, left: int) -> int:
    """The score of a mover who wins with his `left`-th move from here."""
    return position.rules.exact_score(position.state(), 1, 2 * left - 1)


def check_puzzle(position: Position, left: int) -> None:
    """Raise an error that says why, if a position cannot be won in `left` moves of one's own whatever they are."""
    check_game(position.rules)
    check_open(position)
    most = needed_score(position, 1)
    if not 1 <= left <= most:
        raise IllegalMove(f"a win in {counted(left, 'move')} of one's own; here it can be 1 to {most}")


def attempt(position: Position, left: int, move: str, *, seconds: float | None = None, stop: Stop | None = None) -> Attempt:
    """Try a move in a position that is to be won in `left` moves of one's own."""
    check_puzzle(position, left)
    after = position.play(move)
    move = after.history[-1]
    needed = needed_score(position, left)
    with _asked(position, seconds, stop) as oracle:
        right = oracle.is_above(after, needed - 1, position.mover)
        if right is None:
            raise NotSolvedInTime(f"whether {move} wins in time could not be proved within {seconds:g} seconds")
        if not right:
            return _wrong(oracle, position, after, move, left)
    known = Solution(needed, needed, position.mover, 2 * left - 1, SOLVED)
    if after.is_over:
        return Attempt(move, True, known, after, after, 0, ())
    best = DEFENDER.analyse(after, Limit(nodes=DEFENDER_NODES, stop=stop)).best_move
    return Attempt(move, True, known, after, after.play(best), left - 1, ())


def _wrong(oracle: Oracle, position: Position, after: Position, move: str, left: int) -> Attempt:
    """What a wrong move is worth, and the line that shows it."""
    answer = oracle.answer(after)
    line = oracle.line(after, answer) if answer.score is not None else ()
    texts = tuple(position.rules.move_text(code) for code in line)
    return Attempt(move, False, answer.before(position.mover), after, after, left, (move, *texts))


def solution(position: Position, left: int, *, seconds: float | None = None, stop: Stop | None = None) -> tuple[str, ...]:
    """The win and the best defence, to the end; an error if there is no win in time."""
    check_puzzle(position, left)
    needed = needed_score(position, left)
    with _asked(position, seconds, stop) as oracle:
        if oracle.is_above(position, needed - 1, position.mover) is not True:
            raise NotSolvedInTime(f"no win in {counted(left, 'move')} was found here")
        line = oracle.line(position, Solution(needed, needed, position.mover))
    return tuple(position.rules.move_text(code) for code in line)


def reasons_for(position: Position, line: tuple[str, ...]) -> tuple[Reason, ...]:
    """Why the first move of a solution is the one to play."""
    codes = position.play(",".join(line)).history_codes[len(position.history_codes):]
    score = Score(needed_score(position, (len(codes) + 1) // 2), "exact", position.mover, "win", len(codes))
    return explain(Analysis(position, str(DEFENDER), score, (), tuple(codes), depth=len(codes)))


@contextlib.contextmanager
def _asked(position: Position, seconds: float | None, stop: Stop | None) -> Iterator[Oracle]:
    """An oracle, with everything compiled and read before the time runs."""
    ConnectSolver.prepare(position.rules)
    with open_oracle(position.rules, stop) as oracle:
        oracle.effort.extend(until=None if seconds is None else time.perf_counter() + seconds, nodes=None)
        yield oracle
