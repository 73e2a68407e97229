"""What the data say of report 001's move ordering."""

from __future__ import annotations

from mnkala.lab.claims import NOT_TOLD, Judgement, claim, judged
from mnkala.lab.findings.ordering_lesson import learn
from mnkala.lab.registry import Row, finding
from mnkala.lab.strength import result_of, verdict
from mnkala.lab.studies.ordering import HAND_DEPTH
from mnkala.lab.wording import about, count, extremes, grouped, having, in_paragraphs, listed, number, times
from mnkala.play.series import SeriesResult
from mnkala.search.budget import usual_fill


@finding("ordering")
def in_words(rows: list[Row]) -> str:
    """The nodes that each way of choosing allows, and which q and depth play best."""
    matches = having(rows, "share", "q", "depth")
    filled = having(rows, "share", "fill", "filled_depth")
    by_q = having(filled, "q")
    return in_paragraphs([_speeds(_factors(rows, "heap")), _branching(by_q)],
                         [_alone(having(rows, "ns", "select")),
                          _learned([row for row in matches if row.get("part") != "time"]),
                          _filled([row for row in filled if row not in by_q])])


def _factors(rows: list[Row], select: str) -> dict[str, Row]:
    """By board, the nodes in the same time against a full sort's."""
    return {f"{number(row['cells'])} cells": row for row in having(rows, "nodes_per_second", "select") if row["select"] == select}


def _speeds(heaps: dict[str, Row]) -> str:
    if not heaps:
        return ""
    factors = {board: float(row["times_sort"]) for board, row in heaps.items()}
    return f"In the same time a heap lets the player visit {extremes(factors, times)} the nodes that it visits with a full sort."


def _claimed(references: list[Row]) -> tuple[float, float] | None:
    """How many times more moves the report says: from, to."""
    return next(((row["times_low"], row["times_high"]) for row in references if row.get("times_low")), None)


def _alone(rows: list[Row]) -> str:
    """The choosing itself, without the search around it."""
    if not rows:
        return ""
    largest = max(int(row["cells"]) for row in rows)
    by_name = {str(row["select"]): row for row in rows if row["cells"] == largest}
    return f"Choosing alone among {number(largest)}: {listed(_microseconds(by_name))}."


def _microseconds(by_name: dict[str, Row]) -> list[str]:
    return [f"{name} {about(row['ns'] / 1000)} µs" for name, row in by_name.items()]


def _by_q(rows: list[Row]) -> dict[str, tuple[int, dict[int, SeriesResult]]]:
    """By board: the hand-chosen q, and what each q scores with a depth that the nodes fill."""
    found = {}
    for (game,), some in grouped(rows, "game").items():
        results = {int(row["q"]): result_of([row]) for row in some}
        hand = int(some[0]["hand_q"])
        if hand in results and len(results) > 1:
            found[str(game)] = hand, results
    return found


def _better_q(rows: list[Row]) -> list[str]:
    """Boards on which some q clearly beats the hand-chosen one, with the q."""
    return [f"{game} (q = {q})" for game, (hand, results) in _by_q(rows).items() for q, result in results.items()
            if result.interval[0] > results[hand].interval[1]]


def _branching(rows: list[Row]) -> str:
    boards = _by_q(rows)
    if not boards:
        return ""
    better = _better_q(rows)
    return (f"No q that was tried is clearly better than the report's on any of {count(len(boards), 'board')}." if not better else
            f"Clearly better than the report's q is another on {listed(better)}, of {count(len(boards), 'board')}.")


def _filled(rows: list[Row]) -> str:
    """What a depth computed from the nodes is worth against the fixed one."""
    default = [row for row in rows if row["fill"] == usual_fill(int(row["hand_q"]), int(row["moves"]))]
    sure = [verdict(result_of([row])) for row in default]
    return (f"A depth that the nodes can fill is clearly better than the fixed {HAND_DEPTH} in {sure.count('ahead')} and clearly worse in "
            f"{sure.count('behind')} of {count(len(sure), 'case')} (factor chosen by these games).") if sure else ""


def _learned(rows: list[Row]) -> str:
    """On which boards the best setting of a fitted surface, less what being the best of many flatters it by, beats the hand-chosen one."""
    boards = {str(game): some for (game,), some in grouped(rows, "game").items()}
    lessons = {game: lesson for game, some in boards.items() if (lesson := learn(some)) is not None}
    better = [game for game, lesson in lessons.items() if lesson.low > 0.5]
    told = ("At equal time a surface fitted to all settings suggests a better q and depth than the hand-chosen on "
            f"{listed(better) or 'none'}, of {count(len(lessons), 'board')}")
    return f"{told}{_by_themselves([row for game in better for row in boards[game]])}." if lessons else ""


def _by_themselves(rows: list[Row]) -> str:
    """How many of the settings that a surface was fitted to are clear without it."""
    sure = [verdict(result_of(some)) for some in grouped(rows, "game", "q", "depth").values()]
    clear = sure.count("ahead")
    alone = f"{clear} of {count(len(sure), 'setting')} there {'is' if clear == 1 else 'are'}" if clear else "no single setting is"
    return f"; {alone} clearly better without it" if sure else ""


@claim("ordering", report="001", says="a heap of the q best moves lets it explore 5 to 6 times more moves in the same time")
def five_to_six_times(rows: list[Row], references: list[Row]) -> Judgement:
    """By the intervals of the medians: on most boards, since the report names none; or on none."""
    claimed, heaps = _claimed(references), _factors(rows, "heap")
    if not claimed or not heaps:
        return NOT_TOLD
    factors = {board: float(row["times_sort"]) for board, row in heaps.items()}
    reached = [board for board, row in heaps.items() if row["times_sort_low"] >= claimed[0]]
    named = f" ({listed(reached)})" if reached else ""
    return judged(2 * len(reached) > len(heaps), all(row["times_sort_high"] < claimed[0] for row in heaps.values()),
                  f"{extremes(factors, times)} the nodes of a full sort, clearly {number(claimed[0])} times or more on {len(reached)} of "
                  f"{count(len(heaps), 'board')}{named}; the report names no board")


@claim("ordering", report="001", says="a heap chooses the best moves quicker than a full sort and quickselect, which it dropped")
def heap_is_quickest(rows: list[Row]) -> Judgement:
    """Without the search around it, by the intervals of the medians."""
    boards = [{str(row["select"]): row for row in some} for some in grouped(having(rows, "ns", "select"), "cells").values()]
    boards = [by_name for by_name in boards if {"heap", "sort", "quickselect"} <= set(by_name)]
    if not boards:
        return NOT_TOLD
    won = sum(all(by_name["heap"]["ns_high"] < by_name[other]["ns_low"] for other in ("sort", "quickselect")) for by_name in boards)
    lost = any(by_name["heap"]["ns_low"] > by_name[other]["ns_high"] for by_name in boards for other in ("sort", "quickselect"))
    largest = max(boards, key=lambda by_name: int(by_name["heap"]["cells"]))
    return judged(won == len(boards), lost, f"clearly quickest for {won} of {len(boards)} numbers of moves; among "
                  f"{number(largest['heap']['cells'])}: {listed(_microseconds(largest))}")
