"""A brain of Gomocup as an engine: `gomocup:/path/to/brain`, with its arguments and options behind it if there are any."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from mnkala.core import Rules
from mnkala.errors import BadEngine
from mnkala.families.lines.coordinates import gomoku_of
from mnkala.numbers import shortened
from mnkala.programs.engine import ProgramSearch
from mnkala.programs.faults import Forfeit, NoStart
from mnkala.programs.gomocup_talk import GomocupTalk
from mnkala.search.analysis import Analysis
from mnkala.search.engine import register_program
from mnkala.search.root import Task


@register_program
@dataclasses.dataclass(frozen=True)
class Gomocup(ProgramSearch[GomocupTalk]):
    """A program that speaks Gomocup's protocol, at the end of two pipes: `gomocup:/path/to/brain`. It plays five in line."""

    name = "gomocup"
    first_option: ClassVar[str] = "command"
    command: str = ""
    """The program and its arguments."""
    memory: int = 350
    """Megabytes that it is told to stay below, as in the tournament, and that end it where the system tells what it holds; 0 for no
    limit."""

    def __post_init__(self) -> None:
        if not self.command:
            raise BadEngine("which program? For example gomocup:/path/to/brain")
        self.check_memory(self.memory)

    def check(self, rules: Rules) -> None:
        gomoku_of(rules, "Gomocup")

    def prepare(self, rules: Rules) -> None:
        """Start the program, so that it can build its tables before any clock runs."""
        talk, board = self.talk(rules), gomoku_of(rules, "Gomocup")
        if not talk.is_ready(board):
            try:
                talk.start(board)
            except Forfeit as error:  # nothing was played yet: nobody has lost
                raise NoStart(f"'{shortened(self.command, 200)}' does not start: {error}") from None

    def run(self, task: Task) -> Analysis:
        seconds = self.seconds(task)
        return self.answered(task, self.talk(task.rules).move(task.position, seconds, lambda: self.is_wanted(task, seconds)))

    def talk(self, rules: Rules) -> GomocupTalk:
        """The conversation with the program, if it may be run."""
        self.require_allowed(self.command)
        self.check(rules)
        return self.line.open(lambda: GomocupTalk(self.command, self.memory))
