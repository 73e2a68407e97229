"""Which games of OpenSpiel are games of ours, move by move: their names, parameters and actions.

| OpenSpiel | here |
|---|---|
| `connect_four(rows=R,columns=C,x_in_row=L)` | `connect:RxCxL`, `connect4` |
| `tic_tac_toe` | `tictactoe` |
| `mnk(m=C,n=R,k=L)`, `gomoku(size=S,connect=L)` | `mnk:RxCxL`, `gomoku:S` |
| `mancala` | `kalah:standard` |

Tests play thousands of random games on both sides. OpenSpiel counts rows from the top where we count from the bottom, which mirrors
the board of an (m,n,k)-game and changes no line. Its mancala numbers the board around, 1 to 6 and 8 to 13, and captures as
Kalah's option `standard` does; it tells who has won, not by how much. Its games in other variants (a torus, three dimensions, misère)
are not ours, and `gomoku:15,exact` is none of its.
"""

from __future__ import annotations

from typing import Any

from mnkala.errors import BadGame, BadPosition
from mnkala.games import Position, Rules, connect, mnk
from mnkala.games.connect import ConnectRules
from mnkala.games.kalah import Kalah
from mnkala.games.mnk import Mnk
from mnkala.optional import needed

AGREEING = "connect_four, tic_tac_toe, mnk, gomoku and mancala"
HOUSES = 6
PITS_A_SIDE = HOUSES + 1
"""Of OpenSpiel's mancala: the houses of a row and its store."""


def pyspiel() -> Any:
    """OpenSpiel's module."""
    return needed("pyspiel", "OpenSpiel", "open-spiel")


def spiel_name(rules: Rules) -> tuple[str, dict[str, int]]:
    """OpenSpiel's name and parameters of a game of ours."""
    if isinstance(rules, ConnectRules):
        return "connect_four", {"rows": rules.rows, "columns": rules.cols, "x_in_row": rules.line}
    if isinstance(rules, Mnk) and not rules.exact:
        if (rules.rows, rules.cols, rules.line) == (3, 3, 3):
            return "tic_tac_toe", {}
        if rules.rows == rules.cols:
            return "gomoku", {"size": rules.rows, "connect": rules.line}  # the same as its mnk, and far quicker
        return "mnk", {"m": rules.cols, "n": rules.rows, "k": rules.line}
    if isinstance(rules, Kalah) and (rules.houses, rules.seeds, rules.standard) == (HOUSES, 4, True):
        return "mancala", {}
    raise BadGame(f"no game of OpenSpiel has the rules of {rules.game_string()}; it has those of connect, mnk, gomoku and tictactoe "
                  "without exact, and of kalah:standard")


def spiel_game(rules: Rules) -> Any:
    """OpenSpiel's game with the rules of one of ours."""
    return pyspiel().load_game(*spiel_name(rules))


def rules_of(game: Any) -> Rules:
    """Our rules of a game of OpenSpiel's."""
    name, told = game.get_type().short_name, game.get_parameters()
    if name == "connect_four":
        return connect.build(told["rows"], told["columns"], told["x_in_row"])
    if name == "tic_tac_toe":
        return mnk.build(3, 3, 3)
    if name == "mnk":
        return mnk.build(told["n"], told["m"], told["k"])
    if name == "gomoku" and told["dims"] == 2 and not told["wrap"] and not told["anti"]:
        return mnk.build(told["size"], told["size"], told["connect"])
    if name == "mancala":
        return Kalah(HOUSES, 4, True)
    raise BadGame(f"{game} of OpenSpiel is none of mnkala's games; those with the same rules are {AGREEING}")


def action_of(rules: Rules, code: int, mover: int) -> int:
    """A move of ours as OpenSpiel numbers it."""
    return code + 1 + PITS_A_SIDE * mover if isinstance(rules, Kalah) else code


def code_of(rules: Rules, action: int) -> int:
    """A move of OpenSpiel's as we number it."""
    return (action - 1) % PITS_A_SIDE if isinstance(rules, Kalah) else action


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
