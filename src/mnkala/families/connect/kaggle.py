"""Kaggle's ConnectX, both ways: an agent of theirs as an engine, and an engine of ours as an agent.

`kaggle:path/to/agent.py` is a file that defines `agent(observation, configuration)`. It runs in a
process of its own (`kaggle_process.py`), with its time for a move and with a bound on its memory.
One that raises, does not answer in time, dies or returns no playable column has lost the game, and
the record says why. It may print what it likes, as at Kaggle.

The other way around, `agent_of("perfect")` is a function `agent(observation, configuration)`:

    from mnkala.families.connect.kaggle import agent_of
    agent = agent_of("perfect")            # kaggle_environments.make("connectx").run([agent, "negamax"])

A file of these two lines is an agent too, wherever mnkala is installed. It needs nothing of
`kaggle_environments`.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar

from mnkala.core import Position, Rules, parse_game
from mnkala.errors import BadEngine, BadGame, BadPosition, IllegalMove
from mnkala.families.connect.kaggle_process import command
from mnkala.families.connect.rules import ConnectRules, build
from mnkala.jobs.child import Wanted
from mnkala.jobs.parent import OUT_OF_MEMORY
from mnkala.numbers import shortened
from mnkala.programs.process import Fault, Forfeit, ProcessSearch, Program
from mnkala.search import Engine, Limit, parse_engine
from mnkala.search.engine import register_program

MARKS = ".xo"
AGENT_SECONDS = 60
"""The value of `agentTimeout`, which Kaggle keeps for old agents; nobody measures it."""
MOST_STEPS = 1000
"""The value of `episodeSteps`, which is longer than any game."""


def connectx_of(rules: Rules) -> ConnectRules:
    """Return the rules if they are those of Connect; otherwise raise an error that says which game
    an agent plays."""
    if not isinstance(rules, ConnectRules):
        raise BadGame(
            f"agents of Kaggle's ConnectX do not play {rules.game_string()}; they play connect4 and connect on any board"
        )
    return rules


def configuration_of(rules: Rules, seconds: float) -> dict[str, Any]:
    """The configuration that an agent receives."""
    board = connectx_of(rules)
    return {
        "columns": board.cols,
        "rows": board.rows,
        "inarow": board.line,
        "actTimeout": seconds,
        "timeout": seconds,
        "agentTimeout": AGENT_SECONDS,
        "episodeSteps": MOST_STEPS,
    }


def observation_of(position: Position) -> dict[str, Any]:
    """The observation that an agent receives of a position in which it is to move. Beyond the time
    for a move it has none left (`remainingOverageTime`)."""
    board = position.to_array().ravel().tolist()
    return {
        "board": board,
        "mark": 1 + position.mover,
        "step": sum(cell != 0 for cell in board),
        "remainingOverageTime": 0,
    }


def position_of(observation: Mapping[str, Any], configuration: Mapping[str, Any]) -> Position:
    """The position that an agent's observation describes; raises BadPosition if there is none."""
    rows, columns = int(configuration["rows"]), int(configuration["columns"])
    rules, cells = build(rows, columns, int(configuration["inarow"])), list(observation["board"])
    if len(cells) != rows * columns or not all(cell in (0, 1, 2) for cell in cells):
        raise BadPosition(
            f"{shortened(str(cells))} is no board of {rows} rows and {columns} columns; it has a 0, 1 or 2 for each cell"
        )
    if not any(cells):
        return Position(rules)
    lines = (cells[row * columns : (row + 1) * columns] for row in range(rows))
    position = Position(
        rules, literal="/".join("".join(MARKS[cell] for cell in line) for line in lines)
    )
    if observation["mark"] != 1 + position.mover:
        raise BadPosition(
            f"the agent's mark is {observation['mark']}, but {1 + position.mover} is to move on this board"
        )
    return position


START_SECONDS = 60.0
"""Seconds in which an agent must be ready to play, as at Kaggle: some load weights, and some
compile."""
GRACE_SECONDS = 1.0
"""Seconds beyond an agent's time for a move, for pipes and a busy machine."""
USUAL_MEMORY = 2048


