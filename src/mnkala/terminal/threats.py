"""The threats of both sides, in games that list them: in words beside the board, and on it."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from mnkala.core import Position
from mnkala.core.picture import Cell
from mnkala.explain.contract import Threat, cells_of
from mnkala.terminal.drawing import INK, PLAYERS, SOFT, Note

if TYPE_CHECKING:
    from mnkala.terminal.panels import Panels, Part


@dataclasses.dataclass(frozen=True)
class Threatened:
    """The threats of a position."""

    position: Position
    threats: tuple[Threat, ...]

    @property
    def stones(self) -> tuple[Cell, ...]:
        """The marks that make a threat."""
        return cells_of(self.position.rules, (cell for threat in self.threats for cell in threat.stones))


def threats_panel(panels: Panels, found: Threatened | None) -> list[Part]:
    """A sentence for each threat, with its player's mark."""
    parts: list[Part] = [panels.title("threat.switch")]
    if panels.session.thoughts.position.is_over:
        return [*parts, "\n", (panels.say("play.analysis_over"), SOFT)]
    if found is None:
        return [*parts, "\n", ("…" if panels.session.controller.is_prepared else panels.say("preparing"), SOFT)]
    if not found.threats:
        return [*parts, "\n", (panels.say("threat.none"), SOFT)]
    for threat in found.threats:
        text = threat.told.text(panels.language)
        parts += ["\n", (f"{panels.mark(threat.player)} ", f"bold {PLAYERS[threat.player]}"), (text, INK)]
    return parts


def threat_notes(found: Threatened, ascii_only: bool) -> dict[str, Note]:
    """The note on the board for each cell where a threat is carried out (good or bad for the
    player to move) or stopped."""
    rules, mover = found.position.rules, found.position.mover
    at, stop = ("*", "#") if ascii_only else ("◆", "■")
    notes = {rules.move_text(cell): Note(stop, "even", False, 2) for threat in found.threats for cell in threat.stops}
    for threat in found.threats:
        moves = threat.at[::2] if threat.is_line else threat.at
        notes |= {rules.move_text(cell): Note(at, "good" if threat.player == mover else "bad", True, 1) for cell in moves}
    return notes
