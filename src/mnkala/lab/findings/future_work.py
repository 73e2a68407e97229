"""What the data say of report 001's future work: updates in O(k), a learnt q, threads."""

from __future__ import annotations

from statistics import median

from mnkala.lab.claims import NOT_TOLD, Judgement, claim, judged
from mnkala.lab.registry import Row, finding
from mnkala.lab.strength import by_verdict, carried, result_of, told, verdict
from mnkala.lab.studies.future_work import LEARNT
from mnkala.lab.wording import count, grouped, growth, in_paragraphs, listed, percent, power, times
from mnkala.play.series import SeriesResult

FREE_CORES = 1.8
"""Two threads that got fewer cores than this were held up, by other work or by each other: what they visited is a lower bound."""
MANY, FEW = 7, 3
"""The ends of the report's q."""
MOST_NAMED = 2
"""So many boards are named; of more, their number."""


@finding("future-work")
def in_words(rows: list[Row]) -> str:
    """What each brings, then how updates grow, and which q suits which board."""
    return in_paragraphs([_updates(rows), _brings(rows)], [_against_constant(rows), _ends(rows), _threads_alone(rows), _growing(rows)])


# ---- Updates ----


def _squared(rows: list[Row]) -> list[Row]:
    """The rows of the slower way, which tell how many times slower it is."""
    return [row for row in rows if row.get("part") == "updates" and row["update"] != "O(k)"]


def _updates(rows: list[Row]) -> str:
    slow = _squared(rows)
    if not slow:
        return ""
    least, most = (end(slow, key=lambda row: float(row["slower_search"])) for end in (min, max))
    return (f"Updates in O(k) make the whole search {_factor(least)} to {_factor(most)} as fast as those in O(k²).")


def _factor(row: Row) -> str:
    return f"{times(row['slower_search'])} (k = {row['k']}, side {row['side']})"


def _growing(rows: list[Row]) -> str:
    """How the cost of an update grows with k, on the largest board, where the edge is far."""
    some = [row for row in rows if row.get("part") == "updates"]
    largest = [row for row in some if row["side"] == max(int(one["side"]) for one in some)]
    if len({row["k"] for row in largest}) < 3:
        return ""
    powers = [f"{power('k', growth(group, 'k', 'ns'))} in {name}" for (name,), group in grouped(largest, "update").items()]
    return f"On side {largest[0]['side']} an update's time grows like {listed(powers)}."


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
    learnt, speeds = _learnt(rows), _speeds(rows)
    words = []
    if learnt:
        better, worse = carried(list(learnt.values()))
        sure = "clearly better than" if better else "clearly worse than" if worse else "not clearly better than"
        words.append(f"the learnt q is {sure} the hand-chosen where they differ ({_shares(learnt)})")
    if speeds:
        words.append(f"two threads visit {_range(speeds, 'speed_up')} the nodes in the same time")
    text = "; ".join(words)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _shares(results: dict[str, SeriesResult]) -> str:
    return listed([f"{percent(result.share)} on {game}" for game, result in results.items()])


def _of_q(rows: list[Row]) -> list[Row]:
    return [row for row in rows if row.get("part") == "q"]


def _differing(rows: list[Row]) -> list[Row]:
    """The hand-chosen q against the learnt one, on boards where they differ."""
    return [row for row in _of_q(rows) if row["opponent"] == LEARNT and row["one"] == row["hand_q"] != row["learnt_q"]]


def _learnt(rows: list[Row]) -> dict[str, SeriesResult]:
    """The learnt q against the hand-chosen one, by board."""
    return {str(row["game"]): result_of([row]).turned() for row in _differing(rows)}


def _constant(rows: list[Row]) -> SeriesResult:
    """A q that is the same on every board against the learnt one, where that differs from the hand-chosen."""
    boards = _learnt(rows)
    return result_of(row for row in _of_q(rows) if row["opponent"] == LEARNT and row["one"] == FEW and row["game"] in boards)


def _against_constant(rows: list[Row]) -> str:
    result = _constant(rows)
    return f"On {listed(list(_learnt(rows)))} q = {FEW} scores {percent(result.share)} against the learnt." if result.games else ""


@claim("future-work", report="001", says="learning can choose q better than experience does")
def learnt_is_better(rows: list[Row]) -> Judgement:
    """On the boards where they differ."""
    results, constant = _learnt(rows), _constant(rows)
    if not results:
        return NOT_TOLD
    shares = [f"{told(results[str(row['game'])])} on {row['game']} ({row['learnt_q']} for {row['hand_q']})" for row in _differing(rows)]
    beside = f"; q = {FEW} scores {told(constant)} against the learnt q there" if constant.games else ""
    return judged(*carried(list(results.values())), f"against the hand-chosen, the learnt q scores {listed(shares)}{beside}")


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
    if len(names) <= MOST_NAMED:
        return listed([f"{name} ({percent(results[name].share)})" for name in names])
    return f"{len(names)} of {len(results)} boards ({100 * shares[0]:.0f} to {percent(shares[-1])})"


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


def _speeds(rows: list[Row]) -> list[Row]:
    return [row for row in rows if row.get("part") == "threads"]


def _had_cores(rows: list[Row]) -> bool:
    return all(row["cores_used"] >= FREE_CORES for row in rows)


def _range(rows: list[Row], name: str) -> str:
    least, most = (end(row[name] for row in rows) for end in (min, max))
    return times(least) if times(least) == times(most) else f"{times(least)} to {times(most)}"


def _cores(rows: list[Row]) -> str:
    """What they had: 2 cores, or only 1.6 of 2 cores."""
    cores = count(int(rows[0]["cores"]), "core")
    return cores if _had_cores(rows) else f"only {min(row['cores_used'] for row in rows):.1f} of {cores}"


def _threads_alone(rows: list[Row]) -> str:
    """Where the machine was busy, the reader must know."""
    speeds = _speeds(rows)
    return f"The two threads had {_cores(speeds)}." if speeds else ""


@claim("future-work", report="001", says="threads would let it explore more of the tree")
def threads_see_more(rows: list[Row]) -> Judgement:
    """By nodes in the same time. Threads that were held up can show a gain, which would be larger, but not that there is none."""
    speeds = _speeds(rows)
    if not speeds:
        return NOT_TOLD
    return judged(all(row["speed_up_low"] > 1 for row in speeds), _had_cores(speeds) and all(row["speed_up_high"] < 1 for row in speeds),
                  f"two threads visit {_range(speeds, 'speed_up')} the nodes in the same time; they had {_cores(speeds)}")
