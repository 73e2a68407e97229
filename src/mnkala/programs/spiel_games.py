"""Which games of OpenSpiel are games of ours, move by move: their names, parameters and actions.

| OpenSpiel | here |
|---|---|
| `connect_four(rows=R,columns=C,x_in_row=L)` | `connect:RxCxL`, `connect4` |
| `tic_tac_toe` | `tictactoe` |
| `mnk(m=C,n=R,k=L)`, `gomoku(size=S,connect=L)` | `mnk:RxCxL`, `gomoku:S` |
| `mancala` | `kalah:standard` |

The family of a game translates it (`Family.spiel`). Tests play thousands of random games on both sides.
"""

from __future__ import annotations

from typing import Any, ClassVar

from mnkala.core import Position, Rules
from mnkala.core.registry import families, family_of
from mnkala.errors import BadGame, BadPosition
from mnkala.optional import needed


class SpielGames:
    """What a family says of its games in OpenSpiel."""

    agreeing: ClassVar[str] = ""
    """For people: OpenSpiel's games with the same rules."""

    def name(self, rules: Rules) -> tuple[str, dict[str, Any]] | None:
        """OpenSpiel's name and parameters of a game; None if it has no such game."""
        raise NotImplementedError

    def rules(self, name: str, told: dict[str, Any]) -> Rules | None:
        """The rules of a game of OpenSpiel's, by its name and parameters; None if it is none of the family's."""
        raise NotImplementedError

    def action(self, code: int, mover: int) -> int:
        """A move of ours as OpenSpiel numbers it."""
        return code

    def code(self, action: int) -> int:
        """A move of OpenSpiel's as we number it."""
        return action


def pyspiel() -> Any:
    """OpenSpiel's module."""
    return needed("pyspiel", "OpenSpiel", "open-spiel")


def spiel_name(rules: Rules) -> tuple[str, dict[str, Any]]:
    """OpenSpiel's name and parameters of a game of ours."""
    spiel = family_of(rules).spiel()
    found = None if spiel is None else spiel.name(rules)
    if found is None:
        raise BadGame(f"no game of OpenSpiel has the rules of {rules.game_string()}; games of both are {_agreeing()}")
    return found


def spiel_game(rules: Rules) -> Any:
    """OpenSpiel's game with the rules of one of ours."""
    return pyspiel().load_game(*spiel_name(rules))


def rules_of(game: Any) -> Rules:
    """Our rules of a game of OpenSpiel's."""
    name, told = game.get_type().short_name, game.get_parameters()
    for spiel in _known():
        if (rules := spiel.rules(name, told)) is not None:
            return rules
    raise BadGame(f"{game} of OpenSpiel is none of mnkala's games; those with the same rules are {_agreeing()}")


def _known() -> list[SpielGames]:
    return [spiel for family in families() if (spiel := family.spiel()) is not None]


def _agreeing() -> str:
    return ", ".join(spiel.agreeing for spiel in _known())


def action_of(rules: Rules, code: int, mover: int) -> int:
    """A move of ours as OpenSpiel numbers it."""
    spiel = family_of(rules).spiel()
    return code if spiel is None else spiel.action(code, mover)


def code_of(rules: Rules, action: int) -> int:
    """A move of OpenSpiel's as we number it."""
    spiel = family_of(rules).spiel()
    return action if spiel is None else spiel.code(action)


def position_of(state: Any) -> Position:
    """The position, with its history, of a state of OpenSpiel's."""
    rules = rules_of(state.get_game())
    return Position(rules).play_codes(code_of(rules, action) for action in state.history())


def state_of(position: Position, game: Any) -> Any:
    """OpenSpiel's state of a position."""
    if position.start_literal is not None:
        raise BadPosition("OpenSpiel knows a position by the moves from the start of the game; this one began with a board that was set up")
    state = game.new_initial_state()
    for code, mover in zip(position.history_codes, position.movers, strict=True):
        state.apply_action(action_of(position.rules, code, mover))
    return state
