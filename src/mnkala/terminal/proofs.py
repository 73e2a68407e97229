"""What is proved, in the book or threatened, as text: beside the board, and on it."""

from __future__ import annotations

import dataclasses
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mnkala.core import Position, Rules
from mnkala.core.picture import Cell
from mnkala.core.position import first_turn, line_text
from mnkala.core.score import Score
from mnkala.explain.contract import Threat, cells_of
from mnkala.explain.inspection import Inspection
from mnkala.explain.score_words import house_words, score_words, short_words
from mnkala.explain.turn_words import best_turn_words
from mnkala.explain.verdicts import reasons_beyond
from mnkala.explain.words import say
from mnkala.play.opening_explorer import ExploredPosition
from mnkala.search import Analysis, RootMove
from mnkala.terminal.drawing import GOLD, INK, PLAYERS, SOFT, TONES, Note

if TYPE_CHECKING:
    from mnkala.terminal.panels import Panels, Part

SHAPES = {"win": "▲", "draw": "■", "loss": "▼", "unknown": "…"}
ASCII_SHAPES = {"win": "+", "draw": "=", "loss": "-", "unknown": "?"}
GOOD_CHANCE, BAD_CHANCE = 0.6, 0.4
ROOM_FOR_LINES = 14
"""With fewer lines than this, a panel shows only the best line."""


def tone(score: Score) -> str:
    """Whether a score is good or bad for its player."""
    return "good" if score.chance > GOOD_CHANCE else "bad" if score.chance < BAD_CHANCE else "even"


def notes(analysis: Analysis, language: str) -> dict[str, Note]:
    """The note on the board for each move of an analysis."""
    rules = analysis.position.rules
    return {
        rules.move_text(move.code): Note(
            short_words(move.score, rules, language),
            tone(move.score),
            move.score.kind == "exact",
            rank,
            house_words(move.score, rules, language),
        )
        for rank, move in enumerate(analysis.moves, start=1)
    }


def _book_words(opening: ExploredPosition, language: str) -> str:
    """What the book says about the position itself, or where it ends."""
    if opening.book is None:
        return say("exact.book_none", language)
    if opening.position.is_over:
        return say("play.analysis_over", language)
    whole, rules = opening.score, opening.position.rules
    if opening.moves and whole is None:
        return ""
    beyond = opening.here is not None and opening.here > opening.depth
    key = "says" if opening.moves else "edge" if whole else "ended" if beyond else "gap"
    return say(
        f"exact.book_{key}{'_turns' if opening.unit == 'turn' and key != 'gap' else ''}",
        language,
        depth=opening.depth,
        here=opening.here or 0,
        player=opening.position.to_move,
        score=score_words(whole, rules, language) if whole else "",
    )


# ---- Beside the board ----


def _own_and_answer(position: Position, known: RootMove) -> tuple[str, str]:
    """Split a line in two. For a lost move, the first part is its turn and the second what refutes
    it; for any other move, everything is in the second part."""
    own = len(first_turn(position, known.line_codes)) if known.score.result == "loss" else 0
    after = position.play_codes(known.line_codes[:own])
    return line_text(position, known.line_codes[:own]), line_text(after, known.line_codes[own:])


def proof_panel(panels: Panels, proof: Inspection, width: int, height: int) -> list[Part]:
    """Every move with its exact score, and the proved line."""
    session = panels.session
    parts: list[Part] = [panels.title("terminal.exact_title")]
    settled = sum(known.score.exact is not None for known in proof.moves)
    if proof.done:
        parts.append((f"  {panels.say('analysis_done')}", TONES["good"]))
    else:
        parts.append(
            (f"  {panels.say('exact.proved_so_far', done=settled, total=len(proof.moves))}", SOFT)
        )
    nodes, seconds = session.thoughts.effort()
    parts += [
        "\n",
        (
            panels.say(
                "exact.facts", nodes=panels.number(nodes), seconds=panels.number(seconds, 1)
            ),
            SOFT,
        ),
    ]
    parts += _rows(panels, proof.position.rules, proof.moves, proof.best_codes)
    if turn := best_turn_words(proof.position, proof.line_codes, panels.language):
        parts += ["\n", (turn, f"bold {INK}")]
    for known, label in _written_out(proof, height):
        lost = label == "exact.refuted"
        own, line = _own_and_answer(proof.position, known)
        head = f"{own} {panels.say(label)}" if lost else panels.say(label)
        shown = textwrap.shorten(line, max(20, 2 * width - len(head) - 4), placeholder=" …")
        parts += ["\n", (f"{head} ", TONES["bad" if lost else "good"]), (shown, INK)]
        if why := reasons_beyond(proof.reasons.get(known.code, ()), panels.language):
            parts += ["\n", (why, SOFT)]
    return parts


