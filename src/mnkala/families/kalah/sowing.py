"""The path of the seeds in a move of Kalah, one picture after another: a house is lifted, its seeds
fall one by one, the last one may capture, and the end of a game sweeps the rest.

`Kalah.play` computes the result at once; this module shows each step to people who watch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mnkala.core.houses_picture import HousesPicture
from mnkala.core.picture import BoardStep, Cell, StepKind


def sow(rows: Sequence[Sequence[int]], stores: Sequence[int], player: int, house: int, standard: bool) -> Iterator[BoardStep]:
    """Yield what happens when a player sows a house.

    `rows` and `stores` are the first player's and the second's, rows in the order of sowing; houses
    count from 0.
    """
    seeds, kept, houses = [list(row) for row in rows], list(stores), len(rows[0])
    own, other = seeds[player], seeds[1 - player]

    def step(kind: StepKind, places: Sequence[tuple[int, int]], moved: int, hand: int) -> BoardStep:
        picture = HousesPicture.of(tuple(seeds[0]), tuple(seeds[1]), (kept[0], kept[1]), player)
        return BoardStep(kind, tuple(cell_of(side, place, houses) for side, place in places), picture, moved, hand)

    # 1. Lift the house.
    hand, own[house] = own[house], 0
    yield step("lift", [(player, house)], hand, hand)

    # 2. Drop its seeds along the player's ring: own houses, own store, the other's houses.
    side, place = player, house
    while hand:
        hand -= 1
        side, place = (side, place + 1) if place < (houses if side == player else houses - 1) else (1 - side, 0)
        if place == houses:
            kept[player] += 1
        else:
            seeds[side][place] += 1
        yield step("sow", [(side, place)], 1, hand)

    # 3. A single seed where the last one fell in the player's own row captures, with the seeds opposite.
    opposite = houses - 1 - place
    if side == player and place < houses and own[place] == 1 and (other[opposite] or not standard):
        moved = 1 + other[opposite]
        kept[player] += moved
        own[place] = other[opposite] = 0
        yield step("capture", [(player, place), (1 - player, opposite)], moved, 0)

    # 4. An empty row ends the game: all seeds go to the stores of their rows.
    if not any(own) or not any(other):
        left = [(each, place) for each in (0, 1) for place, count in enumerate(seeds[each]) if count]
        moved = sum(map(sum, seeds))
        for each in (0, 1):
            kept[each] += sum(seeds[each])
            seeds[each][:] = [0] * houses
        if moved:
            yield step("sweep", left, moved, 0)


def cell_of(player: int, place: int, houses: int) -> Cell:
    """The cell of a player's house, or with `place` = houses of the store, in the picture.

    The first player's row is the lower one, from the left, and the second's the upper one, from the
    right. Stores lie one step beyond their rows.
    """
    return (1, place) if player == 0 else (0, houses - 1 - place)
