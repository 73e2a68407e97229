"""What the data say of report 000's table of times."""

from __future__ import annotations

import itertools
import math
from statistics import fmean

from mnkala.lab.claims import NOT_TOLD, Judgement, claim, judged
from mnkala.lab.registry import Row, finding
from mnkala.lab.wording import about, grouped, having, in_paragraphs, listed, mean_interval, number, times

ORDER = ("Alpha-Beta", "Minimax", "MCTS")
"""From quick to slow, as the report has it."""


@finding("timing")
def in_words(rows: list[Row]) -> str:
    """Whose moves are quickest, what is held in memory, and how much of a time is no search at all; the report beside us."""
    timed = having(rows, "ms")
    if not timed:
        return "No game of the wanted lengths came up."
    ours = {str(name): fmean(row["ms"] for row in some) for (name,), some in grouped(timed, "algorithm").items()}
    told = having(timed, "report_ms")
    theirs = {str(name): fmean(row["report_ms"] for row in some) for (name,), some in grouped(told, "algorithm").items()}
    order = sorted(ours, key=ours.__getitem__)
    same = "" if not theirs else ", the report's order too" if order == sorted(theirs, key=theirs.__getitem__) else \
        f"; the report's order is {' < '.join(sorted(theirs, key=theirs.__getitem__))}"
    held = {str(name): max(int(row["held"]) for row in some) for (name,), some in grouped(timed, "algorithm").items()}
    bounds = {str(row["algorithm"]): int(row["report_held"]) for row in having(told, "report_held")}
    memory = listed([f"{number(held[name])} with {name}" for name in order])
    kept = f" (the report's bounds: {listed([number(bounds[name]) for name in order])})" if set(order) <= set(bounds) else ""
    lengths = sorted({int(row["computer_moves"]) for row in timed})
    return in_paragraphs(
        [f"From quick to slow, a move takes {listed([f'{about(ours[name])} ms with {name}' for name in order])} on average{same}.",
         f"The most nodes held in memory are {memory}{kept}."],
        [f"The report's mean times are {listed([f'{theirs[name]:.0f} ms with {name}' for name in order if name in theirs])}, "
         "in Java on another machine." if theirs else "", _by_length(timed, order, lengths), _fixed_cost(timed)])


def _by_length(rows: list[Row], order: list[str], lengths: list[int]) -> str:
    """Whether moves take less time in games in which the computer makes more of them."""
    changes = []
    for name in order:
        by_length = {row["computer_moves"]: row for row in rows if row["algorithm"] == name}
        if len(lengths) > 1 and {lengths[0], lengths[-1]} <= set(by_length):
            changes.append(f"{times(by_length[lengths[-1]]['ms'] / by_length[lengths[0]]['ms'])} with {name}")
    return f"From {lengths[0]} to {lengths[-1]} moves a game the time changes to {listed(changes)}." if changes else ""


def _fixed_cost(rows: list[Row]) -> str:
    """What a question costs beside its nodes, measured by an empty one."""
    fixed = [float(row["fixed_ms"]) for row in having(rows, "fixed_ms")]
    return f"What an empty question costs, {about(fmean(fixed))} ms, was measured beside it and is taken off." if fixed else ""


@claim("timing", report="000", says="Alpha-Beta is the quickest, then Minimax, then MCTS of 1,000 iterations")
def order_of_times(rows: list[Row]) -> Judgement:
    """By the lengths of games that both have: the mean of the logarithms of their ratios."""
    timed = having(rows, "ms")
    by_name = {name: {row["computer_moves"]: math.log(row["ms"]) for row in timed if row["algorithm"] == name} for name in ORDER}
    found, words = [], []
    for quick, slow in itertools.pairwise(ORDER):
        both = sorted(by_name[quick].keys() & by_name[slow].keys())
        if len(both) < 2:
            return NOT_TOLD
        found.append(mean_interval([by_name[slow][length] - by_name[quick][length] for length in both]))
        mean, low, high = (math.exp(value) for value in found[-1])
        words.append(f"{slow} takes {mean:.2f} ({low:.2f} to {high:.2f}) times {quick}'s time")
    return judged(all(low > 0 for _, low, _ in found), any(high < 0 for _, _, high in found), listed(words))


@claim("timing", report="000", says="Minimax and Alpha-Beta make the same moves")
def same_moves(rows: list[Row]) -> Judgement:
    """In every position in which either of them had to move."""
    told = having(rows, "decisions", "same_moves")
    decisions, same = sum(row["decisions"] for row in told), sum(row["same_moves"] for row in told)
    return judged(same == decisions, same < decisions, f"in {same} of {decisions} decisions") if decisions else NOT_TOLD


@claim("timing", report="000", says="a move keeps at most 2,801 nodes in memory with Minimax and Alpha-Beta, 7,001 with MCTS")
def memory_bounds(rows: list[Row]) -> Judgement:
    """By the largest number that was held at any move."""
    told = having(rows, "held", "report_held")
    if not told:
        return NOT_TOLD
    held = {str(name): max(int(row["held"]) for row in some) for (name,), some in grouped(told, "algorithm").items()}
    kept = all(row["held"] <= row["report_held"] for row in told)
    return judged(kept, not kept, f"at most {listed([f'{number(most)} with {name}' for name, most in held.items()])}")
