"""A match: two players, a position, and what can be done with it (move, take back, hint, resign, record).

It may begin with an opening (`opening_rule.py`): until that is over, seats are those of the opening, and a choice is played like a move.
"""

from __future__ import annotations

import dataclasses
import datetime
from typing import Literal

from mnkala.core import Outcome, Position, Record, Rules
from mnkala.errors import BadEngine, IllegalMove
from mnkala.explain.reasons import hint_engine
from mnkala.numbers import counted
from mnkala.play.levels import PERFECT, engine_of_level, has_perfect, levels_of, read_level
from mnkala.play.opening_rule import Decision, OpeningRule
from mnkala.play.spending import Spent
from mnkala.programs.faults import Forfeit
from mnkala.search import Analysis, Engine, Limit, parse_engine, searches
from mnkala.search.engine import program_searches
from mnkala.suggestions import unknown

HUMAN = "human"
USUAL_ENGINE = "auto:time=1"
"""Who plays where nobody has said who."""
Ending = Literal["rules", "resignation", "time", "fault"]


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


def parse_player(text: str, rules: Rules, *, programs: bool = False) -> Player:
    """`human`, a level (`1` to `10`; `easy`, `medium`, `hard`; `perfect` where the game has it), or the engine string of one that plays the
    game. With `programs` it may run a program (`parse_engine`)."""
    word = text.strip().lower()
    if word == HUMAN:
        return Player(HUMAN)
    level = read_level(word)
    if level is not None and (level != PERFECT or has_perfect(rules)):
        return Player(level, parse_engine(engine_of_level(level, rules)))
    known = searches() | program_searches()
    if (name := word.partition(":")[0].strip()) not in known:
        raise BadEngine(unknown("player", name, (HUMAN, *levels_of(rules), *known)))
    engine = parse_engine(text, programs=programs)
    engine.search.check(rules)
    return Player(str(engine), engine)


def same_player(player: Player, rules: Rules) -> Player:
    """A player of one game for another; a level is that of its game, and a program that was allowed to run stays so."""
    if player.engine is None or not player.engine.search.runs_program:
        return dataclasses.replace(parse_player(player.name, rules), nickname=player.nickname)
    player.engine.search.check(rules)
    return player


