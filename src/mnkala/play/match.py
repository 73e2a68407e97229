"""A match for programs: a game state, and what can be done with it (move, let an engine think, take back, hint, resign, record)."""

from __future__ import annotations

from mnkala.core import Outcome, Position, Record
from mnkala.explain.reasons import hint_engine
from mnkala.play.events import Answer, LostByFault, Move, Redo, Resignation, Undo
from mnkala.play.game_state import Event, GameState
from mnkala.play.opening_rule import OpeningRule
from mnkala.play.players import Player
from mnkala.programs.faults import Forfeit
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

    def __init__(self, position: Position, players: tuple[Player, Player], opening_rule: OpeningRule | None = None) -> None:
        self.state = GameState(position, players, opening_rule)
        """Everything about the game: an immutable value, of which each change makes another."""

    def apply(self, event: Event) -> None:
        """Let something happen (`mnkala.play.events`); raises an error that says why, if it cannot."""
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
        """How it ended, by the rules or by resignation."""
        return self.state.outcome

    @property
    def result(self) -> str:
        """The result as in records, `*` while the game is in progress."""
        return self.state.result

    def play(self, text: str) -> None:
        """Make one move, or one choice of an opening, that a person typed."""
        self.apply(Move(text))

    def think(self, limit: Limit | None = None) -> Analysis:
        """The answer of the engine whose turn it is; `take` plays it. An engine that fails has
        lost, and its `Forfeit` is raised again."""
        try:
            return self.state.thinker.analyse(self.position, limit)
        except Forfeit as fault:
            self.apply(LostByFault(str(fault)))
            raise

    def take(self, analysis: Analysis) -> None:
        """Make the move that an engine found here, or do what it decided in an opening; an answer to another position is refused."""
        self.apply(Answer(analysis))

    def hint(self) -> Analysis:
        """The answer of the strongest search, with a score for every move."""
        return hint_engine(self.position.rules).analyse(self.position, all_moves=True)

    def undo(self) -> int:
        """Take back to the last turn of a person; how many moves that was."""
        before = len(self.position.history_codes)
        self.apply(Undo())
        return before - len(self.position.history_codes)

    def redo(self) -> int:
        """Play again what the last `undo` took back; how many moves that was."""
        before = len(self.position.history_codes)
        self.apply(Redo())
        return len(self.position.history_codes) - before

    def resign(self, player: int | None = None) -> None:
        """A player gives up; by default the one to move."""
        self.apply(Resignation((player != 1, player != 0)))

    def record(self) -> Record:
        """The game as it stands, with its players and what ended it, unless it was the rules."""
        return self.state.record()
