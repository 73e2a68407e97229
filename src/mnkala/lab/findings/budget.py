"""What the data say of report 001's player and of what it dropped."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from mnkala.lab.claims import NOT_TOLD, Judgement, claim, judged
from mnkala.lab.registry import Row, finding
from mnkala.lab.strength import by_verdict, result_of, told, verdict
from mnkala.lab.wording import about, count, grouped, in_paragraphs, listed, number, percent
from mnkala.play.series import SeriesResult

REASONS = {
    "MCTS": "MCTS, which gets too few simulations in the time",
    "greedy": "the best cell without a search, which cannot plan",
    "pure alpha-beta": "pure alpha-beta, which takes too long on large boards",
    "five rules": "five rules and no search",
    "iterative deepening": "iterative deepening, which does not see enough of the tree",
}
"""Why the report dropped each."""
EXCEPTIONS = (("behind", "clearly lost"), ("undecided", "not decided"))


@finding("budget")
def in_words(rows: list[Row]) -> str:
    """Whom the player beats, what a clock in every node leaves unseen, and whether the budget plays better."""
    return in_paragraphs([_all_rivals(rows), _exceptions(rows)], [_looked_at(rows), *_games(rows), _cost(rows)])


def _part(rows: list[Row], name: str) -> list[Row]:
    return [row for row in rows if row.get("part") == name]


# ---- The players that were dropped ----


def _by_rival(rows: list[Row]) -> dict[str, SeriesResult]:
    """On all boards together."""
    return {str(rival): result_of(some) for (rival,), some in grouped(_part(rows, "rivals"), "rival").items()}


def _by_board(rows: list[Row], rival: str) -> dict[str, SeriesResult]:
    some = [row for row in _part(rows, "rivals") if row["rival"] == rival]
    return {str(game): result_of(one) for (game,), one in grouped(some, "game").items()}


def _all_rivals(rows: list[Row]) -> str:
    """The first sentence."""
    results = _by_rival(rows)
    if not results:
        return ""
    sure = by_verdict(results)
    boards = count(len(grouped(_part(rows, "rivals"), "game")), "board")
    if len(sure["ahead"]) == len(results):
        return f"Over {boards}, in equal time, the player clearly beats all that was dropped: {_shares(results)}."
    words = [f"{verb} {_shares({name: results[name] for name in sure[key]})}" for key, verb in
             (("ahead", "clearly beats"), ("behind", "clearly loses to"), ("undecided", "is not decided against")) if sure[key]]
    return f"Over {boards}, in equal time, the player {listed(words)}."


def _shares(results: Mapping[str, SeriesResult]) -> str:
    return listed([f"{name} {told(result)}" for name, result in results.items()])


def _exceptions(rows: list[Row]) -> str:
    """Single matches in which it is not clearly ahead."""
    matches = {(rival, board): result for rival in _by_rival(rows) for board, result in _by_board(rows, rival).items()}
    words = []
    for key, verb in EXCEPTIONS:
        boards = [board for (_, board), result in matches.items() if verdict(result) == key]
        if boards:
            words.append(f"{len(boards)} of {len(matches)} matches are {verb} (on {listed(list(dict.fromkeys(boards)))})")
    return f"By board, {listed(words)}." if words else ""


def judge_rival(rows: list[Row], *, rival: str) -> Judgement:
    """Reproduced if clearly ahead on all boards together and clearly behind on none."""
    boards = _by_board(rows, rival)
    if not boards:
        return NOT_TOLD
    sure, result = by_verdict(boards), _by_rival(rows)[rival]
    rest = "".join(f"; {words} on {listed(sure[key])}" for key, words in EXCEPTIONS if sure[key])
    return judged(verdict(result) == "ahead" and not sure["behind"], verdict(result) == "behind" or bool(sure["behind"]),
                  f"{told(result)} of the points over {count(len(boards), 'board')}{rest}")


for _rival, _words in REASONS.items():
    claim("budget", report="001", says=f"its player beats {_words}")(functools.partial(judge_rival, rival=_rival))


# ---- The clock ----


def _seen(rows: list[Row]) -> dict[tuple[str, float], dict[str, float]]:
    """By board and time: the part of the root moves that each player looked at."""
    found: dict[tuple[str, float], dict[str, float]] = {}
    for row in _part(rows, "moves"):
        found.setdefault((str(row["game"]), float(row["milliseconds"])), {})[str(row["player"])] = row["looked_at"] / row["root_moves"]
    return {case: parts for case, parts in found.items() if len(parts) == 2}


def _least(rows: list[Row]) -> str:
    """The case in which the clock cuts off most."""
    seen = _seen(rows)
    game, milliseconds = worst = min(seen, key=lambda case: seen[case]["clock"] / max(1e-9, seen[case]["budget"]))
    by_clock, by_budget = (percent(seen[worst][player]) for player in ("clock", "budget"))
    return f"{by_clock} of the root moves, a budget {by_budget} ({game}, {number(milliseconds)} ms)"


def _looked_at(rows: list[Row]) -> str:
    return f"A clock in every node sees as few as {_least(rows)}." if _seen(rows) else ""


@claim("budget", report="001", says="with a clock in every node it risks to search few of the root moves")
def few_root_moves(rows: list[Row]) -> Judgement:
    """A risk stands if somewhere less than half is seen of what a budget sees; it does not if a clock sees nowhere less."""
    seen = _seen(rows)
    if not seen:
        return NOT_TOLD
    return judged(any(parts["clock"] < parts["budget"] / 2 for parts in seen.values()),
                  all(parts["clock"] >= parts["budget"] for parts in seen.values()), f"a clock sees as few as {_least(rows)}")


def _against_clock(rows: list[Row], depth: str) -> SeriesResult:
    return result_of(row for row in _part(rows, "clock") if row["depth"] == depth)


def _games(rows: list[Row]) -> list[str]:
    """The budget in play, with nothing else changed and as the player is."""
    fixed, filled = (_against_clock(rows, depth) for depth in ("fixed", "filled"))
    words = {"ahead": "plays clearly better", "behind": "plays clearly worse", "undecided": "plays neither clearly better nor worse"}
    said = [f"At equal nodes and depth a budget {words[verdict(fixed)]}: {told(fixed)}."] if fixed.games else []
    return said + ([f"With the depth that its nodes fill it scores {told(filled)}."] if filled.games else [])


@claim("budget", report="001", says="nodes shared out by a budget serve it better than a clock in every node")
def budget_is_better(rows: list[Row]) -> Judgement:
    """At equal nodes and depth, where only the sharing differs."""
    result = _against_clock(rows, "fixed")
    if not result.games:
        return NOT_TOLD
    return judged(verdict(result) == "ahead", verdict(result) == "behind", f"{told(result)} of the points at equal nodes and depth")


def _cost(rows: list[Row]) -> str:
    shares = [row["clock_ns"] / row["node_ns"] for row in _part(rows, "moves") if row.get("node_ns")]
    return f"Asking the clock would take at most {about(100 * max(shares))} % of a node." if shares else ""
