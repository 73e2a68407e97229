"""Hints with reasons: what to play, and why, in sentences that are true by the rules of the
game.

Nothing here guesses what a search thought. A reason is verified on the board afterwards: the
move is played and replies are tried, so that what is claimed (it wins, it blocks, every other
move loses) has been checked. The order of importance is that of report 001's player by rules,
after Zain et al. (2020): win, block, fork, deny a fork, open lines. A family of games adds
reasons of its own (`explanations`); every other game gets those of this module.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping

import numpy as np

from mnkala.core import GOING_ON, Position, Rules
from mnkala.core.rules import State
from mnkala.core.score import Score
from mnkala.errors import IllegalMove
from mnkala.explain.chances import chance
from mnkala.explain.contract import Explanations, Fault, Reason, explanations_of
from mnkala.explain.score_words import moves_to_end, percent
from mnkala.explain.words import named_moves
from mnkala.search import Analysis, searches
from mnkala.solve import find_solver

MOST_REASONS = 3
LAST_WEIGHTY = "hint.holds_draw"
"""The least important reason that is enough by itself; after weaker ones the search's own opinion
is added."""
MOST_TRIALS = 2500
"""The most moves that are tried, in plain Python, before a claim about all replies is given up:
about 50 ms."""
IMPORTANCE = (
    "hint.wins",
    "hint.blocks",
    "hint.only_move",
    "hint.only_safe",
    "hint.only_win",
    "hint.only_draw",
    "hint.wins_in",
    "hint.wins_by_force",
    "hint.only_best",
    "hint.moves_again",
    "hint.seems_to_win",
    "hint.seems_to_lose",
    "hint.longest",
    "hint.lost",
    LAST_WEIGHTY,
    "hint.search",
    "hint.chosen",
)
"""The reasons of any game, the most important first; a family puts its own between them
(`Explanations.importance`).
"""
SAID_BY = {
    "hint.only_draw": {"hint.only_safe", "hint.only_move"},
    "hint.only_win": {"hint.only_safe", "hint.only_move"},
    "hint.only_best": {"hint.only_win", "hint.only_draw"},
    "hint.wins_by_force": {"hint.only_win", "hint.only_best"},
}
"""Reasons that need not be said beside a stronger one; families add to it (`Explanations.said_by`).
"""


def explain(analysis: Analysis) -> tuple[Reason, ...]:
    """Explain why the best move of an analysis is good, by at most three reasons, the most
    important first. Raises IllegalMove if the game is over."""
    position, move = analysis.position, analysis.best_code
    if move is None:
        raise IllegalMove(f"the game is over ({position.outcome}); there is no move to explain")
    scores = {each.code: each.score for each in analysis.moves}
    found = explain_move(
        position,
        move,
        analysis.score,
        scores,
        analysis.line_codes,
        best_play=tells_best_play(analysis),
    )
    if not found or not is_weighty(position.rules, found[0]):
        found.append(_opinion(analysis))
    return tuple(found[:MOST_REASONS])


def tells_best_play(analysis: Analysis) -> bool:
    """Whether the lines of an analysis are best play by both sides wherever their scores are
    exact: those of a solver are, and those of some searches (`Search.plays_out_best`)."""
    search = searches().get(analysis.engine.partition(":")[0])
    if search is None:
        solver = find_solver(analysis.position.rules)
        return solver is not None and solver.name == analysis.engine
    return search.plays_out_best


def explain_move(
    position: Position,
    move: int,
    score: Score | None = None,
    scores: Mapping[int, Score] | None = None,
    line: tuple[int, ...] = (),
    *,
    best_play: bool = True,
) -> list[Reason]:
    """List the reasons for a move, the most important first.

    `score` is the known score of the move if it is a best one, and `scores` are those of all moves,
    for the mover. `line` is the move with its expected continuation, which is best play by both
    sides if the score is exact and `best_play` is set.
    """
    rules, state, told = position.rules, position.state(), explanations_of(position.rules)
    after = rules.play(rules.copy(state), move)
    if _winner(rules, after) == position.mover:
        wins = Reason(
            "hint.wins", {}, tuple(rules.picture(after).marked) or rules.changed_cells(state, move)
        )
        return [
            wins,
            *(
                reason
                for reason in _reasons_of_rules(position, move, line)
                if reason.key in told.added_to_win
            ),
        ]
    found = list(_reasons_of_rules(position, move, line, score, best_play=best_play))
    if score is not None and rules.result(after) == GOING_ON:
        found += _reasons_of_score(position, score)
        found += _reasons_of_scores(position, move, score, scores or {})
    order, said_by = importance_of(told), _said_by(type(told).__mro__)
    found.sort(key=lambda reason: order.get(reason.key, order[LAST_WEIGHTY]))
    said = {reason.key for reason in found}
    return [reason for reason in found if not said & said_by.get(reason.key, set())]


def is_weighty(rules: Rules, reason: Reason) -> bool:
    """Whether a reason is enough without the search's own opinion."""
    order = importance_of(explanations_of(rules))
    return order.get(reason.key, 0) <= order[LAST_WEIGHTY]


