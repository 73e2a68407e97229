"""A session in plain lines: the board is printed, the person types a move or a command, and waits
for the answer."""

from __future__ import annotations

import collections
import contextlib
import functools
import json
import sys
from collections.abc import Callable
from pathlib import Path

from textual.actions import parse

from mnkala.core.position import written_line
from mnkala.errors import MnkalaError
from mnkala.explain.turn_words import best_turn_words
from mnkala.explain.words import LANGUAGES, error_words, say
from mnkala.play.game_state import GameState
from mnkala.play.mistakes import OwnMove
from mnkala.play.puzzle_contract import Goal
from mnkala.play.saved_games import SavedGame
from mnkala.play.view import Walk, walk_text
from mnkala.terminal.environment import only_ascii, print_wrapped
from mnkala.terminal.help_text import command_of, help_rows, legend_text, rules_text
from mnkala.terminal.panels import Panels
from mnkala.terminal.position_info import Refused
from mnkala.terminal.puzzles import Task, make_task, solution_words, tell_mistakes
from mnkala.terminal.saved_games import ending, file_for, listed, player_name, spent_words
from mnkala.terminal.session import Session

WIDE, HIGH = 1000, 100
"""The room for a panel, in characters: lines are wrapped when they are printed."""


class _Quit(Exception):
    """The person wants to leave."""


