"""Gomocup's protocol: an engine of ours as a brain of a tournament manager, over standard input and
output.

    manager: START 15
    brain:   OK
    manager: INFO timeout_turn 1000
    manager: BEGIN
    brain:   7,7
    manager: TURN 8,7
    brain:   6,6
    manager: END

After Laštovička and Petříček, "Gomoku AI protocol" (https://plastovicka.github.io/protocl2en.htm),
with `SWAP2BOARD` of 2020. The manager's side, brains of others as players, is `mnkala.programs`.
"""

from __future__ import annotations

import dataclasses
import os
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TextIO

from mnkala import __version__
from mnkala.core import Position
from mnkala.errors import BadGame, BadPosition, IllegalMove, MnkalaError
from mnkala.families.lines.rules import Mnk, gomoku_board, point_text, read_point
from mnkala.families.lines.swap2 import ALL_STONES, FIRST_STONES, Side, Stage, Swap2
from mnkala.numbers import counted, read_digits, shortened
from mnkala.play.opening_rule import Decision
from mnkala.search import Analysis, Engine, Limit, Stop
from mnkala.search.auto import Auto
from mnkala.search.table import SMALLEST_BITS

# ---- Settings of a manager ----


AT_ONCE = 0.03
"""The seconds for a move that is wanted at once."""
SAFETY_SECONDS, SAFETY_SHARE = 0.03, 0.05
"""The part of a move's time, in seconds and as a share, that is reserved for communication."""
SHARE_OF_MATCH = 1 / 20
"""The largest share of the remaining match time that a move may take."""
SHARE_OF_MEMORY = 1 / 4
"""The share of the allowed memory that the table may take; Python and compiled code need the rest."""
ENTRY_BYTES = 16
EXACT_FIVE, CONTINUOUS, KNOWN_RULES = 1, 2, 3
"""Bits of `INFO rule`. A continuous game concerns only the manager."""


def usual_engine() -> str:
    """The engine that plays by default: the strongest search, on as many threads as it can use and
    the machine has cores for."""
    cores = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    return f"auto:threads={min(cores, Auto.most_threads)},time=1"


@dataclasses.dataclass
class ManagerSettings:
    """The values of `INFO`, as whole numbers."""

    timeout_turn: int | None = None
    """Milliseconds for a move; 0 for an immediate answer, None if nothing was set."""
    timeout_match: int | None = None
    """Milliseconds for all moves; 0 for no limit."""
    time_left: int | None = None
    """Milliseconds that are left for all moves."""
    max_memory: int = 0
    """Bytes of memory; 0 for no limit."""
    thread_num: int = 0
    """The number of threads (an extension of newer managers, not of Gomocup itself); 0 if nothing
    was set."""
    rule: int = 0

    def note(self, key: str, value: str) -> None:
        """Take over one setting. Unknown names and values that are not numbers are ignored, as the
        protocol demands."""
        name = key.lower()
        if name in {field.name for field in dataclasses.fields(self)}:
            try:
                setattr(self, name, max(0, int(value)))
            except ValueError:
                return
            if name == "timeout_match":
                self.time_left = int(value) or None

    def rules(self, columns: int, rows: int) -> Mnk:
        """The rules of the game on a board."""
        if self.rule & ~KNOWN_RULES:
            raise BadGame(
                f"rule {self.rule}; 0 is freestyle and 1 exact five, others are not played here"
            )
        if min(columns, rows) < 5:
            raise BadGame(
                f"a board of {columns} columns and {rows} rows; it has at least 5 of each"
            )
        return gomoku_board(columns, rows, bool(self.rule & EXACT_FIVE))

    def spent(self, seconds: float) -> None:
        """Subtract a move's time. The manager may or may not announce the remaining time before the
        next move."""
        if self.time_left is not None:
            self.time_left = max(0, self.time_left - round(1000 * seconds))

    def limit(self, engine: Engine, already: float) -> Limit:
        """How long an engine may think about a move, some of whose time has passed; without
        settings, the usual time."""
        times = [] if self.timeout_turn is None else [self.timeout_turn / 1000]
        if self.time_left is not None and self.timeout_match != 0:
            times.append(self.time_left / 1000 * SHARE_OF_MATCH)
        if not times:
            return engine.limit
        if self.timeout_turn == 0:
            return dataclasses.replace(engine.limit, time=AT_ONCE)
        most = min(times)
        return dataclasses.replace(
            engine.limit, time=max(AT_ONCE, most - SAFETY_SECONDS - SAFETY_SHARE * most - already)
        )

    def within_means(self, engine: Engine) -> Engine:
        """The engine with a table that fits the allowed memory, and with as many threads as it may
        have and can use."""
        search, changed = engine.search, dict[str, int]()
        bits, threads = getattr(search, "table_bits", None), getattr(search, "threads", None)
        if self.max_memory and bits is not None:
            allowed = int(self.max_memory * SHARE_OF_MEMORY / ENTRY_BYTES).bit_length() - 1
            changed["table_bits"] = max(SMALLEST_BITS, min(bits, allowed))
        if self.thread_num and threads is not None:
            changed["threads"] = min(self.thread_num, Auto.most_threads)
        return (
            dataclasses.replace(engine, search=dataclasses.replace(search, **changed))
            if changed
            else engine
        )


