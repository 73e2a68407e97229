"""A match for programs: a game state with methods to move, let an engine think, take back, get a
hint, resign and make a record."""

from __future__ import annotations

from mnkala.core import Outcome, Position, Record
from mnkala.explain.inspection import Inspection, advice
from mnkala.play.events import Answer, LostByFault, Move, Redo, Resignation, Undo
from mnkala.play.game_state import Event, GameState
from mnkala.play.opening_rule import OpeningRule
from mnkala.play.players import Player
from mnkala.programs.process import Forfeit
from mnkala.search import Analysis, Limit


class Match:
    """A game that is being played by people and engines.

    >>> from mnkala.play import parse_player
    >>> rules = Position("tictactoe").rules
    >>> match = Match(Position(rules), (parse_player("human", rules), parse_player("random:seed=1", rules)))
    >>> match.play("b2")
    >>> match.take(match.think())
    >>> len(match.position.history), match.undo(), match.position.moves
    (2, 2, '')
    """

    def __init__(
        self,
        position: Position,
        players: tuple[Player, Player],
        opening_rule: OpeningRule | None = None,
    ) -> None:
        self.state = GameState(position, players, opening_rule)
        """Everything about the game: an immutable value, which each change replaces by another."""

    def apply(self, event: Event) -> None:
        """Apply an event (`mnkala.play.events`); raise an error with the reason if it cannot
        happen."""
        self.state = self.state.apply(event)

    @property
    def position(self) -> Position:
        """The current position."""
        return self.state.position

    @property
    def players(self) -> tuple[Player, Player]:
        """The players by side."""
        return self.state.players

    @property
    def to_move(self) -> Player:
        """The player whose turn it is."""
        return self.state.to_move

    @property
    def is_over(self) -> bool:
        """Whether nothing more can be played."""
        return self.state.is_over

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, by the rules or by resignation."""
        return self.state.outcome

    @property
    def result(self) -> str:
        """The result as in records, `*` while the game is in progress."""
        return self.state.result

    def play(self, text: str) -> None:
        """Make one move, or one choice in an opening, as a person types it."""
        self.apply(Move(text))

    def think(self, limit: Limit | None = None) -> Analysis:
        """The answer of the engine whose turn it is; `take` plays it. If the engine fails it has
        lost, and its `Forfeit` is raised again."""
        try:
            return self.state.thinker.analyse(self.position, limit)
        except Forfeit as fault:
            self.apply(LostByFault(str(fault)))
            raise

    def take(self, analysis: Analysis) -> None:
        """Make the move that an engine found, or carry out its decision in an opening; an answer
        to another position is refused."""
        self.apply(Answer(analysis))

    def hint(self) -> Inspection:
        """The analysis of the position by everything that is known, with a score for every move."""
        return advice(self.position)

    def undo(self) -> int:
        """Take back to the last turn of a person; return the number of moves."""
        before = len(self.position.history_codes)
        self.apply(Undo())
        return before - len(self.position.history_codes)

    def redo(self) -> int:
        """Play again what the last `undo` took back; return the number of moves."""
        before = len(self.position.history_codes)
        self.apply(Redo())
        return len(self.position.history_codes) - before

    def resign(self, player: int | None = None) -> None:
        """Let a player resign; by default the one to move."""
        self.apply(Resignation((player != 1, player != 0)))

    def record(self) -> Record:
        """The game so far as a record, with its players and, unless it was the rules, what ended
        it."""
        return self.state.record()
