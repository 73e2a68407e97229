"""A whole turn as people see it: which houses are sown one after the other, where the last seeds
fall, what is captured; and the steps of one move, seed by seed. The rules give the steps
(`Rules.steps`), and `core/position.py` says where a turn ends."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable

from mnkala.core import Position
from mnkala.core.picture import BoardStep, Cell
from mnkala.core.position import first_turn, turns
from mnkala.explain.words import say

MOST_STEPS = 400
"""The most steps of a move that are shown. No move of a shipped game has half as many; a plug-in's
move may never end."""
LONGEST_LINE = 60
"""The most moves of a line that are shown by turns."""


@dataclasses.dataclass(frozen=True)
class TurnMove:
    """One move of a turn on the board."""

    move: str
    way: tuple[Cell, ...]
    """The cells that the move passes: first the house that is emptied, last the one where the last
    seed falls. Stores are one step beyond the ends of their rows."""
    taken: tuple[Cell, ...]
    """The cells whose seeds are captured: the house of the last seed and the one opposite."""
    captured: int
    """The number of the opponent's seeds that are captured."""
    again: bool
    """Whether the same player moves again."""


def steps_of(position: Position, code: int) -> list[BoardStep]:
    """The steps of a legal move; empty in games that do not describe them."""
    return list(itertools.islice(position.rules.steps(position.state(), code), MOST_STEPS))


def way_of(steps: Iterable[BoardStep]) -> tuple[Cell, ...]:
    """The cells that a move passes."""
    return tuple(cell for step in steps if step.kind in ("lift", "sow") for cell in step.cells)


def turn_moves(position: Position, line: Iterable[int]) -> tuple[TurnMove, ...]:
    """The first turn of a line, move by move; empty in games in which every move is a turn. If the
    last move may be followed by another of the same player (`again`), the line was cut short there.
    """
    return (
        tuple(_turn_moves(position, first_turn(position, line)))
        if position.rules.moves_again
        else ()
    )


def _turn_moves(position: Position, codes: Iterable[int]) -> Iterable[TurnMove]:
    for code in codes:
        steps, after = steps_of(position, code), position.play_codes((code,))
        captures = [step for step in steps if step.kind == "capture"]
        yield TurnMove(
            position.rules.move_text(code),
            way_of(steps),
            tuple(cell for step in captures for cell in step.cells),
            sum(step.seeds - 1 for step in captures),
            not after.is_over and after.mover == position.mover,
        )
        position = after


def turn_lengths(position: Position, line: Iterable[int]) -> list[int]:
    """The number of moves in each turn of a line; empty in games in which every move is a turn."""
    codes = itertools.islice(line, LONGEST_LINE)
    return (
        [len(turn.codes) for turn in turns(position, codes)] if position.rules.moves_again else []
    )


def turn_words(turn: Iterable[TurnMove], language: str = "en") -> str:
    """Describe a turn: "3, 6, then 1 – captures 5"."""
    told = list(turn)
    texts = [move.move for move in told]
    if told and told[-1].again:
        texts.append("…")
    chain = (
        texts[0]
        if len(texts) == 1
        else say("turn.chain", language, first=", ".join(texts[:-1]), last=texts[-1])
    )
    captured = sum(move.captured for move in told)
    return chain + (f" – {say('turn.captures', language, seeds=captured)}" if captured else "")


def best_turn_words(position: Position, line: Iterable[int], language: str = "en") -> str:
    """The best turn as a sentence; empty where a turn is always one move."""
    turn = turn_moves(position, line)
    return say("turn.best", language, turn=turn_words(turn, language)) if turn else ""


def step_words(step: BoardStep, language: str = "en") -> str:
    """Describe a step: "captures 5", "2 in hand"."""
    if step.kind == "capture":
        return say("turn.captures", language, seeds=step.seeds - 1)
    return (
        say("turn.sweeps", language, seeds=step.seeds)
        if step.kind == "sweep"
        else say("turn.hand", language, seeds=step.hand)
    )
