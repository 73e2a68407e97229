"""Findings of the studies that take time: timing, free-cells, scaling."""

from __future__ import annotations

from statistics import fmean, median

from mnkala.lab.findings.search_words import extremes, grouped, growth, having, listed, number, percent, share_interval, times
from mnkala.lab.registry import Row, finding

# ---- Timing ----


@finding("timing")
def timing(rows: list[Row]) -> str:
    """Whose moves are quickest, whether moves get quicker in longer games, and what is held in memory; the report beside us."""
    timed = having(rows, "ms")
    if not timed:
        return "No game of the wanted lengths came up."
    ours = {str(name): fmean(row["ms"] for row in some) for (name,), some in grouped(timed, "algorithm").items()}
    told = [row for row in timed if row.get("report_ms") is not None]
    theirs = {str(name): fmean(row["report_ms"] for row in some) for (name,), some in grouped(told, "algorithm").items()}
    sentences = [f"Mean time a move: {listed([f'{name} {number(ms)} ms' for name, ms in ours.items()])}"
                 + (f" (the report: {listed([f'{name} {number(ms)} ms' for name, ms in theirs.items()])})." if theirs else ".")]
    if theirs:
        same = sorted(ours, key=ours.__getitem__) == sorted(theirs, key=theirs.__getitem__)
        order = " < ".join(sorted(ours, key=ours.__getitem__))
        sentences.append(f"The order from quick to slow, {order}, is {'also the' if same else 'not the'} report's"
                         + ("." if same else f", which is {' < '.join(sorted(theirs, key=theirs.__getitem__))}."))
        factors = {name: median(row["report_ms"] / row["ms"] for row in told if row["algorithm"] == name) for name in theirs}
        sentences.append(f"Ours are quicker by a factor {extremes(factors, times)}, on another machine and with compiled code.")
    sentences += [_trend(name, [row for row in timed if row["algorithm"] == name], name in theirs) for name in ours]
    held = {str(name): max(int(row["held"]) for row in some) for (name,), some in grouped(timed, "algorithm").items()}
    bounds = {str(name): max(int(row["report_held"]) for row in some)
              for (name,), some in grouped([row for row in told if row.get("report_held")], "algorithm").items()}
    memory = listed([f"{name} {number(most)}" + (f" (the report's bound: {number(bounds[name])})" if name in bounds else "")
                     for name, most in held.items()])
    sentences.append(f"Nodes held in memory at most: {memory}. Ours plays and takes back moves on one board, so minimax and alpha-beta "
                     "hold only the path to the current node.")
    return " ".join(sentence for sentence in sentences if sentence)


def _trend(name: str, rows: list[Row], told: bool) -> str:
    """Whether moves take less time in games in which the computer makes more of them."""
    ordered = sorted(rows, key=lambda row: int(row["computer_moves"]))
    if len(ordered) < 3:
        return ""
    first, last = ordered[0], ordered[-1]
    mine = last["ms"] / first["ms"]
    sentence = (f"{name}: from {first['computer_moves']} to {last['computer_moves']} moves the mean time changes by a factor {mine:.2f}, "
                f"the nodes a move by {last['nodes'] / first['nodes']:.2f}")
    theirs = [row for row in ordered if row.get("report_ms") is not None]
    if told and len(theirs) >= 2:
        sentence += f" (the report's times by {theirs[-1]['report_ms'] / theirs[0]['report_ms']:.2f})"
    return sentence + "."


# ---- Free cells ----


@finding("free-cells")
def free_cells(rows: list[Row]) -> str:
    """Which structure is quickest at what, how each grows with the board, and whether the report was right to drop the others."""
    sentences = []
    for (operation,), some in grouped(rows, "operation").items():
        largest = max(int(row["cells"]) for row in some)
        at_largest = {str(row["structure"]): row for row in some if row["cells"] == largest}
        least = min(row["ns"] for row in at_largest.values())
        best = [name for name, row in at_largest.items() if row["ns"] <= ALIKE * least]
        powers = {str(name): growth(one, "cells", "ns") for (name,), one in grouped(some, "structure").items()}
        ratios = {name: "" if name == SWAP else f"{times(row['slower'])} the swap list's, " for name, row in at_largest.items()}
        parts = [f"{name} {number(row['ns'])} ns ({ratios[name]}{_growing(powers[name])})" for name, row in at_largest.items()]
        sentences.append(f"To {_words(str(operation))}, on {number(largest)} cells: {listed(parts)}; quickest: {listed(best)}.")
    search = [row for row in rows if row["operation"] == "search"]
    if search:
        sentences.append(_verdict(search))
    return " ".join(sentences)


SWAP = "swap list"
ALIKE = 1.1
"""Times within a tenth of each other are not told apart."""


def _growing(power: float) -> str:
    return "whatever the size" if abs(power) < 0.15 else f"growing like cells^{power:.1f}"


def _words(operation: str) -> str:
    return {"search": "do what a search does (list, mark, unmark)", "list": "list the free cells"}.get(operation, f"{operation} a cell")


def _verdict(search: list[Row]) -> str:
    """The report's two claims: the swap list is best, and the linked list is worse than a fresh array."""
    sizes = grouped(search, "side")
    won = beaten = 0
    for some in sizes.values():
        by_name = {row["structure"]: row for row in some}
        won += all(row["slower_low"] > 1 for name, row in by_name.items() if name != SWAP)
        beaten += by_name["linked list"]["ns"] > by_name["fresh array"]["ns"]
    sentence = f"In a search the swap list beats every rival on {won} of {len(sizes)} boards (95 % intervals of the medians)"
    claim = f"the report's remark that a linked list does worse than a fresh array holds on {beaten} of {len(sizes)}"
    return f"{sentence}; {claim}" + (", the larger ones." if 0 < beaten < len(sizes) and _larger(sizes) else ".")


def _larger(sizes: dict[tuple[object, ...], list[Row]]) -> bool:
    """Whether the boards on which the linked list loses are the larger ones."""
    verdicts = []
    for (_,), some in sorted(sizes.items(), key=lambda item: int(str(item[0][0]))):
        by_name = {row["structure"]: row["ns"] for row in some}
        verdicts.append(by_name["linked list"] > by_name["fresh array"])
    return verdicts == sorted(verdicts)


# ---- Scaling ----


@finding("scaling")
def scaling(rows: list[Row]) -> str:
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
