"""What a mark makes on a line, by trying moves: slow, and written from the definition alone."""

from __future__ import annotations

import functools

from mnkala.families.lines.engine.patterns import (
    FIVE,
    FOUR,
    NONE,
    ONE,
    OPEN_FOUR,
    OPEN_ONE,
    OPEN_THREE,
    OPEN_TWO,
    THREE,
    TWO,
    WIDE_THREE,
    WIDE_TWO,
)

FREE, OWN, BLOCKED = ".", "x", "#"


def wins(cells: str, centre: int, line: int, exact: bool) -> bool:
    """Whether the run through the centre wins."""
    first, last = centre, centre
    while first > 0 and cells[first - 1] == OWN:
        first -= 1
    while last + 1 < len(cells) and cells[last + 1] == OWN:
        last += 1
    length = last - first + 1
    return length == line if exact else length >= line


def after(cells: str) -> list[str]:
    """The line after each move of ours."""
    return [cells[:i] + OWN + cells[i + 1 :] for i, cell in enumerate(cells) if cell == FREE]


@functools.cache
def moves_short(cells: str, centre: int, line: int, exact: bool, most: int) -> int:
    """The fewest moves to a win through the centre; most + 1 if it takes more than `most`."""
    if wins(cells, centre, line, exact):
        return 0
    if most == 0:
        return 1
    return 1 + min(
        (moves_short(each, centre, line, exact, most - 1) for each in after(cells)), default=most
    )


def is_open(cells: str, centre: int, line: int, exact: bool, short: int) -> bool:
    """Whether all moves but the last can be made so that two cells then win."""
    if short == 1:
        return sum(wins(each, centre, line, exact) for each in after(cells)) >= 2
    return any(
        is_open(each, centre, line, exact, short - 1)
        for each in after(cells)
        if moves_short(each, centre, line, exact, short) == short - 1
    )


def ways(cells: str, centre: int, line: int, exact: bool, short: int) -> int:
    """In how many ways so many moves win: sets of cells."""
    if short == 0:
        return 1
    found = set()

    def fill(now: str, taken: frozenset[int], left: int) -> None:
        if left == 0:
            if wins(now, centre, line, exact):
                found.add(taken)
            return
        for i, cell in enumerate(now):
            if cell == FREE and i > max(taken, default=-1):
                fill(now[:i] + OWN + now[i + 1 :], taken | {i}, left - 1)

    fill(cells, frozenset(), short)
    return len(found)


def slow_kind(cells: str, line: int, exact: bool) -> int:
    """What our mark in the middle of these cells makes."""
    centre = len(cells) // 2
    assert cells[centre] == OWN
    most = min(4, line)
    short = moves_short(cells, centre, line, exact, most)
    if short > most:
        if exact or wins(cells.replace(FREE, OWN), centre, line, exact):
            raise ValueError(
                "more than four moves away: some kind of one, but trying them all would take too long"
            )
        return NONE
    if short == 0:
        return FIVE
    opened = is_open(cells, centre, line, exact, short)
    if short == 1:
        return OPEN_FOUR if opened else FOUR
    wide = opened and ways(cells, centre, line, exact, short) >= 3
    if short == 2:
        return WIDE_THREE if wide else OPEN_THREE if opened else THREE
    if short == 3:
        return WIDE_TWO if wide else OPEN_TWO if opened else TWO
    return OPEN_ONE if opened else ONE
