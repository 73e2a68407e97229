"""A brain of Gomocup as an engine: `gomocup:/path/to/brain`, with its arguments and options behind
it if there are any.

This is the manager's side of the protocol: what a brain has been told, and what it answers. After
Laštovička and Petříček, "Gomoku AI protocol" (https://plastovicka.github.io/protocl2en.htm). A
brain that follows a game hears `TURN` after `TURN`; whenever it has to look at another position, it
is started again and shown the whole `BOARD`. Our own brain for managers of others lies in `brain/`.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterable
from typing import ClassVar

from mnkala.core import Position, Rules
from mnkala.errors import BadEngine, IllegalMove
from mnkala.families.lines.rules import Mnk, gomoku_of, point_text, read_point
from mnkala.jobs.child import Wanted
from mnkala.numbers import shortened
from mnkala.programs.process import Fault, Forfeit, ProcessSearch, Program
from mnkala.search.engine import register_program

START_SECONDS = 60.0
"""Seconds in which a brain must be ready to play; some build large tables, and some compile."""
GRACE_SECONDS = 1.0
"""Seconds beyond its time for a move, for pipes and a busy machine, as Piskvork grants them."""
NO_LIMIT = 2_147_483_647
"""The milliseconds of a match without a limit."""
SWAP = "SWAP"


@dataclasses.dataclass(frozen=True)
class Reply:
    """The answer of a brain."""

    text: str
    message: str
    """The last `MESSAGE` before the answer."""


class GomocupTalk:
    """A conversation with one brain, which is started when it is first needed."""

    def __init__(self, command: str, memory: int) -> None:
        self._command, self._memory = command, memory
        self._program: Program | None = None
        self._game: str | None = None
        """The game string of the board that the brain has."""
        self._known: tuple[int, ...] | None = None
        """The moves that the brain has seen on its board; None if its board is another."""
        self._milliseconds: int | None = None
        """The time for a move that the brain was last given."""

    # ---- Start and end ----

    def start(self, rules: Mnk) -> None:
        """Let the brain begin a game on an empty board; raise `BadEngine` if it does not play on
        such a board."""
        program = self._program = self._program or Program.typed(self._command, self._memory)
        square = rules.rows == rules.cols
        program.send(f"START {rules.rows}" if square else f"RECTSTART {rules.cols},{rules.rows}")
        self._game = self._known = None
        try:
            reply = self._reply(START_SECONDS)
        except Forfeit:
            self.close()
            raise
        assert reply is not None
        if reply.text.upper().partition(" ")[0] == "OK":
            self._game, self._known, self._milliseconds = rules.game_string(), (), None
            program.send(
                f"INFO max_memory {self._memory << 20}",
                "INFO game_type 1",
                f"INFO rule {int(rules.exact)}",
                "INFO timeout_match 0",
                f"INFO time_left {NO_LIMIT}",
            )
            return
        self.close()
        raise BadEngine(
            f"{program.name} does not play on {rules.game_string()}: it answers '{shortened(reply.text, 100)}'"
        )

    def get_ready(self, rules: Rules) -> None:
        """Let the brain begin a game on this board, unless it has."""
        board = gomoku_of(rules, "Gomocup")
        if not self.is_ready(board):
            self.start(board)

    def close(self) -> None:
        """End the brain and everything that it started."""
        program, self._program, self._game, self._known = self._program, None, None, None
        if program is not None:
            program.close("END")

    def is_ready(self, rules: Mnk) -> bool:
        """Whether the brain waits for a game on this board."""
        return self._program is not None and self._game == rules.game_string()

    # ---- Moves ----

    def move(self, position: Position, seconds: float, wanted: Wanted) -> tuple[int, str] | None:
        """The brain's move and its last message; None if the move is no longer wanted. Raises
        `Forfeit` if the brain has lost."""
        rules, played = gomoku_of(position.rules, "Gomocup"), position.history_codes
        follows = (
            position.start_literal is None and self.is_ready(rules) and self._known == played[:-1]
        )
        if follows and played:
            question = [f"TURN {point_text(rules, played[-1])}"]
        else:
            self._begin(rules)
            stones = [*_stones(position)]
            question = ["BOARD", *stones, "DONE"] if stones else ["BEGIN"]
        reply = self._ask(question, seconds, wanted)
        if reply is None:
            return None
        code = self._read(position, reply.text)
        self._known = (*played, code) if position.start_literal is None else None
        return code, reply.message

    def swap2(
        self, position: Position, seconds: float, wanted: Wanted
    ) -> tuple[str | tuple[int, ...], str] | None:
        """What the brain does in an opening by Swap2: SWAP, or the places of its stones."""
        rules = gomoku_of(position.rules, "Gomocup")
        self._begin(rules)
        self._known = None
        points = [point_text(rules, code) for code in position.history_codes]
        reply = self._ask(["SWAP2BOARD", *points, "DONE"], seconds, wanted)
        if reply is None:
            return None
        if reply.text.upper() == SWAP:
            return SWAP, reply.message
        codes: list[int] = []
        for word in reply.text.split():
            codes.append(self._read(position, word))
            position = position.play_codes(codes[-1:])
        return tuple(codes), reply.message

    def _begin(self, rules: Mnk) -> None:
        """Give the brain a new, empty board."""
        if not (self.is_ready(rules) and self._known == ()):
            self.start(rules)

    def _ask(self, question: list[str], seconds: float, wanted: Wanted) -> Reply | None:
        """Send a question, after the time for a move if it has changed; return the answer, or None
        if it is no longer wanted. Raises Forfeit if the brain has lost."""
        program = self._program
        assert program is not None
        milliseconds = max(1, round(1000 * seconds))
        if milliseconds != self._milliseconds:
            self._milliseconds = milliseconds
            program.send(f"INFO timeout_turn {milliseconds}")
        program.send(*question)
        try:
            reply = self._reply(seconds + GRACE_SECONDS, wanted)
            if reply is None:
                self.close()  # The brain thinks on; its late answer would be taken for the answer to the next question.
                return None
            word = reply.text.upper().partition(" ")[0]
            if word == "UNKNOWN" and question[0] == "SWAP2BOARD":
                raise BadEngine(f"{program.name} does not know Swap2; begin without it")
            if word in ("ERROR", "UNKNOWN"):
                raise Forfeit(
                    Fault.BAD_LINE,
                    f"{program.name} answers '{shortened(reply.text, 100)}' to {question[0].partition(' ')[0]}",
                )
        except Forfeit:
            self.close()
            raise
        return reply

    def _reply(self, seconds: float, wanted: Wanted = lambda: True) -> Reply | None:
        """The next line that is an answer. Messages to people or to the author are not; a
        suggestion is accepted."""
        program, message = self._program, ""
        assert program is not None
        until = time.monotonic() + seconds
        while (line := program.line(until - time.monotonic(), wanted)) is not None:
            word, _, rest = line.partition(" ")
            match word.upper():
                case "MESSAGE":
                    message = rest.strip()
                case "DEBUG":
                    pass
                case "SUGGEST":
                    program.send(f"PLAY {rest.strip()}")
                case _:
                    return Reply(line, message)
        return None

    def _read(self, position: Position, text: str) -> int:
        """Read the brain's move, which must be legal."""
        program, rules = self._program, gomoku_of(position.rules, "Gomocup")
        assert program is not None
        try:
            code = read_point(rules, text)
            position.play_codes((code,))
        except IllegalMove as error:
            nonsense = "," not in text
            self.close()
            fault = Fault.BAD_LINE if nonsense else Fault.ILLEGAL_MOVE
            raise Forfeit(
                fault,
                f"{program.name} answers '{shortened(text, 100)}'"
                if nonsense
                else f"{program.name}: {error}",
            ) from None
        return code