class PlainGame:
    """The dialogue about a session. Work is done when nothing else is left to be said."""

    is_live = False
    survives: tuple[type[Exception], ...] = ()

    def __init__(
        self,
        game: GameState,
        file: Path | None,
        colour: bool,
        language: str,
        saved: SavedGame | None = None,
        task: Task | None = None,
    ) -> None:
        self.colour, self.language = colour, language
        self._waiting: collections.deque[Callable[[], object]] = collections.deque()
        self._told: list[str] = []
        """Messages to be printed below what has happened."""
        self._shown: tuple[GameState, Task | None] | None = None
        """The game and the puzzle as they were last printed."""
        self._ended: GameState | None = None
        """The finished game whose end was printed."""
        self.session = Session(self, game, file, task, saved)

    # ---- What the session asks of its display ----

    def tell(self, message: str | MnkalaError) -> None:
        """Print a message below what has happened."""
        self._told.append(error_words(message, self.language))

    def note(self, text: str) -> None:
        """Print where a game was saved."""
        print(text)

    def changed(self) -> None:
        """Print nothing yet: what has happened is printed once all work is done."""

    def call_later(self, callback: Callable[..., object], *args: object) -> None:
        """Call a function after everything that waits already."""
        self._waiting.append(functools.partial(callback, *args))

    def set_timer(self, delay: float, callback: Callable[[], object]) -> None:
        """Call a function at once, since time stands still."""
        self._waiting.append(callback)

    def run_worker(
        self, work: Callable[[], None], *, group: str, exclusive: bool, thread: bool
    ) -> None:
        """Do some work before the person is asked again."""
        self._waiting.append(work)

    # ---- The dialogue ----

    def run(self) -> int:
        """Play until the end and return the exit status."""
        game = self.session.game
        first, second = (player_name(game, side, self.language) for side in (0, 1))
        marks = game.position.rules.players
        print(
            self._say(
                "line_players",
                game=game.position.game,
                first_mark=marks[0],
                first=first,
                second_mark=marks[1],
                second=second,
            )
        )
        if not game.between_engines:
            print(self._say("line_start"))
        try:
            self.session.start()
            self._settle()
            while True:
                while not self.session.game.is_over or self.session.task is not None:
                    self._ask()
                self._print_end()
                if game.between_engines or not sys.stdin.isatty():
                    return 0
                print(self._say("line_after"))
                while self.session.game.is_over and self.session.task is None:
                    self._ask()
                    self._print_told()
        except (_Quit, EOFError, KeyboardInterrupt) as reason:
            if not isinstance(reason, _Quit):
                print()
            self.session.leave()
            return 130 if isinstance(reason, KeyboardInterrupt) else 0

    def _print_end(self) -> None:
        """Print how the game ended, and its record; once for each game."""
        game = self.session.game
        if game is self._ended:
            return
        self._ended = game
        print(ending(game, self.language), *spent_words(game, self.language), sep="\n")
        self._print_told()
        print(game.record().without_tags())
        if self.session.file:
            self.do_save(str(self.session.file))
            self._print_told()

    def _say(self, key: str, **values: object) -> str:
        return say(f"terminal.{key}", self.language, **values)

    def _settle(self) -> None:
        """Do everything that waits, and print what happens meanwhile."""
        self._print_news()
        while self._waiting:
            self._waiting.popleft()()
            self._print_news()
        if not self.session.game.is_over or self.session.task is not None:
            self._print_told()

    def _print_told(self) -> None:
        for text in dict.fromkeys(self._told):
            print_wrapped(text)
        self._told.clear()

    def _print_news(self) -> None:
        """Print an engine's move, changed sides, the board and the puzzle, if they are new."""
        game, task = self.session.game, self.session.task
        before, last_task = self._shown or (None, None)
        self._shown = game, task
        if game.answer is not None and (before is None or game.answer is not before.answer):
            print()
            print_wrapped(self.panels.answer(game.answer, WIDE).plain.replace("\n", "  "))
        if before is not None and before.opening and game.players != before.players:
            for side, mark in enumerate(game.position.rules.players):
                name = player_name(game, side, self.language)
                print(say("play.has_side", self.language, player=name, mark=mark))
        if before is None or game.position is not before.position:
            print(game.position.terminal() if self.colour else game.position)
        if task is None or task is last_task:
            return
        if task.line:
            print_wrapped(solution_words(task.puzzle.goal, task.line, self.language))
        elif task.tried is None and not task.shown:
            asked = task.words(self.language)
            key = "line_missed" if isinstance(task.puzzle, OwnMove) else "line_puzzle"
            print(self._say(key, number=task.number + 1, total=task.total, task=asked))
        for text, _ in task.verdict(self.language):
            print_wrapped(text)
        if task.solved:
            more = "series" if task.rest else "series_last" if task.back else "puzzle"
            print(self._say(f"line_{more}_more"))

    @property
    def panels(self) -> Panels:
        """The texts about the session."""
        return Panels(self.session, self.language, only_ascii())

    def _ask(self) -> None:
        """Read one line from the person: a command or a move."""
        game = self.session.game
        if game.opening is not None:
            mover = player_name(game, game.mover, self.language)
            print(game.opening.words(game.position, mover, self.language))
            if game.opening.choices:
                print(say(f"{game.opening.name}.type_{game.opening.stage}", self.language))
        line = input(self._say("line_prompt", mark=game.position.to_move)).strip()
        word, _, rest = line.partition(" ")
        if not word:
            return
        command = None if line in game.position.legal_moves else command_of(word, "lines")
        try:
            if command is None:
                self.session.play(line)
            elif (method := getattr(self, f"do_{command.word}", None)) is not None:
                method(rest.strip())
            else:
                _, _, (name, *arguments) = parse(command.action)
                getattr(self.session, str(name))(*arguments)
            self._settle()
        except MnkalaError as error:
            print(error_words(error, self.language))
        except Refused as refusal:
            print(say(refusal.key, self.language))

    def do_help(self, _: str) -> None:
        """Print the commands."""
        rows = list(help_rows(self.language, "lines"))
        width = max(len(typed) for typed, _ in rows)
        print(
            self._say("help_intro"),
            *(f"  {typed.ljust(width)}  {text}" for typed, text in rows),
            sep="\n",
        )

    def do_rules(self, _: str) -> None:
        """Print the rules of the game."""
        print(rules_text(self.session.position.rules, self.language, self.colour))

    def do_numbers(self, _: str) -> None:
        """Explain how to read the numbers."""
        print(legend_text(self.session.view, self.language))

    def do_language(self, code: str) -> None:
        """Change to the named language, or to the next."""
        codes = list(LANGUAGES)
        self.language = (
            code if code in codes else codes[(codes.index(self.language) + 1) % len(codes)]
        )
        self.do_help("")

    def do_moves(self, _: str) -> None:
        """Print the legal moves and those already played."""
        position = self.session.position
        played = written_line(position.root(), position.history_codes) or self._say("line_none")
        print(self._say("line_moves", legal=" ".join(position.legal_moves), played=played))

    # ---- Help ----

    def _print_thoughts(self) -> None:
        """Print what was worked out about the position."""
        self._settle()
        print_wrapped(self.panels.thoughts(WIDE, HIGH).plain)

    def do_hint(self, _: str) -> None:
        """Print a hint with its reasons, or the next hint in a puzzle."""
        self.session.ask_hint()
        if self.session.task is None:
            self._print_thoughts()

    def do_turn(self, _: str) -> None:
        """Print the best turn, seed by seed."""
        position = self.session.position
        if not position.rules.moves_again:
            raise Refused("terminal.no_turns")
        self.session.ask_hint()
        self._settle()
        line = self.session.thoughts.best_line()
        print(best_turn_words(position, line, self.language))
        walk = Walk.of(position, line)
        for text in walk_text(walk, self.language) if walk else ():
            print_wrapped(text)

    def _study(self, study: str) -> None:
        self.session.study(study)
        self._print_thoughts()
        self.session.study(study)  # not again after the next move

    def do_analyse(self, _: str) -> None:
        """Print what is known about every move: exact scores, and an estimate of what is open."""
        self._study("analysis")

    def do_book(self, _: str) -> None:
        """Print what the opening book says about the position."""
        self._study("book")

    def do_threats(self, _: str) -> None:
        """Print what both sides threaten."""
        self._study("threats")

    # ---- The game ----

    def do_resign(self, _: str) -> None:
        """Resign the game."""
        self.session.resign()

    def do_puzzle(self, text: str) -> None:
        """Open a puzzle with a goal, or the next one."""
        self.session.find_puzzle(text)

    def do_mistakes(self, _: str) -> None:
        """Print the mistakes in all saved games."""
        tell_mistakes(self.language)

    def do_new(self, _: str) -> None:
        """Begin the same game between the same players; the current one is saved."""
        self.session.begin_new("rematch")

    def do_save(self, name: str) -> None:
        """Write the record of the game to a file."""
        file = file_for(self.session.game, self.session.file)
        self.session.save(Path(name).expanduser() if name else file)

    def do_games(self, _: str) -> None:
        """Print the saved games of this computer."""
        lines = [f"{game_id}  {line}" for game_id, line in listed(self.language).items()]
        print("\n".join(lines) or say("saved.none", self.language))

    def do_open(self, text: str) -> None:
        """Continue with a saved game, or with one in any form; the current game is saved."""
        if not text:
            raise Refused("terminal.opened_nothing")
        self.session.open(text)

    def do_quit(self, _: str) -> None:
        """Leave the program."""
        raise _Quit


def play_plain(
    game: GameState,
    file: Path | None = None,
    colour: bool | None = None,
    language: str = "en",
    puzzle: Goal | None = None,
    saved: SavedGame | None = None,
    as_json: bool = False,
) -> int:
    """Play on standard input and output and return the exit status. `file` or `saved` is where a
    resumed game is written back; `puzzle` is the goal of a puzzle to begin with. With `as_json`
    the dialogue goes to standard error, and one object about the game to standard output."""
    colour = (sys.stderr if as_json else sys.stdout).isatty() if colour is None else colour
    task = None if puzzle is None else make_task(game.position.rules, puzzle)
    dialogue = PlainGame(game if task is None else task.game(), file, colour, language, saved, task)
    if not as_json:
        return dialogue.run()
    with contextlib.redirect_stdout(sys.stderr):
        status = dialogue.run()
    print(json.dumps(dialogue.session.game.as_json()))
    return status
