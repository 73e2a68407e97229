"""`mnkala play` on the full screen: the actions of keys and mouse."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import ClassVar

from textual import events
from textual.app import App
from textual.binding import Binding, BindingType
from textual.theme import Theme
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static

from mnkala.core import parse_game
from mnkala.core.plugins import blame
from mnkala.core.registry import OTHERS, game_names
from mnkala.errors import MnkalaError
from mnkala.explain.rulebook import Rulebook
from mnkala.explain.words import LANGUAGES, error_words, say
from mnkala.play import ladder_of
from mnkala.play.fair_starts import ready_fair_starts
from mnkala.play.game_state import GameState
from mnkala.play.opening_rule import opening_rules
from mnkala.play.puzzle_contract import Goal
from mnkala.play.puzzles import find_puzzles
from mnkala.play.reviews import Review
from mnkala.play.saved_games import SavedGame
from mnkala.terminal.board_widget import BoardWidget
from mnkala.terminal.drawing import BAD, GOLD, GOOD, INK, PANEL, PAPER, PLAYERS
from mnkala.terminal.help_text import COMMANDS, command_of, help_rows
from mnkala.terminal.panels import Panels
from mnkala.terminal.position_info import Refused
from mnkala.terminal.puzzles import CHOICES, Task, goal_words, make_task
from mnkala.terminal.reviews import Reviewing, heading, rows
from mnkala.terminal.saved_games import (
    ending,
    file_for,
    level_words,
    listed,
    spent_words,
)
from mnkala.terminal.screens import (
    Choice,
    GameScreen,
    Question,
    Reading,
    help_row,
    legend_parts,
    rules_parts,
)
from mnkala.terminal.session import Session

BROKEN, INTERRUPTED = 2, 130
"""Exit statuses after a mistake of a plug-in and after Ctrl-C."""
TICK_SECONDS = 0.2
THEME = Theme(
    "mnkala",
    primary=PLAYERS[1],
    secondary=PLAYERS[0],
    accent=GOLD,
    warning=GOLD,
    error=BAD,
    success=GOOD,
    foreground=INK,
    background=PAPER,
    surface=PANEL,
    panel=PANEL,
    dark=True,
)
WORKERS = "terminal"
"""The name of the threads of Textual's workers."""
PATIENCE_SECONDS = 0.5
"""How long to wait for the workers on leaving."""