def importance_of(told: Explanations) -> dict[str, int]:
    """The rank of every reason that can be given for a game, the most important first. A reason
    that is not listed ranks with the least important."""
    return _importance(type(told).__mro__)


@functools.cache
def _importance(classes: tuple[type, ...]) -> dict[str, int]:
    order = list(IMPORTANCE)
    for cls in reversed(classes):
        for before, keys in vars(cls).get("importance", {}).items():
            at = order.index(before) + 1 if before in order else len(order)
            order[at:at] = keys
    return {key: at for at, key in enumerate(order)}


@functools.cache
def _said_by(classes: tuple[type, ...]) -> dict[str, set[str]]:
    """For each reason, by its key, the stronger reasons that make it redundant."""
    found = {key: set(others) for key, others in SAID_BY.items()}
    for cls in classes:
        for key, others in vars(cls).get("said_by", {}).items():
            found.setdefault(key, set()).update(others)
    return found


# ---- Reasons from the rules ----


def _reasons_of_rules(
    position: Position,
    move: int,
    line: tuple[int, ...],
    score: Score | None = None,
    *,
    best_play: bool = False,
) -> Iterator[Reason]:
    """Yield the reasons that follow from the rules and from what the family sees on the board."""
    rules = position.rules
    if len(position.legal_codes) == 1:
        yield Reason("hint.only_move")
    told = explanations_of(rules)
    if told.tries_replies:
        yield from _against_losing(position, move, score)
    proved = best_play and score is not None and score.exact is not None
    yield from told.reasons(position, move, line, proved=proved)


def _against_losing(position: Position, move: int, score: Score | None) -> Iterator[Reason]:
    """Yield reasons found by trying every move and every reply: whether only this move avoids
    losing at once, and which win of the opponent it stops. `score` is the known score of the move.
    """
    rules, state, opponent = position.rules, position.state(), 1 - position.mover
    others = [other for other in position.legal_codes if other != move]
    left = MOST_TRIALS - len(others)
    after = rules.play(rules.copy(state), move)
    wins = wins_in_a_turn(rules, after, opponent, left)
    stopped: set[int] | None = None
    if not others or wins is None or wins:
        return
    for other in others:
        elsewhere = rules.play(rules.copy(state), other)
        if _winner(rules, elsewhere) == opponent:
            continue
        replies = _winning_replies(rules, elsewhere, opponent)
        left -= len(_legal(rules, elsewhere))
        if not replies or left < 0:
            return
        stopped = replies if stopped is None else stopped & replies
    yield Reason("hint.only_safe")
    safe = score is not None and score.result in ("win", "draw")
    for reply in sorted(stopped or ()):
        if _wins_no_more(rules, after, opponent, reply, safe=safe):
            values = {
                "opponent": rules.players[opponent],
                "move": named_moves(rules, rules.move_text(reply)),
            }
            yield Reason("hint.blocks", values, rules.changed_cells(state, move))
            return


def _wins_no_more(rules: Rules, state: State, player: int, reply: int, *, safe: bool) -> bool:
    """Whether a reply that does not win at once is no way to win later either: it is impossible,
    it ends the game, or it is proved that the player cannot win (`safe`). False if it is not this
    player's turn."""
    if rules.result(state) != GOING_ON or rules.mover(state) != player:
        return False
    if safe or reply not in _legal(rules, state):
        return True
    return bool(rules.result(rules.play(rules.copy(state), reply)) != GOING_ON)


