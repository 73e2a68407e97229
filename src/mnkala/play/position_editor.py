"""A board that somebody set up by hand: its position, or the reasons why it cannot arise."""

from __future__ import annotations

import dataclasses

from mnkala.core import Position, Rules
from mnkala.core.picture import Picture
from mnkala.errors import BadPosition, MnkalaError
from mnkala.explain.contract import Reason
from mnkala.numbers import counted


@dataclasses.dataclass(frozen=True)
class SetUp:
    """The result of setting up a board."""

    position: Position | None
    """The position, or None if it cannot arise."""
    reasons: tuple[Reason, ...]
    """Why the position cannot arise or, if it can, remarks about it."""


def set_up(rules: Rules, picture: Picture, mover: int | None) -> SetUp:
    """The position of a picture. Without a mover, the number of marks decides whose turn it is,
    or else it is the first player's."""
    _check_shape(rules, picture)
    literal = rules.literal_of(picture, mover or 0)
    if literal is None:
        return SetUp(None, (Reason("editor.none", {"game": rules.game_string()}),))
    faults = tuple(_reason(fault, rules) for fault in rules.faults(literal))
    if faults:
        return SetUp(None, faults)
    position = Position(rules, literal=literal)
    if position.is_over:
        return SetUp(position, (Reason("editor.over", {"result": str(position.outcome)}),))
    if mover not in (None, position.mover):
        marks = dict(
            zip(
                ("mover", "other"),
                (rules.players[position.mover], rules.players[1 - position.mover]),
                strict=True,
            )
        )
        return SetUp(
            None,
            (
                Reason(
                    "editor.wrong_mover_first"
                    if position.mover == 0
                    else "editor.wrong_mover_second",
                    marks,
                ),
            ),
        )
    return SetUp(position, ())


def _check_shape(rules: Rules, picture: Picture) -> None:
    board = rules.picture(rules.start())
    houses, wanted = (
        each.seeds.houses if each.seeds is not None else () for each in (picture, board)
    )
    for what, given, needed in (("cells", picture.cells, board.cells), ("houses", houses, wanted)):
        if [len(row) for row in given] != [len(row) for row in needed]:
            size = (
                f"{counted(len(needed), 'row')} of {len(needed[0])} {what}"
                if needed
                else f"no {what}"
            )
            raise BadPosition(
                f"{counted(len(given), 'row')} of {what}; the board of {rules.game_string()} has {size}"
            )


def _reason(fault: MnkalaError, rules: Rules) -> Reason:
    """A fault in words of every language; a plug-in's own faults in its words."""
    if not isinstance(fault, BadPosition) or not fault.key:
        return Reason("editor.refused", {"why": str(fault)})
    values = {
        name: value if isinstance(value, int) else str(value)
        for name, value in fault.values.items()
    }
    return Reason(fault.key, {**values, "x": rules.players[0], "o": rules.players[1]}, fault.cells)
