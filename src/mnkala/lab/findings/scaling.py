"""What the data say of larger boards and of threads."""

from __future__ import annotations

from statistics import median

from mnkala.lab.registry import Row, finding
from mnkala.lab.wording import grouped, growth, number, percent, share_interval, times


@finding("scaling")
def in_words(rows: list[Row]) -> str:
    """How speed, time and memory grow with the board, and what a second thread brings."""
    sentences = []
    for (family,), some in grouped([row for row in rows if row["threads"] == 1], "family").items():
        ordered = sorted(some, key=lambda row: int(row["cells"]))
        first, last = ordered[0], ordered[-1]
        if len(ordered) < 2:
            continue
        sentences.append(
            f"{family}, from {number(first['cells'])} to {number(last['cells'])} cells, one thread to depth {last['depth']}: "
            f"{number(first['nodes_per_cpu_second'])} to {number(last['nodes_per_cpu_second'])} nodes a CPU second "
            f"(cells^{growth(ordered, 'cells', 'nodes_per_cpu_second'):.2f}), {number(first['seconds'])} to {number(last['seconds'])} s to "
            f"the depth (cells^{growth(ordered, 'cells', 'seconds'):.2f}), memory beyond the table {number(first['kilobytes'])} to "
            f"{number(last['kilobytes'])} kB (cells^{growth(ordered, 'cells', 'kilobytes'):.2f}).")
    sentences += _memory(rows)
    sentences += _threads(rows)
    return " ".join(sentences)


def _memory(rows: list[Row]) -> list[str]:
    """Report 001's Θ(mn): memory must not grow faster than the board."""
    powers = {str(family): growth(some, "cells", "kilobytes")
              for (family,), some in grouped([row for row in rows if row["threads"] == 1], "family").items() if len(some) > 1}
    if not powers:
        return []
    within = all(power <= 1.1 for power in powers.values())
    return [f"In {'every game memory grows no' if within else 'some game memory grows'} faster than the board, so report 001's Θ(mn) is "
            f"{'met' if within else 'not met'} as an upper bound."]


CROWDED = 1.7
"""With fewer cores than this in use, two threads were not really two."""
LONGEST = 4
"""So many boards are told apart as those with the longest searches."""


def _threads(rows: list[Row]) -> list[str]:
    """The gain of a second thread, and whether the machine really gave it a core."""
    pairs = [(some[0], some[1]) for some in (sorted(some, key=lambda row: int(row["threads"])) for some in grouped(rows, "game").values())
             if [row["threads"] for row in some] == [1, 2]]
    if not pairs:
        return []
    speeds = [two["nodes_per_second"] / one["nodes_per_second"] for one, two in pairs]
    depths = [one["seconds"] / two["seconds"] for one, two in pairs]
    cores = median(two["cores"] for _, two in pairs)
    gained, low, high = share_interval(sum(gain > 1 for gain in depths), len(depths))
    words = (f"Two threads visit {times(median(speeds))} the nodes a second that one visits (median of {len(pairs)} boards) and are "
             f"{times(median(depths))} as quick to the depth; they are quicker on {percent(gained)} of the boards "
             f"({percent(low)} to {percent(high)}).")
    if cores < CROWDED:
        words += (f" They had only {cores:.2f} cores between them in the median: other processes wanted them too, or the searches were too "
                  "short to keep two threads busy. So this does not show what a second thread can do in long searches on an idle machine.")
    slow = sorted(pairs, key=lambda pair: -float(pair[0]["seconds"]))[:LONGEST]
    if len(pairs) > LONGEST:
        shortest, longest = number(slow[-1][0]["seconds"]), number(slow[0][0]["seconds"])
        words += (f" On the {LONGEST} boards whose searches last longest ({shortest} to {longest} s) they are "
                  f"{times(median(one['seconds'] / two['seconds'] for one, two in slow))} as quick, with "
                  f"{median(two['cores'] for _, two in slow):.2f} cores.")
    return [words]
