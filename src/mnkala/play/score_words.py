"""An exact score in words: wins in 9 moves, wins by 6, a draw, between -2 and 3."""

from __future__ import annotations

from mnkala.games import Rules
from mnkala.play.words import say
from mnkala.solve import Solution


def score_words(known: Solution, rules: Rules, language: str = "en") -> str:
    """What is known of a score: by how much the game is won where that counts, else how soon, as far as it is known."""
    if known.score is None:
        key = "exact.between" if known.result == "unknown" else f"exact.{known.result}_between"
        return say(key, language, lower=f"{known.lower:+d}", upper=f"{known.upper:+d}")
    if known.result == "draw":
        return say("exact.draw", language)
    if rules.graded:
        return say(f"exact.{known.result}_by", language, margin=abs(known.score))
    if known.plies is None:
        return say(f"exact.{known.result}", language)
    return say(f"exact.{known.result}_{'now' if known.plies == 1 else 'in'}", language, plies=known.plies)
