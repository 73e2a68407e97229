"""What the data say of report 001's swap list and its rivals."""

from __future__ import annotations

from mnkala.lab.registry import Row, finding
from mnkala.lab.wording import grouped, growth, listed, number, times


@finding("free-cells")
def in_words(rows: list[Row]) -> str:
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
