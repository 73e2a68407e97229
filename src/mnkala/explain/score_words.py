"""What a position or a move is worth, in words: wins in 9 moves, wins by 6, a draw, likely wins in 5, about 63 %, at most 63 %.

People read chances in percent where an engine guesses, and results where they are proved. A heuristic's own number is for those who ask.
"""

from __future__ import annotations

from mnkala.core import Rules
from mnkala.explain.move_values import Worth, worth_of_solution
from mnkala.explain.words import say, words
from mnkala.solve import Solution


def percent(chance: float) -> int:
    """A chance that is not proved, in percent; never 0 or 100."""
    return min(99, max(1, round(100 * chance)))


def score_words(known: Worth | Solution, rules: Rules, language: str = "en") -> str:
    """What is known of a score: by how much the game is won where that counts, else how soon, as far as it is known."""
    worth = worth_of_solution(known) if isinstance(known, Solution) else known
    if worth.kind == "estimate":
        return say(f"worth.at_{worth.at}" if worth.at else "worth.estimate", language, percent=percent(worth.chance))
    if worth.kind == "likely":
        return say(f"worth.likely_{worth.result}", language, plies=worth.plies)
    if worth.result == "unknown":
        return _open_words(worth, rules, language)
    if worth.result == "draw":
        return say("exact.draw", language)
    if rules.graded and worth.plies != 0:
        return say(f"exact.{worth.result}_by{'' if worth.kind == 'exact' else '_least'}", language, margin=abs(_proved_margin(worth) or 0))
    if worth.plies is None:
        return say(f"exact.{worth.result}", language)
    if f"worth.by_{worth.source}" in words("en"):
        return say(f"worth.by_{worth.source}", language, score=say("exact.win_in", language, plies=worth.plies))
    how = "over" if worth.plies == 0 else "now" if worth.plies == 1 else "in" if worth.kind == "exact" else "within"
    return say(f"exact.{worth.result}_{how}", language, plies=worth.plies)


def _open_words(worth: Worth, rules: Rules, language: str) -> str:
    """Bounds that leave the result open."""
    if rules.graded and worth.lower is not None and worth.upper is not None:
        return say("exact.between", language, lower=f"{worth.lower:+d}", upper=f"{worth.upper:+d}")
    return say("exact.least_draw" if worth.lower == 0 else "exact.most_draw" if worth.upper == 0 else "exact.open", language)


def short_words(known: Worth | Solution, rules: Rules, language: str = "en") -> str:
    """The same in a few letters, for a board: W9 and L8 for a win and a loss in so many moves, a margin, a percentage."""
    worth = worth_of_solution(known) if isinstance(known, Solution) else known
    if worth.kind == "estimate":
        return f"{'≤' if worth.at == 'most' else '≥' if worth.at == 'least' else '~'}{percent(worth.chance)}%"
    if worth.result == "unknown":
        return "…"
    if worth.result == "draw":
        return "="
    if rules.graded and (margin := _proved_margin(worth)) is not None:
        return f"{'' if worth.kind == 'exact' else '≥' if margin > 0 else '≤'}{margin:+d}"
    return ("~" if worth.kind == "likely" else "") + say(f"think.{worth.result}_short", language, size=worth.plies or "")


def house_words(known: Worth | Solution, rules: Rules, language: str = "en") -> str:
    """In words for a board that has room for them, where games are won by more or less: wins by 6, loses by ≥2, draw, -4…+6, ~63%."""
    worth = worth_of_solution(known) if isinstance(known, Solution) else known
    if not rules.graded or worth.kind in ("estimate", "likely"):
        return short_words(worth, rules, language)
    if worth.result == "draw":
        return say("exact.short_draw", language)
    if worth.result == "unknown":
        return "…" if worth.lower is None or worth.upper is None else f"{worth.lower:+d}…{worth.upper:+d}"
    margin = _proved_margin(worth)
    if margin is None:
        return say(f"exact.short_{worth.result}", language)
    return say(f"exact.{worth.result}_by", language, margin=f"{'' if worth.kind == 'exact' else '≥'}{abs(margin)}")


def _proved_margin(worth: Worth) -> int | None:
    """By how much a game is won (or, below 0, lost), or by how much at least."""
    if worth.kind not in ("exact", "bound"):
        return None
    return worth.score if worth.score is not None else worth.lower if worth.result == "win" else worth.upper
