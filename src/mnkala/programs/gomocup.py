"""A brain of Gomocup as an engine: `gomocup:/path/to/brain`, with its arguments and options behind it if there are any."""

from __future__ import annotations

import dataclasses
import time
import weakref
from typing import ClassVar

from mnkala.errors import BadEngine
from mnkala.games import Rules
from mnkala.games.points import gomoku_of
from mnkala.numbers import shortened
from mnkala.programs.faults import Forfeit
from mnkala.programs.gomocup_talk import GomocupTalk
from mnkala.search.analysis import Analysis
from mnkala.search.engine import Search, register_program
from mnkala.search.root import Task

USUAL_SECONDS = 1.0
"""For a move, where no limit of time is given."""
MOST_MEMORY = 1 << 20


class Line:
    """The open line to a brain, which ends with whoever holds it."""

    def __init__(self) -> None:
        self.talk: GomocupTalk | None = None

    def open(self, command: str, memory: int) -> GomocupTalk:
        """The conversation; a new one where there is none."""
        if self.talk is None:
            self.talk = GomocupTalk(command, memory)
            weakref.finalize(self, self.talk.close)
        return self.talk


@register_program
@dataclasses.dataclass(frozen=True)
class Gomocup(Search):
    """A program that speaks Gomocup's protocol, at the end of two pipes: `gomocup:/path/to/brain`. It plays five in line."""

    name = "gomocup"
    first_option: ClassVar[str] = "command"
    runs_program: ClassVar[bool] = True
    command: str = ""
    """The program and its arguments."""
    memory: int = 350
    """Megabytes that it is told to stay below, as in the tournament; 0 for no limit."""
    allowed: bool = dataclasses.field(default=False, metadata={"option": False})
    """Whether the program may be run: whoever named it is the one for whom it runs."""
    line: Line = dataclasses.field(default_factory=Line, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.command:
            raise BadEngine("which program? For example gomocup:/path/to/brain")
        if not 0 <= self.memory <= MOST_MEMORY:
            raise BadEngine(f"memory={self.memory}; a brain may have up to {MOST_MEMORY} megabytes, and 0 means no limit")

    def check(self, rules: Rules) -> None:
        gomoku_of(rules, "Gomocup")

    def prepare(self, rules: Rules) -> None:
        """Start the program, so that it can build its tables before any clock runs."""
        talk, board = self.talk(rules), gomoku_of(rules, "Gomocup")
        if not talk.is_ready(board):
            try:
                talk.start(board)
            except Forfeit as error:  # nothing was played yet: nobody has lost
                raise BadEngine(f"'{shortened(self.command, 200)}' does not start: {error}") from None

    def run(self, task: Task) -> Analysis:
        seconds = self.seconds(task)
        answer = self.talk(task.rules).move(task.position, seconds, lambda: self.is_wanted(task, seconds))
        if answer is None:  # nobody waits for it
            return Analysis(task.position, task.engine, None, (), task.position.legal_codes[:1], note="stopped")
        code, message = answer
        return Analysis(task.position, task.engine, None, (), (code,), seconds=time.perf_counter() - task.started, note=message)

    @staticmethod
    def seconds(task: Task) -> float:
        """The brain's time for a move."""
        return task.limit.time or USUAL_SECONDS

    @staticmethod
    def is_wanted(task: Task, seconds: float) -> bool:
        """Whether somebody still waits. The flag that is raised when the time is up is not meant: the brain knows its time, and is granted
        a little more."""
        return not task.stop.is_set() or (task.limit.time is not None and time.perf_counter() >= task.started + seconds)

    def close(self) -> None:
        if self.line.talk is not None:
            self.line.talk.close()

    def talk(self, rules: Rules) -> GomocupTalk:
        """The conversation with the program, if it may be run."""
        if not self.allowed:
            raise BadEngine(f"gomocup:{shortened(self.command, 200)} is a program, which runs only where it is typed: "
                            "mnkala play --first or --second, mnkala match, mnkala analyse")
        self.check(rules)
        return self.line.open(self.command, self.memory)
