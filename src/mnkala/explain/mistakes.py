"""Kinds of mistakes: what a move that gave something away has missed or allowed.

A family names kinds of its own (`Explanations.mistake`); those of this module hold in any game.
They rest on the rules (what wins at once, for either side) and on proved results. What only a
search thinks worse has a kind of its own, `judged`, so that nobody takes it for a proof.
"""

from __future__ import annotations

from mnkala.explain.contract import Fault, explanations_of
from mnkala.explain.reasons import wins_in_a_turn

MISSED_NOW, MISSED_BLOCK, MISSED_WIN, MISSED_DRAW, JUDGED = KINDS = (
    "mistake.missed_now",
    "mistake.missed_block",
    "mistake.missed_win",
    "mistake.missed_draw",
    "mistake.judged",
)
"""The kinds of any game: the keys of the texts that name them."""
MOST_TRIALS = 2500
"""The most moves that are tried to see whether a side wins before the other moves."""


def kind_of_mistake(fault: Fault) -> str:
    """The kind of a mistake: the key of the text that names it."""
    rules, position = fault.position.rules, fault.position
    after = position.play_codes(fault.played)
    better = position.play_codes(fault.best)
    if wins_in_a_turn(rules, position.state(), position.mover, MOST_TRIALS) and (
        after.outcome is None or after.outcome.winner != position.mover
    ):
        return MISSED_NOW
    if wins_in_a_turn(rules, after.state(), 1 - position.mover, MOST_TRIALS) and not wins_in_a_turn(
        rules, better.state(), 1 - position.mover, MOST_TRIALS
    ):
        return MISSED_BLOCK
    own = explanations_of(rules).mistake(fault)
    if own is not None:
        return own
    return {
        ("win", "draw"): MISSED_WIN,
        ("win", "loss"): MISSED_WIN,
        ("draw", "loss"): MISSED_DRAW,
    }.get(fault.turned or ("", ""), JUDGED)
