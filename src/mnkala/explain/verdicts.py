"""What is proved about a move, in words: why it is good, or why it is not and what refutes it.

A verdict rests only on proved scores (the solver's, or those of any search that are exact or
bounds) and on what the rules show on the board: first the result, then the reply of the proved
line, then what that reply does. If nothing is proved about a move, there is no verdict.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from mnkala.core import Position, Rules
from mnkala.core.score import OPEN_END, Score
from mnkala.explain.contract import Reason, explanations_of
from mnkala.explain.line_reasons import Lines
from mnkala.explain.reasons import MOST_REASONS, explain_move, is_weighty, tells_best_play
from mnkala.explain.score_words import moves_to_end
from mnkala.explain.words import named_moves, named_turn
from mnkala.search import Analysis
from mnkala.solve import Exact

RANKS = {"loss": 0, "draw": 1, "win": 2}
SHORTEST_LINE = 4
"""The fewest moves of a line whose end is worth mentioning; the end of a shorter line is obvious.
"""
MOST_OF_ANSWER = 2
"""The most reasons that are given for the opponent's reply."""
SAID_BY_SCORE = ("hint.wins", "why.loses_in")
"""Prefixes of the keys of reasons that repeat what the score already says."""


def has_verdicts(rules: Rules) -> bool:
    """Whether bad moves of a game are given reasons, too."""
    return explanations_of(rules).verdicts


def verdict(
    position: Position,
    move: int,
    scores: Mapping[int, Score],
    line: tuple[int, ...] = (),
    best_line: tuple[int, ...] = (),
    whole: Score | None = None,
) -> tuple[Reason, ...]:
    """Explain why a move is good or bad.

    `scores` are the known scores of all moves, for the mover; `line` is the move with best play
    after it, if known, whose first reply is then explained; `best_line` is the same for a best
    move. `whole` is the score of the position, where it is known independently of those of its
    moves: what a move gives away is stated only against an exact score, or one that follows from
    `scores`.
    """
    known = scores.get(move)
    if known is None or known.result == "unknown" or not has_verdicts(position.rules):
        return ()
    own = explanations_of(position.rules).verdict(position, move, scores, line, best_line, whole)
    if own is not None:
        return own
    told = next(_fault(position, move, known, scores, whole), None)
    if told is None:
        sure = _sure(position, move, scores, whole)
        return tuple(explain_move(position, move, sure, scores)[:MOST_REASONS])
    worse = any(RANKS.get(other.result, 0) > RANKS[known.result] for other in scores.values())
    if not worse and known.result != "loss" and not position.rules.graded:
        return (told,)
    return (told, *_against(position, move, line))


def turn_verdict(
    position: Position,
    turn: tuple[int, ...],
    line: tuple[int, ...],
    best: tuple[int, ...],
    least: int | None,
    margin: int | None,
    *,
    exact: bool,
) -> tuple[Reason, ...]:
    """Explain why a whole turn was good or bad, in a game that counts margins. `line` is the turn
    with best play after it, `margin` the proved margin that follows, and `least` the proved lower
    bound of `best`, the turn that should have been played; `exact` says that nothing is better than
    that."""
    own = explanations_of(position.rules).turn_verdict(
        position, turn, line, best, least, margin, exact=exact
    )
    if own is not None:
        return own
    if margin is not None and least is not None and margin < least:
        *before, last = turn
        against = _against(position.play_codes(before), last, line[len(before) :])
        return (_lost_margin(position, margin, least, best, exact=exact), *against)
    if margin is not None and margin < 0 and not exact:
        return (Reason("why.loses"),)
    known = exact and margin is not None and margin == least
    score = Score.exactly(margin or 0, position.mover) if known else None
    return tuple(explain_move(position, turn[0], score, {}, line)[:MOST_REASONS])


def proved_verdicts(exact: Exact) -> dict[int, tuple[Reason, ...]]:
    """The verdict on every move whose result is proved, once everything provable about the position
    is proved."""
    known = {each.code: each for each in exact.moves if each.score.result != "unknown"}
    if exact.score.exact is None or not has_verdicts(exact.position.rules):
        return {}
    scores = tuple((move, each.score) for move, each in known.items())
    return {
        move: _proved_verdict(
            exact.position, move, scores, each.line_codes, exact.line_codes, exact.score
        )
        for move, each in known.items()
    }


