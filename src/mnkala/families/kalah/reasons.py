"""Reasons for a turn of Kalah, each seen on the board: extra turns and the chain they make, captures, what a turn defends and prepares,
and who takes the seeds that are left.

A move that moves again is judged by the whole turn that it begins, where the rest of that is known (`line`).
"""

from __future__ import annotations

from collections.abc import Iterator

from mnkala.core import Position
from mnkala.core.picture import Cell
from mnkala.core.turns import first_turn
from mnkala.explain.reason import Reason
from mnkala.families.kalah.chains import (
    WholeTurn,
    extra_turns,
    landing,
    most_captured,
    opposite,
    passed,
    whole_turn,
    whole_turns,
)
from mnkala.families.kalah.rules import MOST_IN_ALL, Kalah, KalahState

FEWEST = 2
"""A single seed is not worth a sentence."""
FEWEST_SWEPT = 3
"""So few seeds are left in nearly every game."""
MOST_TURNS = 1000
"""Turns that may follow the opponent's before a claim about all of them is given up: some 30 ms."""


def kalah_reasons(position: Position, move: int, line: tuple[int, ...] = (), *, proved: bool = False) -> Iterator[Reason]:
    """What a turn does that begins with a move and goes on as `line` says; `proved` says that the line is best play, proved."""
    rules, state = kalah_board(position)
    line = line if line[:1] == (move,) else (move,)
    yield from _extra_turns(rules, state, move)
    turn = whole_turn(rules, state, first_turn(position, line))
    if turn is None:
        return
    yield from _captures(rules, state, turn)
    if turn.ends:
        yield _end(rules, state, turn)
        return
    yield from _defence(rules, state, turn)
    yield from _preparation(rules, state, turn)
    if proved:
        yield from last_sweep(position, line, position.mover, "hint.last_sweep")


def kalah_board(position: Position) -> tuple[Kalah, KalahState]:
    """The rules and the board of a position of Kalah."""
    rules = position.rules
    assert isinstance(rules, Kalah)
    return rules, position.state()


def chain_text(rules: Kalah, codes: tuple[int, ...]) -> str:
    """The sowings of a turn as they stand in a sentence."""
    return ", ".join(map(rules.move_text, codes))


def captured_house(rules: Kalah, turn: WholeTurn) -> int:
    """The opponent's house that a turn captures from, counted from its owner's left."""
    return opposite(rules, landing(rules, turn.last, turn.codes[-1]))


def captured_cells(rules: Kalah, turn: WholeTurn) -> tuple[Cell, ...]:
    """The house where the last seed of a turn falls, and the one opposite that is captured."""
    house = captured_house(rules, turn)
    landed = rules.move_cells(turn.last, opposite(rules, house))
    return (*landed, *rules.move_cells(passed(turn.last), house))


# ---- What the turn does itself ----


def _extra_turns(rules: Kalah, state: KalahState, move: int) -> Iterator[Reason]:
    """That the move is one after which its player moves again, and which others are."""
    again = extra_turns(rules, state)
    if move not in again:
        return
    yield Reason("hint.extra_turn", {"player": rules.players[rules.mover(state)]}, rules.move_cells(state, move))
    if len(again) > 1:
        cells = tuple(cell for house in again for cell in rules.move_cells(state, house))
        yield Reason("hint.extra_turns", {"moves": chain_text(rules, again)}, cells)


def _captures(rules: Kalah, state: KalahState, turn: WholeTurn) -> Iterator[Reason]:
    """What comes into the store by a chain, and what is captured."""
    opponent, chain = rules.players[1 - rules.mover(state)], chain_text(rules, turn.codes)
    if len(turn.codes) > 1:
        values: dict[str, str | int] = {"chain": chain, "stored": turn.stored - turn.swept, "seeds": turn.captured, "opponent": opponent}
        cells = captured_cells(rules, turn) if turn.captured else ()
        yield Reason("hint.chain_captures" if turn.captured else "hint.chain", values, cells)
    elif turn.captured:
        house = captured_house(rules, turn)
        values = {"seeds": turn.captured, "opponent": opponent, "house": rules.move_text(house)}
        yield Reason("hint.captures", values, captured_cells(rules, turn))


def _end(rules: Kalah, state: KalahState, turn: WholeTurn) -> Reason:
    """Who takes the seeds that are left when the turn ends the game."""
    mover, given = rules.mover(state), turn.stored - turn.gain
    values: dict[str, str | int] = {"player": rules.players[mover], "opponent": rules.players[1 - mover], "seeds": turn.swept or given}
    return Reason("hint.ends_sweeping" if turn.swept else "hint.ends_giving" if given else "hint.ends", values)


# ---- What it is against, and what it is for ----


def _defence(rules: Kalah, state: KalahState, turn: WholeTurn) -> Iterator[Reason]:
    """The largest capture that the opponent would have had on the board as it was, if the opponent has none so large after the turn."""
    feared, left = most_captured(rules, passed(state)), most_captured(rules, turn.after)
    if feared is None or left is None or feared.captured < FEWEST or left.captured >= feared.captured:
        return
    house = captured_house(rules, feared)
    values: dict[str, str | int] = {"seeds": feared.captured, "opponent": rules.players[1 - rules.mover(state)],
                                    "chain": chain_text(rules, feared.codes), "left": left.captured}
    yield Reason("hint.eases" if left.captured else "hint.saves", values, rules.move_cells(state, house))


def _preparation(rules: Kalah, state: KalahState, turn: WholeTurn) -> Iterator[Reason]:
    """A capture, or an extra turn, that the mover has not got now and will have after every turn of the opponent."""
    now, replies = most_captured(rules, state), whole_turns(rules, turn.after)
    if now is None or replies is None or any(reply.ends for reply in replies):
        return
    certain, again, tried = MOST_IN_ALL, not extra_turns(rules, state), 0
    for reply in replies:
        mine = whole_turns(rules, reply.after)
        tried += len(mine or ())
        if mine is None or tried > MOST_TURNS:
            return
        certain = min(certain, max(each.captured for each in mine))
        again = again and bool(extra_turns(rules, reply.after))
        if certain <= max(now.captured, FEWEST - 1) and not again:
            return
    values: dict[str, str | int] = {"player": rules.players[rules.mover(state)], "opponent": rules.players[1 - rules.mover(state)]}
    if certain > max(now.captured, FEWEST - 1):
        yield Reason("hint.prepares_capture", values | {"seeds": certain})
    else:
        yield Reason("hint.prepares_again", values)


def last_sweep(position: Position, line: tuple[int, ...], player: int, key: str) -> Iterator[Reason]:
    """That a player takes a good many last seeds out of the own row at the end of a line, if the line is told to the end."""
    rules, _ = kalah_board(position)
    last = position.play_codes(line[:-1])
    turn = whole_turn(rules, last.state(), line[-1:]) if not last.is_over else None
    if turn is None or not turn.ends:
        return
    swept = turn.swept if last.mover == player else turn.stored - turn.gain
    if swept >= FEWEST_SWEPT:
        yield Reason(key, {"player": rules.players[player], "opponent": rules.players[1 - player], "seeds": swept})