class Match:
    """A game that is being played."""

    def __init__(self, position: Position, players: tuple[Player, Player], opening_rule: OpeningRule | None = None) -> None:
        self.position = position
        self.players = players
        self.opening_rule = opening_rule
        """The opening that it begins with, if it does, as far as it has come."""
        self.resigned: int | None = None
        """Who gave up, ran out of time or lost by a fault."""
        self.out_of_time = False
        self.fault: str | None = None
        """What a program did wrong."""
        self.spent = (Spent(), Spent())
        """By the engine on each seat, since this match is in memory; what was taken back counts, too."""
        self.unaided = not position.history_codes
        """Whether the players made every move from the start by themselves: none was taken back, and nobody asked for help."""
        self.undone: list[tuple[int, ...]] = []
        """What was taken back and can be played again, the latest last."""

    @property
    def opening(self) -> OpeningRule | None:
        """The opening, while it goes on."""
        return self.opening_rule if self.opening_rule is not None and self.opening_rule.goes_on else None

    @property
    def fixed_plies(self) -> int:
        """Moves that are not taken back: those of an opening."""
        if self.opening is not None:
            return len(self.position.history_codes)
        return 0 if self.opening_rule is None else self.opening_rule.stones

    @property
    def mover(self) -> int:
        """The seat whose turn it is: in an opening that of the one who acts, whatever is put on the board."""
        return self.position.mover if self.opening is None else self.opening.actor

    @property
    def to_move(self) -> Player:
        """Whose turn it is."""
        return self.players[self.mover]

    @property
    def between_engines(self) -> bool:
        """Whether no person plays."""
        return not any(player.is_human for player in self.players)

    @property
    def is_over(self) -> bool:
        """Whether nothing more can be played."""
        return self.position.is_over or self.resigned is not None

    @property
    def ending(self) -> Ending | None:
        """What ended it: rules, resignation, time or a fault; None while it goes on."""
        if self.fault is not None:
            return "fault"
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
        """Make one move, or one choice of an opening, that a person typed."""
        opening = self.opening
        if opening is not None and opening.choices:
            self._choose(opening, opening.read(text))
            return
        moves = self.position.rules.parse_moves(text)
        if len(moves) != 1:
            raise IllegalMove(f"'{text}' is {counted(len(moves), 'move')}; type one")
        self._put(moves[0])

    @property
    def thinker(self) -> Engine:
        """The engine whose turn it is, ready to be asked about the position."""
        engine = self.to_move.engine
        if engine is None:
            raise BadEngine(f"{self.position.to_move} is played by a person")
        return engine if self.opening is None else self.opening.thinker(engine)

    def think(self, limit: Limit | None = None) -> Analysis:
        """Let the engine whose turn it is make its move. One that loses by a fault has lost, and the `Forfeit` is raised again."""
        try:
            analysis = self.thinker.analyse(self.position, limit)
        except Forfeit as fault:
            self.forfeit(self.mover, str(fault))
            raise
        self.take(analysis)
        return analysis

    def take(self, analysis: Analysis) -> None:
        """Make the move that an engine found, or do what it decided in an opening."""
        opening, seat = self.opening, self.mover
        after = self.spent[seat].after(analysis.nodes, analysis.seconds)
        self.spent = (after, self.spent[1]) if seat == 0 else (self.spent[0], after)
        if opening is None:
            self._put(*analysis.line_codes[:1])
            return
        assert isinstance(analysis, Decision)
        if analysis.choice is not None:
            self._choose(opening, analysis.choice)
        self._put(*analysis.line_codes[: self.opening.left(self.position) if self.opening else 1])

    def _put(self, *codes: int) -> None:
        """Play moves, which may be stones of an opening."""
        for code in codes:
            position = self.position.play_codes((code,))
            if self.opening is not None:
                self.opening_rule = self.opening.placed(position)
            self.position = position
        self.undone.clear()

    def _choose(self, opening: OpeningRule, choice: str) -> None:
        self.opening_rule, swapped = opening.chosen(choice, self.position)
        if swapped:
            self.players = self.players[1], self.players[0]
            self.spent = self.spent[1], self.spent[0]
        self.undone.clear()

    def engines(self) -> list[Engine]:
        """All engines that the match may ask, the one behind the hint too: to be prepared before the game starts."""
        asked = [player.engine for player in self.players if player.engine]
        return asked if len(asked) == len(self.players) else [*asked, hint_engine(self.position.rules)]

    def note_help(self) -> None:
        """A person has asked for a hint, an analysis or the like, so that the result says less of the person."""
        if not self.is_over:
            self.unaided = False

    def hint(self) -> Analysis:
        """What the strongest search would play here, with a score for every move."""
        return hint_engine(self.position.rules).analyse(self.position, all_moves=True)

    def undo(self) -> int:
        """Take back to the last turn of a person; how many moves that was."""
        history = self.position.history_codes
        if self.opening is not None:
            raise IllegalMove(f"an opening by {self.opening.title} is not taken back; begin a new game")
        fixed = self.fixed_plies
        if len(history) <= fixed:
            raise IllegalMove("the stones of the opening are not taken back" if fixed else "there is no move to take back")
        for count, mover in enumerate(reversed(self.position.movers[fixed:]), start=1):
            if self.between_engines or self.players[mover].is_human:
                self.resigned, self.out_of_time, self.fault, self.unaided = None, False, None, False
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
            self.resigned = self.mover if player is None else player

    def lose_on_time(self, player: int) -> None:
        """A player's time has run out."""
        if not self.is_over:
            self.resigned, self.out_of_time = player, True

    def forfeit(self, player: int, fault: str) -> None:
        """A player has lost by a fault."""
        if not self.is_over:
            self.resigned, self.fault = player, fault

    def record(self) -> Record:
        """The game as it stands, with its players and what ended it, unless it was the rules."""
        first, second = (player.nickname or player.name for player in self.players)
        ending = {"ending": self.fault or self.ending} if self.resigned is not None and self.ending else {}
        ending |= {"opening": self.opening_rule.name} if self.opening_rule is not None else {}
        today = datetime.date.today().isoformat()
        return Record.of(self.position, resigned=self.resigned, first=first, second=second, date=today, **ending)
