"""A bot of OpenSpiel as an engine: `open_spiel:mcts,simulations=1000`, or any other bot that
OpenSpiel knows by name, such as `open_spiel:uniform_random`.

A bot of one's own is named by the function that makes it, `open_spiel:my_module:make_bot`, which
is called as `make_bot(game, player)` and returns a `pyspiel.Bot`. Bots run in this process:
OpenSpiel's search keeps its own time and cannot be interrupted.

| OpenSpiel | here |
|---|---|
| `connect_four(rows=R,columns=C,x_in_row=L)` | `connect:RxCxL`, `connect4` |
| `tic_tac_toe` | `tictactoe` |
| `mnk(m=C,n=R,k=L)`, `gomoku(size=S,connect=L)` | `mnk:RxCxL`, `gomoku:S` |
| `mancala` | `kalah:standard` |

The family of a game translates its names, parameters and actions (`Family.spiel_name` and others).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, ClassVar

from mnkala.core import Position, Rules
from mnkala.core.plugins import import_local
from mnkala.core.registry import families, family_of
from mnkala.errors import BadEngine, BadGame, BadPosition, in_one_line
from mnkala.lazily import needed
from mnkala.numbers import shortened
from mnkala.programs.process import Fault, Forfeit, ProgramSearch
from mnkala.search.analysis import Analysis
from mnkala.search.engine import register_program
from mnkala.search.limit import Limit
from mnkala.search.root import Task


def pyspiel() -> Any:
    """Import OpenSpiel, or raise an error that says how to install it."""
    return needed("pyspiel", "OpenSpiel", "open-spiel")


def spiel_name(rules: Rules) -> tuple[str, dict[str, Any]]:
    """OpenSpiel's name and parameters of a game; an error if it has no such game."""
    found = family_of(rules).spiel_name(rules)
    if found is None:
        raise BadGame(
            f"no game of OpenSpiel has the rules of {rules.game_string()}; games of both are {_in_both()}"
        )
    return found


def spiel_game(rules: Rules) -> Any:
    """The game in OpenSpiel with the same rules."""
    return pyspiel().load_game(*spiel_name(rules))


def rules_of(game: Any) -> Rules:
    """The rules of mnkala that equal a game of OpenSpiel; raises BadGame if there are none."""
    name, told = game.get_type().short_name, game.get_parameters()
    for family in families():
        if (rules := family.spiel_rules(name, told)) is not None:
            return rules
    raise BadGame(
        f"{game} of OpenSpiel is none of mnkala's games; those with the same rules are {_in_both()}"
    )


def _in_both() -> str:
    return ", ".join(family.spiel_games for family in families() if family.spiel_games)


def position_of(state: Any) -> Position:
    """The position, with its history, that equals a state of OpenSpiel."""
    rules = rules_of(state.get_game())
    return Position(rules).play_codes(
        family_of(rules).spiel_code(action) for action in state.history()
    )


def state_of(position: Position, game: Any) -> Any:
    """The state of OpenSpiel that equals a position; raises BadPosition for a game that began from
    a literal."""
    if position.start_literal is not None:
        raise BadPosition(
            "OpenSpiel knows a position by the moves from the start of the game; this one began with a board that was set up"
        )
    state = game.new_initial_state()
    for code, mover in zip(position.history_codes, position.movers, strict=True):
        state.apply_action(family_of(position.rules).spiel_action(code, mover))
    return state


MCTS = "mcts"
AS_MANY_AS_THERE_IS_TIME_FOR = 1 << 30
MAX_MEMORY_MB = 1000
"""The most memory for the tree of `mcts`, as in OpenSpiel's own examples."""


