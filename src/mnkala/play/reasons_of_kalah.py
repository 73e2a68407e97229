"""Reasons for a move of Kalah: another turn, a capture, seeds that would have been lost."""

from __future__ import annotations

from collections.abc import Iterator

from mnkala.games import GOING_ON
from mnkala.games.kalah import Kalah, KalahState, exchanged, seeds_in
from mnkala.play.reason import Reason

FEWEST_TO_SAVE = 2
"""A single seed is not worth a sentence."""


def kalah_reasons(rules: Kalah, state: KalahState, move: int) -> Iterator[Reason]:
    """What a move does, seen on the board before and after it."""
    after = rules.play(state, move)
    if rules.result(after) != GOING_ON:
        return
    mover = rules.mover(state)
    player, opponent = rules.players[mover], rules.players[1 - mover]
    if rules.mover(after) == mover:
        yield Reason("hint.extra_turn", {"player": player}, rules.move_cells(state, move))
        return
    seeds = captured(rules, state, move)
    if seeds:
        house = _landing(rules, state, move)
        cells = (*rules.move_cells(state, house), *rules.move_cells(_passed(state), rules.houses - 1 - house))
        yield Reason("hint.captures" if seeds > 1 else "hint.captures_one", {"seeds": seeds, "opponent": opponent}, cells)
    feared, reply = most_captured(rules, _passed(state))
    if feared >= FEWEST_TO_SAVE and most_captured(rules, after)[0] < feared:
        lost = rules.houses - 1 - _landing(rules, _passed(state), reply)
        yield Reason("hint.saves", {"seeds": feared, "opponent": opponent, "move": rules.move_text(reply)}, rules.move_cells(state, lost))


def captured(rules: Kalah, state: KalahState, move: int) -> int:
    """How many of the opponent's seeds a move captures."""
    seeds, ring = seeds_in(state.own, move), 2 * rules.houses + 1
    last = _landing(rules, state, move)
    if last >= rules.houses or not (seeds == ring or (seeds < ring and seeds_in(state.own, last) == 0)):
        return 0
    # A last seed in one's own row that went all the way round has put a seed into every house of the opponent.
    passed = int(move + seeds > 2 * rules.houses)
    return seeds_in(state.other, rules.houses - 1 - last) + passed


def most_captured(rules: Kalah, state: KalahState) -> tuple[int, int]:
    """The largest capture that the mover of a state has, and the house that makes it."""
    houses = [house for house in range(rules.houses) if seeds_in(state.own, house)]
    return max(((captured(rules, state, house), house) for house in houses), default=(0, 0))


def _landing(rules: Kalah, state: KalahState, move: int) -> int:
    """Where the last seed falls, counted along the ring that the mover knows: own houses, own store, the other's houses."""
    return (move + seeds_in(state.own, move)) % (2 * rules.houses + 1)


def _passed(state: KalahState) -> KalahState:
    """The same board with the other player to move."""
    return KalahState(state.other, state.own, exchanged(state.stores))