# ---- Brain ----
#
# The brain reads the manager's lines, keeps the board, lets an engine search, and answers. A thread
# reads, so that `END` is noticed during a search, and so that the time for a move runs from the
# moment when its line arrived. `OK` is sent when everything is compiled: the first move keeps its
# time like all others.


ABOUT = f'name="mnkala", version="{__version__}", author="The mnkala authors", country="?"'
DONE, END = "DONE", "END"
LISTS = ("BOARD", "SWAP2BOARD")
"""Commands whose lines continue until DONE."""
STAGES = {0: Stage.PLACE, FIRST_STONES: Stage.CHOOSE, ALL_STONES: Stage.DECIDE}
Heard = tuple[str, float]
"""A line, and the time when it arrived."""


class BadCommand(MnkalaError):
    """A command cannot be obeyed; the text says why."""


class Brain:
    """A conversation with a manager. `engine_of` makes the engine for a board."""

    def __init__(self, engine_of: Callable[[Mnk], Engine]) -> None:
        self._engine_of = engine_of
        self._settings = ManagerSettings()
        self._size: tuple[int, int] | None = None
        self._position: Position | None = None
        self._thinking: Stop | None = None
        self._answered = 0.0
        """When the last command was answered. An earlier line waited for that, and its time had not
        begun."""
        self._ended = False

    # ---- Commands ----

    def run(self, lines: TextIO, out: TextIO) -> None:
        """Answer until END, or until the input ends."""
        heard: queue.SimpleQueue[Heard | None] = queue.SimpleQueue()

        def listen() -> None:
            for line in lines:
                heard.put((line.strip(), time.perf_counter()))
                if line.strip().upper() == END:
                    break
            heard.put(None)
            if (
                self._thinking is not None
            ):  # What was in the pipe before the question is obeyed after it; this line arrived later.
                self._thinking.set()

        threading.Thread(target=listen, daemon=True, name="gomocup").start()
        coming = iter(heard.get, None)
        for line, came in coming:
            for answer in self.answers(line, max(came, self._answered), coming):
                out.write(f"{answer}\n")
                out.flush()
            self._answered = time.perf_counter()
            if self._ended:
                return

    def answers(self, line: str, came: float, more: Iterator[Heard]) -> Iterable[str]:
        """The answers to a command; `more` yields the lines that follow it."""
        word, _, rest = line.partition(" ")
        name = word.upper()
        if not line:
            return
        listed = [*_until_done(more)] if name in LISTS else []
        try:
            match name:
                case "START":
                    yield self._start(rest.strip(), rest.strip())
                case "RECTSTART":
                    columns, _, rows = rest.partition(",")
                    yield self._start(columns.strip(), rows.strip())
                case "RESTART":
                    yield self._start(*map(str, self._known_size()))
                case "INFO":
                    self._note(rest)
                case "BEGIN":
                    yield self._begin(came)
                case "TURN":
                    yield self._turn(rest, came)
                case "BOARD":
                    yield self._board(listed, came)
                case "SWAP2BOARD":
                    yield self._swap2(listed, came)
                case "TAKEBACK":
                    yield self._take_back(rest)
                case "ABOUT":
                    yield ABOUT
                case "END":
                    self._ended = True
                case _:
                    yield f"UNKNOWN {shortened(word)}"
        except MnkalaError as error:
            yield f"ERROR {' '.join(str(error).split())}"

    # ---- Board ----

    def _start(self, columns: str, rows: str) -> str:
        """Begin with an empty board, and prepare an engine for it."""
        width, height = read_digits(columns), read_digits(rows)
        if width is None or height is None:
            raise BadCommand(
                "START takes a size, such as 15, and RECTSTART a width and a height, such as 15,12"
            )
        self._size = self._position = None
        rules = self._settings.rules(width, height)
        self._engine(rules).search.prepare(rules)
        self._size, self._position = (width, height), Position(rules)
        return "OK"

    def _known_size(self) -> tuple[int, int]:
        if self._size is None:
            raise BadCommand("there is no board yet; send START and the size first")
        return self._size

    def _current(self) -> Position:
        """The current board, by the rule that was set last."""
        size = self._known_size()
        assert self._position is not None
        rules = self._settings.rules(*size)
        if rules.game_string() != self._position.game:
            self._position = Position(rules).play_codes(self._position.history_codes)
        return self._position

    def _note(self, text: str) -> None:
        key, _, value = text.strip().partition(" ")
        self._settings.note(key, value.strip())

    def _begin(self, came: float) -> str:
        if self._current().history_codes:
            raise BadCommand("BEGIN is for an empty board; there are stones on this one")
        return self._move(came)

    def _turn(self, text: str, came: float) -> str:
        position = self._current()
        self._position = position.play_codes((read_point(_rules(position), text),))
        return self._move(came)

    def _take_back(self, text: str) -> str:
        position = self._current()
        code = read_point(_rules(position), text)
        if not position.history_codes or position.history_codes[-1] != code:
            raise IllegalMove(
                f"{text.strip()} is not the last stone, and only that can be taken back"
            )
        self._position = position.back()
        return "OK"

    def _board(self, lines: list[str], came: float) -> str:
        """Set up a whole board. The stones of each side are in their order; the side with one more,
        or else the one to move, began."""
        start = Position(self._current().rules)
        self._position = start
        stones: dict[str, list[int]] = {"1": [], "2": []}
        for line in lines:
            point, _, owner = line.rpartition(",")
            if owner.strip() not in stones:
                raise BadPosition(
                    f"'{shortened(line)}' is no stone; stones are X,Y,1 for the brain's own and X,Y,2 for the other's"
                )
            stones[owner.strip()].append(read_point(_rules(start), point))
        own, others = stones["1"], stones["2"]
        if len(others) - len(own) not in (0, 1):
            raise BadPosition(
                f"{counted(len(own), 'stone')} of the brain's and {len(others)} of the other's; "
                "the other has as many, or one more, when the brain is to move"
            )
        first, second = (own, others) if len(own) == len(others) else (others, own)
        codes = [code for pair in zip(first, second, strict=False) for code in pair] + first[
            len(second) :
        ]
        self._position = start.play_codes(codes)
        return self._move(came)

    # ---- Search ----

    def _engine(self, rules: Mnk) -> Engine:
        return self._settings.within_means(self._engine_of(rules))

    def _move(self, came: float) -> str:
        """Return the brain's next move as text, and play it on its board. `came` is when the
        command arrived, from which the time is counted."""
        position = self._require_going_on()
        found = self._think(self._engine(_rules(position)), position, came)
        self._position = position.play_codes(found.line_codes[:1])
        return point_text(_rules(position), found.line_codes[0])

    def _swap2(self, lines: list[str], came: float) -> str:
        """Answer in an opening by Swap2: three stones, or a choice."""
        start = Position(self._current().rules)
        rules = _rules(start)
        self._position = start.play_codes(read_point(rules, line) for line in lines)
        if len(lines) not in STAGES:
            raise BadPosition(
                f"{counted(len(lines), 'stone')}; an opening by Swap2 has 0, {FIRST_STONES} or {ALL_STONES}"
            )
        position = self._require_going_on()
        engine = Swap2(STAGES[len(lines)]).thinker(self._engine(rules))
        found = self._think(engine, position, came)
        assert isinstance(found, Decision)
        stones = FIRST_STONES if found.choice is None else 2 if found.choice == Side.TWO else 1
        self._position = position.play_codes(found.line_codes[:stones])
        placed = self._position.history_codes[len(lines) :]
        return " ".join(point_text(rules, code) for code in placed) or "SWAP"

    def _require_going_on(self) -> Position:
        position = self._current()
        if position.is_over:
            raise BadPosition(f"the game is over ({position.outcome})")
        return position

    def _think(self, engine: Engine, position: Position, came: float) -> Analysis:
        began = time.perf_counter()
        self._thinking = Stop()
        limit = dataclasses.replace(self._settings.limit(engine, began - came), stop=self._thinking)
        try:
            return engine.analyse(position, limit)
        finally:
            self._thinking = None
            self._settings.spent(time.perf_counter() - came)


def _until_done(more: Iterator[Heard]) -> Iterator[str]:
    for line, _ in more:
        if line.upper() == DONE:
            return
        if line:
            yield line


def _rules(position: Position) -> Mnk:
    assert isinstance(position.rules, Mnk)
    return position.rules