class SpielTalk:
    """A bot that follows a game. It is informed of every move of the opponent, and starts again
    where the position does not continue the last one."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.game = rules, spiel_game(rules)
        self.tried = False
        """Whether a bot was created once to see that it exists."""
        self._bot: Any = None
        self._known: tuple[int, ...] = ()
        self._key: tuple[object, ...] = ()

    def close(self) -> None:
        """Forget the bot and its game."""
        self._bot = None

    def step(self, position: Position, key: tuple[object, ...], make: Callable[[int], Any]) -> int:
        """The move of the bot that `make` creates for a player; a bot with the same key is kept.
        Raises Forfeit if the move is illegal."""
        played, mover = position.history_codes, position.mover
        goes_on = (
            self._bot is not None
            and self._key == (*key, mover)
            and played[: len(self._known)] == self._known
        )
        if not goes_on:
            self._bot, self._key, self._known = make(mover), (*key, mover), ()
        state = state_of(position.back(len(played) - len(self._known)), self.game)
        for code, player in zip(
            played[len(self._known) :], position.movers[len(self._known) :], strict=True
        ):
            action = family_of(self.rules).spiel_action(code, player)
            if player != mover:
                self._bot.inform_action(state, player, action)
            state.apply_action(action)
        action = self._bot.step(state)
        if action not in state.legal_actions():
            raise Forfeit(
                Fault.ILLEGAL_MOVE,
                f"the bot chose the action {shortened(repr(action))}; legal are {state.legal_actions()}",
            )
        self._known = played
        return family_of(self.rules).spiel_code(action)


@register_program
@dataclasses.dataclass(frozen=True)
class OpenSpiel(ProgramSearch[SpielTalk]):
    """A bot of OpenSpiel: `open_spiel:mcts`, any of its registered bots, or
    `open_spiel:module:function`, which makes one of your own.
    """

    name = "open_spiel"
    first_option: ClassVar[str] = "bot"
    bot: str = ""
    """mcts, the name of another bot, or module:function; mcts by default."""
    simulations: int = 1000
    """The simulations of mcts for a move if neither nodes nor time is given."""
    uct: float = 2.0
    """The constant of UCT: how much mcts explores."""
    seed: int = 1
    """The seed of mcts."""

    def __post_init__(self) -> None:
        if not self.bot:
            object.__setattr__(self, "bot", MCTS)
        if self.simulations < 1:
            raise BadEngine(f"simulations={self.simulations}; a search takes at least 1")

    def check(self, rules: Rules) -> None:
        spiel_name(rules)

    def prepare(self, rules: Rules) -> None:
        """Load OpenSpiel, and refuse a bot that it does not have."""
        talk = self.talk(rules)
        if talk.tried:
            return
        try:
            self.make(talk.game, 0, Limit())
            talk.tried = True
        except BadEngine:
            raise
        except Exception as error:
            raise BadEngine(
                f"the bot '{shortened(self.bot, 200)}' cannot be made: {in_one_line(error)}"
            ) from None

    def run(self, task: Task) -> Analysis:
        talk, limit = self.talk(task.rules), task.limit
        try:
            code = talk.step(
                task.position,
                (limit.time, limit.nodes),
                lambda player: self.make(talk.game, player, limit),
            )
        except Forfeit:
            talk.close()
            raise
        except Exception as error:
            talk.close()
            raise Forfeit(
                Fault.EXCEPTION, f"the bot '{shortened(self.bot, 200)}' raised {in_one_line(error)}"
            ) from None
        return self.answered(task, (code, ""))

    def talk(self, rules: Rules) -> SpielTalk:
        """The conversation with the bot, if it may be run."""
        self.require_allowed(self.bot)
        if self.line.talk is None or self.line.talk.rules.game_string() != rules.game_string():
            self.line.talk = SpielTalk(rules)
        return self.line.talk

    def make(self, game: Any, player: int, limit: Limit) -> Any:
        """Create the bot for one player."""
        spiel = pyspiel()
        if self.bot == MCTS:
            timed = limit.time is not None and limit.nodes is None
            simulations = limit.nodes or (
                AS_MANY_AS_THERE_IS_TIME_FOR if timed else self.simulations
            )
            rollouts = spiel.RandomRolloutEvaluator(1, self.seed)
            return spiel.MCTSBot(
                game,
                rollouts,
                self.uct,
                simulations,
                MAX_MEMORY_MB,
                True,
                self.seed,
                False,
                max_wall_clock_time=limit.time or -1.0,
            )
        module, colon, function = self.bot.partition(":")
        if colon:
            found = getattr(import_local(module), function, None)
            if not callable(found):
                raise BadEngine(f"{module} has no function {function}")
            return found(game, player)
        known = spiel.registered_bots()
        if self.bot not in known:
            raise BadEngine(
                f"OpenSpiel has no bot '{shortened(self.bot, 100)}'; name {MCTS}, {', '.join(known)}, or module:function"
            )
        return spiel.load_bot(self.bot, game, player)
