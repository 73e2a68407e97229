"""What the data say of report 001's swap list and its rivals."""

from __future__ import annotations

from mnkala.lab.claims import NOT_TOLD, Judgement, claim, judged
from mnkala.lab.registry import Row, finding
from mnkala.lab.wording import count, grouped, growth, in_paragraphs, listed, number, power, times

SWAP, LINKED, FRESH = "swap list", "linked list", "fresh array"
ALIKE = 1.1
"""Times within a tenth of each other are not told apart."""
CONSTANT = 0.15
"""A time that grows with no larger power of the cells counts as constant."""


@finding("free-cells")
def in_words(rows: list[Row]) -> str:
    """Which structure is quickest at what, how they grow with the board, and whether the report was right to drop the others."""
    by_operation = {str(operation): some for (operation,), some in grouped(rows, "operation").items()}
    alone = [f"to {_words(operation)}, {listed(_quickest(some))}" for operation, some in by_operation.items() if operation != "search"]
    answer = [_verdict(by_operation["search"])] if "search" in by_operation else []
    answer += [f"On the largest board, quickest are, {'; '.join(alone)}."] if alone else []
    return in_paragraphs(answer, [_slower(by_operation["search"]) if "search" in by_operation else "", _marking(rows)])


def _largest(rows: list[Row]) -> dict[str, Row]:
    """The structures on the largest board."""
    most = max(int(row["cells"]) for row in rows)
    return {str(row["structure"]): row for row in rows if row["cells"] == most}


def _quickest(rows: list[Row]) -> list[str]:
    at_largest = _largest(rows)
    least = min(row["ns"] for row in at_largest.values())
    return [name for name, row in at_largest.items() if row["ns"] <= ALIKE * least]


def _words(operation: str) -> str:
    return "list the free cells" if operation == "list" else f"{operation} a cell"


def _won(search: list[Row]) -> tuple[int, int]:
    """On how many boards the swap list beats every rival, and of how many."""
    sizes = grouped(search, "side").values()
    return sum(all(row["slower_low"] > 1 for row in some if row["structure"] != SWAP) for some in sizes), len(sizes)


def _verdict(search: list[Row]) -> str:
    won, boards = _won(search)
    return f"In a search, which lists, marks and unmarks, the swap list clearly beats every rival on {won} of {count(boards, 'board')}."


def _slower(search: list[Row]) -> str:
    at_largest = _largest(search)
    told = listed([f"{name} {times(row['slower'])}" for name, row in at_largest.items() if name != SWAP])
    return f"On {number(next(iter(at_largest.values()))['cells'])} cells a search takes so many times the swap list's time: {told}."


def _worse(search: list[Row]) -> list[bool]:
    """Whether the linked list is slower than the fresh array, from the smallest board to the largest."""
    found = []
    for _, some in sorted(grouped(search, "cells").items(), key=lambda item: int(str(item[0][0]))):
        by_name = {row["structure"]: row["ns"] for row in some}
        if LINKED in by_name and FRESH in by_name:
            found.append(by_name[LINKED] > by_name[FRESH])
    return found


def _where(worse: list[bool]) -> str:
    larger = ", the larger ones" if 0 < sum(worse) < len(worse) and worse == sorted(worse) else ""
    return f"on {sum(worse)} of {count(len(worse), 'board')}{larger}"


def _marking(rows: list[Row]) -> str:
    """How marking and unmarking grow with the board."""
    marks = [row for row in rows if row["operation"] == "mark and unmark"]
    powers = {str(name): growth(some, "cells", "ns") for (name,), some in grouped(marks, "structure").items() if len(some) > 2}
    constant = [name for name, (found, _, _) in powers.items() if found < CONSTANT]
    growing = [f"{name} like {power('cells', found)}" for name, found in powers.items() if name not in constant]
    grow = f", and grows with {listed(growing)}" if growing else ""
    return f"Marking and unmarking takes the same on all boards with {listed(constant)}{grow}." if constant else ""


@claim("free-cells", report="001", says="in a search the swap list is quicker than a fresh array, a linked list and a hash set")
def swap_list_is_quickest(rows: list[Row]) -> Judgement:
    """By the intervals of its rivals' times as multiples of its own, on every board."""
    search = [row for row in rows if row["operation"] == "search"]
    if not search:
        return NOT_TOLD
    won, boards = _won(search)
    beaten = any(row["slower_high"] < 1 for row in search if row["structure"] != SWAP)
    at_largest = _largest(search)
    told = listed([f"{name} {times(row['slower'])}" for name, row in at_largest.items() if name != SWAP])
    return judged(won == boards, beaten, f"quicker than all on {won} of {count(boards, 'board')}; on the largest, {told} its time")


@claim("free-cells", report="001", says="the swap list marks and unmarks a cell in constant time")
def marks_in_constant_time(rows: list[Row]) -> Judgement:
    """By the interval of the power with which the time grows."""
    marks = [row for row in rows if row["operation"] == "mark and unmark" and row["structure"] == SWAP]
    if len(marks) < 3:
        return NOT_TOLD
    found = growth(marks, "cells", "ns")
    return judged(found[2] < CONSTANT, found[1] > CONSTANT, f"the time grows like {power('cells', found)}")


@claim("free-cells", report="001", says="a linked list does worse than a fresh array")
def linked_list_is_worse(rows: list[Row]) -> Judgement:
    """On all boards, or on none."""
    worse = _worse([row for row in rows if row["operation"] == "search"])
    return judged(all(worse), not any(worse), f"{_where(worse)}; the report names none") if worse else NOT_TOLD
