"""What the data say of report 001's future work: updates in O(k), a learnt q, threads."""

from __future__ import annotations

from statistics import median

from mnkala.lab.claims import NOT_TOLD, Judgement, claim, judged
from mnkala.lab.registry import Row, finding
from mnkala.lab.strength import by_verdict, result_of, told, verdict
from mnkala.lab.studies.future_work import LEARNT
from mnkala.lab.wording import count, grouped, growth, in_paragraphs, listed, percent, power, times
from mnkala.play.series import SeriesResult

FREE_CORES = 1.8
"""Two threads that got fewer cores than this were held up, by other work or by each other, and the time on the wall tells nothing sure."""
MANY, FEW = 7, 3
"""The ends of the report's q."""


@finding("future-work")
def in_words(rows: list[Row]) -> str:
    """What each brings, then how updates grow, and which q suits which board."""
    return in_paragraphs([_updates(rows), _brings(rows)], [_growing(rows), _ends(rows), _threads_alone(rows)])


# ---- Updates ----


def _squared(rows: list[Row]) -> list[Row]:
    """The rows of the slower way, which tell how many times slower it is."""
    return [row for row in rows if row.get("part") == "updates" and row["update"] != "O(k)"]


def _updates(rows: list[Row]) -> str:
    slow = _squared(rows)
    if not slow:
        return ""
    least, most = (end(slow, key=lambda row: float(row["slower_search"])) for end in (min, max))
    return (f"Updates in O(k) make the whole search {_factor(least)} to {_factor(most)} as fast as updates in O(k²) do.")


def _factor(row: Row) -> str:
    return f"{times(row['slower_search'])} (k = {row['k']}, side {row['side']})"


def _growing(rows: list[Row]) -> str:
    """How the cost of an update grows with k, on the largest board, where the edge is far."""
    some = [row for row in rows if row.get("part") == "updates"]
    largest = [row for row in some if row["side"] == max(int(one["side"]) for one in some)]
    if len({row["k"] for row in largest}) < 3:
        return ""
    powers = [f"{power('k', growth(group, 'k', 'ns'))} in {name}" for (name,), group in grouped(largest, "update").items()]
    return f"On side {largest[0]['side']} an update takes time like {listed(powers)}."


@claim("future-work", report="001", says="the heuristic can be kept up to date in O(k) instead of O(k²)")
def updates_in_o_of_k(rows: list[Row]) -> Judgement:
    """Quicker on every board and for every k, and by more the longer the line."""
    slow = _squared(rows)
    lengths = sorted({int(row["k"]) for row in slow})
    if len(lengths) < 2:
        return NOT_TOLD
    by_side = [sorted(some, key=lambda row: int(row["k"])) for some in grouped(slow, "side").values()]
    ratios = [f"{times(median(row['slower'] for row in slow if row['k'] == k))} for k = {k}" for k in (lengths[0], lengths[-1])]
    return judged(all(row["slower_low"] > 1 for row in slow) and all(some[-1]["slower_low"] > some[0]["slower_high"] for some in by_side),
                  any(row["slower_high"] < 1 for row in slow), f"O(k²) takes {listed(ratios)} the time of O(k)")


# ---- q ----


def _brings(rows: list[Row]) -> str:
    """The learnt q and the threads, in one sentence."""
    learnt, speeds = _learnt(rows), [row for row in rows if row.get("part") == "threads"]
    words = []
    if learnt.games:
        sure = {"ahead": "clearly better than", "behind": "clearly worse than", "undecided": "not to be told from"}[verdict(learnt)]
        words.append(f"the learnt q is {sure} the hand-chosen where they differ, {told(learnt)}")
    if speeds and _had_cores(speeds):
        words.append(f"two threads visit {_range(speeds, 'speed_up')} the nodes in the same time")
    elif speeds:
        words.append(f"two threads would visit {_range(speeds, 'by_processor')} the nodes on two free cores, by their processor time")
    text = listed(words)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _of_q(rows: list[Row]) -> list[Row]:
    return [row for row in rows if row.get("part") == "q"]


