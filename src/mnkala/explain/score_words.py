"""The value of a position or a move in words: wins in 5 moves, wins by 6, a draw, likely wins in
3 moves, about 63 %, at most 63 %.

This is the only place where these words are chosen; the page, the terminal and the commands show
them in the reader's language. People read chances in percent where an engine estimates, and
results where they are proved. *Moves* are always the winner's own, as in "mate in three"; plies
and a heuristic's own number are for those who ask (`detail_text`).
"""

from __future__ import annotations

from mnkala.core import Rules
from mnkala.core.score import OPEN_END, Score
from mnkala.explain.contract import Reason
from mnkala.explain.words import words


def percent(chance: float) -> int:
    """An unproved chance in percent; never 0 or 100."""
    return min(99, max(1, round(100 * chance)))


def moves_to_end(score: Score, rules: Rules, first: int | None = None) -> int | None:
    """The number of moves that the winner still makes, for a win or loss of known length; None
    where a player may move again. `first` is the player who makes the next move; by default the
    player whose score it is."""
    if score.plies is None or rules.moves_again:
        return None
    own = first is None or first == score.player
    return (score.plies + ((score.prospect == "win") == own)) // 2


def score_text(score: Score, rules: Rules, first: int | None = None) -> Reason:
    """The words for a score: by how much the game is won where that counts, otherwise how soon,
    as far as that is known. `first` is as for `moves_to_end`."""
    result, moves = score.prospect, moves_to_end(score, rules, first)
    if score.kind == "estimate":
        return Reason(
            f"worth.at_{score.at}" if score.at else "worth.estimate",
            {"percent": percent(score.chance)},
        )
    if score.kind == "likely":
        return Reason(
            f"worth.likely_{result}" + ("" if moves is None else "_in"),
            {} if moves is None else {"moves": moves},
        )
    if result == "unknown":
        return _open_text(score, rules)
    if result == "draw":
        return Reason("exact.draw")
    if rules.graded and score.plies != 0:
        return Reason(
            f"exact.{result}_by{'' if score.kind == 'exact' else '_least'}",
            {"margin": abs(_margin(score) or 0)},
        )
    if score.plies == 0:
        return Reason(f"exact.{result}_over")
    if moves is None:
        return Reason(f"exact.{result}")
    if f"worth.by_{score.source}" in words("en"):
        return Reason(f"worth.by_{score.source}", {"moves": moves})
    how = "now" if score.plies == 1 else "in" if score.kind == "exact" else "within"
    return Reason(f"exact.{result}_{how}", {"moves": moves})


def _open_text(score: Score, rules: Rules) -> Reason:
    """The words for bounds that leave the result open."""
    if rules.graded and OPEN_END not in (-score.lower, score.upper):
        return Reason(
            "exact.between", {"lower": _signed(score.lower), "upper": _signed(score.upper)}
        )
    return Reason(
        "exact.least_draw"
        if score.lower == 0
        else "exact.most_draw"
        if score.upper == 0
        else "exact.open"
    )


def short_text(score: Score, rules: Rules) -> Reason:
    """A few letters for a score, for chips and boards that show by a sign what is won, drawn or
    lost."""
    result, moves, margin = score.prospect, moves_to_end(score, rules), _margin(score)
    if score.kind == "estimate":
        return Reason("worth.short_estimate", {"percent": percent(score.chance)})
    if score.kind == "likely":
        return _plain(f"{'▲' if result == 'win' else '▼'}{moves or ''}")
    if result == "unknown":
        shown = rules.graded and OPEN_END not in (-score.lower, score.upper)
        return _plain(f"{_signed(score.lower)}…{_signed(score.upper)}" if shown else "…")
    if result == "draw":
        return Reason("exact.short_draw")
    if rules.graded and margin is not None:
        return _plain(
            f"{'' if score.kind == 'exact' else '≥' if margin > 0 else '≤'}{_signed(margin)}"
        )
    return Reason("exact.short_in", {"moves": moves}) if moves else Reason(f"exact.short_{result}")


def board_text(score: Score, rules: Rules) -> Reason:
    """The words for boards with room for them, in games won by more or less ("wins by 6", "loses
    by ≥2"); otherwise a few letters."""
    margin = _margin(score)
    if not rules.graded or margin is None or score.result == "unknown":
        return short_text(score, rules)
    return Reason(
        f"exact.{score.result}_by",
        {"margin": f"{'' if score.kind == 'exact' else '≥'}{abs(margin)}"},
    )


def detail_text(score: Score, rules: Rules) -> Reason | None:
    """The number behind the words, shown when one points at them: plies, the heuristic's number,
    or the game's own score."""
    if score.heuristic is not None:
        return Reason("worth.heuristic", {"value": _signed(score.heuristic)})
    if score.plies:
        return Reason("worth.plies", {"plies": score.plies})
    return _plain(_signed(score.exact)) if score.exact and not rules.graded else None


def score_words(score: Score, rules: Rules, language: str = "en") -> str:
    """Describe a score in a language, as `score_text` does."""
    return score_text(score, rules).text(language)


def short_words(score: Score, rules: Rules, language: str = "en") -> str:
    """A score in letters alone, for a board of text: W9 and L8 for a win and a loss in so many
    moves, a margin, or a percentage."""
    if score.kind == "estimate":
        return f"{'≤' if score.at == 'most' else '≥' if score.at == 'least' else '~'}{percent(score.chance)}%"
    if score.prospect == "draw":
        return "="
    if score.prospect == "unknown":
        return "…"
    if rules.graded and _margin(score) is not None:
        return short_text(score, rules).text(language)
    size = moves_to_end(score, rules) or ""
    return ("~" if score.kind == "likely" else "") + Reason(
        f"think.{score.prospect}_short", {"size": size}
    ).text(language)


def house_words(score: Score, rules: Rules, language: str = "en") -> str:
    """A score on a board of text that has room for words."""
    if not rules.graded or not score.is_proved:
        return short_words(score, rules, language)
    return board_text(score, rules).text(language)


def _plain(text: str) -> Reason:
    return Reason("worth.plain", {"text": text})


def _signed(number: int) -> str:
    return f"{number:+d}" if number else "0"


def _margin(score: Score) -> int | None:
    """The margin by which a game is proved to be won (below 0: lost), or its bound."""
    if score.result in ("unknown", "draw"):
        return None
    return score.lower if score.result == "win" else score.upper
