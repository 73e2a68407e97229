"""A match: two players, a position, and what can be done with it (move, take back, hint, resign, record)."""

from __future__ import annotations

import dataclasses
import datetime
from typing import Literal

from mnkala.errors import BadEngine, IllegalMove
from mnkala.games import Outcome, Position, Record, Rules
from mnkala.numbers import counted
from mnkala.play.levels import engine_of_level, levels_of
from mnkala.search import Analysis, Engine, Limit, parse_engine, searches
from mnkala.solve import find_solver
from mnkala.suggestions import unknown

HUMAN = "human"
HINT_ENGINE, EXACT_HINT_ENGINE = parse_engine("deepening:time=2"), parse_engine("perfect:time=2")


def hint_engine(rules: Rules) -> Engine:
    """Who gives hints: exact scores where a solver fits, else the strongest search of a game."""
    return HINT_ENGINE if find_solver(rules) is None else EXACT_HINT_ENGINE


@dataclasses.dataclass(frozen=True)
class Player:
    """A person, or an engine."""

    name: str
    """`human`, a level or an engine string: what a player is parsed from."""
    engine: Engine | None = None
    nickname: str | None = None
    """What a person wants to be called."""

    @property
    def is_human(self) -> bool:
        """Whether moves come from a person."""
        return self.engine is None


def parse_player(text: str, rules: Rules) -> Player:
    """`human`, a level (`easy`, `medium`, `hard`; `perfect` where the game has it), or the engine string of one that plays the game."""
    word = text.strip().lower()
    if word == HUMAN:
        return Player(HUMAN)
    if word in levels_of(rules):
        return Player(word, parse_engine(engine_of_level(word, rules)))
    if (name := word.partition(":")[0].strip()) not in searches():
        raise BadEngine(unknown("player", name, (HUMAN, *levels_of(rules), *searches())))
    engine = parse_engine(text)
    engine.search.check(rules)
    return Player(str(engine), engine)


class Match:
    """A game that is being played."""

    def __init__(self, position: Position, players: tuple[Player, Player]) -> None:
        self.position = position
        self.players = players
        self.resigned: int | None = None
        """Who gave up or ran out of time."""
        self.out_of_time = False
        self.undone: list[tuple[int, ...]] = []
        """What was taken back and can be played again, the latest last."""

    @property
    def to_move(self) -> Player:
        """Whose turn it is."""
        return self.players[self.position.mover]

    @property
    def between_engines(self) -> bool:
        """Whether no person plays."""
        return not any(player.is_human for player in self.players)

    @property
    def is_over(self) -> bool:
        """Whether nothing more can be played."""
        return self.position.is_over or self.resigned is not None

    @property
    def ending(self) -> Literal["rules", "resignation", "time"] | None:
        """What ended it: rules, resignation or time; None while it goes on."""
        if self.resigned is not None:
            return "time" if self.out_of_time else "resignation"
        return "rules" if self.position.is_over else None

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, by the rules or by resignation."""
        if self.resigned is not None:
            return Outcome(-1 if self.resigned == 0 else 1)
        return self.position.outcome

    @property
    def result(self) -> str:
        """As records have it; `*` while it goes on."""
        outcome = self.outcome
        return "*" if outcome is None else str(outcome)

    def play(self, text: str) -> None:
        """Make one move that a person typed."""
        moves = self.position.rules.parse_moves(text)
        if len(moves) != 1:
            raise IllegalMove(f"'{text}' is {counted(len(moves), 'move')}; type one")
        self.position = self.position.play_codes(moves)
        self.undone.clear()

    def think(self, limit: Limit | None = None) -> Analysis:
        """Let the engine whose turn it is make its move."""
        engine = self.to_move.engine
        if engine is None:
            raise BadEngine(f"{self.position.to_move} is played by a person")
        analysis = engine.analyse(self.position, limit)
        self.take(analysis)
        return analysis

    def take(self, analysis: Analysis) -> None:
        """Make the move that an engine found."""
        self.position = self.position.play_codes(analysis.line_codes[:1])
        self.undone.clear()

    def engines(self) -> list[Engine]:
        """All engines that the match may ask, the one behind the hint too: to be prepared before the game starts."""
        asked = [player.engine for player in self.players if player.engine]
        return asked if len(asked) == len(self.players) else [*asked, hint_engine(self.position.rules)]

    def hint(self) -> Analysis:
        """What the strongest search would play here, with a score for every move."""
        return hint_engine(self.position.rules).analyse(self.position, all_moves=True)

    def undo(self) -> int:
        """Take back to the last turn of a person; how many moves that was."""
        history = self.position.history_codes
        if not history:
            raise IllegalMove("there is no move to take back")
        for count, mover in enumerate(reversed(self.position.movers), start=1):
            if self.between_engines or self.players[mover].is_human:
                self.resigned, self.out_of_time = None, False
                self.undone.append(history[len(history) - count :])
                self.position = self.position.back(count)
                return count
        raise IllegalMove("no person has moved yet, so there is nothing to take back")

    @property
    def can_redo(self) -> bool:
        """Whether something was taken back and nothing else was played since."""
        return bool(self.undone)

    def redo(self) -> int:
        """Play again what the last `undo` took back; how many moves that was."""
        if not self.undone:
            raise IllegalMove("there is nothing to play again")
        moves = self.undone.pop()
        self.position = self.position.play_codes(moves)
        return len(moves)

    def resign(self, player: int | None = None) -> None:
        """A player gives up; by default the one to move."""
        if not self.is_over:
            self.resigned = self.position.mover if player is None else player

    def lose_on_time(self, player: int) -> None:
        """A player's time has run out."""
        if not self.is_over:
            self.resigned, self.out_of_time = player, True

    def record(self) -> Record:
        """The game as it stands, with its players and what ended it, unless it was the rules."""
        first, second = (player.nickname or player.name for player in self.players)
        ending = {"ending": self.ending} if self.ending in ("resignation", "time") else {}
        today = datetime.date.today().isoformat()
        return Record.of(self.position, resigned=self.resigned, first=first, second=second, date=today, **ending)
