"""The screens of the full-screen terminal, made with Textual: the game, and small windows over it
(a choice, a question, help).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Region, Size
from textual.screen import ModalScreen, Screen
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from mnkala.core import Rules
from mnkala.explain.rulebook import Figure, Rulebook
from mnkala.play.view import View, legend, make_view
from mnkala.terminal.board_widget import BoardWidget
from mnkala.terminal.boards import drawing_for
from mnkala.terminal.drawing import GOLD, INK, SOFT, Overlay, Spot
from mnkala.terminal.help_text import side_by_side
from mnkala.terminal.panels import Panels
from mnkala.terminal.proofs import notes, threat_notes
from mnkala.terminal.session import Session

LEAST_COLUMNS, LEAST_ROWS = 60, 20
OTHER_LINES, LEAST_MOVES = 8, 3
"""The lines that a hint or an analysis leaves to players, evaluation and heading, and the fewest
rounds of moves shown."""
MOST_CELLS_WITH_NOTES, HANDFUL = 36, 5
"""On boards with more free cells, only the best handful of moves has a note, as on the page."""
SIDE_WIDTHS = ((76, 24), (100, 28), (130, 36))
"""The width of the side panel, for terminals with fewer than so many columns."""
WIDEST_SIDE = 44


class TypedLine(Input):
    """A field for one line; several pasted lines are left to the app."""

    def _on_paste(self, event: events.Paste) -> None:
        if len(event.text.strip().splitlines()) > 1:
            event.prevent_default()


class GameScreen(Screen[None]):
    """The screen of a game: header, board and side panel, status line, keys."""

    AUTO_FOCUS = "BoardWidget"

    def __init__(self, session: Session, ascii_only: bool, changed: Callable[[], None]) -> None:
        super().__init__()
        self._session, self._ascii_only, self._changed = session, ascii_only, changed

    def compose(self) -> ComposeResult:
        """Lay out the screen from top to bottom."""
        yield Static(id="header")
        with Horizontal(id="main"):
            with Vertical(id="table"):
                yield BoardWidget(self._session.view, self._ascii_only)
                yield OptionList(id="others")
            with Vertical(id="side"):
                yield Static(id="players")
                yield Static(id="evaluation")
                yield Static(id="moves_title", classes="heading")
                with VerticalScroll(id="moves_box", can_focus=False):
                    yield Static(id="moves")
                with VerticalScroll(id="thoughts_box", can_focus=False):
                    yield Static(id="thoughts")
        yield TypedLine(id="typed", compact=True, select_on_focus=False)
        yield Static(id="status")
        yield Static(id="keys")
        yield Static(id="small")

    def on_mount(self) -> None:
        """Draw what is always shown."""
        self.query_one("#others").display = False
        self.query_one("#typed").display = False
        self._fit(self.app.size)
        self._changed()

    def on_resize(self, event: events.Resize) -> None:
        """Fit the screen to another size."""
        self._fit(event.size)
        self.call_after_refresh(self._changed)

    def _fit(self, size: Size) -> None:
        """Narrow the side panel, or show a message where the screen is too small."""
        columns, rows = size
        self.set_class(columns < LEAST_COLUMNS or rows < LEAST_ROWS, "tiny")
        self.query_one("#side").styles.width = next(
            (wide for below, wide in SIDE_WIDTHS if columns < below), WIDEST_SIDE
        )

    def open_input(self, text: str, placeholder: str) -> None:
        """Open the input line with a text to begin with."""
        typed = self.query_one("#typed", Input)
        typed.placeholder, typed.value, typed.display = placeholder, text, True
        typed.focus()
        typed.cursor_position = len(text)

    def close_input(self) -> bool:
        """Close the input line; return whether it was open."""
        typed = self.query_one("#typed")
        was_open, typed.display = typed.display, False
        self.query_one(BoardWidget).focus()
        return was_open

    def draw(self, panels: Panels, message: str) -> None:
        """Draw everything as it stands."""
        side = self.query_one("#side")
        width = max(10, side.content_size.width)
        self._write("header", panels.header())
        self._write("players", panels.players(width))
        self._write("evaluation", panels.evaluation(width))
        self.query_one("#evaluation").display = self._session.thoughts.evaluating
        self._write("moves_title", Content.assemble(panels.title("play.moves")))
        box = self.query_one("#moves_box")
        moves, row = panels.moves(box.content_size.width or width)
        self._write("moves", moves)
        self.call_after_refresh(box.scroll_to_region, Region(0, row, 1, 1), animate=False)
        room = max(
            5,
            side.content_size.height - OTHER_LINES - min(LEAST_MOVES, len(str(moves).splitlines())),
        )
        self.query_one("#thoughts_box").styles.max_height = room
        self._write("thoughts", panels.thoughts(width, room))
        self._draw_board(panels.say("other_moves"), panels.language)
        self.draw_status(panels, message)
        columns, rows = self.size
        self._write("keys", panels.keys(columns))
        too_small = panels.say(
            "too_small",
            columns=columns,
            rows=rows,
            least_columns=LEAST_COLUMNS,
            least_rows=LEAST_ROWS,
        )
        self._write("small", Content(too_small))

    def draw_status(self, panels: Panels, message: str) -> None:
        """Draw the status line, or an error in its place."""
        self._write("status", panels.status(message))

    def _write(self, name: str, text: Content) -> None:
        self.query_one(f"#{name}", Static).update(text)

    def _draw_board(self, title_of_others: str, language: str) -> None:
        session, board, view = self._session, self.query_one(BoardWidget), self._session.view
        hint, analysis = session.thoughts.hint, session.thoughts.analysis
        if session.walk is not None:
            board.show(view, playable=False, hand=session.walk.hand)
            return
        board.show(view, playable=session.can_play)
        scores = notes(analysis, language) if analysis else {}
        if view.style in ("stones", "squares") and view.rows * view.columns > MOST_CELLS_WITH_NOTES:
            scores = {move: note for move, note in scores.items() if note.rank <= HANDFUL}
        hinted = board.target(hint.move) if hint else ()
        pointed = (
            tuple(cell for reason in hint.reasons[:1] for cell in reason.cells) if hint else ()
        )
        if (threatened := session.thoughts.threatened) is not None:
            scores, pointed = threat_notes(threatened, board.ascii_only), threatened.stones
        board.show(view, playable=session.can_play, hinted=hinted, pointed=pointed, notes=scores)
        others = self.query_one("#others", OptionList)
        without = [move.move for move in view.moves if not move.cells] if session.can_play else []
        if [option.id for option in others.options] != without:
            others.clear_options()
            others.add_options(Option(Content(move), id=move) for move in without)
            others.border_title = title_of_others
            others.display = bool(without)


class Choice(ModalScreen[str | None]):
    """A list to choose from; returns the id of the chosen option, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "cancel", show=False)]

    def __init__(
        self,
        title: str,
        options: Sequence[tuple[str, str]],
        preview: Callable[[str | None], None] | None = None,
        wide: bool = False,
        beside: int | None = None,
    ) -> None:
        """`preview` is told of every option that is pointed at; the window then stands beside the
        board, `beside` columns wide."""
        super().__init__()
        self._title, self._options, self._preview, self._wide = title, options, preview, wide
        self._columns = beside
        self.set_class(preview is not None, "beside")

    def compose(self) -> ComposeResult:
        """Lay out a title and the list."""
        with Vertical(classes="window wide" if self._wide else "window") as window:
            if self._columns is not None:
                window.styles.width = self._columns
            yield Static(Content(self._title), classes="title")
            yield OptionList(*(Option(Content(text), id=name) for name, text in self._options))

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show on the board what the highlighted option means."""
        if self._preview:
            self._preview(event.option.id)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Close the screen with the option that was chosen."""
        self._leave(event.option.id)

    def action_cancel(self) -> None:
        """Close the screen without a choice."""
        self._leave(None)

    def _leave(self, chosen: str | None) -> None:
        if self._preview:
            self._preview(None)
        self.dismiss(chosen)


