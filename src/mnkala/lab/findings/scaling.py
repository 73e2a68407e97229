"""What the data say of larger boards and of threads."""

from __future__ import annotations

import math
from statistics import median

from mnkala.lab.claims import NOT_TOLD, Judgement, claim, judged
from mnkala.lab.clock import median_interval
from mnkala.lab.registry import Row, finding
from mnkala.lab.wording import about, count, grouped, growth, having, in_paragraphs, listed, power, times

FEWEST = 4
"""Boards that a power is fitted to, at least."""
CROWDED = 1.7
"""With fewer cores than this in use, two threads were not really two."""


@finding("scaling")
def in_words(rows: list[Row]) -> str:
    """How speed, time and memory grow with the board, and what a second thread brings."""
    families = {family: some for family, some in _families(rows).items() if len(some) >= FEWEST}
    seconds = [f"{family} {power('cells', growth(some, 'cells', 'seconds'))}" for family, some in families.items()]
    speed = [f"{_plain(growth(some, 'cells', 'nodes_per_cpu_second'))} ({family})" for family, some in families.items()]
    memory = [f"{_plain(growth(some, 'cells', 'kilobytes'))} ({family})" for family, some in families.items()]
    fixed = [float(row["fixed_share"]) for row in having(rows, "fixed_share")]
    gain, doubt = _threads(rows)
    return in_paragraphs(
        [f"Time to a fixed depth grows with the board like this: {listed(seconds)}." if seconds else
         "These are too few boards to tell how time grows with the board.", gain],
        [f"Nodes a CPU second go about like {listed(speed)}." if speed else "",
         f"Memory beyond the table grows about like {listed(memory)}." if memory else "",
         f"What a search costs beside its nodes, at most {100 * max(fixed):.0f} % of these times, is taken off." if fixed else "", doubt])


def _plain(found: tuple[float, float, float]) -> str:
    """A power without its interval."""
    return power("cells", (found[0], -math.inf, math.inf))


def _families(rows: list[Row]) -> dict[str, list[Row]]:
    """Boards of a family from small to large."""
    return {str(family): sorted(some, key=lambda row: int(row["cells"]))
            for (family,), some in grouped(having(rows, "kilobytes"), "family").items()}


def _threads(rows: list[Row]) -> tuple[str, str]:
    """The gain of a second thread, and what it is made of."""
    searches = grouped(having(rows, "threads", "position"), "game", "position")
    ordered = (sorted(some, key=lambda row: int(row["threads"])) for some in searches.values())
    pairs = [(some[0], some[1]) for some in ordered if [row["threads"] for row in some] == [1, 2]]
    if not pairs:
        return "", ""
    gains = [one["seconds"] / two["seconds"] for one, two in pairs]
    low, high = median_interval(gains)
    gain = (f"Two threads are {times(median(gains))} ({low:.2f} to {high:.2f}) as quick to the same depth as one, by the clock: the median "
            f"of {count(len(pairs), 'search', 'searches')} that take it {about(min(one['seconds'] for one, _ in pairs))} s or more.")
    cores = median(two["cores"] for _, two in pairs)
    visited = median(two["nodes"] / one["nodes"] for one, two in pairs)
    more = f"They had {cores:.1f} cores and visited {times(visited)} the nodes."
    return gain, more + (" So this is not what they can do on an idle machine." if cores < CROWDED else "")


@claim("scaling", report="001", says="memory is Θ(mn): it grows no faster than the board")
def memory_grows_no_faster(rows: list[Row]) -> Judgement:
    """On the boards of (m,n,k)-games, for our search that deepens."""
    boards = _families(rows).get("mnk", [])
    if len(boards) < FEWEST:
        return NOT_TOLD
    found = growth(boards, "cells", "kilobytes")
    return judged(found[2] <= 1, found[1] > 1, f"our deepening search, its table apart: {power('cells', found)}")