def _winning_replies(rules: Rules, state: State, player: int) -> set[int]:
    """The moves that win at once for a player if it is that player's turn."""
    if rules.result(state) != GOING_ON or rules.mover(state) != player:
        return set()
    return {
        move
        for move in _legal(rules, state)
        if _winner(rules, rules.play(rules.copy(state), move)) == player
    }


def wins_in_a_turn(rules: Rules, state: State, player: int, most: int) -> bool | None:
    """Whether a player has won or can win before the opponent moves again; None if that takes more
    than the allowed trials."""
    level, tried = [state], 0
    if _winner(rules, state) == player:
        return True
    while level:
        now = level.pop()
        if rules.result(now) != GOING_ON or rules.mover(now) != player:
            continue
        for move in _legal(rules, now):
            after = rules.play(rules.copy(now), move)
            tried += 1
            if _winner(rules, after) == player:
                return True
            level.append(after)
        if tried > most:
            return None
    return False


def _winner(rules: Rules, state: State) -> int | None:
    """The winner, or None for a draw and for a game in progress."""
    result = int(rules.result(state))
    if result in (GOING_ON, 0):
        return None
    mover = int(rules.mover(state))
    return mover if result > 0 else 1 - mover


def _legal(rules: Rules, state: State) -> list[int]:
    if rules.result(state) != GOING_ON:
        return []
    buffer = np.zeros(rules.most_moves(), dtype=np.int64)
    return [int(move) for move in buffer[: rules.moves(state, buffer)]]


# ---- Reasons from the search ----


def _reasons_of_score(position: Position, score: Score) -> Iterator[Reason]:
    """Yield the reasons that follow from the best move's score: what is proved, and what a search
    of candidate moves expects."""
    rules = position.rules
    opponent, moves = (
        rules.players[1 - position.mover],
        None if rules.graded else moves_to_end(score, rules),
    )
    if score.result == "win" and moves:
        yield Reason("hint.wins_in", {"moves": moves})
    elif score.result == "win":
        yield Reason("hint.wins_by_force", {"opponent": opponent})
    elif score.result == "loss":
        yield (
            Reason("hint.longest", {"moves": moves})
            if score.exact is not None and moves
            else Reason("hint.lost")
        )
    elif score.result == "draw":
        yield Reason("hint.holds_draw")
    elif score.kind == "likely" and score.at is None and (moves := moves_to_end(score, rules)):
        yield Reason(
            f"hint.seems_to_{'win' if score.prospect == 'win' else 'lose'}",
            {"moves": moves, "opponent": opponent},
        )


def _reasons_of_scores(
    position: Position, move: int, score: Score, scores: Mapping[int, Score]
) -> Iterator[Reason]:
    """Yield the reason that every other move is proved to give up the result that this one keeps,
    or by how much, where margins count."""
    others = [
        scores[other].result for other in position.legal_codes if other != move and other in scores
    ]
    if len(others) < len(position.legal_codes) - 1:
        return
    if score.result == "win" and all(other in ("draw", "loss") for other in others):
        yield Reason("hint.only_win")
    elif score.result == "draw" and all(other == "loss" for other in others):
        yield Reason("hint.only_draw")
    if position.rules.graded and others:
        rest = [scores[other] for other in position.legal_codes if other != move]
        least = score.lower - max(other.upper for other in rest)
        if least > 0 and all(other.result != "unknown" for other in rest):
            yield Reason("hint.only_best", {"margin": least})


def _opinion(analysis: Analysis) -> Reason:
    """The last resort among reasons: the search prefers this move."""
    score = analysis.score
    if score is None:
        return Reason("hint.chosen", {"engine": analysis.engine})
    expected = chance(score, analysis.position, analysis.engine)
    player = analysis.position.rules.players[score.player]
    return Reason(
        "hint.search", {"depth": analysis.depth, "player": player, "percent": percent(expected)}
    )


# ---- Kinds of mistakes ----
#
# A family names kinds of its own (`Explanations.mistake`); these hold in any game. They rest on the
# rules (what wins at once, for either side) and on proved results. What only a search thinks worse
# has a kind of its own, `judged`, so that nobody takes it for a proof.

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
