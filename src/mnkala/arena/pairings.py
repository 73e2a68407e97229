"""Who meets whom: round robin, gauntlet, and Swiss. Players are numbers, in the order in which they were entered."""

from __future__ import annotations

from collections.abc import Sequence

Pairing = tuple[int, int]
MOST_STEPS = 20_000
"""Attempts at pairing a round of a Swiss tournament without a rematch, before one is allowed."""


def round_robin(players: int) -> list[list[Pairing]]:
    """Everyone meets everyone, in rounds in which nobody plays twice (the circle method), so that the table is fair at any time."""
    seats: list[int | None] = [*range(players), *([None] if players % 2 else [])]
    half = len(seats) // 2
    rounds = []
    for _ in range(len(seats) - 1):
        facing = zip(seats[:half], reversed(seats[half:]), strict=True)
        rounds.append([(min(one, other), max(one, other)) for one, other in facing if one is not None and other is not None])
        seats = [seats[0], seats[-1], *seats[1:-1]]
    return rounds


def gauntlet(players: int, challengers: int = 1) -> list[list[Pairing]]:
    """The first few meet all others, and not each other."""
    return [[(one, other)] for other in range(challengers, players) for one in range(challengers)]


def swiss(points: Sequence[float], met: Sequence[Sequence[Pairing]]) -> list[Pairing]:
    """The next round: neighbours in the table that have not met (Monrad's way). Of an odd number the last one that has not yet been left
    out is left out. `points` must count such a bye as a won round; `met` are the rounds so far."""
    players = range(len(points))
    order = sorted(players, key=lambda player: (-points[player], player))
    if len(order) % 2:
        order.remove(next(player for player in reversed(order) if player not in byes(len(points), met)))
    before = {pairing for played in met for pairing in played}
    if not met:  # in the first round nobody is known: the upper half of the list meets the lower
        half = len(order) // 2
        return [(min(pair), max(pair)) for pair in zip(order[:half], order[half:], strict=True)]
    found = _without_rematch(order, before, [MOST_STEPS])
    return found if found is not None else [(min(pair), max(pair)) for pair in zip(order[::2], order[1::2], strict=True)]


def byes(players: int, met: Sequence[Sequence[Pairing]]) -> list[int]:
    """Who was left out in each round, if anybody was; once everyone had that, it begins anew."""
    left_out = [next(iter(set(range(players)) - {player for pairing in played for player in pairing})) for played in met
                if 2 * len(played) < players]
    return left_out[len(left_out) // players * players:]


def _without_rematch(order: list[int], before: set[Pairing], steps: list[int]) -> list[Pairing] | None:
    """Pair the first with the next one that it has not met, and the rest likewise; None if that cannot be, or takes too long."""
    if not order:
        return []
    first, rest = order[0], order[1:]
    for place, other in enumerate(rest):
        pairing = min(first, other), max(first, other)
        if pairing in before:
            continue
        steps[0] -= 1
        if steps[0] < 0:
            return None
        if (found := _without_rematch(rest[:place] + rest[place + 1:], before, steps)) is not None:
            return [pairing, *found]
    return None
