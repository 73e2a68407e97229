"""The numbers of the evaluation and of the move order."""

from __future__ import annotations

import dataclasses
import functools
from pathlib import Path

import msgspec

from mnkala.errors import BadEngine
from mnkala.families.lines.rules import LARGEST_SIDE
from mnkala.numbers import shortened
from mnkala.search.values import HIGHEST

Row = tuple[int, ...]
FOURSOMES = 1365
"""The number of ways to choose the kinds of four lines out of twelve, in any order."""
LOGIT = 600
"""The value that equals one logit of the mover's chance. It is close to that of the initial weights
(620 and 552 by two sets of self-played games), so that margins and windows of the search keep their
meaning with learned weights."""


@dataclasses.dataclass(frozen=True)
class Weights:
    """Weights in pairs: for the side to move and for the side that waits (in move ordering: for
    one's own cell and for the other's)."""

    kinds: tuple[Row, Row]
    """The weights by kind of a line, `patterns.NONE` to `patterns.FIVE`."""
    bonuses: tuple[Row, Row]
    """The weights by `patterns.bonus_of`."""
    order_kinds: tuple[Row, Row]
    order_bonuses: tuple[Row, Row]
    together: tuple[Row, Row] = ((), ())
    """The additional weights of four kinds together, by their index in `patterns.FOUR_KINDS`; may
    be empty."""
    order_together: tuple[Row, Row] = ((), ())
    """The same for move ordering."""


FIRST_GUESS = Weights(
    kinds=((0, 1, 2, 4, 9, 10, 12, 30, 34, 40, 200, 0), (0, 1, 2, 3, 7, 8, 8, 18, 20, 24, 90, 0)),
    bonuses=(
        (0, 4, 4, 10, 0, 0, 10, 20, 60, 0, 0, 30, 40, 150, 150),
        (0, 3, 3, 8, 0, 0, 6, 10, 30, 0, 0, 15, 20, 70, 70),
    ),
    order_kinds=(
        (0, 2, 4, 8, 18, 20, 22, 60, 66, 70, 1000, 5000),
        (0, 1, 3, 6, 14, 16, 16, 46, 50, 50, 800, 4000),
    ),
    order_bonuses=(
        (0, 10, 10, 20, 0, 0, 20, 30, 120, 0, 0, 60, 60, 300, 300),
        (0, 8, 8, 16, 0, 0, 15, 20, 90, 0, 0, 40, 40, 200, 200),
    ),
)

MOST_WORTH = HIGHEST // (2 * LARGEST_SIDE**2)
"""The most that a cell may be worth to a side, so that all cells of the largest board for both
sides together never look like a proved value."""
MOST_ORDER = 1 << 24
"""The largest number of the move order."""
SHIPPED = Path(__file__).parent.parent.joinpath("data", "learned.json")
"""Fitted in three rounds to what searches of 20,000 nodes say of positions such as searches meet
(`python -m bench.fit_gomoku`): 22,546 with the first guess, 27,680 with the weights of the first
round, 40,328 with those of the second, when kinds that stand together got numbers of their own.
Sequential tests accepted each (docs/engine-log.md). The order of moves was fitted to the best moves
of 18,538 searches of 5,000 nodes.
"""
NAMES = ("auto", "learned", "guessed")


@functools.lru_cache(maxsize=8)
def read_weights(name: str) -> Weights:
    """Read weights by their name, or from a JSON file with the fields of `Weights`."""
    if name == "guessed":
        return FIRST_GUESS
    path = SHIPPED if name in NAMES else Path(name)
    if not path.is_file():
        raise BadEngine(
            f"heuristic={shortened(name)}; threats evaluates by {', '.join(NAMES)} or a file of weights, and this is none"
        )
    try:
        weights = msgspec.json.decode(path.read_bytes(), type=Weights)
    except (msgspec.DecodeError, OSError) as error:
        raise BadEngine(f"{path.name} has no weights of threats: {error}") from None
    for field, length in (
        ("kinds", 12),
        ("bonuses", 15),
        ("order_kinds", 12),
        ("order_bonuses", 15),
        ("together", FOURSOMES),
        ("order_together", FOURSOMES),
    ):
        if {len(row) for row in getattr(weights, field)} not in (
            {length},
            {0} if length == FOURSOMES else {length},
        ):
            raise BadEngine(f"{path.name}: {field} needs two rows of {length} numbers")
    for kinds, bonuses, together in zip(
        weights.kinds, weights.bonuses, weights.together, strict=True
    ):
        if (worth := 4 * largest(kinds) + largest(bonuses) + largest(together)) > MOST_WORTH:
            raise BadEngine(
                f"{path.name}: a cell could be worth {worth:,} by its numbers; at most {MOST_WORTH:,} are possible"
            )
    if (
        order := max(
            map(largest, (*weights.order_kinds, *weights.order_bonuses, *weights.order_together))
        )
    ) > MOST_ORDER:
        raise BadEngine(
            f"{path.name}: the move order has a number of size {order:,}; at most {MOST_ORDER:,} are possible"
        )
    return weights


def largest(row: Row) -> int:
    """The largest absolute value in a row."""
    return max(map(abs, row), default=0)
