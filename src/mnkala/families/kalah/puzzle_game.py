"""Playing a puzzle of Kalah: a whole turn, sowing by sowing. A wrong house is answered with its
refutation.

What is right follows from the position on the board alone: in a longest chain, a house with which a
longest turn continues; otherwise a house that keeps the result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mnkala.core import Position
from mnkala.errors import IllegalMove
from mnkala.explain.reason import Reason
from mnkala.explain.reasons import explain_move
from mnkala.play.puzzle_contract import Attempt, Goal, NotSolvedInTime
from mnkala.solve.oracle import Oracle, check_open

ONLY, CHAIN, SAVE = KINDS = ("only-move", "longest-chain", "save")
MOST_TURNS = 20_000
"""The most turns of a position; one with more is no puzzle, because counting them would take too
long."""
MOST_REASONS = 3


def orders_of_sowings(position: Position) -> Iterator[tuple[int, ...]]:
    """All turns of the mover, in every order of their sowings. (`whole_turns` continues from each
    board only once; here orders differ.)"""
    for move in position.legal_codes:
        after = position.play_codes((move,))
        if after.is_over or after.mover != position.mover:
            yield (move,)
        else:
            yield from ((move, *rest) for rest in orders_of_sowings(after))


def longest_turns(position: Position) -> list[tuple[int, ...]]:
    """The turns with the most sowings; none where there are too many turns to compare."""
    longest: list[tuple[int, ...]] = []
    for number, turn in enumerate(orders_of_sowings(position)):
        if number >= MOST_TURNS:
            return []
        if not longest or len(turn) > len(longest[0]):
            longest = [turn]
        elif len(turn) == len(longest[0]):
            longest.append(turn)
    return longest


def kind_left(position: Position, kind: Goal, played: Sequence[str]) -> str:
    """The kind of a puzzle at a position that some sowings led to; raise an error with the reason
    if there is nothing to find."""
    if kind not in KINDS:
        raise IllegalMove(f"a puzzle of Kalah is of one of the kinds {', '.join(KINDS)}")
    if played and (position.is_over or {*position.movers[-len(played):]} != {position.mover}):
        raise IllegalMove(f"after {''.join(played)} the turn is over: there is nothing left to try in this puzzle")
    check_open(position)
    return str(kind)


def attempt(oracle: Oracle, position: Position, kind: str, move: str) -> Attempt:
    """Try a house and judge it."""
    after = position.play(move)
    code, move = after.history_codes[-1], after.history[-1]
    right = code in _right_moves(oracle, position, kind, (code,))
    known = oracle.answer(after)
    if not right:
        line = _longest_from(position, code) if kind == CHAIN else (code, *oracle.line(after, known))
        return Attempt(move, False, known.before(position.mover), after, after, kind, _texts(position, line))
    over = after.is_over or after.mover != position.mover
    return Attempt(move, True, known.before(position.mover), after, after, "" if over else kind, ())


def solution(oracle: Oracle, position: Position, kind: str) -> tuple[str, ...]:
    """The rest of the turn that solves the puzzle."""
    turn: list[int] = []
    now = position
    while not now.is_over and now.mover == position.mover:
        turn.append(next(iter(_right_moves(oracle, now, kind, now.legal_codes))))
        now = position.play_codes(turn)
    return _texts(position, turn)


def _right_moves(oracle: Oracle, position: Position, kind: str, moves: Sequence[int]) -> Iterator[int]:
    """Those of some houses that are right."""
    if kind == CHAIN:
        right = {turn[0] for turn in longest_turns(position)}
        yield from (move for move in moves if move in right)
        return
    needed = _needed(oracle, position)
    for move in moves:
        above = oracle.is_above(position.play_codes((move,)), needed, position.mover)
        if above is None:
            raise NotSolvedInTime(f"what {position.rules.move_text(move)} is worth could not be proved")
        if above:
            yield move


def _needed(oracle: Oracle, position: Position) -> int:
    """The number that a score must exceed to keep the result; where every turn loses, to lose no
    more."""
    for number in (0, -1):
        above = oracle.is_above(position, number, position.mover)
        if above is None:
            raise NotSolvedInTime("who wins here could not be proved")
        if above:
            return number
    return oracle.answer(position).lower - 1


def _longest_from(position: Position, move: int) -> tuple[int, ...]:
    """The longest turn that begins with a house."""
    after = position.play_codes((move,))
    if after.is_over or after.mover != position.mover:
        return (move,)
    return (move, *next(iter(longest_turns(after)), ()))


def reasons_for(position: Position, line: tuple[str, ...]) -> tuple[Reason, ...]:
    """The reasons that can be given for the first house."""
    code = position.play(line[0]).history_codes[-1]
    return tuple(explain_move(position, code)[:MOST_REASONS])


def _texts(position: Position, moves: Sequence[int]) -> tuple[str, ...]:
    return tuple(map(position.rules.move_text, moves))
