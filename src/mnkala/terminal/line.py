"""A game in plain lines: the board is printed, a person types a move or a command, an engine answers."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from mnkala.errors import MnkalaError
from mnkala.play import Match
from mnkala.play.reasons import hint_of
from mnkala.play.words import say
from mnkala.search import Analysis
from mnkala.terminal.kept import ending, file_for, keep, player_name, save


class _Quit(Exception):
    """The person wants to leave."""


class LineGame:
    """The dialogue around one match."""

    def __init__(self, match: Match, file: Path | None, colour: bool, language: str) -> None:
        self.match = match
        self.file = file
        self.colour = colour
        self.language = language

    def run(self) -> int:
        """Play until the end; the exit status."""
        position = self.match.position
        marks = position.rules.players
        first, second = (player_name(self.match, side, self.language) for side in (0, 1))
        print(self._say("line_players", game=position.game, first_mark=marks[0], first=first, second_mark=marks[1], second=second))
        if any(player.is_human for player in self.match.players):
            print(self._say("line_start"))
        try:
            self._play()
        except (_Quit, EOFError, KeyboardInterrupt) as reason:
            if not isinstance(reason, _Quit):
                print()
            return self._keep(130 if isinstance(reason, KeyboardInterrupt) else 0)
        print(ending(self.match, self.language))
        print(self.match.record().line())
        if self.file:
            self._save(self.file)
        return 0

    def _say(self, key: str, **values: object) -> str:
        return say(f"terminal.{key}", self.language, **values)

    def _play(self) -> None:
        self._show()
        while not self.match.is_over:
            if self.match.to_move.is_human:
                self._ask()
            else:
                mark = self.match.position.to_move
                analysis = self.match.think()
                print(f"\n{self._say('line_plays', mark=mark, move=analysis.best)}  {self._details(analysis)}")
                self._show()

    def _show(self) -> None:
        position = self.match.position
        print(position.terminal() if self.colour else position)

    def _ask(self) -> None:
        """One line from the person: a command or a move."""
        line = input(self._say("line_prompt", mark=self.match.position.to_move)).strip()
        word, _, rest = line.partition(" ")
        commands: dict[str, Callable[[str], None]] = {
            "help": self._help, "?": self._help, "hint": self._hint, "undo": self._undo, "redo": self._redo,
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

    def _help(self, _: str) -> None:
        print(self._say("line_help"))

    def _hint(self, _: str) -> None:
        analysis = self.match.hint()
        print(f"{self._say('line_hint', move=analysis.best)}  {self._details(analysis)}")
        for reason in hint_of(analysis).reasons:
            print(f"  {reason.text(self.language)}")

    def _undo(self, _: str) -> None:
        count = self.match.undo()
        print(self._say("took_back_one" if count == 1 else "took_back", count=count))
        self._show()

    def _redo(self, _: str) -> None:
        count = self.match.redo()
        print(self._say("played_again_one" if count == 1 else "played_again", count=count))
        self._show()

    def _list_moves(self, _: str) -> None:
        position = self.match.position
        print(self._say("line_moves", legal=" ".join(position.legal_moves), played=position.moves or self._say("line_none")))

    def _save_as(self, name: str) -> None:
        self._save(Path(name).expanduser() if name else file_for(self.file))

    def _save(self, file: Path) -> None:
        save(self.match, file)
        self.file = file
        print(self._say("saved", file=file))

    def _quit(self, _: str) -> None:
        raise _Quit

    def _keep(self, status: int) -> int:
        """Leave without losing the game."""
        kept = keep(self.match, self.file, self.language)
        if kept:
            print(kept)
        return status

    def _details(self, analysis: Analysis) -> str:
        """Score, depth and effort, as a person reads them."""
        if analysis.score is None:
            return ""
        facts = say("play.facts", self.language, depth=analysis.depth, nodes=f"{analysis.nodes:,}", seconds=f"{analysis.seconds:.2f}")
        return f"({analysis.score}, {facts.replace(' · ', ', ')})"


def play_lines(match: Match, file: Path | None = None, colour: bool | None = None, language: str = "en") -> int:
    """Play a match on standard input and output; the exit status. `file` is where a resumed game goes back to."""
    return LineGame(match, file, sys.stdout.isatty() if colour is None else colour, language).run()
