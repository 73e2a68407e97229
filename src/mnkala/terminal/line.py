"""A game in plain lines: the board is printed, a person types a move or a command, an engine answers."""

from __future__ import annotations

import datetime
import sys
from collections.abc import Callable
from pathlib import Path

from mnkala.errors import MnkalaError
from mnkala.play import Match
from mnkala.search import Analysis
from mnkala.terminal.files import saved_games_folder

HELP = """Type a move, or one of
  hint         what the computer would play
  undo         take back to your last turn
  save [FILE]  keep the game; continue it with: mnkala play --resume FILE
  moves        the legal moves, and those played so far
  resign       give the game up
  help         this text
  quit         leave; an unfinished game is kept"""


class _Quit(Exception):
    """The person wants to leave."""


class LineGame:
    """The dialogue around one match."""

    def __init__(self, match: Match, file: Path | None, colour: bool) -> None:
        self.match = match
        self.file = file
        self.colour = colour

    def run(self) -> int:
        """Play until the end; the exit status."""
        position = self.match.position
        first, second = (player.name for player in self.match.players)
        marks = position.rules.players
        print(f"{position.game}: {marks[0]} is {first}, {marks[1]} is {second}")
        if any(player.is_human for player in self.match.players):
            print("Type a move, or 'help'.")
        try:
            self._play()
        except (_Quit, EOFError, KeyboardInterrupt) as reason:
            if not isinstance(reason, _Quit):
                print()
            return self._keep(130 if isinstance(reason, KeyboardInterrupt) else 0)
        outcome = self.match.outcome
        assert outcome is not None
        winner = outcome.winner
        print("Draw." if winner is None else f"{marks[winner]} ({self.match.players[winner].name}) wins.")
        print(self.match.record().line())
        if self.file:
            self._save(self.file)
        return 0

    def _play(self) -> None:
        self._show()
        while not self.match.is_over:
            if self.match.to_move.is_human:
                self._ask()
            else:
                mark = self.match.position.to_move
                analysis = self.match.think()
                print(f"\n{mark} plays {analysis.best}  {_details(analysis)}")
                self._show()

    def _show(self) -> None:
        position = self.match.position
        print(position.terminal() if self.colour else position)

    def _ask(self) -> None:
        """One line from the person: a command or a move."""
        line = input(f"{self.match.position.to_move} to move> ").strip()
        word, _, rest = line.partition(" ")
        commands: dict[str, Callable[[str], None]] = {
            "help": lambda _: print(HELP), "?": lambda _: print(HELP), "hint": self._hint, "undo": self._undo,
            "save": self._save_as, "moves": self._list_moves, "resign": lambda _: self.match.resign(),
            "quit": self._quit, "exit": self._quit, "q": self._quit,
        }
        if not word:
            return
        try:
            if word.lower() in commands:
                commands[word.lower()](rest.strip())
            else:
                self.match.play(line)
                self._show()
        except MnkalaError as error:
            print(error)

    def _hint(self, _: str) -> None:
        analysis = self.match.hint()
        print(f"hint: {analysis.best}  {_details(analysis)}")

    def _undo(self, _: str) -> None:
        count = self.match.undo()
        print(f"took back {count} move{'s' if count > 1 else ''}")
        self._show()

    def _list_moves(self, _: str) -> None:
        position = self.match.position
        print(f"legal: {' '.join(position.legal_moves)}\nplayed: {position.moves or 'none'}")

    def _save_as(self, name: str) -> None:
        self._save(Path(name).expanduser() if name else self._default_file())

    def _save(self, file: Path) -> None:
        self.match.record().save(file)
        self.file = file
        print(f"saved to {file}")

    def _default_file(self) -> Path:
        now = datetime.datetime.now().strftime("%Y-%m-%d-%H%M%S-%f")
        return self.file or saved_games_folder() / f"{now}.txt"

    def _quit(self, _: str) -> None:
        raise _Quit

    def _keep(self, status: int) -> int:
        """Leave without losing the game."""
        if self.match.position.history or self.file:
            try:
                file = self._default_file()
                self.match.record().save(file)
                print(f"The game is kept. Go on with: mnkala play --resume {file}")
            except MnkalaError as error:
                print(f"{error}. The game so far: {self.match.record().line()}")
        return status


def _details(analysis: Analysis) -> str:
    """Score, depth and effort, as a person reads them."""
    if analysis.score is None:
        return ""
    return f"({analysis.score}, depth {analysis.depth}, {analysis.nodes:,} nodes, {analysis.seconds:.2f} s)"


def play_lines(match: Match, file: Path | None = None, colour: bool | None = None) -> int:
    """Play a match on standard input and output; the exit status. `file` is where a resumed game goes back to."""
    return LineGame(match, file, sys.stdout.isatty() if colour is None else colour).run()


