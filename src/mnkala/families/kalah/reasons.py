"""Reasons for a turn of Kalah that can be seen on the board: extra turns and their chain, captures,
what a turn defends and prepares, and who takes the remaining seeds.

A move after which the player moves again is judged by the whole turn that it begins, where the rest
of that is known (`line`).

A whole turn is a chain of sowings: after a last seed in the store the player moves again, so only
the last sowing of a chain can capture. All chains are tried by the rules, in plain Python. Of
chains that reach the same board, only the shortest is continued.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator

from mnkala.core import GOING_ON, Position
from mnkala.core.picture import Cell
from mnkala.core.position import first_turn
from mnkala.explain.contract import Reason
from mnkala.explain.words import named_moves, named_turn
from mnkala.families.kalah.rules import MOST_IN_ALL, Kalah, KalahState, exchanged, seeds_in

FEWEST = 2
"""The fewest seeds that are worth a sentence."""
FEWEST_SWEPT = 3
"""The fewest swept seeds that are worth a sentence; nearly every game leaves that many."""
MOST_TURNS = 1000
"""The most turns after the opponent's that are tried for a claim about all of them: some 30 ms."""


def kalah_reasons(
    position: Position, move: int, line: tuple[int, ...] = (), *, proved: bool = False
) -> Iterator[Reason]:
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
    """The cell where the last seed of a turn falls, and that of the opposite house, whose seeds are
    captured."""
    house = captured_house(rules, turn)
    landed = rules.move_cells(turn.last, opposite(rules, house))
    return (*landed, *rules.move_cells(passed(turn.last), house))


# ---- What the turn does ----


def _extra_turns(rules: Kalah, state: KalahState, move: int) -> Iterator[Reason]:
    """The reason that the player moves again after this move, with the other moves that do so."""
    again = extra_turns(rules, state)
    if move not in again:
        return
    yield Reason(
        "hint.extra_turn",
        {"player": rules.players[rules.mover(state)]},
        rules.move_cells(state, move),
    )
    if len(again) > 1:
        cells = tuple(cell for house in again for cell in rules.move_cells(state, house))
        yield Reason(
            "hint.extra_turns", {"moves": named_moves(rules, *map(rules.move_text, again))}, cells
        )


def _captures(rules: Kalah, state: KalahState, turn: WholeTurn) -> Iterator[Reason]:
    """The reasons that a chain brings seeds into the store, and that a move captures."""
    opponent, chain = rules.players[1 - rules.mover(state)], chain_text(rules, turn.codes)
    if len(turn.codes) > 1:
        values: dict[str, str | int] = {
            "chain": chain,
            "stored": turn.stored - turn.swept,
            "seeds": turn.captured,
            "opponent": opponent,
        }
        cells = captured_cells(rules, turn) if turn.captured else ()
        yield Reason("hint.chain_captures" if turn.captured else "hint.chain", values, cells)
    elif turn.captured:
        house = captured_house(rules, turn)
        values = {"seeds": turn.captured, "opponent": opponent, "house": rules.move_text(house)}
        yield Reason("hint.captures", values, captured_cells(rules, turn))


def _end(rules: Kalah, state: KalahState, turn: WholeTurn) -> Reason:
    """The reason that the turn ends the game, and who takes the remaining seeds."""
    mover, given = rules.mover(state), turn.stored - turn.gain
    values: dict[str, str | int] = {
        "player": rules.players[mover],
        "opponent": rules.players[1 - mover],
        "seeds": turn.swept or given,
    }
    return Reason(
        "hint.ends_sweeping" if turn.swept else "hint.ends_giving" if given else "hint.ends", values
    )


# ---- What the turn prevents and prepares ----


