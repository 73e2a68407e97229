"""The board as a widget: a cursor for the keyboard, clicks and a preview for the mouse, and
scrolling if it is larger than its space.

Where pieces move (`View.from_to`), a person points at the piece first and then at the cell where
it goes; in between the piece is *picked*.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from mnkala.core.picture import Cell
from mnkala.play.view import MoveView, View
from mnkala.terminal.boards import drawing_for
from mnkala.terminal.drawing import PAPER, Drawing, Note, Overlay, Spot


@functools.lru_cache(maxsize=4096)
def style_of(ink: str | None, ground: str | None, bold: bool) -> Style:
    """A Rich style, cached because making one is slow."""
    return Style(color=ink, bgcolor=ground, bold=bold)


def strip_of(row: list[Spot]) -> Strip:
    """A line for Textual, in which neighbouring characters of one style are joined."""
    segments: list[Segment] = []
    run, style = "", None
    for spot in row:
        wanted = style_of(spot.ink, spot.ground, spot.bold)
        if wanted is not style and run:
            segments.append(Segment(run, style))
            run = ""
        run, style = run + spot.text, wanted
    return Strip([*segments, Segment(run, style)], len(row))


class BoardWidget(ScrollView, can_focus=True):
    """Draws a view and reports which moves a person means."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(0, -1)", show=False),
        Binding("right", "step(0, 1)", show=False),
        Binding("up", "step(-1, 0)", show=False),
        Binding("down", "step(1, 0)", show=False),
        Binding("enter", "choose", show=False),
        Binding("escape", "put_back", show=False),
    ]

    class Chosen(Message):
        """A person chose a cell, which may stand for no move, one, or several."""

        def __init__(self, moves: tuple[str, ...]) -> None:
            super().__init__()
            self.moves = moves

    class Turned(Message):
        """An arrow key was pressed where nothing can be played: look back (-1) or forward (1)."""

        def __init__(self, by: int) -> None:
            super().__init__()
            self.by = by

    def __init__(self, view: View, ascii_only: bool) -> None:
        super().__init__()
        self.ascii_only = ascii_only
        self.view = view
        self.playable = False
        self.cursor: Cell = self._middle()
        self.picked: tuple[Cell, ...] = ()
        self._hover: Cell | None = None
        self._notes: Mapping[str, Note] = {}
        self._previewed: str | None = None
        self._overlay = Overlay()
        self._drawing = drawing_for(view, 80, 24, ascii_only)
        self._strips: list[Strip] = []
        self._drawn: object = None

    # ---- What is shown ----

    def show(
        self,
        view: View,
        *,
        playable: bool,
        hinted: tuple[Cell, ...] = (),
        pointed: tuple[Cell, ...] = (),
        notes: Mapping[str, Note] | None = None,
        hand: tuple[Cell, int] | None = None,
    ) -> None:
        """Show a view. `playable` says whether a person may move here now, `notes` what the
        moves are worth, `hand` where seeds are held."""
        if (view.game, view.rows, view.columns) != (
            self.view.game,
            self.view.rows,
            self.view.columns,
        ):
            self.view = view
            self.cursor = self._middle()
        self.view, self.playable = view, playable
        self.cursor = self._placed(self.cursor)
        if not playable or not self._continued():
            self.picked = ()
        self._overlay, self._notes = Overlay(hinted=hinted, pointed=pointed, hand=hand), notes or {}
        self.redraw()

    def preview(self, move: str | None) -> None:
        """Show what a move would change."""
        self._previewed = move
        self.redraw()

    def redraw(self) -> None:
        """Redraw the board if anything has changed."""
        width, height = self.size
        overlay = self._full_overlay()
        drawn = (self.view, overlay, width, height)
        if drawn == self._drawn or not width:
            return
        self._drawn = drawn
        self._drawing = drawing_for(self.view, width, height, self.ascii_only)
        self._strips = [strip_of(row) for row in self._drawing.draw(overlay).spots]
        self.virtual_size = Size(self._drawing.width, self._drawing.height)
        self.refresh()

    def _full_overlay(self) -> Overlay:
        moves = self.moves_at(self._hover) if self._hover is not None else ()
        meant = self._hover if moves else self.cursor
        preview = (
            ()
            if not self.playable
            else self._change(meant)
            if self._previewed is None
            else self.target(self._previewed)
        )
        pointed = (
            (*self.picked, *(move.cells[len(self.picked)] for move in self._continued()))
            if self.picked
            else self._overlay.pointed
        )
        cursor = self.cursor if self.playable else None
        return dataclasses.replace(
            self._overlay,
            cursor=cursor,
            preview=preview,
            pointed=pointed,
            notes=self._notes_on_cells(),
        )

    def _notes_on_cells(self) -> dict[Cell, Note]:
        """The notes on moves, on the cells where the moves end; where several end on one cell,
        that of the best."""
        found = [
            (note, move)
            for move in (self._continued() if self._notes else ())
            if (note := self._notes.get(move.move))
        ]
        places = [
            (note, self._changed(move))
            for note, move in sorted(found, key=lambda entry: -entry[0].rank)
        ]
        return {cells[-1 if self.view.from_to else 0]: note for note, cells in places if cells}

    def _change(self, cell: Cell | None) -> tuple[Cell, ...]:
        moves = self.moves_at(cell)
        if len(moves) == 1:
            return self.target(moves[0])
        return (cell,) if cell is not None and moves else ()

    def target(self, move: str) -> tuple[Cell, ...]:
        """The cells that a move changes."""
        return next((self._changed(found) for found in self.view.moves if found.move == move), ())

    def _changed(self, move: MoveView) -> tuple[Cell, ...]:
        """The cells that a move changes; a falling disc comes to lie on the lowest free one."""
        if self.view.style == "drop":
            free = [cell for cell in move.cells if self.view.cells[cell[0]][cell[1]] == 0]
            return (max(free),) if free else ()
        return move.cells

    def moves_at(self, cell: Cell | None) -> tuple[str, ...]:
        """The moves that a click on a cell may stand for."""
        step = len(self.picked)
        return tuple(
            move.move
            for move in self._continued()
            if cell in (move.cells[step : step + 1] if self.view.from_to else move.cells)
        )

    def _continued(self) -> list[MoveView]:
        """The moves that begin with the picked piece."""
        step = len(self.picked)
        return [
            move
            for move in self.view.moves
            if not step or (move.cells[:step] == self.picked and len(move.cells) > step)
        ]

    # ---- The cursor ----

    def _middle(self) -> Cell:
        row = self.view.rows // 2
        return self._placed(
            (
                row,
                (self.view.columns - 1) // 2
                if self.view.style == "houses"
                else self.view.columns // 2,
            )
        )

    def _placed(self, cell: Cell) -> Cell:
        """The nearest cell on which the cursor makes sense."""
        row = min(self.view.rows - 1, cell[0])
        column = min(self.view.columns - 1, cell[1])
        if self.view.style == "drop":
            row = 0
        elif self.view.style == "houses":
            row = 1 - self.view.mover
        return row, column

    def action_step(self, rows: int, columns: int) -> None:
        """Move the cursor, or look back and forward where nothing can be played."""
        if not self.playable:
            if columns:
                self.post_message(self.Turned(columns))
            return
        self._hover = None
        row, column = self.cursor
        self.cursor = self._placed(
            ((row + rows) % self.view.rows, (column + columns) % self.view.columns)
        )
        self.scroll_to_region(
            Region(*self._drawing.area(self.cursor)).grow((1, 1, 2, 1)), animate=False
        )
        self.redraw()

    def action_choose(self) -> None:
        """Play at the cell under the cursor."""
        if self.playable:
            self._point_at(self.cursor)

    def _point_at(self, cell: Cell) -> None:
        """Play the move that a cell stands for, or pick the piece on it. While a piece is
        picked, any other cell puts it back or picks another piece."""
        moves = self.moves_at(cell)
        before, self.picked = self.picked, ()
        if before and not moves:
            moves = () if cell == before[-1] else self.moves_at(cell)
            before = ()
            if not moves:
                self.redraw()
                return
        step = len(before) + 1
        if self.view.from_to and any(
            move.move in moves and len(move.cells) > step for move in self.view.moves
        ):
            self.picked = (*before, cell)
            self.redraw()
        else:
            self.post_message(self.Chosen(moves))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave Escape to others while no piece is picked."""
        return action != "put_back" or bool(self.picked)

    def action_put_back(self) -> None:
        """Put back the piece that was picked up."""
        self.picked = ()
        self.redraw()

    # ---- The mouse ----

    def cell_under(self, event: events.MouseEvent) -> Cell | None:
        """The cell under the mouse."""
        left, top = self._offset(self._drawing)
        return self._drawing.cell_at(
            event.x + round(self.scroll_x) - left, event.y + round(self.scroll_y) - top
        )

    def place_of(self, cell: Cell) -> tuple[int, int]:
        """The character in the middle of a cell, relative to the widget's corner; for tests and
        screenshots."""
        x, y, wide, high = self._drawing.area(cell)
        left, top = self._offset(self._drawing)
        return x + wide // 2 + left - round(self.scroll_x), y + high // 2 + top - round(
            self.scroll_y
        )

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Show a preview of the move under the mouse."""
        cell = self.cell_under(event) if self.playable else None
        if cell != self._hover:
            self._hover = cell
            self.redraw()

    def on_leave(self) -> None:
        """Remove the preview, because the mouse has left."""
        self._hover = None
        self.redraw()

    def on_click(self, event: events.Click) -> None:
        """Play at the cell under the mouse."""
        cell = self.cell_under(event)
        if cell is None:
            return
        if not self.playable:
            self.post_message(self.Chosen(()))
            return
        self.cursor = self._placed(cell)
        self.redraw()
        self._point_at(cell)

    # ---- Drawing ----

    def on_resize(self) -> None:
        """Choose a drawing that suits the new size."""
        self._drawn = None
        self.redraw()

    def _offset(self, drawing: Drawing) -> tuple[int, int]:
        """Where a drawing begins that is smaller than the widget."""
        return max(0, (self.size.width - drawing.width) // 2), max(
            0, (self.size.height - drawing.height) // 2
        )

    def render_line(self, y: int) -> Strip:
        """One line of the widget."""
        left, top = self._offset(self._drawing)
        row = y + round(self.scroll_y) - top
        blank = style_of(None, PAPER, False)
        width = self.size.width
        if not 0 <= row < len(self._strips):
            return Strip.blank(width, blank)
        start = round(self.scroll_x)
        strip = self._strips[row].crop(start, start + width)
        if left:
            strip = Strip.join([Strip.blank(left, blank), strip])
        return strip.adjust_cell_length(width, blank)