class Question(ModalScreen[bool]):
    """A question to be answered with yes or no, by a key or the mouse."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,s,enter", "answer(True)", show=False),
        Binding("n,escape,q", "answer(False)", show=False),
    ]

    def __init__(self, question: str, yes: str, no: str) -> None:
        super().__init__()
        self._question, self._yes, self._no = question, yes, no

    def compose(self) -> ComposeResult:
        """Lay out the question and its two answers."""
        with Vertical(classes="window"):
            yield Static(Content(self._question), classes="title")
            yield Static(Content(self._yes), id="yes", classes="answer")
            yield Static(Content(self._no), id="no", classes="answer")

    def on_click(self, event: object) -> None:
        """Answer with the mouse."""
        widget = getattr(event, "widget", None)
        if widget is not None and widget.id in ("yes", "no"):
            self.dismiss(widget.id == "yes")

    def action_answer(self, answer: bool) -> None:
        """Answer with a key."""
        self.dismiss(answer)


class Reading(ModalScreen[None]):
    """A window for reading: a title and parts below it, scrolled by arrow keys and the wheel."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,i,k,question_mark,enter", "dismiss", show=False)
    ]
    AUTO_FOCUS = "VerticalScroll"

    def __init__(self, title: str, parts: Iterable[Widget], close: str) -> None:
        super().__init__()
        self._title, self._parts, self._close = title, tuple(parts), close

    def compose(self) -> ComposeResult:
        """Lay out the parts one below the other."""
        with VerticalScroll(classes="window wide"):
            yield Static(Content(self._title), classes="title")
            yield from self._parts
            yield Static(Content.styled(self._close, SOFT), classes="close")


