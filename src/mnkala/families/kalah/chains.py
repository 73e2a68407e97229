"""The whole turns of Kalah: the chains of sowings that a player can make before the turn passes,
and what each brings.

After a sowing whose last seed falls into the store the player moves again, so a turn is a chain, of
which only the last sowing can capture. All chains are tried by the rules, in plain Python. Of
chains that reach the same board, only the shortest is continued.
"""

from __future__ import annotations

import dataclasses
import functools

from mnkala.core import GOING_ON
from mnkala.families.kalah.rules import Kalah, KalahState, exchanged, seeds_in

MOST_BOARDS = 2000
"""The most boards within one turn that are tried, some 50 ms. The longest chains of the usual
board, with 6, 5, 4, 3, 2 and 1 seeds in a row, reach half as many."""


@dataclasses.dataclass(frozen=True)
class WholeTurn:
    """One turn of Kalah, from its first sowing to its last."""

    codes: tuple[int, ...]
    """The codes of the houses that are sown."""
    last: KalahState
    """The board before the last sowing, with the same player to move."""
    after: KalahState
    captured: int
    """The opponent's seeds that the last sowing captures."""
    stored: int
    """The seeds that reach the mover's store, including those that the end of the game leaves in
    the mover's row."""
    gain: int
    """The growth of the mover's lead in seeds: `stored`, less what the end of the game leaves to
    the opponent."""
    ends: bool
    """Whether the game is over after the turn."""
    swept: int
    """The seeds that the end of the game leaves in the mover's own row, for the mover's store."""


def whole_turn(rules: Kalah, state: KalahState, codes: tuple[int, ...]) -> WholeTurn | None:
    """A chain of sowings as a turn; None if they are not exactly one whole turn."""
    mover, now, last = rules.mover(state), state, state
    for code in codes:
        if rules.result(now) != GOING_ON or rules.mover(now) != mover or not rules.is_legal(now, code):
            return None
        last, now = now, rules.play(now, code)
    return _made(rules, state, codes, last, now) if codes and _is_over(rules, now, mover) else None


def _made(rules: Kalah, state: KalahState, codes: tuple[int, ...], last: KalahState, after: KalahState) -> WholeTurn:
    mover = rules.mover(state)
    stored, given = (_store(rules, after, player) - _store(rules, state, player) for player in (mover, 1 - mover))
    ends = rules.result(after) != GOING_ON
    swept = _store(rules, after, mover) - _store(rules, last, mover) - _sown_and_captured(rules, last, codes[-1]) if ends else 0
    return WholeTurn(codes, last, after, captured(rules, last, codes[-1]), stored, stored - given, ends, swept)


@functools.lru_cache(maxsize=128)  # The turns of one state may take a megabyte.
def whole_turns(rules: Kalah, state: KalahState) -> tuple[WholeTurn, ...] | None:
    """All turns that the mover of a state can make, the shortest first; None if there are too many
    to try."""
    mover, found = rules.mover(state), []
    seen: set[KalahState] = {state}
    level: list[tuple[tuple[int, ...], KalahState]] = [((), state)] if rules.result(state) == GOING_ON else []
    while level:
        deeper = []
        for codes, now in level:
            for house in range(rules.houses):
                if not rules.is_legal(now, house):
                    continue
                after = rules.play(now, house)
                chain = (*codes, house)
                if _is_over(rules, after, mover):
                    found.append(_made(rules, state, chain, now, after))
                elif after not in seen:
                    seen.add(after)
                    deeper.append((chain, after))
                if len(found) + len(seen) > MOST_BOARDS:
                    return None
        level = deeper
    return tuple(found)


def most_captured(rules: Kalah, state: KalahState) -> WholeTurn | None:
    """The turn that captures most (perhaps nothing), the shortest of several; None if the game is
    over or the turns are too many to try."""
    return max(whole_turns(rules, state) or (), key=lambda turn: turn.captured, default=None)


def natural_turns(rules: Kalah, state: KalahState) -> tuple[WholeTurn, ...]:
    """The turns of a player who looks at nothing but this turn: those after which the lead has
    grown most.

    This is what *natural* means wherever a natural move is mentioned.
    """
    turns = whole_turns(rules, state) or ()
    most = max((turn.gain for turn in turns), default=0)
    return tuple(turn for turn in turns if turn.gain == most)


def extra_turns(rules: Kalah, state: KalahState) -> tuple[int, ...]:
    """The houses whose last seed falls into the mover's store, so that the player moves again."""
    return tuple(house for house in range(rules.houses) if rules.is_legal(state, house) and landing(rules, state, house) == rules.houses
                 and rules.result(rules.play(state, house)) == GOING_ON)


def captured(rules: Kalah, state: KalahState, move: int) -> int:
    """How many of the opponent's seeds a sowing captures."""
    if not _ends_in_empty_house(rules, state, move):
        return 0
    # A last seed in the mover's own row that went all the way round has put a seed into every house of the opponent.
    lap = int(move + seeds_in(state.own, move) > 2 * rules.houses)
    return seeds_in(state.other, opposite(rules, landing(rules, state, move))) + lap


def _ends_in_empty_house(rules: Kalah, state: KalahState, move: int) -> bool:
    """Whether the last seed falls into an empty house of the mover's own row, which may be the
    house that was just lifted."""
    seeds, ring, last = seeds_in(state.own, move), 2 * rules.houses + 1, landing(rules, state, move)
    return last < rules.houses and (seeds == ring or (seeds < ring and seeds_in(state.own, last) == 0))


def _sown_and_captured(rules: Kalah, state: KalahState, move: int) -> int:
    """The seeds that a sowing brings into the mover's store before the end of the game is
    considered: one for each lap, and a capture with the seed that makes it."""
    sown = (move + seeds_in(state.own, move) + rules.houses + 1) // (2 * rules.houses + 1)
    taken = captured(rules, state, move)
    return sown + (taken + 1 if taken or (_ends_in_empty_house(rules, state, move) and not rules.standard) else 0)


def landing(rules: Kalah, state: KalahState, move: int) -> int:
    """Where the last seed falls, counted along the mover's ring: own houses, own store, the other's
    houses."""
    return (move + seeds_in(state.own, move)) % (2 * rules.houses + 1)


def opposite(rules: Kalah, house: int) -> int:
    """The opponent's house opposite one of the mover's, counted from the opponent's left."""
    return rules.houses - 1 - house


def passed(state: KalahState) -> KalahState:
    """The same board with the other player to move."""
    return KalahState(state.other, state.own, exchanged(state.stores))


def _store(rules: Kalah, state: KalahState, player: int) -> int:
    return seeds_in(state.stores, 0 if rules.mover(state) == player else 1)


def _is_over(rules: Kalah, state: KalahState, mover: int) -> bool:
    """Whether a player's turn is over, because the other player moves or the game has ended."""
    return rules.result(state) != GOING_ON or rules.mover(state) != mover
