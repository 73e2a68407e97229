"""Why a move of Kalah is good or bad, in seeds: what it gives away by exact margins, whether it is what a greedy player would choose, and
by which chain it is punished.

Margins are the solver's. The chains are those of the proved line, played on the board again: whatever is said to be captured has been
seen to be captured there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mnkala.games import Position
from mnkala.games.kalah import Kalah, KalahState
from mnkala.games.turns import first_turn, turns
from mnkala.play.reason import Reason
from mnkala.play.reasons import MOST_REASONS, explain_move
from mnkala.play.reasons_of_kalah import FEWEST, captured_cells, chain_text, kalah_board, last_sweep
from mnkala.play.whole_turns import WholeTurn, natural_turns, passed, whole_turn
from mnkala.search import Score


def kalah_verdict(position: Position, move: int, scores: Mapping[int, Score], line: tuple[int, ...] = (),
                  best_line: tuple[int, ...] = ()) -> tuple[Reason, ...]:
    """See `verdicts.verdict`; `best_line` begins with a best move."""
    known = scores[move]
    better = [other for other in scores if other != move and _is_better(scores[other], known)]
    best = max(better, key=lambda other: (scores[other].value, best_line[:1] == (other,)), default=None)
    if best is None and _is_best(position, move, scores):
        return tuple(explain_move(position, move, known, scores, line)[:MOST_REASONS])
    if best is None or known.kind != "exact" or scores[best].kind != "exact":
        return (Reason("why.loses"),) if known.result == "loss" else tuple(explain_move(position, move, line=line)[:MOST_REASONS])
    chain = first_turn(position, best_line) if best_line[:1] == (best,) else (best,)
    told = (*_temptation(position, move, scores), _fault(position, known.value, scores[best].value, chain), *_punishment(position, line))
    return told[:MOST_REASONS]


def _is_better(one: Score, other: Score) -> bool:
    """Whether a move is proved to be worth more seeds than another."""
    return one.value > other.value and one.result != "unknown" and one.kind in ("exact", "lower") and other.kind in ("exact", "upper")


def _is_best(position: Position, move: int, scores: Mapping[int, Score]) -> bool:
    """Whether a move is proved to be as good as any."""
    known = scores[move]
    return known.kind in ("exact", "lower") and all(
        other in scores and scores[other].value <= known.value and scores[other].kind in ("exact", "upper")
        and scores[other].result != "unknown" for other in position.legal_codes if other != move)


def _fault(position: Position, margin: int, best: int, chain: tuple[int, ...]) -> Reason:
    """What a move gives away, and what should have been played."""
    rules, _ = kalah_board(position)
    key = {(1, 1): "why.wins_less", (0, 1): "why.draws_won", (-1, 1): "why.loses_won", (-1, 0): "why.loses_drawn"}.get(
        (_sign(margin), _sign(best)), "why.loses_more")
    return Reason(key, {"seeds": best - margin, "margin": abs(margin), "best": chain_text(rules, chain), "best_margin": abs(best)})


def _sign(margin: int) -> int:
    return (margin > 0) - (margin < 0)


def _temptation(position: Position, move: int, scores: Mapping[int, Score]) -> Iterator[Reason]:
    """That the move begins a natural turn, where no best move does."""
    rules, state = kalah_board(position)
    natural = natural_turns(rules, state)
    most = max(score.value for score in scores.values() if score.kind == "exact")
    mine = next((turn for turn in natural if turn.codes[0] == move), None)
    if mine is None or mine.gain < FEWEST or any(scores[turn.codes[0]].value == most for turn in natural if turn.codes[0] in scores):
        return
    yield Reason("why.tempting", {"chain": chain_text(rules, mine.codes), "seeds": mine.gain})


def _punishment(position: Position, line: tuple[int, ...]) -> Iterator[Reason]:
    """What the opponent gets by the proved line: at once, or later; and who takes the last seeds."""
    rules, state = kalah_board(position)
    told = list(turns(position, line))
    theirs = [turn for each in told if each.mover != position.mover
              and (turn := whole_turn(rules, each.position.state(), each.codes)) is not None]
    opponent = rules.players[1 - position.mover]
    if theirs and (at_once := _answer(rules, state, theirs[0], opponent)) is not None:
        yield at_once
    elif theirs:
        largest = max(theirs, key=lambda turn: turn.captured)
        if largest.captured >= FEWEST:
            yield Reason("why.later", {"opponent": opponent, "chain": chain_text(rules, largest.codes), "seeds": largest.captured})
    if len(told) > 1 and position.play_codes(line).is_over:
        yield from last_sweep(position, line, 1 - position.mover, "why.last_sweep")


def _answer(rules: Kalah, state: KalahState, turn: WholeTurn, opponent: str) -> Reason | None:
    """What is worth telling of the turn that answers a move."""
    values: dict[str, str | int] = {"opponent": opponent, "chain": chain_text(rules, turn.codes)}
    if turn.captured >= FEWEST:
        before = whole_turn(rules, passed(state), turn.codes)
        threatened = before is not None and before.captured >= FEWEST
        return Reason("why.leaves_threat" if threatened else "why.answer_captures", values | {"seeds": turn.captured},
                      captured_cells(rules, turn))
    if turn.ends:
        return Reason("why.answer_ends", values)
    return Reason("why.answer_chain", values | {"seeds": turn.stored}) if len(turn.codes) > 1 and turn.stored >= FEWEST else None
