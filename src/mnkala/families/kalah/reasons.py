"""Reasons for a turn of Kalah that can be seen on the board: extra turns and their chain, captures,
what a turn defends and prepares, and who takes the remaining seeds.

A move after which the player moves again is judged by the whole turn that it begins, where the rest
of that is known (`line`).
"""

from __future__ import annotations

from collections.abc import Iterator

from mnkala.core import Position
from mnkala.core.picture import Cell
from mnkala.core.turns import first_turn
from mnkala.explain.reason import Reason
from mnkala.explain.words import named_moves, named_turn
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
"""The fewest seeds that are worth a sentence."""
FEWEST_SWEPT = 3
"""The fewest swept seeds that are worth a sentence; nearly every game leaves that many."""
MOST_TURNS = 1000
"""The most turns after the opponent's that are tried for a claim about all of them: some 30 ms."""


def kalah_reasons(position: Position, move: int, line: tuple[int, ...] = (), *, proved: bool = False) -> Iterator[Reason]:
    """The reasons for a turn that begins with a move and continues as `line` says; `proved` says
    that the line is proved best play."""
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
    """The sowings of a turn as they appear in a sentence."""
    return named_turn(rules, [*map(rules.move_text, codes)])


def captured_house(rules: Kalah, turn: WholeTurn) -> int:
    """The opponent's house from which a turn captures, counted from its owner's left."""
    return opposite(rules, landing(rules, turn.last, turn.codes[-1]))


def captured_cells(rules: Kalah, turn: WholeTurn) -> tuple[Cell, ...]:
    """The house where the last seed of a turn falls, and the opposite one, which is captured."""
    house = captured_house(rules, turn)
    landed = rules.move_cells(turn.last, opposite(rules, house))
    return (*landed, *rules.move_cells(passed(turn.last), house))


# ---- What the turn does ----


def _extra_turns(rules: Kalah, state: KalahState, move: int) -> Iterator[Reason]:
    """The reason that the player moves again after this move, with the other moves that do so."""
    again = extra_turns(rules, state)
    if move not in again:
        return
    yield Reason("hint.extra_turn", {"player": rules.players[rules.mover(state)]}, rules.move_cells(state, move))
    if len(again) > 1:
        cells = tuple(cell for house in again for cell in rules.move_cells(state, house))
        yield Reason("hint.extra_turns", {"moves": named_moves(rules, *map(rules.move_text, again))}, cells)


def _captures(rules: Kalah, state: KalahState, turn: WholeTurn) -> Iterator[Reason]:
    """The reasons that a chain brings seeds into the store, and that a move captures."""
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
    """The reason who takes the remaining seeds when the turn ends the game."""
    mover, given = rules.mover(state), turn.stored - turn.gain
    values: dict[str, str | int] = {"player": rules.players[mover], "opponent": rules.players[1 - mover], "seeds": turn.swept or given}
    return Reason("hint.ends_sweeping" if turn.swept else "hint.ends_giving" if given else "hint.ends", values)


# ---- What the turn prevents and prepares ----


def _defence(rules: Kalah, state: KalahState, turn: WholeTurn) -> Iterator[Reason]:
    """The largest capture that the opponent would have had before the turn, if none as large
    remains after it."""
    feared, left = most_captured(rules, passed(state)), most_captured(rules, turn.after)
    if feared is None or left is None or feared.captured < FEWEST or left.captured >= feared.captured:
        return
    house = captured_house(rules, feared)
    values: dict[str, str | int] = {"seeds": feared.captured, "opponent": rules.players[1 - rules.mover(state)],
                                    "chain": chain_text(rules, feared.codes), "left": left.captured}
    yield Reason("hint.eases" if left.captured else "hint.saves", values, rules.move_cells(state, house))


def _preparation(rules: Kalah, state: KalahState, turn: WholeTurn) -> Iterator[Reason]:
    """A capture or an extra turn that the mover does not have now, but will have after every turn
    of the opponent."""
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
    """The reason that a player takes a good many last seeds from the own row at the end of a line,
    if the line leads to the end."""
    rules, _ = kalah_board(position)
    last = position.play_codes(line[:-1])
    turn = whole_turn(rules, last.state(), line[-1:]) if not last.is_over else None
    if turn is None or not turn.ends:
        return
    swept = turn.swept if last.mover == player else turn.stored - turn.gain
    if swept >= FEWEST_SWEPT:
        yield Reason(key, {"player": rules.players[player], "opponent": rules.players[1 - player], "seeds": swept})
