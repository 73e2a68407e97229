"""What the data say of larger boards and of threads."""

from __future__ import annotations

import math
from statistics import median

from mnkala.lab.claims import NOT_TOLD, Judgement, claim, judged
from mnkala.lab.registry import Row, finding
from mnkala.lab.wording import count, grouped, growth, in_paragraphs, listed, power, share_interval, times, with_interval

SHORTEST = 0.01
"""Seconds: of shorter searches a good part is what every question costs before its first node."""
FEWEST = 4
"""Boards that a power is fitted to, at least."""
CROWDED = 1.7
"""With fewer cores than this in use, two threads were not really two."""


@finding("scaling")
def in_words(rows: list[Row]) -> str:
    """How speed, time and memory grow with the board, and what a second thread brings."""
    families = _families(rows)
    long = {family: lasting for family, some in families.items()
            if len(lasting := [row for row in some if row["seconds"] >= SHORTEST]) >= FEWEST}
    seconds = [f"{family} {power('cells', growth(some, 'cells', 'seconds'))}" for family, some in long.items()]
    speed = [f"{_plain(growth(some, 'cells', 'nodes_per_cpu_second'))} ({family})" for family, some in long.items()]
    memory = [f"{_plain(growth(some, 'cells', 'kilobytes'))} ({family})" for family, some in families.items() if len(some) >= FEWEST]
    gain, doubt = _threads(rows)
    return in_paragraphs(
        [f"Time to a fixed depth grows with the board like this: {listed(seconds)}." if seconds else
         "These searches are too short to tell how their time grows with the board.", gain],
        [f"Nodes a CPU second go about like {listed(speed)}." if speed else "",
         f"Memory beyond the table grows about like {listed(memory)}." if memory else "",
         f"Searches under {1000 * SHORTEST:.0f} ms are left out of times and speeds: a fixed cost is a good part of them." if speed else "",
         doubt])


def _plain(found: tuple[float, float, float]) -> str:
    """A power without its interval."""
    return power("cells", (found[0], -math.inf, math.inf))


def _families(rows: list[Row]) -> dict[str, list[Row]]:
    """Boards of a family from small to large, with one thread."""
    return {str(family): sorted(some, key=lambda row: int(row["cells"]))
            for (family,), some in grouped([row for row in rows if row["threads"] == 1], "family").items()}


def _threads(rows: list[Row]) -> tuple[str, str]:
    """The gain of a second thread, and whether the machine really gave it a core."""
    pairs = [(some[0], some[1]) for some in (sorted(some, key=lambda row: int(row["threads"])) for some in grouped(rows, "game").values())
             if [row["threads"] for row in some] == [1, 2]]
    if not pairs:
        return "", ""
    depths = [one["seconds"] / two["seconds"] for one, two in pairs]
    quicker = share_interval(sum(gain > 1 for gain in depths), len(depths))
    gain = (f"Two threads are {times(median(depths))} as quick to the depth as one (median of {count(len(pairs), 'board')}), and quicker "
            f"on {with_interval(*quicker)} of the boards.")
    cores = median(two["cores"] for _, two in pairs)
    doubt = f"Two threads had only {cores:.1f} cores: this is not what they can do on an idle machine." if cores < CROWDED else ""
    return gain, doubt


@claim("scaling", report="001", says="memory is Θ(mn): it grows no faster than the board")
def memory_grows_no_faster(rows: list[Row]) -> Judgement:
    """On the boards of (m,n,k)-games, for our search that deepens."""
    boards = _families(rows).get("mnk", [])
    if len(boards) < FEWEST:
        return NOT_TOLD
    found = growth(boards, "cells", "kilobytes")
    return judged(found[2] <= 1, found[1] > 1, f"our deepening search, its table apart: {power('cells', found)}")
