"""The full screen of a game: where things stand and what they say. What keys do is in `app`; made with Textual."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable
from pathlib import Path

from textual import events
from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Region
from textual.style import Style
from textual.theme import Theme
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from mnkala.play import Match
from mnkala.play.clock import Clock
from mnkala.play.words import say, words
from mnkala.terminal.board import Board
from mnkala.terminal.canvas import BAD, GOLD, GOOD, INK, PANEL, PAPER, PLAYERS, SOFT
from mnkala.terminal.kept import ending, player_name
from mnkala.terminal.panels import Panels, notes
from mnkala.terminal.proof_panels import proof_notes
from mnkala.terminal.session import Session

LEAST_COLUMNS, LEAST_ROWS = 60, 20
INTERRUPTED = 130
TICK_SECONDS = 0.2
OTHER_LINES, LEAST_MOVES = 8, 3
"""Lines of the side that a hint or an analysis leaves to the others: players, evaluation, heading; and rounds of moves."""
SIDE_WIDTHS = ((76, 24), (100, 28), (130, 36))
"""For terminals of fewer columns, the width of the side."""
WIDEST_SIDE = 44
THEME = Theme("mnkala", primary=PLAYERS[1], secondary=PLAYERS[0], accent=GOLD, warning=GOLD, error=BAD, success=GOOD,
              foreground=INK, background=PAPER, surface=PANEL, panel=PANEL, dark=True)


class GameScreen(App[int]):
    """Board, side, status and keys around a session, for which it is the stage."""

    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, match: Match, file: Path | None = None, *, language: str = "en", ascii_only: bool = False,
                 clock: Clock | None = None) -> None:
        super().__init__()
        self.language = language
        self.ascii_only = ascii_only
        self.session = Session(match, self, file, clock)
        self.kept_messages: list[str] = []
        """What to print after leaving: games that were kept on the way."""
        self.message = ""
        self._draw_again = False

    # ---- The screen ----

    def compose(self) -> ComposeResult:
        """Header, board and side, status, keys."""
        yield Static(id="header")
        with Horizontal(id="main"):
            with Vertical(id="table"):
                yield Board(self.session.view, self.ascii_only)
                yield OptionList(id="others")
            with Vertical(id="side"):
                yield Static(id="players")
                yield Static(id="evaluation")
                yield Static(id="moves_title", classes="heading")
                with VerticalScroll(id="moves_box", can_focus=False):
                    yield Static(id="moves")
                with VerticalScroll(id="thoughts_box", can_focus=False):
                    yield Static(id="thoughts")
        yield Input(id="typed", compact=True, select_on_focus=False)
        yield Static(id="status")
        yield Static(id="keys")
        yield Static(id="small")

    def on_mount(self) -> None:
        """Begin."""
        self.register_theme(THEME)
        self.theme = THEME.name
        self.set_class(self.ascii_only, "ascii")
        self.query_one("#others").display = False
        self.query_one("#typed").display = False
        self.query_one(Board).focus()
        self.set_interval(TICK_SECONDS, self.session.tick)
        for name in ("SIGTERM", "SIGHUP", "SIGINT"):  # a closed window or a kill keeps the game too
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError, AttributeError):
                asyncio.get_running_loop().add_signal_handler(getattr(signal, name), self.leave, INTERRUPTED)
        self.session.start()
        self.changed()

    def on_resize(self, event: events.Resize) -> None:
        """Fit the size: a narrower side, or a message where it is too small for anything."""
        columns, rows = event.size
        tiny = columns < LEAST_COLUMNS or rows < LEAST_ROWS
        self.screen.set_class(tiny, "tiny")
        self.query_one("#side").styles.width = next((wide for below, wide in SIDE_WIDTHS if columns < below), WIDEST_SIDE)
        self.query_one("#small", Static).update(Content(self.say(
            "too_small", columns=columns, rows=rows, least_columns=LEAST_COLUMNS, least_rows=LEAST_ROWS)))
        self.call_after_refresh(self.changed)

    def say(self, key: str, **values: object) -> str:
        """A text in the chosen language; a key without a dot is one of the terminal's own."""
        return say(key if "." in key else f"terminal.{key}", self.language, **values)

    def leave(self, status: int) -> None:
        """End the program."""
        raise NotImplementedError

    # ---- Stage: what the session needs ----

    def call(self, function: Callable[[], None]) -> None:
        """Call a function in this thread."""
        self.call_later(function)

    def later(self, seconds: float, function: Callable[[], None]) -> None:
        """Call a function after a while."""
        if seconds > 0:
            self.set_timer(seconds, function)
        else:
            self.call_later(function)

    def tell(self, text: str) -> None:
        """Say something in the status line until the next thing happens."""
        self.message = text
        self._status()

    def changed(self) -> None:
        """Draw again, once for all that has changed meanwhile."""
        if not self._draw_again and self.is_running:
            self._draw_again = True
            self.call_later(self._draw)

    def _draw(self) -> None:
        self._draw_again = False
        if not self.screen_stack or not self.query("#side"):
            return
        session = self.session
        panels = Panels(session, self.language, self.ascii_only)
        side = self.query_one("#side")
        width = max(10, side.content_size.width)
        self.query_one("#header", Static).update(self._header())
        self.query_one("#players", Static).update(panels.players(width))
        self.query_one("#evaluation", Static).update(panels.evaluation(width))
        self.query_one("#evaluation").display = session.evaluating
        self.query_one("#moves_title", Static).update(Content.assemble(panels.title("play.moves")))
        moves, line = panels.moves(self.query_one("#moves_box").content_size.width or width)
        self.query_one("#moves", Static).update(moves)
        box = self.query_one("#moves_box")
        self.call_after_refresh(box.scroll_to_region, Region(0, line, 1, 1), animate=False)
        shown_moves = min(LEAST_MOVES, len(str(moves).splitlines()))
        room = max(5, side.content_size.height - OTHER_LINES - shown_moves)
        self.query_one("#thoughts_box").styles.max_height = room
        self.query_one("#thoughts", Static).update(panels.thoughts(width, room))
        self._show_board()
        self._status()
        self.query_one("#keys", Static).update(self._keys())

    def _show_board(self) -> None:
        session = self.session
        board = self.query_one(Board)
        view = session.view
        hint, analysis = session.hint, session.analysis
        board.show(view, playable=session.can_play)
        scores = notes(analysis) if analysis is not None and analysis.depth else {}
        if session.proof is not None:
            scores = proof_notes(session.proof)
        on_cells = {}
        for move, note in sorted(scores.items(), key=lambda item: -item[1].rank):  # of moves on one cell the best is seen
            for cell in board.target(move)[:1]:
                on_cells[cell] = note
        hinted = board.target(hint.move) if hint else ()
        pointed = tuple(cell for reason in hint.reasons[:1] for cell in reason.cells) if hint else ()
        board.show(view, playable=session.can_play, hinted=hinted, pointed=pointed, notes=on_cells)
        others = self.query_one("#others", OptionList)
        without = [move.move for move in view.moves if not move.cells] if session.can_play else []
        if [option.id for option in others.options] != without:
            others.clear_options()
            others.add_options(Option(Content(move), id=move) for move in without)
            others.border_title = self.say("other_moves")
            others.display = bool(without)

    def _header(self) -> Content:
        game = self.session.match.position.game
        family = game.partition(":")[0]
        known = words(self.language).get(f"game.{family}.name", "")
        return Content.assemble((" mnkala ", f"bold {PAPER} on {PLAYERS[1]}"), (f"  {known or game}", f"bold {INK}"),
                                (f"   {game}" if known else "", SOFT))

    def _status(self) -> None:
        """What goes on, or what went wrong."""
        session = self.session
        match = session.match
        style = INK
        if self.message:
            text, style = self.message, GOLD
        elif session.ply is not None:
            text = self.say("looking_at", ply=session.ply, plies=len(match.position.history))
        elif match.is_over:
            panels = Panels(session, self.language, self.ascii_only)
            text, style = ending(match, self.language, (panels.mark(0), panels.mark(1))), f"bold {GOLD}"
        elif session.thinking is not None:
            text = self.say("thinking", player=self._player(session.thinking))
        elif not session.ready:
            text = self.say("preparing")
        elif session.engines_only or session.paused:
            text = self.say("paused") if session.paused else self.say("pace", seconds=f"{session.pace:g}")
        else:
            text = self.say("your_turn", player=self._player(match.position.mover))
        self.query_one("#status", Static).update(Content.styled(f" {text}", style))

    def _player(self, side: int) -> str:
        mark = Panels(self.session, self.language, self.ascii_only).mark(side)
        return f"{mark} ({player_name(self.session.match, side, self.language)})"

    def _keys(self) -> Content:
        """The keys that fit, as links."""
        watching = [("space", "play.pause", "pause"), (".", "play.step", "step"), ("+", "key_speed", "pace(False)")]
        playing = [("h", "play.hint", "hint"), ("u", "play.undo", "undo"), ("r", "play.redo", "redo")]
        solving = [("x", "exact.mode_exact", "proof"), ("b", "key_book", "book"), ("p", "puzzle.title", "puzzle")]
        rest = [("a", "play.analysis", "analysis"), *(solving if self.session.view.solver else ()),
                ("n", "play.new_game", "new"), ("s", "key_save", "save"), ("m", "key_move", "type"),
                ("R", "play.resign", "resign"), ("l", "page.language", "language")]
        always = [("?", "key_help", "help"), ("q", "key_quit", "leave(0)")]
        room = self.size.width - 1 - sum(len(key) + len(self.say(name)) + 3 for key, name, _ in always)
        shown = []
        for key, name, action in [*(watching if self.session.engines_only else playing), *rest]:
            room -= len(key) + len(self.say(name)) + 3
            if room >= 0:
                shown.append((key, name, action))
        parts: list[str | tuple[str, str | Style]] = [" "]
        for key, name, action in [*shown, *always]:
            does = Style.from_meta({"do": action if "(" in action else f"{action}()"})
            parts += [(key, Style.parse(f"bold {GOLD}") + does), (f" {self.say(name)}", Style.parse(SOFT) + does), "  "]
        return Content.assemble(*parts)

    async def on_click(self, event: events.Click) -> None:
        """A key in the last line, or a move of the list."""
        action = event.style.meta.get("do")
        if action:
            await self.run_action(action)
