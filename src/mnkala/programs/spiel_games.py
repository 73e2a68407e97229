"""Which games of OpenSpiel are games of ours, move by move: their names, parameters and actions.

| OpenSpiel | here |
|---|---|
| `connect_four(rows=R,columns=C,x_in_row=L)` | `connect:RxCxL`, `connect4` |
| `tic_tac_toe` | `tictactoe` |
| `mnk(m=C,n=R,k=L)`, `gomoku(size=S,connect=L)` | `mnk:RxCxL`, `gomoku:S` |
| `mancala` | `kalah:standard` |

The family of a game translates it (`Family.spiel`). Tests play thousands of random games on both
sides.
"""

from __future__ import annotations

from typing import Any, ClassVar

from mnkala.core import Position, Rules
from mnkala.core.registry import families, family_of
from mnkala.errors import BadGame, BadPosition
from mnkala.lazily import needed


class SpielGames:
    """How a family translates its games to OpenSpiel's and back."""

    agreeing: ClassVar[str] = ""
    """OpenSpiel's games with the same rules, in words for people."""

    def name(self, rules: Rules) -> tuple[str, dict[str, Any]] | None:
        """OpenSpiel's name and parameters of a game; None if it has no such game."""
        raise NotImplementedError

    def rules(self, name: str, told: dict[str, Any]) -> Rules | None:
        """The rules of OpenSpiel's game of this name and parameters; None if it does not belong to
        the family."""
        raise NotImplementedError

    def action(self, code: int, mover: int) -> int:
        """The number of a move in OpenSpiel."""
        return code

    def code(self, action: int) -> int:
        """The code of a move that OpenSpiel numbers `action`."""
        return action


def pyspiel() -> Any:
    """Import OpenSpiel, or raise an error that says how to install it."""
    return needed("pyspiel", "OpenSpiel", "open-spiel")


def spiel_name(rules: Rules) -> tuple[str, dict[str, Any]]:
    """OpenSpiel's name and parameters of a game; an error if it has no such game."""
    spiel = family_of(rules).spiel()
    found = None if spiel is None else spiel.name(rules)
    if found is None:
        raise BadGame(
            f"no game of OpenSpiel has the rules of {rules.game_string()}; games of both are {_agreeing()}"
        )
    return found


def spiel_game(rules: Rules) -> Any:
    """The game in OpenSpiel with the same rules."""
    return pyspiel().load_game(*spiel_name(rules))


def rules_of(game: Any) -> Rules:
    """The rules of mnkala that equal a game of OpenSpiel."""
    name, told = game.get_type().short_name, game.get_parameters()
    for spiel in _known():
        if (rules := spiel.rules(name, told)) is not None:
            return rules
    raise BadGame(
        f"{game} of OpenSpiel is none of mnkala's games; those with the same rules are {_agreeing()}"
    )


def _known() -> list[SpielGames]:
    return [spiel for family in families() if (spiel := family.spiel()) is not None]


def _agreeing() -> str:
    return ", ".join(spiel.agreeing for spiel in _known())


def action_of(rules: Rules, code: int, mover: int) -> int:
    """The number of a move in OpenSpiel."""
    spiel = family_of(rules).spiel()
    return code if spiel is None else spiel.action(code, mover)


def code_of(rules: Rules, action: int) -> int:
    """The code of a move that OpenSpiel numbers `action`."""
    spiel = family_of(rules).spiel()
    return action if spiel is None else spiel.code(action)


def position_of(state: Any) -> Position:
    """The position, with its history, that equals a state of OpenSpiel."""
    rules = rules_of(state.get_game())
    return Position(rules).play_codes(code_of(rules, action) for action in state.history())


def state_of(position: Position, game: Any) -> Any:
    """The state of OpenSpiel that equals a position."""
    if position.start_literal is not None:
        raise BadPosition(
            "OpenSpiel knows a position by the moves from the start of the game; this one began with a board that was set up"
        )
    state = game.new_initial_state()
    for code, mover in zip(position.history_codes, position.movers, strict=True):
        state.apply_action(action_of(position.rules, code, mover))
    return state
