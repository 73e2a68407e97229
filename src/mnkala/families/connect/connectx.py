"""Kaggle's ConnectX as data: what an agent is shown of a position, and the position that it was shown.

The board is a list of rows * columns numbers, row by row from the top: 0 for an empty cell, 1 and 2 for the discs of the first and the
second player. Columns are counted from 0. After the specification of the environment `connectx` of `kaggle_environments`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mnkala.core import Position, Rules
from mnkala.errors import BadGame, BadPosition
from mnkala.families.connect.rules import ConnectRules, build
from mnkala.numbers import shortened

MARKS = ".xo"
AGENT_SECONDS = 60
"""`agentTimeout`, which Kaggle keeps for old agents; nobody measures it."""
MOST_STEPS = 1000
"""`episodeSteps`: longer than any game."""


def connectx_of(rules: Rules) -> ConnectRules:
    """The rules, if they are of Connect; an error that says what is played, if not."""
    if not isinstance(rules, ConnectRules):
        raise BadGame(f"agents of Kaggle's ConnectX do not play {rules.game_string()}; they play connect4 and connect on any board")
    return rules


def configuration_of(rules: Rules, seconds: float) -> dict[str, Any]:
    """What an agent is told of the game."""
    board = connectx_of(rules)
    return {"columns": board.cols, "rows": board.rows, "inarow": board.line, "actTimeout": seconds, "timeout": seconds,
            "agentTimeout": AGENT_SECONDS, "episodeSteps": MOST_STEPS}


def observation_of(position: Position) -> dict[str, Any]:
    """What an agent is shown of a position in which it is to move. There is no time beyond that for a move (`remainingOverageTime`)."""
    board = position.to_array().ravel().tolist()
    return {"board": board, "mark": 1 + position.mover, "step": sum(cell != 0 for cell in board), "remainingOverageTime": 0}


def position_of(observation: Mapping[str, Any], configuration: Mapping[str, Any]) -> Position:
    """The position that an agent is shown."""
    rows, columns = int(configuration["rows"]), int(configuration["columns"])
    rules, cells = build(rows, columns, int(configuration["inarow"])), list(observation["board"])
    if len(cells) != rows * columns or not all(cell in (0, 1, 2) for cell in cells):
        raise BadPosition(f"{shortened(str(cells))} is no board of {rows} rows and {columns} columns; it has a 0, 1 or 2 for each cell")
    if not any(cells):
        return Position(rules)
    lines = (cells[row * columns:(row + 1) * columns] for row in range(rows))
    position = Position(rules, literal="/".join("".join(MARKS[cell] for cell in line) for line in lines))
    if observation["mark"] != 1 + position.mover:
        raise BadPosition(f"the agent's mark is {observation['mark']}, but {1 + position.mover} is to move on this board")
    return position