def _stones(position: Position) -> Iterable[str]:
    """The stones of a board for the brain that is to move, in the order in which they were placed,
    as far as that is known."""
    rules = gomoku_of(position.rules, "Gomocup")
    mover = position.mover
    if position.start_literal is None:
        for code, owner in zip(position.history_codes, position.movers, strict=True):
            yield f"{point_text(rules, code)},{1 if owner == mover else 2}"
        return
    for code, owner in enumerate(position.state().cells):
        if owner:
            yield f"{point_text(rules, code)},{1 if owner == 1 + mover else 2}"


@register_program
@dataclasses.dataclass(frozen=True)
class Gomocup(ProcessSearch[GomocupTalk]):
    """A program that speaks Gomocup's protocol, at the end of two pipes: `gomocup:/path/to/brain`.
    It plays five in a row.
    """

    name = "gomocup"
    first_option: ClassVar[str] = "command"
    command: str = ""
    """The program and its arguments."""
    memory: int = 350
    """The megabytes that the program is told to stay below, as in the tournament, and at which it
    is ended where the system reports what it holds; 0 for no limit."""

    def __post_init__(self) -> None:
        if not self.command:
            raise BadEngine("which program? For example gomocup:/path/to/brain")
        self.check_memory(self.memory)

    def check(self, rules: Rules) -> None:
        gomoku_of(rules, "Gomocup")

    def converse(self) -> GomocupTalk:
        return GomocupTalk(self.command, self.memory)
