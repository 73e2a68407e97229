"""The grade of a move, from what it gave away: in chances, or in margins where the game counts
them and the solver knows them.

Chances: a move is compared with the best one by the result that its player could expect, as
lichess.org judges moves by winning chances instead of centipawns. Half a point, 0.5, is a won
game turned into a draw; two searches of a quiet position differ by about a fifth of that, so
anything less is no fault.

Margins: where they are exact there is no such noise, so every point counts. A seed in the
opponent's store instead of one's own, or a disc that the opponent turned, changes the margin by
two, which is the least that can be given away: an inaccuracy. Two of them are a mistake, four a
blunder; so is anything that makes a won game drawn or lost, or a drawn one lost, because that is
what the game is about. A family declares by `Explanations.margins` that its games have this
scale; other games are graded by chances.
"""

from __future__ import annotations

from typing import Literal

from mnkala.core import Rules
from mnkala.explain.contract import explanations_of

Grade = Literal["best", "good", "inaccuracy", "mistake", "blunder"]
GRADES: tuple[Grade, ...] = ("best", "good", "inaccuracy", "mistake", "blunder")
INACCURACY, MISTAKE, BLUNDER = 0.1, 0.2, 0.3
"""The losses of chance from which a move counts as an inaccuracy, a mistake or a blunder."""
MARGIN_OF_MISTAKE, MARGIN_OF_BLUNDER = 4, 8
"""The losses of margin from which a turn counts as a mistake or a blunder; any smaller loss is an
inaccuracy."""


def counts_margins(rules: Rules) -> bool:
    """Whether moves of a game are graded by margins, where its solver knows them."""
    return explanations_of(rules).margins


def grade_by_chance(loss: float) -> Grade:
    """Grade a move that is not known to be best by the chance that it gave away."""
    return (
        "blunder"
        if loss >= BLUNDER
        else "mistake"
        if loss >= MISTAKE
        else "inaccuracy"
        if loss >= INACCURACY
        else "good"
    )


def grade_by_margin(lost: int, *, turned: bool) -> Grade:
    """Grade a move or a turn by the margin that it gave away and by whether it made the result
    worse."""
    if lost <= 0:
        return "best"
    return (
        "blunder"
        if turned or lost >= MARGIN_OF_BLUNDER
        else "mistake"
        if lost >= MARGIN_OF_MISTAKE
        else "inaccuracy"
    )