class KaggleTalk:
    """A conversation with one agent, which is started when it is first needed."""

    def __init__(self, file: str, memory: int) -> None:
        self._file, self._memory = Path(file).expanduser(), memory
        self._program: Program | None = None

    def get_ready(self, rules: Rules) -> None:
        """Load the agent, unless that was done before."""
        if self._program is None:
            if not self._file.is_file():
                raise BadEngine(
                    f"there is no file '{shortened(str(self._file), 200)}'; kaggle: takes the path of an agent, agent.py for "
                    "example"
                )
            file = self._file.resolve()
            self._program = Program(command(file, self._memory), file.name, str(file.parent))
            self._answer(START_SECONDS, lambda: True)

    def close(self) -> None:
        """End the agent and everything that it started."""
        program, self._program = self._program, None
        if program is not None:
            program.close()

    def move(self, position: Position, seconds: float, wanted: Wanted) -> tuple[int, str] | None:
        """The agent's move; None if it is no longer wanted. Raises Forfeit if the agent has
        lost."""
        self.get_ready(position.rules)
        assert self._program is not None
        question = {
            "observation": observation_of(position),
            "configuration": configuration_of(position.rules, seconds),
        }
        self._program.send(json.dumps(question))
        answer = self._answer(seconds + GRACE_SECONDS, wanted)
        if answer is None:
            self.close()  # The agent thinks on; its late answer would be taken for the answer to the next question.
            return None
        columns = connectx_of(position.rules).cols
        column = answer.get("action")
        if not isinstance(column, int) or not 0 <= column < columns:
            what = answer.get("returned", f"column {column}")
            raise self._lost(
                Fault.ILLEGAL_MOVE,
                f"returned {what}; columns are whole numbers from 0 to {columns - 1}",
            )
        try:
            position.play_codes((column,))
        except IllegalMove:
            free = " ".join(map(str, position.legal_codes))
            raise self._lost(
                Fault.ILLEGAL_MOVE,
                f"returned column {column}, which is full; those with room are {free}",
            ) from None
        return column, ""

    def _answer(self, seconds: float, wanted: Wanted) -> dict[str, Any] | None:
        """The next message of the process; raise `Forfeit` if it is not an agent's answer."""
        assert self._program is not None
        try:
            line = self._program.line(seconds, wanted)
        except Forfeit as fault:
            self.close()
            if fault.fault is Fault.DISCONNECTED and f"(status {OUT_OF_MEMORY})" in str(fault):
                raise self._too_large() from None
            raise
        if line is None:
            return None
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise self._lost(
                Fault.BAD_LINE, f"wrote into the channel of the answers: '{shortened(line, 100)}'"
            )
        if "memory" in answer:
            raise self._too_large()
        if "raised" in answer:
            raise self._lost(Fault.EXCEPTION, f"raised {answer['raised']}")
        return answer

    def _too_large(self) -> Forfeit:
        return self._lost(Fault.OUT_OF_MEMORY, f"needs more than {self._memory} megabytes")

    def _lost(self, fault: Fault, what: str) -> Forfeit:
        self.close()
        return Forfeit(fault, f"{self._file.name} {what}")


@register_program
@dataclasses.dataclass(frozen=True)
class Kaggle(ProcessSearch[KaggleTalk]):
    """An agent of Kaggle's ConnectX, a Python file in a process of its own:
    `kaggle:path/to/agent.py`. It plays Connect on any board.
    """

    name = "kaggle"
    first_option: ClassVar[str] = "file"
    file: str = ""
    """The file; the last function in it is the agent."""
    memory: int = USUAL_MEMORY
    """The megabytes of memory that the agent may use; 0 for no limit."""

    def __post_init__(self) -> None:
        if not self.file:
            raise BadEngine("which agent? For example kaggle:path/to/agent.py")
        self.check_memory(self.memory)

    def check(self, rules: Rules) -> None:
        connectx_of(rules)

    def converse(self) -> KaggleTalk:
        return KaggleTalk(self.file, self.memory)


# ---- mnkala's engines as agents ----

THINKING = 0.75
"""The part of a move's time that the engine uses; the rest is for the environment, whose time
counts too."""

Agent = Callable[[Mapping[str, Any], Mapping[str, Any]], int]


def agent_of(engine: str | Engine = "perfect") -> Agent:
    """Make an agent that plays as an engine does.

    An engine without a limit of its own uses the time that the configuration allows for a move.
    Everything is compiled or loaded here, because the agent's clock runs as soon as it is called.
    """
    player = parse_engine(engine, programs=True) if isinstance(engine, str) else engine
    player.search.prepare(parse_game("connect4"))

    def agent(observation: Mapping[str, Any], configuration: Mapping[str, Any]) -> int:
        limit = player.limit
        if limit == Limit():
            limit = dataclasses.replace(limit, time=THINKING * float(configuration["actTimeout"]))
        return player.analyse(position_of(observation, configuration), limit).line_codes[0]

    return agent
