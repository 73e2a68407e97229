"""An engine of ours as a bot of OpenSpiel, for `pyspiel.evaluate_bots` and all that plays bots:

    game = pyspiel.load_game("connect_four")
    bots = [MnkalaBot(game, 0, "perfect:time=1"), pyspiel.make_uniform_random_bot(1, 7)]
    pyspiel.evaluate_bots(game.new_initial_state(), bots, 1)

It plays the games of OpenSpiel that have our rules (`programs/open_spiel.py`): connect_four,
tic_tac_toe, mnk, gomoku, mancala.
"""

from __future__ import annotations

from typing import Any

from mnkala.core.registry import family_of
from mnkala.programs.open_spiel import position_of, pyspiel, rules_of
from mnkala.search import Engine, parse_engine

Bot: Any = pyspiel().Bot


class MnkalaBot(Bot):  # type: ignore[misc]
    """A `pyspiel.Bot` that moves as an engine does, for any player, since a state says whose turn
    it is."""

    def __init__(self, game: Any, player_id: int, engine: str | Engine = "auto:time=1") -> None:
        Bot.__init__(self)
        self._rules, self._player = rules_of(game), player_id
        self._engine = parse_engine(engine, programs=True) if isinstance(engine, str) else engine
        self._engine.search.prepare(self._rules)

    def step(self, state: Any) -> int:
        """Return the action that the engine chooses."""
        position = position_of(state)
        return family_of(position.rules).spiel_action(
            self._engine.analyse(position).line_codes[0], position.mover
        )

    def player_id(self) -> int:
        """The player for whom the bot was created."""
        return self._player

    def restart(self) -> None:
        """Begin a new game. There is nothing to reset, because a state contains its whole history."""

    def restart_at(self, state: Any) -> None:
        """Continue from another state. There is nothing to reset, because a state contains its
        whole history."""

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """Ignore an opponent's move: the next state contains it."""
