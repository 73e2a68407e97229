"""Small windows over the game: which move, are you sure, a new game, help."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from mnkala.terminal.canvas import GOLD, INK, SOFT


class Choice(ModalScreen[str | None]):
    """A list to choose from; answers the id of what was chosen, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "cancel", show=False)]

    def __init__(self, title: str, options: Sequence[tuple[str, str]], preview: Callable[[str | None], None] | None = None) -> None:
        super().__init__()
        self._title, self._options, self._preview = title, options, preview
        self.set_class(preview is not None, "beside")

    def compose(self) -> ComposeResult:
        """A title and the list."""
        with Vertical(classes="window"):
            yield Static(Content(self._title), classes="title")
            yield OptionList(*(Option(Content(text), id=name) for name, text in self._options))

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show on the board what is about to be chosen."""
        if self._preview:
            self._preview(event.option.id)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Chosen."""
        self._leave(event.option.id)

    def action_cancel(self) -> None:
        """Nothing was chosen."""
        self._leave(None)

    def _leave(self, chosen: str | None) -> None:
        if self._preview:
            self._preview(None)
        self.dismiss(chosen)


class Question(ModalScreen[bool]):
    """Yes or no, by a key or the mouse."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,s,enter", "answer(True)", show=False), Binding("n,escape,q", "answer(False)", show=False),
    ]

    def __init__(self, question: str, yes: str, no: str) -> None:
        super().__init__()
        self._question, self._yes, self._no = question, yes, no

    def compose(self) -> ComposeResult:
        """The question and its two answers."""
        with Vertical(classes="window"):
            yield Static(Content(self._question), classes="title")
            yield Static(Content(self._yes), id="yes", classes="answer")
            yield Static(Content(self._no), id="no", classes="answer")

    def on_click(self, event: object) -> None:
        """An answer by the mouse."""
        widget = getattr(event, "widget", None)
        if widget is not None and widget.id in ("yes", "no"):
            self.dismiss(widget.id == "yes")

    def action_answer(self, answer: bool) -> None:
        """An answer by a key."""
        self.dismiss(answer)


class Help(ModalScreen[None]):
    """The keys and what they do."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,question_mark,enter", "dismiss", show=False)]

    def __init__(self, title: str, rows: Sequence[tuple[str, str]], close: str) -> None:
        super().__init__()
        self._title, self._rows, self._close = title, rows, close

    def compose(self) -> ComposeResult:
        """A row for each key."""
        with VerticalScroll(classes="window wide"):
            yield Static(Content(self._title), classes="title")
            for keys, text in self._rows:
                with Horizontal(classes="row"):
                    yield Static(Content.styled(keys, f"bold {GOLD}"), classes="key")
                    yield Static(Content.styled(text, INK), classes="text")
            yield Static(Content.styled(self._close, SOFT), classes="close")
