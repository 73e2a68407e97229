"""What a manager has told of time, memory and rules (`INFO`), and what follows from it for a move."""

from __future__ import annotations

import dataclasses
import os

from mnkala.errors import BadGame
from mnkala.families.lines.coordinates import gomoku_board
from mnkala.families.lines.rules import Mnk
from mnkala.search import Engine, Limit
from mnkala.search.auto import MOST_THREADS
from mnkala.search.table import SMALLEST_BITS

AT_ONCE = 0.03
"""Seconds for a move that is wanted at once."""
SAFETY_SECONDS, SAFETY_SHARE = 0.03, 0.05
"""What is left of the time for a move, for the way there and back."""
SHARE_OF_MATCH = 1 / 20
"""Of the time for the rest of a match, this part is spent on a move at most."""
SHARE_OF_MEMORY = 1 / 4
"""Of the memory that is allowed, this part goes into the table: Python and compiled code need the rest."""
ENTRY_BYTES = 16
EXACT_FIVE, CONTINUOUS, KNOWN_RULES = 1, 2, 3
"""Bits of `INFO rule`. A continuous game is a matter of the manager's."""


def usual_engine() -> str:
    """Who plays if nobody is named: the strongest search, on as many threads as it can use and the machine has cores for."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return f"auto:threads={min(cores, MOST_THREADS)},time=1"


@dataclasses.dataclass
class Settings:
    """The values of `INFO`, as whole numbers."""

    timeout_turn: int | None = None
    """Milliseconds for a move; 0 for an answer at once, None if nothing was said."""
    timeout_match: int | None = None
    """Milliseconds for all moves; 0 for no limit."""
    time_left: int | None = None
    """What is left of them."""
    max_memory: int = 0
    """Bytes; 0 for no limit."""
    thread_num: int = 0
    """Threads that may think (a word of newer managers, not of Gomocup's own); 0 if nothing was said."""
    rule: int = 0

    def note(self, key: str, value: str) -> None:
        """Take one; what is not known, or is no number, is ignored as the protocol wants it."""
        name = key.lower()
        if name in {field.name for field in dataclasses.fields(self)}:
            try:
                setattr(self, name, max(0, int(value)))
            except ValueError:
                return
            if name == "timeout_match":
                self.time_left = int(value) or None

    def rules(self, columns: int, rows: int) -> Mnk:
        """The game on a board."""
        if self.rule & ~KNOWN_RULES:
            raise BadGame(f"rule {self.rule}; 0 is freestyle and 1 exact five, others are not played here")
        if min(columns, rows) < 5:
            raise BadGame(f"a board of {columns} columns and {rows} rows; it has at least 5 of each")
        return gomoku_board(columns, rows, bool(self.rule & EXACT_FIVE))

    def spent(self, seconds: float) -> None:
        """A move has taken so long; the manager tells what is left before the next one, or does not."""
        if self.time_left is not None:
            self.time_left = max(0, self.time_left - round(1000 * seconds))

    def limit(self, engine: Engine, already: float) -> Limit:
        """How long an engine may think about a move, of whose time some has passed; without a word from the manager, as long as usual."""
        times = [] if self.timeout_turn is None else [self.timeout_turn / 1000]
        if self.time_left is not None and self.timeout_match != 0:
            times.append(self.time_left / 1000 * SHARE_OF_MATCH)
        if not times:
            return engine.limit
        if self.timeout_turn == 0:
            return dataclasses.replace(engine.limit, time=AT_ONCE)
        most = min(times)
        return dataclasses.replace(engine.limit, time=max(AT_ONCE, most - SAFETY_SECONDS - SAFETY_SHARE * most - already))

    def within_means(self, engine: Engine) -> Engine:
        """The engine with a table that fits into the memory which is allowed, and with as many threads as it may have and can use."""
        search, changed = engine.search, dict[str, int]()
        bits, threads = getattr(search, "table_bits", None), getattr(search, "threads", None)
        if self.max_memory and bits is not None:
            allowed = int(self.max_memory * SHARE_OF_MEMORY / ENTRY_BYTES).bit_length() - 1
            changed["table_bits"] = max(SMALLEST_BITS, min(bits, allowed))
        if self.thread_num and threads is not None:
            changed["threads"] = min(self.thread_num, MOST_THREADS)
        return dataclasses.replace(engine, search=dataclasses.replace(search, **changed)) if changed else engine