def _learnt(rows: list[Row]) -> SeriesResult:
    """The learnt q against the hand-chosen one, on boards where they differ."""
    return result_of(row for row in _of_q(rows) if row["opponent"] == LEARNT and row["one"] == row["hand_q"] != row["learnt_q"]).turned()


@claim("future-work", report="001", says="learning can choose q better than experience does")
def learnt_is_better(rows: list[Row]) -> Judgement:
    """On the boards where they differ, all together."""
    result = _learnt(rows)
    if not result.games:
        return NOT_TOLD
    boards = [f"{row['game']} ({row['learnt_q']} for {row['hand_q']})" for row in _of_q(rows)
              if row["opponent"] == LEARNT and row["one"] == row["hand_q"] != row["learnt_q"]]
    return judged(verdict(result) == "ahead", verdict(result) == "behind",
                  f"the learnt q scores {told(result)} against the hand-chosen, on {listed(boards)}")


def _many_against_few(rows: list[Row]) -> dict[str, SeriesResult]:
    """By board, from the smallest to the largest."""
    some = [row for row in _of_q(rows) if row["one"] == MANY and row["other"] == FEW]
    return {str(row["game"]): result_of([row]) for row in sorted(some, key=lambda row: int(row["cells"]))}


def _ends(rows: list[Row]) -> str:
    results = _many_against_few(rows)
    if not results:
        return ""
    sure = by_verdict(results)
    words = [f"{verb} {_boards(sure[key], results)}" for key, verb in
             (("ahead", "clearly better on"), ("behind", "clearly worse on"), ("undecided", "not decided on")) if sure[key]]
    return f"q = {MANY} against {FEW} is {listed(words)}."


def _boards(names: list[str], results: dict[str, SeriesResult]) -> str:
    """Few boards by name, several by their number; with their shares."""
    shares = sorted(results[name].share for name in names)
    if len(names) < 3:
        return listed([f"{name} ({percent(results[name].share)})" for name in names])
    return f"{len(names)} of {len(results)} boards ({percent(shares[0])} to {percent(shares[-1])} of the points)"


@claim("future-work", report="001", says="many moves (q = 7) suit small boards and few (q = 3) large ones")
def many_on_small_boards(rows: list[Row]) -> Judgement:
    """Of the two, the one is clearly better on the smallest board and the other on the largest."""
    results = _many_against_few(rows)
    if len(results) < 2:
        return NOT_TOLD
    small, *_, large = results
    found = verdict(results[small]), verdict(results[large])
    return judged(found == ("ahead", "behind"), found[0] == "behind" or found[1] == "ahead",
                  f"q = {MANY} scores {told(results[small])} against {FEW} on {small}, {told(results[large])} on {large}")


# ---- Threads ----


def _had_cores(rows: list[Row]) -> bool:
    return all(row["cores_used"] >= FREE_CORES for row in rows)


def _range(rows: list[Row], name: str) -> str:
    least, most = (end(row[name] for row in rows) for end in (min, max))
    return times(least) if times(least) == times(most) else f"{times(least)} to {times(most)}"


def _threads_alone(rows: list[Row]) -> str:
    """Where the machine was busy, the reader must know."""
    speeds = [row for row in rows if row.get("part") == "threads"]
    if not speeds or _had_cores(speeds):
        return f"({count(int(speeds[0]['cores']), 'core')}.)" if speeds else ""
    return f"They had only {min(row['cores_used'] for row in speeds):.1f} of {count(int(speeds[0]['cores']), 'core')}."


@claim("future-work", report="001", says="threads would let it explore more of the tree")
def threads_see_more(rows: list[Row]) -> Judgement:
    """By nodes in the same time, if two cores were free."""
    speeds = [row for row in rows if row.get("part") == "threads"]
    if not speeds:
        return NOT_TOLD
    if not _had_cores(speeds):
        return Judgement(NOT_TOLD.verdict, f"they did not have two cores; by processor time {_range(speeds, 'by_processor')} the nodes")
    return judged(all(row["speed_up_low"] > 1 for row in speeds), all(row["speed_up_high"] < 1 for row in speeds),
                  f"{_range(speeds, 'speed_up')} the nodes in the same time with two threads on {count(int(speeds[0]['cores']), 'core')}")