def _written_out(proof: Inspection, height: int) -> list[tuple[RootMove, str]]:
    """The moves whose lines are written out: the best and, where there is room, the lost ones."""
    best = [
        (known, "exact.best_line")
        for known in proof.moves
        if known.code in proof.best_codes and len(known.line_codes) > 1
    ][:1]
    room = (
        max(0, (height - len(proof.moves) - 4) // 4 - len(best)) if height >= ROOM_FOR_LINES else 0
    )
    lost = [
        (known, "exact.refuted")
        for known in proof.moves
        if known.score.result == "loss" and len(known.line_codes) > 1
    ]
    return [*best, *lost[:room]]


def _rows(
    panels: Panels, rules: Rules, moves: Sequence[RootMove], best: Sequence[int]
) -> list[Part]:
    """A line for each move, the best first; wins, draws and losses are marked by a shape."""
    shapes = ASCII_SHAPES if panels.ascii_only else SHAPES
    parts: list[Part] = []
    for known in moves:
        colour = TONES[tone(known.score)]
        parts += [
            "\n",
            ("*" if known.code in best else " ", GOLD),
            (f"{rules.move_text(known.code):>2} ", f"bold {INK}"),
            (f"{shapes[known.score.result]} ", f"bold {colour}"),
            (score_words(known.score, rules, panels.language), colour),
        ]
    return parts


def book_panel(panels: Panels, opening: ExploredPosition | None) -> list[Part]:
    """What the book has for this position."""
    parts: list[Part] = [panels.title("exact.book")]
    if opening is None:
        return [*parts, "\n…"]
    parts += [
        (f"  {opening.book}" if opening.book else "", SOFT),
        "\n",
        (_book_words(opening, panels.language), SOFT),
    ]
    return [*parts, *_rows(panels, opening.position.rules, opening.moves, opening.best_codes)]


# ---- Threats ----


@dataclasses.dataclass(frozen=True)
class Threatened:
    """The threats of a position."""

    position: Position
    threats: tuple[Threat, ...]

    @property
    def stones(self) -> tuple[Cell, ...]:
        """The marks that make a threat."""
        return cells_of(
            self.position.rules, (cell for threat in self.threats for cell in threat.stones)
        )


def threats_panel(panels: Panels, found: Threatened | None) -> list[Part]:
    """A sentence for each threat, with its player's mark."""
    parts: list[Part] = [panels.title("threat.switch")]
    if found is None:
        return [*parts, *panels.waiting()]
    if not found.threats:
        return [*parts, "\n", (panels.say("threat.none"), SOFT)]
    for threat in found.threats:
        text = threat.told.text(panels.language)
        parts += [
            "\n",
            (f"{panels.mark(threat.player)} ", f"bold {PLAYERS[threat.player]}"),
            (text, INK),
        ]
    return parts


def threat_notes(found: Threatened, ascii_only: bool) -> dict[str, Note]:
    """The note on the board for each cell where a threat is carried out (good or bad for the
    player to move) or stopped."""
    rules, mover = found.position.rules, found.position.mover
    at, stop = ("*", "#") if ascii_only else ("◆", "■")
    notes = {
        rules.move_text(cell): Note(stop, "even", False, 2)
        for threat in found.threats
        for cell in threat.stops
    }
    for threat in found.threats:
        moves = threat.at[::2] if threat.is_line else threat.at
        notes |= {
            rules.move_text(cell): Note(at, "good" if threat.player == mover else "bad", True, 1)
            for cell in moves
        }
    return notes