def _defence(rules: Kalah, state: KalahState, turn: WholeTurn) -> Iterator[Reason]:
    """The largest capture that the opponent would have had before the turn, if none as large
    remains after it."""
    feared, left = most_captured(rules, passed(state)), most_captured(rules, turn.after)
    if (
        feared is None
        or left is None
        or feared.captured < FEWEST
        or left.captured >= feared.captured
    ):
        return
    house = captured_house(rules, feared)
    values: dict[str, str | int] = {
        "seeds": feared.captured,
        "opponent": rules.players[1 - rules.mover(state)],
        "chain": chain_text(rules, feared.codes),
        "left": left.captured,
    }
    yield Reason(
        "hint.eases" if left.captured else "hint.saves", values, rules.move_cells(state, house)
    )


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
    values: dict[str, str | int] = {
        "player": rules.players[rules.mover(state)],
        "opponent": rules.players[1 - rules.mover(state)],
    }
    if certain > max(now.captured, FEWEST - 1):
        yield Reason("hint.prepares_capture", values | {"seeds": certain})
    else:
        yield Reason("hint.prepares_again", values)


def last_sweep(
    position: Position, line: tuple[int, ...], player: int, key: str
) -> Iterator[Reason]:
    """The reason that a player takes many last seeds from the own row at the end of a line, if the
    line leads to the end."""
    rules, _ = kalah_board(position)
    last = position.play_codes(line[:-1])
    turn = whole_turn(rules, last.state(), line[-1:]) if not last.is_over else None
    if turn is None or not turn.ends:
        return
    swept = turn.swept if last.mover == player else turn.stored - turn.gain
    if swept >= FEWEST_SWEPT:
        yield Reason(
            key,
            {
                "player": rules.players[player],
                "opponent": rules.players[1 - player],
                "seeds": swept,
            },
        )


MOST_BOARDS = 2000
"""The most boards within one turn that are tried, some 50 ms. The longest chains of the usual
board, with 6, 5, 4, 3, 2 and 1 seeds in a row, reach half as many."""


@dataclasses.dataclass(frozen=True)
class WholeTurn:
    """One turn of Kalah, from its first sowing to its last."""

    codes: tuple[int, ...]
    """The codes of the houses that are sown."""
    last: KalahState
    """The board before the last sowing, with the same player to move."""
    after: KalahState
    captured: int
    """The opponent's seeds that the last sowing captures."""
    stored: int
    """The seeds that reach the mover's store, including those that the end of the game leaves in
    the mover's row."""
    gain: int
    """The growth of the mover's lead in seeds: `stored`, less what the end of the game leaves to
    the opponent."""
    ends: bool
    """Whether the game is over after the turn."""
    swept: int
    """The seeds that the end of the game leaves in the mover's own row, for the mover's store."""


def whole_turn(rules: Kalah, state: KalahState, codes: tuple[int, ...]) -> WholeTurn | None:
    """A chain of sowings as a turn; None if they are not exactly one whole turn."""
    mover, now, last = rules.mover(state), state, state
    for code in codes:
        if (
            rules.result(now) != GOING_ON
            or rules.mover(now) != mover
            or not rules.is_legal(now, code)
        ):
            return None
        last, now = now, rules.play(now, code)
    return _made(rules, state, codes, last, now) if codes and _is_over(rules, now, mover) else None


def _made(
    rules: Kalah, state: KalahState, codes: tuple[int, ...], last: KalahState, after: KalahState
) -> WholeTurn:
    """Describe a chain of sowings as a turn, from the boards before it, before its last sowing and
    after it."""
    mover = rules.mover(state)
    stored, given = (
        _store(rules, after, player) - _store(rules, state, player) for player in (mover, 1 - mover)
    )
    ends = rules.result(after) != GOING_ON
    swept = (
        _store(rules, after, mover)
        - _store(rules, last, mover)
        - _sown_and_captured(rules, last, codes[-1])
        if ends
        else 0
    )
    return WholeTurn(
        codes, last, after, captured(rules, last, codes[-1]), stored, stored - given, ends, swept
    )


