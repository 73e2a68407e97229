"""`mnkala play` on the full screen: what the keys and the mouse do."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import Input, OptionList

from mnkala.errors import MnkalaError
from mnkala.games import Position
from mnkala.games.blame import blame
from mnkala.play import HUMAN, LEVELS, PERFECT, Match, levels_of, parse_player
from mnkala.play.clock import Clock
from mnkala.play.words import LANGUAGES, say
from mnkala.terminal.board import Board
from mnkala.terminal.dialogues import Choice, Help, Question
from mnkala.terminal.kept import ending, file_for, keep, save
from mnkala.terminal.proving import make_task
from mnkala.terminal.screen import INTERRUPTED, GameScreen
from mnkala.terminal.thoughts import Refused

BROKEN = 2
"""The exit status after a mistake of a plug-in."""
GAMES = ("connect4", "tictactoe", "gomoku", "kalah")
"""What is offered as another game; the command line knows all."""
KEYS = (
    ("h", "hint"), ("u", "undo"), ("r", "redo"), ("a", "analysis"), ("x", "proof"), ("b", "book"), ("p", "puzzle"), ("S", "solution"),
    ("e", "evaluation"), ("n", "new"), ("s", "save"), ("R", "resign"),
    ("l", "language"), ("question_mark", "help"), ("q", "leave(0)"), ("m,slash", "type"), ("escape", "return"),
    ("left_square_bracket,pageup", "turn(-1)"), ("right_square_bracket,pagedown", "turn(1)"), ("home", "look(0)"), ("end", "look"),
    ("space", "pause"), ("full_stop", "step"), ("plus,equals_sign", "pace(False)"), ("minus", "pace(True)"),
    *((str(digit), f"digit('{digit}')") for digit in range(10)),
)
HELP = (
    ("m", "type"), ("h", "hint"), ("a", "analysis"), ("x", "proof"), ("b", "book"), ("p S", "puzzle"), ("e", "evaluation"),
    ("u r", "undo"), ("[ ]", "look"), ("Home End", "ends"),
    ("n", "new"), ("s", "save"), ("R", "resign"), ("Space . + -", "watch"), ("l", "language"), ("q", "quit"),
)
"""Keys and the names of their texts."""
PUZZLE_LENGTHS = range(3, 9)
PATIENCE_SECONDS = 0.5
"""How long to wait for threads on leaving."""


class GameApp(GameScreen):
    """One game after another on the full screen. Its result is the exit status."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(keys, action, show=False) for keys, action in KEYS),
        Binding("ctrl+c", f"leave({INTERRUPTED})", show=False, priority=True),
        Binding("ctrl+q", "leave(0)", show=False, priority=True),
    ]
    _typing = "move"

    # ---- Moving ----

    def attempt(self, action: Callable[[], object]) -> bool:
        """Do something; if it is refused, say why."""
        self.message = ""
        try:
            action()
        except Refused as refusal:
            self.tell(say(refusal.key, self.language))
        except MnkalaError as error:
            self.tell(str(error))
        else:
            self.changed()
            return True
        return False

    def play(self, move: str) -> None:
        """A person's move."""
        self.attempt(lambda: self.session.play(move))

    def on_board_chosen(self, event: Board.Chosen) -> None:
        """A cell was pointed at."""
        if not self.session.can_play:
            if self.session.ply is not None:
                self.tell(self.say("looking_back"))
            elif self.session.match.is_over:
                self.tell("")
            else:
                self.tell(self.say("not_your_turn"))
        elif not event.moves:
            self.tell(self.say("no_move_here"))
        elif len(event.moves) == 1:
            self.play(event.moves[0])
        else:
            options = [(move, move) for move in event.moves]
            self.push_screen(Choice(self.say("play.which_move"), options, self.query_one(Board).preview), self._chosen)

    def _chosen(self, move: str | None) -> None:
        if move is not None:
            self.play(move)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A move that has no place on the board."""
        if event.option_list.id == "others" and event.option.id is not None:
            self.query_one(Board).focus()
            self.play(event.option.id)

    def action_digit(self, digit: str) -> None:
        """A column or a house; more digits are asked for where they are needed."""
        starting = [move.move for move in self.session.view.moves if move.move.startswith(digit)] if self.session.can_play else []
        if len(starting) > 1:
            self._open("move", digit)
        elif starting == [digit] or not self.session.can_play:
            self.play(digit)
        elif starting:
            self._open("move", digit)
        else:
            self.tell(self.say("no_such_move", text=digit))

    def action_type(self) -> None:
        """Type a move."""
        self._open("move", "")

    def _open(self, what: str, text: str) -> None:
        typed = self.query_one("#typed", Input)
        self._typing = what
        typed.placeholder = self.say(f"typed_{what}")
        typed.value, typed.display = text, True
        typed.focus()
        typed.cursor_position = len(text)

    def _close(self) -> None:
        self.query_one("#typed").display = False
        self.query_one(Board).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """A move or a file's name was typed."""
        self._close()
        text = event.value.strip()
        if not text:
            return
        if self._typing == "move":
            self.play(text)
        elif self.attempt(lambda: self._save(Path(text).expanduser())):
            self.tell(self.say("saved", file=text))

    def action_return(self) -> None:
        """Leave what is typed, or return to the game."""
        if self.query_one("#typed").display:
            self._close()
        else:
            self.action_look()

    # ---- Keys ----

    def action_undo(self) -> None:
        """Take back."""
        self._count("took_back", self.session.undo)

    def action_redo(self) -> None:
        """Play again."""
        self._count("played_again", self.session.redo)

    def _count(self, key: str, action: Callable[[], int]) -> None:
        counts: list[int] = []
        if self.attempt(lambda: counts.append(action())):
            self.tell(self.say(f"{key}_one" if counts == [1] else key, count=counts[0]))

    def action_hint(self) -> None:
        """What to play."""
        self.attempt(self.session.ask_hint)

    def action_analysis(self) -> None:
        """Analysis on or off."""
        self.attempt(self.session.toggle_analysis)

    def action_proof(self) -> None:
        """Exact scores on or off."""
        self.attempt(self.session.toggle_proof)

    def action_book(self) -> None:
        """The opening book on or off."""
        self.attempt(self.session.toggle_book)

    def action_puzzle(self) -> None:
        """The next puzzle, or a choice of lengths."""
        if not self.session.view.solver:
            self.tell(self.say("no_puzzles"))
            return
        task = self.session.task
        options = [] if task is None else [("next", self.say("puzzle.next"))]
        options += [(str(length), self.say("puzzle_length", moves=length)) for length in PUZZLE_LENGTHS]
        self.push_screen(Choice(self.say("puzzle.title"), options), self._puzzle)

    def _puzzle(self, chosen: str | None) -> None:
        task = self.session.task
        if chosen is None:
            return
        length, number = (task.puzzle.win_in, task.number + 1) if task is not None and chosen == "next" else (int(chosen), None)
        if not self.session.match.is_over:
            self._keep()
        self.attempt(lambda: self.session.find_puzzle(length, number))

    def action_solution(self) -> None:
        """The solution of a puzzle."""
        self.attempt(self.session.show_solution)

    def action_evaluation(self) -> None:
        """The evaluation bar on or off."""
        self.attempt(self.session.toggle_evaluation)

    def action_turn(self, by: int) -> None:
        """Look one move back or forward."""
        last = len(self.session.match.position.history)
        self.action_look((last if self.session.ply is None else self.session.ply) + by)

    def on_board_turned(self, event: Board.Turned) -> None:
        """An arrow key where nothing can be played."""
        self.action_turn(event.by)

    def action_look(self, ply: int | None = None) -> None:
        """Look at the position after so many moves, or at the game."""
        self.attempt(lambda: self.session.look(ply))

    def action_pause(self) -> None:
        """Let computers rest."""
        if self.session.engines_only or self.session.paused:
            self.attempt(self.session.toggle_pause)

    def action_step(self) -> None:
        """One move of a computer."""
        if self.session.engines_only or self.session.paused:
            self.attempt(self.session.step)

    def action_pace(self, slower: bool) -> None:
        """Slower or faster."""
        if self.session.engines_only:
            self.attempt(lambda: self.session.change_pace(slower))

    def action_language(self) -> None:
        """The next language."""
        codes = list(LANGUAGES)
        self.language = codes[(codes.index(self.language) + 1) % len(codes)]
        self.attempt(lambda: None)

    def action_resign(self) -> None:
        """Give up, after a question."""
        if self.session.match.is_over:
            self.tell(self.say("play.analysis_over"))
            return

        def answered(sure: bool | None) -> None:
            if sure:
                self.attempt(self.session.resign)

        self.push_screen(Question(self.say("play.resign_sure"), self.say("yes"), self.say("no")), answered)

    def action_save(self) -> None:
        """Ask where to, and save."""
        self._open("file", str(file_for(self.session.file)))

    def _save(self, file: Path) -> None:
        save(self.session.match, file)
        self.session.file = file

    def action_help(self) -> None:
        """The keys."""
        example = next(iter(self.session.match.position.root().legal_moves), "1")
        how = "1-9 arrows" if self.ascii_only else "1-9 ←→↵"
        rows = [(key, self.say(f"help_{name}", move=example)) for key, name in ((how, "play"), *HELP)]
        self.push_screen(Help(self.say("help_title"), rows, self.say("help_close")))

    # ---- New games ----

    def action_new(self) -> None:
        """Choose another game."""
        options = [("rematch", self.say("rematch_same")), ("swap", self.say("play.rematch_about"))]
        options += [(f"level {level}", self.say("new_against", level=self.say(f"game.level.{level}")))
                    for level in levels_of(self.session.match.position.rules)]
        options += [("two", self.say("page.mode_here")), ("watch", self.say("page.mode_watch"))]
        here = self.session.match.position.game
        options += [(f"game {game}", self.say("new_other", game=self.say(f"game.{game}.name"))) for game in GAMES if game != here]
        self.push_screen(Choice(self.say("play.new_game"), options), self._new)

    def _new(self, chosen: str | None) -> None:
        if chosen is not None:
            self.attempt(lambda: self._begin(chosen))

    def _begin(self, chosen: str) -> None:
        match = self.session.match
        word, _, rest = chosen.partition(" ")
        position = Position(rest) if word == "game" else match.position.root()
        strongest = levels_of(position.rules)[-1]
        names = tuple(strongest if player.name == PERFECT else player.name for player in match.players)
        names = {"swap": names[::-1], "level": (HUMAN, rest), "two": (HUMAN, HUMAN), "watch": (LEVELS[1], LEVELS[1])}.get(word, names)
        new = Match(position, (parse_player(names[0], position.rules), parse_player(names[1], position.rules)))
        clock = self.session.clock
        if not match.is_over:
            self._keep()
        self.session.begin(new, Clock.of(clock.seconds, clock.increment) if clock else None)

    # ---- Leaving ----

    def _keep(self) -> None:
        if self.session.task is not None:  # a puzzle can be had again
            return
        message = keep(self.session.match, self.session.file, self.language)
        if message:
            self.kept_messages.append(message)

    def action_leave(self, status: int = 0) -> None:
        """Go."""
        self.leave(status)

    def _handle_exception(self, error: Exception) -> None:
        """Where a plug-in's drawing or moves break, leave with a sentence; Textual shows a fault of ours with its traceback."""
        found = blame(error)
        if found is None:
            super()._handle_exception(error)
        elif str(found) not in self.kept_messages:
            self.kept_messages.append(str(found))
            self.session.close()
            self._keep()
            self.exit(BROKEN)

    def leave(self, status: int) -> None:
        """Stop everything at once and go; an unfinished game is kept."""
        match, file = self.session.match, self.session.file
        self.session.close()
        if not match.is_over:
            self._keep()
        else:
            self.kept_messages += [ending(match, self.language), match.record().line()]
            if file is not None:
                with contextlib.suppress(MnkalaError):
                    save(match, file)
        self.exit(status)


def play_screen(match: Match, file: Path | None = None, *, language: str = "en", ascii_only: bool = False,
                clock: Clock | None = None, puzzle: int | None = None) -> int:
    """Play a match on the full screen; the exit status. `file` is where a resumed game goes back to; `puzzle` a length to begin with."""
    app = GameApp(match, file, language=language, ascii_only=ascii_only, clock=clock)
    if puzzle is not None:
        app.session.begin_with(make_task(match.position.rules, puzzle))
    status = app.run()
    if status is None and not match.is_over:  # the program itself broke; Textual has said how
        app.kept_messages.append(keep(app.session.match, app.session.file, language))
    for message in app.kept_messages:
        print(message)
    if not app.session.close(patience=PATIENCE_SECONDS):  # a compiler cannot be interrupted, and the person has left
        sys.stdout.flush()
        os._exit(status or 0)
    return status or 0