@functools.lru_cache(maxsize=512)
def _proved_verdict(
    position: Position,
    move: int,
    scores: tuple[tuple[int, Score], ...],
    line: tuple[int, ...],
    best_line: tuple[int, ...],
    whole: Score,
) -> tuple[Reason, ...]:
    """The verdict on proved scores, cached because a proof that streams asks for it again and
    again."""
    return verdict(position, move, dict(scores), line, best_line, whole)


def verdicts(analysis: Analysis) -> dict[int, tuple[Reason, ...]]:
    """The verdict on every move of an analysis about which something is proved."""
    scores = {each.code: each.score for each in analysis.moves}
    told = tells_best_play(analysis)
    best = analysis.line_codes if told else ()
    lines = {each.code: each.line_codes if told else () for each in analysis.moves}
    found = {
        move: verdict(analysis.position, move, scores, line, best, analysis.score)
        for move, line in lines.items()
    }
    return {move: reasons for move, reasons in found.items() if reasons}


def beyond_the_score(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """Return only those reasons that say more than the score itself."""
    return tuple(reason for reason in reasons if not reason.key.startswith(SAID_BY_SCORE))


def reasons_beyond(reasons: Iterable[Reason], language: str = "en") -> str:
    """Why a move is good or bad, as one text, without what its score already says."""
    return " ".join(reason.text(language) for reason in beyond_the_score(reasons))


def _fault(
    position: Position, move: int, known: Score, scores: Mapping[int, Score], whole: Score | None
) -> Iterator[Reason]:
    """Yield the reason that names the fault of a move, if it has one."""
    moves = moves_to_end(known, position.rules) if known.kind == "exact" else None
    better = [other for other in scores if other != move and _is_better(scores[other], known)]
    best = max(
        better, key=lambda other: (RANKS[scores[other].result], scores[other].value), default=None
    )
    if best is None and known.result != "loss":
        return
    text = "" if best is None else named_moves(position.rules, position.rules.move_text(best))
    if best is not None and position.rules.graded and scores[best].lower > known.upper:
        exact = scores[best].kind == known.kind == "exact" and _is_best(
            position, best, scores, whole
        )
        yield _lost_margin(position, known.upper, scores[best].lower, (best,), exact=exact)
    elif known.result == "win":
        yield (
            Reason("why.wins_later", {"moves": moves, "best": text})
            if moves
            else Reason("why.wins_too", {"best": text})
        )
    elif known.result == "draw":
        yield Reason("why.gives_away_win", {"best": text})
    elif best is not None or not _all_lose(position, scores):
        sooner = best is not None and scores[best].result == "loss" and _all_lose(position, scores)
        key = "why.loses_sooner" if sooner else "why.loses_in"
        yield Reason(key, {"moves": moves}) if moves else Reason("why.loses")


def _lost_margin(
    position: Position, margin: int, least: int, best: tuple[int, ...], *, exact: bool
) -> Reason:
    """How much was given away, compared with the move that should have been played, which yields at
    least `least`."""
    text = named_turn(position.rules, [*map(position.rules.move_text, best)])
    if not exact:
        return Reason("why.gives_away_at_least", {"lost": least - margin, "best": text})
    key = {
        ("win", "win"): "why.wins_by_less",
        ("draw", "win"): "why.draws_won_game",
        ("loss", "win"): "why.loses_won_game",
        ("loss", "draw"): "why.loses_drawn_game",
    }.get((_result(margin), _result(least)), "why.loses_by_more")
    return Reason(
        key,
        {"lost": least - margin, "margin": abs(margin), "best": text, "best_margin": abs(least)},
    )


def _result(margin: int) -> Literal["win", "draw", "loss"]:
    return "win" if margin > 0 else "loss" if margin < 0 else "draw"


def _against(position: Position, move: int, line: tuple[int, ...]) -> Iterator[Reason]:
    """The reasons against a move: what it lets the opponent do, how the proved line replies, and
    how that ends."""
    yield from explanations_of(position.rules).drawbacks(position, move, line)
    yield from _answer(position, move, line)
    yield from _end(position, line)


def _sure(
    position: Position, move: int, scores: Mapping[int, Score], whole: Score | None
) -> Score | None:
    """What can be claimed about a move that is not known to be worse than another. A win stands by
    itself, but a draw, or the length of a loss, counts only if no other move can be better."""
    known = scores[move]
    if known.result == "win":
        return known
    if known.kind == "exact" and _is_best(position, move, scores, whole):
        return known
    return dataclasses.replace(known, lower=-OPEN_END) if known.result == "loss" else None


def _is_best(
    position: Position, move: int, scores: Mapping[int, Score], whole: Score | None
) -> bool:
    """Whether no other move is better, by the score of the position or by the scores of the moves."""
    known = scores[move]
    if whole is not None and whole.exact is not None:
        return (known.exact, known.plies) == (whole.exact, whole.plies)
    return all(
        other in scores and _is_no_better(scores[other], known)
        for other in position.legal_codes
        if other != move
    )


def _is_better(one: Score, other: Score) -> bool:
    """Whether a move is proved to be better than another: it has a better result, a better score,
    an earlier win or a later loss."""
    if "unknown" in (one.result, other.result):
        return False
    if one.result != other.result:
        return RANKS[one.result] > RANKS[other.result]
    if one.value != other.value:
        return one.lower > other.upper
    if one.plies is None or other.plies is None:
        return False
    if one.result == "win":
        return one.plies < other.plies and other.kind == "exact"
    return one.plies > other.plies and one.kind == "exact"


def _is_no_better(one: Score, other: Score) -> bool:
    """Whether a move is proved not to be better than another."""
    if one.result != other.result or one.result == "unknown" or one.upper == OPEN_END:
        return _is_better(other, one)
    if one.value != other.value or one.result == "draw":
        return one.upper <= other.lower
    return one.plies is not None and other.plies is not None and one.plies <= other.plies


def _all_lose(position: Position, scores: Mapping[int, Score]) -> bool:
    return all(move in scores and scores[move].result == "loss" for move in position.legal_codes)


def _end(position: Position, line: tuple[int, ...]) -> tuple[Reason, ...]:
    """The reason that shows where the opponent wins at the end of the proved line, if the line
    reaches the end and has more than a few moves."""
    rules: Any = position.rules
    last = position.play_codes(line[:-1])
    if rules.board_style() != "drop" or len(line) < SHORTEST_LINE or last.mover == position.mover:
        return ()
    end = last.play_codes(line[-1:])
    if end.outcome is None or end.outcome.winner != last.mover:
        return ()
    row, column = Lines(rules, last.state()).cell_of(line[-1])
    values: dict[str, str | int] = {
        "opponent": rules.players[last.mover],
        "column": column + 1,
        "row": rules.rows - row,
    }
    return (Reason("why.ends", values, tuple(rules.picture(end.state()).marked)),)


def _answer(position: Position, move: int, line: tuple[int, ...]) -> tuple[Reason, ...]:
    """The reasons that describe the opponent's reply to a bad move and its effects."""
    if len(line) < 2:
        return ()
    rules, reply = position.rules, line[1]
    after = position.play_codes((move,))
    values: dict[str, str | int] = {
        "opponent": rules.players[after.mover],
        "reply": named_moves(rules, rules.move_text(reply)),
    }
    won = after.play_codes((reply,))
    cells = tuple(rules.picture(won.state()).marked)
    if won.is_over and cells:
        here, there = (
            Lines(rules, position.state()).cell_of(move),
            Lines(rules, after.state()).cell_of(reply),
        )
        above = rules.board_style() == "drop" and there == (here[0] - 1, here[1])
        return (Reason("why.gives_above" if above else "why.leaves_win", values, cells),)
    weighty = [reason for reason in explain_move(after, reply) if is_weighty(rules, reason)]
    return (Reason("why.answer", values), *weighty[:MOST_OF_ANSWER]) if weighty else ()