def help_row(keys: str, text: str) -> Widget:
    """A row of the help: keys and what they do."""
    return Horizontal(
        Static(Content.styled(keys, f"bold {GOLD}"), classes="key"),
        Static(Content.styled(text, INK), classes="text"),
        classes="row",
    )


WIDE, HIGH, GAP = 70, 13, 3
"""The width and height available for boards, and the gap between two of them, in characters."""


def rules_parts(rules: Rules, language: str, ascii_only: bool) -> Iterator[Content]:
    """Yield the rules of a game as the parts of a window: headings, texts and boards."""
    for section in Rulebook(rules, language).sections:
        yield Content.assemble(
            (section.heading, f"bold {GOLD}"), "\n" if section.heading else "", (section.text, INK)
        )
        yield from _boards(section.figures, ascii_only)


def legend_parts(view: View, language: str) -> Iterator[Content]:
    """Yield the explanation of the numbers as the parts of a window."""
    for entry in legend(view, language):
        yield Content.assemble((entry.sample, f"bold {GOLD}"), "\n", (entry.text, INK))


def _boards(figures: Sequence[Figure], ascii_only: bool) -> Iterator[Content]:
    """Yield boards with their captions, as many beside each other as fit."""
    blocks = []
    for figure in figures:
        view = make_view(figure.position)
        canvas = drawing_for(view, WIDE // (1 if view.seeds else 3), HIGH, ascii_only).draw(
            Overlay(pointed=figure.cells)
        )
        lines = [*map(_line, canvas.spots), Content.styled(figure.caption, SOFT)]
        width = max(canvas.width, len(figure.caption))
        blocks.append(([line.pad_right(width - line.cell_length) for line in lines], width))
    for row in side_by_side(blocks, Content.blank, WIDE, GAP):
        yield Content("\n").join(Content(" " * GAP).join(line) for line in row)


def _line(spots: Sequence[Spot]) -> Content:
    """A line in which neighbouring characters of one style are joined."""
    runs = itertools.groupby(spots, key=lambda spot: (spot.ink, spot.ground, spot.bold))
    return Content.assemble(
        *(
            (
                "".join(spot.text for spot in run),
                Style.parse(f"{'bold ' if bold else ''}{ink} on {ground}"),
            )
            for (ink, ground, bold), run in runs
        )
    )
