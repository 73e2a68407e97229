"""Explanations of moves in Kalah: what a turn does, how many seeds it gives away, whether a greedy
player would choose it, and by which chain it is punished.

Margins are the solver's. Chains are those of the proved line, played on the board again, so every
capture that is mentioned has been seen there.

`CURVES` turn the numbers of heuristics into chances. `python -m bench.fit_chances` fitted them (see
`explain/chances.py`): `margin` leaves 0.47 bits of uncertainty about a result, and `kalah` 0.58.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import ClassVar

from mnkala.core import Position
from mnkala.core.position import first_turn, turns
from mnkala.core.score import Score
from mnkala.explain.chances import Curve
from mnkala.explain.contract import Explanations, Fault, Reason
from mnkala.explain.reasons import MOST_REASONS, explain_move
from mnkala.families.kalah.reasons import (
    FEWEST,
    WholeTurn,
    captured_cells,
    captured_house,
    chain_text,
    kalah_board,
    kalah_reasons,
    last_sweep,
    natural_turns,
    passed,
    whole_turn,
)
from mnkala.families.kalah.rules import Kalah, KalahState


class KalahExplanations(Explanations):
    """Explains games of Kalah in whole turns and in seeds."""

    verdicts = True
    margins = True
    margin_texts = "kalah.review"
    importance: ClassVar = {
        "hint.only_best": (
            "hint.ends_sweeping",
            "hint.ends_giving",
            "hint.ends",
            "hint.chain_captures",
            "hint.captures",
            "hint.chain",
            "hint.extra_turn",
        ),
        "hint.moves_again": (
            "hint.saves",
            "hint.eases",
            "hint.prepares_capture",
            "hint.prepares_again",
            "hint.extra_turns",
            "hint.last_sweep",
        ),
    }
    said_by: ClassVar = {
        "hint.extra_turn": {"hint.chain", "hint.chain_captures"},
        "hint.wins_by_force": {
            "hint.ends_sweeping",
            "hint.chain_captures",
            "hint.captures",
            "hint.chain",
            "hint.saves",
            "hint.eases",
            "hint.prepares_capture",
            "hint.prepares_again",
            "hint.last_sweep",
        },
    }
    added_to_win = frozenset(
        {"hint.ends_sweeping", "hint.ends_giving"}
    )  # The keys of reasons that say who gets the last seeds.
    legend = ("kalah.legend.seeds",)

    def reasons(
        self, position: Position, move: int, line: tuple[int, ...], *, proved: bool
    ) -> Iterator[Reason]:
        return kalah_reasons(position, move, line, proved=proved)

    def verdict(
        self,
        position: Position,
        move: int,
        scores: Mapping[int, Score],
        line: tuple[int, ...],
        best_line: tuple[int, ...],
        whole: Score | None,
    ) -> tuple[Reason, ...]:
        return kalah_verdict(position, move, scores, line, best_line, whole)

    def turn_verdict(
        self,
        position: Position,
        turn: tuple[int, ...],
        line: tuple[int, ...],
        best: tuple[int, ...],
        least: int | None,
        margin: int | None,
        *,
        exact: bool,
    ) -> tuple[Reason, ...]:
        return turn_verdict(position, turn, line, best, least, margin, exact=exact)

    def mistake(self, fault: Fault) -> str | None:
        """What the turn missed, or what it let the opponent do at once, whichever is more: seeds
        captured, then moves made again."""
        rules, state = kalah_board(fault.position)
        own, better = (whole_turn(rules, state, moves) for moves in (fault.played, fault.best))
        replies = (
            next(itertools.islice(turns(fault.position, line), 1, None), None)
            for line in (fault.refutation, fault.line)
        )
        after, instead = (
            None
            if reply is None or reply.mover == fault.position.mover
            else whole_turn(rules, reply.position.state(), reply.codes)
            for reply in replies
        )
        missed, left = (
            (0 if most is None else most.captured) - (0 if least is None else least.captured)
            for most, least in ((better, own), (after, instead))
        )
        again, given = (
            (0 if most is None else len(most.codes)) - (0 if least is None else len(least.codes))
            for most, least in ((better, own), (after, instead))
        )
        kinds = {"left_house": left, "missed_capture": missed}
        if max(kinds.values()) <= 0:
            kinds = {"missed_extra": again, "gave_extra": given}
        kind = max(kinds, key=lambda each: kinds[each])
        return f"kalah.mistake.{kind if kinds[kind] > 0 else 'seeds'}"


CURVES = {
    "margin": Curve(178, 1.14),
    "kalah": Curve(1780, 34),
    "stores": Curve(100, 27.3),
    "own-side": Curve(10, 1.75),
}
"""The curve of each heuristic, by its name."""


def kalah_verdict(
    position: Position,
    move: int,
    scores: Mapping[int, Score],
    line: tuple[int, ...] = (),
    best_line: tuple[int, ...] = (),
    whole: Score | None = None,
) -> tuple[Reason, ...]:
    """The verdict on a move, as `Explanations.verdict` describes it."""
    known = scores[move]
    better = [other for other in scores if other != move and _is_better(scores[other], known)]
    best = max(
        better, key=lambda other: (scores[other].lower, best_line[:1] == (other,)), default=None
    )
    if best is None and _is_best(position, move, scores, whole):
        return tuple(explain_move(position, move, known, scores, line)[:MOST_REASONS])
    if best is None:
        lost = (Reason("why.loses"),) if known.result == "loss" else ()
        return lost or tuple(explain_move(position, move, line=line)[:MOST_REASONS])
    told = best_line[:1] == (best,) and scores[best].exact is not None
    chain = first_turn(position, best_line) if told else (best,)
    punished = _punishment(position, line) if known.exact is not None else ()
    exact = None not in (scores[best].exact, known.exact)
    if not exact or not _is_best(position, best, scores, whole):
        at_least = _at_least(position, scores[best].lower - known.upper, chain)
        return (at_least, *punished)[:MOST_REASONS]
    fault = _fault(position, known.lower, scores[best].lower, chain)
    return (*_temptation(position, move, scores), fault, *punished)[:MOST_REASONS]


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
    """The verdict on a whole turn, as `Explanations.turn_verdict` describes it."""
    if margin is not None and least is not None and margin < least:
        punished = _punishment(position, line)
        if not exact:
            return (_at_least(position, least - margin, best), *punished)[:MOST_REASONS]
        fault = _fault(position, margin, least, best)
        return (*_temptation_of_turn(position, turn, best), fault, *punished)[:MOST_REASONS]
    if margin is not None and margin == least and exact:
        score = Score.exactly(margin, position.mover)
        return tuple(explain_move(position, turn[0], score, {}, line)[:MOST_REASONS])
    if margin is not None and margin < 0:
        return (Reason("why.loses"),)
    return tuple(explain_move(position, turn[0], line=line)[:MOST_REASONS])


def _is_better(one: Score, other: Score) -> bool:
    """Whether a move is proved to be worth more seeds than another."""
    return one.lower > other.upper and one.result != "unknown"


def _is_best(
    position: Position, move: int, scores: Mapping[int, Score], whole: Score | None
) -> bool:
    """Whether a move's score is proved to be that of the position, so that no other move is worth
    more."""
    known = scores[move]
    if whole is not None and whole.exact is not None:
        return known.exact == whole.exact
    return all(
        other in scores and scores[other].upper <= known.lower and scores[other].result != "unknown"
        for other in position.legal_codes
        if other != move
    )


def _fault(position: Position, margin: int, best: int, chain: tuple[int, ...]) -> Reason:
    """The reason that a move gives seeds away, with the better move."""
    rules, _ = kalah_board(position)
    key = {
        (1, 1): "why.wins_less",
        (0, 1): "why.draws_won",
        (-1, 1): "why.loses_won",
        (-1, 0): "why.loses_drawn",
    }.get((_sign(margin), _sign(best)), "why.loses_more")
    return Reason(
        key,
        {
            "seeds": best - margin,
            "margin": abs(margin),
            "best": chain_text(rules, chain),
            "best_margin": abs(best),
        },
    )


def _at_least(position: Position, seeds: int, chain: tuple[int, ...]) -> Reason:
    """The reason that a move gives away at least so many seeds, for use where an even better move
    may exist."""
    rules, _ = kalah_board(position)
    return Reason("why.gives_at_least", {"seeds": seeds, "best": chain_text(rules, chain)})


def _sign(margin: int) -> int:
    return (margin > 0) - (margin < 0)


def _temptation(position: Position, move: int, scores: Mapping[int, Score]) -> Iterator[Reason]:
    """The reason that a move begins a natural turn, where no best move does."""
    rules, state = kalah_board(position)
    natural = natural_turns(rules, state)
    most = max(score.lower for score in scores.values() if score.exact is not None)
    mine = next((turn for turn in natural if turn.codes[0] == move), None)
    if (
        mine is None
        or mine.gain < FEWEST
        or any(scores[turn.codes[0]].exact == most for turn in natural if turn.codes[0] in scores)
    ):
        return
    yield Reason("why.tempting", {"chain": chain_text(rules, mine.codes), "seeds": mine.gain})


def _temptation_of_turn(
    position: Position, codes: tuple[int, ...], best: tuple[int, ...]
) -> Iterator[Reason]:
    """The reason that a turn was natural, and the better one was not."""
    rules, state = kalah_board(position)
    turn, better = (whole_turn(rules, state, each) for each in (codes, best))
    most = max((each.gain for each in natural_turns(rules, state)), default=0)
    if turn is not None and turn.gain == most >= FEWEST and (better is None or better.gain < most):
        yield Reason("why.tempting", {"chain": chain_text(rules, codes), "seeds": turn.gain})


def _punishment(position: Position, line: tuple[int, ...]) -> Iterator[Reason]:
    """The reasons about what the opponent gains by the proved line, at once or later, and who takes
    the last seeds."""
    rules, state = kalah_board(position)
    told = list(turns(position, line))
    theirs = [
        turn
        for each in told
        if each.mover != position.mover
        and (turn := whole_turn(rules, each.position.state(), each.codes)) is not None
    ]
    opponent = rules.players[1 - position.mover]
    if theirs and (at_once := _answer(rules, state, theirs[0], opponent)) is not None:
        yield at_once
    elif theirs:
        largest = max(theirs, key=lambda turn: turn.captured)
        if largest.captured >= FEWEST:
            yield Reason(
                "why.later",
                {
                    "opponent": opponent,
                    "chain": chain_text(rules, largest.codes),
                    "seeds": largest.captured,
                },
            )
    if len(told) > 1 and position.play_codes(line).is_over:
        yield from last_sweep(position, line, 1 - position.mover, "why.last_sweep")


def _answer(rules: Kalah, state: KalahState, turn: WholeTurn, opponent: str) -> Reason | None:
    """The reason about the turn that answers a move, if it does something worth mentioning."""
    values: dict[str, str | int] = {"opponent": opponent, "chain": chain_text(rules, turn.codes)}
    if turn.captured >= FEWEST:
        values, cells = values | {"seeds": turn.captured}, captured_cells(rules, turn)
        before, house = whole_turn(rules, passed(state), turn.codes), captured_house(rules, turn)
        if (
            before is not None
            and before.captured >= FEWEST
            and captured_house(rules, before) == house
        ):
            named = {"player": rules.players[rules.mover(state)], "house": rules.move_text(house)}
            return Reason("why.leaves_threat", values | named, cells)
        return Reason("why.answer_captures", values, cells)
    if turn.ends:
        return Reason("why.answer_ends", values)
    return (
        Reason("why.answer_chain", values | {"seeds": turn.stored})
        if len(turn.codes) > 1 and turn.stored >= FEWEST
        else None
    )
