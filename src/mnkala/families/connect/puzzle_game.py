"""A puzzle of Connect being played: a win in time, against the best defence.

The first move has one solution. Later on more than one move may still win in time, and each of them is right.
"""

from __future__ import annotations

from collections.abc import Sequence

from mnkala.core import Position
from mnkala.errors import IllegalMove
from mnkala.explain.reason import Reason
from mnkala.explain.reasons import explain
from mnkala.numbers import counted
from mnkala.play.puzzle_contract import Attempt, Goal, NotSolvedInTime
from mnkala.search import Analysis, Limit, Score, parse_engine
from mnkala.solve import Solution
from mnkala.solve.oracle import Oracle, check_open
from mnkala.solve.solution import SOLVED

DEFENDER = parse_engine("perfect")
"""Of equally long defences it chooses the one that is hardest to meet."""
DEFENDER_NODES = 3_000_000
"""Some seconds at most, and always the same answer."""


def needed_score(position: Position, left: int) -> int:
    """The score of a mover who wins with his `left`-th move from here."""
    return position.rules.exact_score(position.state(), 1, 2 * left - 1)


def moves_left(position: Position, win_in: Goal, played: Sequence[str] = ()) -> int:
    """How many moves of one's own are left for the win; an error that says why, if it cannot be won in so many whatever they are."""
    left = win_in - len(played) // 2 if isinstance(win_in, int) else 0
    if len(played) % 2 or (played and (left < 1 or position.is_over)):
        raise IllegalMove(f"after {counted(len(played), 'move')} there is nothing left to try in a puzzle of {win_in}")
    check_open(position)
    most = needed_score(position, 1)
    if not 1 <= left <= most:
        raise IllegalMove(f"a win in {counted(left, 'move')} of one's own; here it can be 1 to {most}")
    return left


def attempt(oracle: Oracle, position: Position, left: int, move: str) -> Attempt:
    """Try a move in a position that is to be won in `left` moves of one's own."""
    after = position.play(move)
    move = after.history[-1]
    needed = needed_score(position, left)
    right = oracle.is_above(after, needed - 1, position.mover)
    if right is None:
        raise NotSolvedInTime(f"whether {move} wins in time could not be proved")
    if not right:
        return _wrong(oracle, position, after, move, left)
    known = Solution(needed, needed, position.mover, 2 * left - 1, SOLVED)
    if after.is_over:
        return Attempt(move, True, known, after, after, 0, ())
    best = DEFENDER.analyse(after, Limit(nodes=DEFENDER_NODES, stop=oracle.effort.stop)).best_move
    return Attempt(move, True, known, after, after.play(best), left - 1, ())


def _wrong(oracle: Oracle, position: Position, after: Position, move: str, left: int) -> Attempt:
    """What a wrong move is worth, and the line that shows it."""
    answer = oracle.answer(after)
    line = oracle.line(after, answer) if answer.score is not None else ()
    texts = tuple(position.rules.move_text(code) for code in line)
    return Attempt(move, False, answer.before(position.mover), after, after, left, (move, *texts))


def solution(oracle: Oracle, position: Position, left: int) -> tuple[str, ...]:
    """The win and the best defence, to the end; an error if there is no win in time."""
    needed = needed_score(position, left)
    if oracle.is_above(position, needed - 1, position.mover) is not True:
        raise NotSolvedInTime(f"no win in {counted(left, 'move')} was found here")
    line = oracle.line(position, Solution(needed, needed, position.mover))
    return tuple(position.rules.move_text(code) for code in line)


def reasons_for(position: Position, line: tuple[str, ...]) -> tuple[Reason, ...]:
    """Why the first move of a solution is the one to play."""
    codes = position.play(",".join(line)).history_codes[len(position.history_codes):]
    score = Score(needed_score(position, (len(codes) + 1) // 2), "exact", position.mover, "win", len(codes))
    return explain(Analysis(position, str(DEFENDER), score, (), tuple(codes), depth=len(codes)))