class GameApp(App[int]):
    """One game after another on the full screen. The app returns the exit status."""

    is_live = True
    survives: tuple[type[Exception], ...] = (Exception,)
    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(command.keys, command.action, show=False)
            for command in COMMANDS
            if command.keys
        ),
        *(Binding(str(digit), f"digit('{digit}')", show=False) for digit in range(10)),
        Binding("escape", "return", show=False),
        Binding("ctrl+c", f"leave({INTERRUPTED})", show=False, priority=True),
        Binding("ctrl+q", "leave(0)", show=False, priority=True),
    ]

    def __init__(
        self,
        game: GameState,
        file: Path | None = None,
        *,
        language: str = "en",
        ascii_only: bool = False,
        task: Task | None = None,
        saved: SavedGame | None = None,
    ) -> None:
        super().__init__()
        self.language, self.ascii_only = language, ascii_only
        self.session = Session(self, game, file, task, saved)
        self._reviewing = Reviewing(self, self._show_review)
        self.kept_messages: list[str] = []
        """What to print after leaving, about games that were saved on the way."""
        self.message = ""
        self._game_screen = GameScreen(self.session, ascii_only, self.changed)
        self._draw_again = False
        self._typing = "move"

    # ---- The screen ----

    def get_default_screen(self) -> GameScreen:
        """The screen with the game, below all windows."""
        return self._game_screen

    def on_mount(self) -> None:
        """Prepare the screen and the engines."""
        self.register_theme(THEME)
        self.theme = THEME.name
        self.set_class(self.ascii_only, "ascii")
        self.set_interval(TICK_SECONDS, self.session.tick)
        for name in ("SIGTERM", "SIGHUP", "SIGINT"):  # a closed window or a kill keeps the game too
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError, AttributeError):
                asyncio.get_running_loop().add_signal_handler(
                    getattr(signal, name), self.action_leave, INTERRUPTED
                )
        self.session.start()

    @property
    def panels(self) -> Panels:
        """The texts around the board."""
        return Panels(self.session, self.language, self.ascii_only)

    def say(self, key: str, **values: object) -> str:
        """A text in the chosen language; a key without a dot belongs to the section `terminal`."""
        return self.panels.say(key, **values)

    def tell(self, message: str | MnkalaError) -> None:
        """Show a message in the status line until something else happens."""
        self.message = error_words(message, self.language)
        self._game_screen.draw_status(self.panels, self.message)

    def changed(self) -> None:
        """Redraw the screen, once for all changes made in the meantime."""
        if not self._draw_again and self.is_running:
            self._draw_again = True
            self.call_later(self._draw)

    def _draw(self) -> None:
        self._draw_again = False
        if self._game_screen.is_mounted:
            self._game_screen.draw(self.panels, self.message)

    async def on_click(self, event: events.Click) -> None:
        """Handle a click on a key in the last line or on a move of the list."""
        action = event.style.meta.get("do")
        if action:
            await self.run_action(action)

    # ---- Moving ----

    def attempt(self, action: Callable[[], object]) -> bool:
        """Call a function, and return whether it succeeded; if it refuses, show the reason."""
        self.message = ""
        try:
            action()
        except Refused as refusal:
            self.tell(say(refusal.key, self.language))
        except MnkalaError as error:
            self.tell(error)
        else:
            self.changed()
            return True
        return False

    def play(self, move: str) -> None:
        """Play a person's move."""
        self.attempt(lambda: self.session.play(move))

    def on_board_widget_chosen(self, event: BoardWidget.Chosen) -> None:
        """Play or pick at the cell that the person chose."""
        if not self.session.can_play:
            if self.session.ply is not None:
                self.tell(self.say("looking_back"))
            elif self.session.game.is_over:
                self.tell("")
            else:
                self.tell(self.say("not_your_turn"))
        elif (opening := self.session.game.opening) is not None and opening.choices:
            options = [(choice, self.say(f"{opening.name}.{choice}")) for choice in opening.choices]
            self._choose(f"{opening.name}.title", options, self.session.play)
        elif not event.moves:
            self.tell(self.say("no_move_here"))
        elif len(event.moves) == 1:
            self.play(event.moves[0])
        else:
            preview = self._game_screen.query_one(BoardWidget).preview
            self._choose(
                "play.which_move",
                [(move, move) for move in event.moves],
                self.session.play,
                preview,
            )

    def _choose(
        self,
        title: str,
        options: list[tuple[str, str]],
        then: Callable[[str], object],
        preview: Callable[[str | None], None] | None = None,
        wide: bool = False,
    ) -> None:
        """Pass on what the person chooses from a list, if anything."""

        def chosen(option: str | None) -> None:
            if option is not None:
                self.attempt(lambda: then(option))

        self.push_screen(Choice(self.say(title), options, preview, wide), chosen)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Play a move that has no place on the board."""
        if event.option_list.id == "others" and event.option.id is not None:
            self._game_screen.query_one(BoardWidget).focus()
            self.play(event.option.id)

    def action_digit(self, digit: str) -> None:
        """Play in a column or a house; where numbers can have two digits, open the input line."""
        starting = (
            [move.move for move in self.session.view.moves if move.move.startswith(digit)]
            if self.session.can_play
            else []
        )
        if starting == [digit] or not self.session.can_play:
            self.play(digit)
        elif starting:
            self._open("move", digit)
        else:
            self.tell(self.say("no_such_move", text=digit))

    def action_type(self) -> None:
        """Open the input line for a move or a command."""
        self._open("move", "")

    def _open(self, what: str, text: str) -> None:
        self._typing = what
        self._game_screen.open_input(text, self.say(f"typed_{what}"))

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        """Handle what was typed: a move, a command, a game or the name of a file."""
        self._game_screen.close_input()
        text = event.value.strip()
        if not text:
            return
        if self._typing == "game":
            self._go_on_with(text)
        elif self._typing == "size":
            self._begin_size(text)
        elif self._typing == "file":
            self._save(text)
        else:
            await self._do(text)

    async def _do(self, text: str) -> None:
        """Carry out a typed command, or play a typed move."""
        word, _, rest = text.partition(" ")
        command = None if text in self.session.position.legal_moves else command_of(word, "screen")
        if command is None:
            self.play(text)
        elif rest and command.argument:
            done: dict[str, Callable[[str], object]] = {
                "open": self._go_on_with,
                "save": self._save,
                "puzzle": lambda goal: self.attempt(lambda: self.session.find_puzzle(goal)),
            }
            done[command.word](rest.strip())
        else:
            await self.run_action(command.action)

    def action_return(self) -> None:
        """Leave the input line, or return to the game."""
        if not self._game_screen.close_input():
            self.action_look()

    # ---- Keys ----

    def action_session(self, name: str, *arguments: object) -> None:
        """Call a method of the session."""
        self.attempt(lambda: getattr(self.session, name)(*arguments))

    def action_puzzle(self) -> None:
        """Open the next puzzle, or let the user choose a goal."""
        family = find_puzzles(self.session.game.position.rules)
        if family is None:
            self.tell(self.say("no_puzzles"))
            return
        options = [] if self.session.task is None else [("", self.say("puzzle.next"))]
        options += [(str(goal), goal_words(family, goal, self.language)) for goal in family.offered]
        options += [(each, self.say(f"puzzle.mode_{each}")) for each in CHOICES]
        self._choose("puzzle.title", options, self.session.find_puzzle)

    def action_turn(self, by: int) -> None:
        """Look one move back or forward."""
        last = len(self.session.game.position.history)
        self.action_look((last if self.session.ply is None else self.session.ply) + by)

    def on_board_widget_turned(self, event: BoardWidget.Turned) -> None:
        """Look back or forward, for an arrow key pressed where nothing can be played."""
        if self.session.walk is None:
            self.action_turn(event.by)
        else:
            self.action_session("step_through", event.by)

    def action_look(self, ply: int | None = None) -> None:
        """Look at the position after the given number of moves, or return to the game."""
        self.attempt(lambda: self.session.look(ply))

    def action_review(self) -> None:
        """Review the game that is over."""
        self.attempt(lambda: self._reviewing.ask(self.session))

    def _show_review(self, found: Review) -> None:
        """Say how far the review is; in the end, list the moves beside the board."""
        if found.position != self.session.game.position:
            self._reviewing.drop()  # another game was begun meanwhile
            return
        if not found.final:
            self.tell(self.say("review.progress", done=found.done, total=found.total))
            return
        self.tell("")

        def show(ply: str | None) -> None:
            self.action_look(None if ply is None else int(ply))

        self.push_screen(
            Choice(
                heading(found, self.language), list(rows(found, self.language)), show, beside=44
            ),
            show,
        )

    def action_language(self) -> None:
        """Change to the next language."""
        codes = list(LANGUAGES)
        self.language = codes[(codes.index(self.language) + 1) % len(codes)]
        self.attempt(lambda: None)

    def action_resign(self) -> None:
        """Resign, after a confirmation."""
        if self.session.game.is_over:
            self.tell(self.say("play.analysis_over"))
            return

        def answered(sure: bool | None) -> None:
            if sure:
                self.attempt(self.session.resign)

        self.push_screen(
            Question(self.say("play.resign_sure"), self.say("yes"), self.say("no")), answered
        )

    def action_save(self) -> None:
        """Ask for a file name and save the game."""
        self._open("file", str(file_for(self.session.game, self.session.file)))

    def _save(self, name: str) -> None:
        self.attempt(lambda: self.session.save(Path(name).expanduser()))

    def action_help(self) -> None:
        """Show the keys."""
        example = next(iter(self.session.game.position.root().legal_moves), "1")
        how = "1-9 arrows" if self.ascii_only else "1-9 ←→↵"
        rows = [(how, self.say("help_play")), *help_rows(self.language, "screen", move=example)]
        self._read("help_title", (help_row(*row) for row in rows))

    def _read(self, title: str, parts: Iterable[Widget], **values: object) -> None:
        """Open a window for reading."""
        self.push_screen(Reading(self.say(title, **values), parts, self.say("help_close")))

    def action_rules(self) -> None:
        """Show the rules of the game."""
        rules = self.session.game.position.rules
        parts = rules_parts(rules, self.language, self.ascii_only)
        game = Rulebook(rules, self.language).title
        self._read("rules.title", (Static(part, classes="part") for part in parts), game=game)

    def action_legend(self) -> None:
        """Explain how to read the numbers."""
        parts = legend_parts(self.session.view, self.language)
        self._read("legend.title", (Static(part, classes="part") for part in parts))

    # ---- New games ----

    def action_new(self) -> None:
        """Let the user choose another game."""
        options = [("rematch", self.say("rematch_same")), ("swap", self.say("play.rematch_about"))]
        options += [
            (
                f"level {level.player}",
                self.say("new_against", level=level_words(level, self.language)),
            )
            for level in ladder_of(self.session.game.position.rules)
        ]
        options += [("two", self.say("page.mode_here")), ("watch", self.say("page.mode_watch"))]
        options += [
            (f"opening {name}", self.say(f"{name}.offer"))
            for name in opening_rules(self.session.game.position.rules)
        ]
        if ready_fair_starts(self.session.game.position.game):
            options += [("fair", self.say("new_fair"))]
        here = self.session.game.position.game
        options += [("size", self.say("new_size"))]
        games = [
            name.names[0]
            for name in sorted(game_names(), key=lambda name: name.place)
            if name.names and name.place < OTHERS
        ]
        options += [
            (
                f"game {game}",
                self.say("new_other", game=Rulebook(parse_game(game), self.language).title),
            )
            for game in games
            if game != here
        ]
        self._choose("play.new_game", options, self._begin_new)

    def _begin_new(self, chosen: str) -> None:
        if chosen == "size":
            self._open("size", self.session.game.position.game)
        else:
            self.session.begin_new(chosen)

    def _begin_size(self, text: str) -> None:
        """Begin a game on a board of another size, or any other game."""
        family = self.session.game.position.game.partition(":")[0]
        name = f"{family}:{text}" if text[:1].isdigit() else text
        self.attempt(lambda: self.session.begin_new(f"game {name}"))

    def action_open(self) -> None:
        """Ask for a game in any form, or for the name of its file."""
        self._open("game", "")

    def on_paste(self, event: events.Paste) -> None:
        """Open a pasted game. One line pasted into the input line is treated as typed."""
        if event.text.strip() and len(self.screen_stack) == 1:
            self._game_screen.close_input()
            self._go_on_with(event.text)

    def _go_on_with(self, text: str) -> None:
        """Continue with another game, pasted or saved; the one on the screen is saved."""
        self.attempt(lambda: self.session.open(text))

    def action_games(self) -> None:
        """Choose a saved game to continue or to look at."""
        found: dict[str, str] = {}
        if self.attempt(lambda: found.update(listed(self.language))):
            if found:
                self._choose("saved.title", list(found.items()), self.session.open, wide=True)
            else:
                self.tell(self.say("saved.none"))

    # ---- Leaving ----

    def note(self, text: str) -> None:
        """Print a message about a saved game after leaving."""
        self.kept_messages.append(text)

    def _handle_exception(self, error: Exception) -> None:
        """Leave with one sentence if a plug-in's drawing or moves fail; for a fault of mnkala
        itself Textual shows the traceback."""
        found = blame(error)
        if found is None:
            super()._handle_exception(error)
        elif str(found) not in self.kept_messages:
            self.kept_messages.append(str(found))
            self.session.close()
            self.session.leave()
            self.exit(BROKEN)

    def action_leave(self, status: int) -> None:
        """Stop all work and leave at once; an unfinished game is saved."""
        game, file = self.session.game, self.session.file
        self.session.close()
        self.session.leave()
        if game.is_over:
            self.kept_messages += [
                ending(game, self.language),
                *spent_words(game, self.language),
                game.record().without_tags(),
            ]
            if file is not None:
                with contextlib.suppress(MnkalaError):
                    game.record().save(file)
        self.exit(status)


def play_screen(
    game: GameState,
    file: Path | None = None,
    *,
    language: str = "en",
    ascii_only: bool = False,
    puzzle: Goal | None = None,
    saved: SavedGame | None = None,
) -> int:
    """Play on the full screen and return the exit status. `file` or `saved` is where a resumed
    game is written back; `puzzle` is the goal of a puzzle to begin with."""
    if puzzle is None:
        app = GameApp(game, file, language=language, ascii_only=ascii_only, saved=saved)
    else:
        task = make_task(game.position.rules, puzzle)
        app = GameApp(task.game(), language=language, ascii_only=ascii_only, task=task)
    with contextlib.closing(
        asyncio.new_event_loop()
    ) as loop:  # one of our own, for asyncio.run would wait for a compiler
        loop.set_default_executor(concurrent.futures.ThreadPoolExecutor(thread_name_prefix=WORKERS))
        status = app.run(loop=loop)
    if status is None:  # the program itself broke; Textual has said how
        app.session.leave()
    for message in app.kept_messages:
        print(message)
    if not _have_ended():  # a compiler cannot be interrupted, and the person has left
        sys.stdout.flush()
        for engine in filter(None, (player.engine for player in app.session.game.players)):
            engine.search.close()
        os._exit(status or 0)
    return status or 0


def _have_ended() -> bool:
    """Whether all workers end within a moment."""
    workers = [thread for thread in threading.enumerate() if thread.name.startswith(WORKERS)]
    for worker in workers:
        worker.join(PATIENCE_SECONDS / len(workers))
    return not any(worker.is_alive() for worker in workers)