@functools.lru_cache(maxsize=128)  # The turns of one state may take a megabyte.
def whole_turns(rules: Kalah, state: KalahState) -> tuple[WholeTurn, ...] | None:
    """All turns that the mover of a state can make, the shortest first; None if there are too many
    to try."""
    mover, found = rules.mover(state), []
    seen: set[KalahState] = {state}
    level: list[tuple[tuple[int, ...], KalahState]] = (
        [((), state)] if rules.result(state) == GOING_ON else []
    )
    while level:
        deeper = []
        for codes, now in level:
            for house in range(rules.houses):
                if not rules.is_legal(now, house):
                    continue
                after = rules.play(now, house)
                chain = (*codes, house)
                if _is_over(rules, after, mover):
                    found.append(_made(rules, state, chain, now, after))
                elif after not in seen:
                    seen.add(after)
                    deeper.append((chain, after))
                if len(found) + len(seen) > MOST_BOARDS:
                    return None
        level = deeper
    return tuple(found)


def most_captured(rules: Kalah, state: KalahState) -> WholeTurn | None:
    """The turn that captures most (perhaps nothing), the shortest of several; None if the game is
    over or the turns are too many to try."""
    return max(whole_turns(rules, state) or (), key=lambda turn: turn.captured, default=None)


def natural_turns(rules: Kalah, state: KalahState) -> tuple[WholeTurn, ...]:
    """The turns that a player would choose who looks at nothing but this turn: those that increase
    the lead most.

    This is what *natural* means wherever a natural move is mentioned.
    """
    turns = whole_turns(rules, state) or ()
    most = max((turn.gain for turn in turns), default=0)
    return tuple(turn for turn in turns if turn.gain == most)


def extra_turns(rules: Kalah, state: KalahState) -> tuple[int, ...]:
    """The houses whose last seed falls into the mover's store, so that the player moves again."""
    return tuple(
        house
        for house in range(rules.houses)
        if rules.is_legal(state, house)
        and landing(rules, state, house) == rules.houses
        and rules.result(rules.play(state, house)) == GOING_ON
    )


def captured(rules: Kalah, state: KalahState, move: int) -> int:
    """How many of the opponent's seeds a sowing captures."""
    if not _ends_in_empty_house(rules, state, move):
        return 0
    # A last seed in the mover's own row that went all the way round has put a seed into every house
    # of the opponent.
    lap = int(move + seeds_in(state.own, move) > 2 * rules.houses)
    return seeds_in(state.other, opposite(rules, landing(rules, state, move))) + lap


def _ends_in_empty_house(rules: Kalah, state: KalahState, move: int) -> bool:
    """Whether the last seed falls into an empty house of the mover's own row, which may be the
    house that was just lifted."""
    seeds, ring, last = seeds_in(state.own, move), 2 * rules.houses + 1, landing(rules, state, move)
    return last < rules.houses and (
        seeds == ring or (seeds < ring and seeds_in(state.own, last) == 0)
    )


def _sown_and_captured(rules: Kalah, state: KalahState, move: int) -> int:
    """The seeds that a sowing brings into the mover's store before the end of the game is
    considered: one for each lap, and a capture with the seed that makes it."""
    sown = (move + seeds_in(state.own, move) + rules.houses + 1) // (2 * rules.houses + 1)
    taken = captured(rules, state, move)
    return sown + (
        taken + 1
        if taken or (_ends_in_empty_house(rules, state, move) and not rules.standard)
        else 0
    )


def landing(rules: Kalah, state: KalahState, move: int) -> int:
    """Where the last seed falls, counted along the mover's ring: own houses, own store, the other's
    houses."""
    return (move + seeds_in(state.own, move)) % (2 * rules.houses + 1)


def opposite(rules: Kalah, house: int) -> int:
    """The opponent's house opposite one of the mover's, counted from the opponent's left."""
    return rules.houses - 1 - house


def passed(state: KalahState) -> KalahState:
    """The same board with the other player to move."""
    return KalahState(state.other, state.own, exchanged(state.stores))


def _store(rules: Kalah, state: KalahState, player: int) -> int:
    return seeds_in(state.stores, 0 if rules.mover(state) == player else 1)


def _is_over(rules: Kalah, state: KalahState, mover: int) -> bool:
    """Whether a player's turn is over, because the other player moves or the game has ended."""
    return rules.result(state) != GOING_ON or rules.mover(state) != mover
