"""Report 000's table: the mean time of the computer's moves in a game, by the number of its moves,
for three algorithms.

People played the report's games. Ours are played by engines of many strengths, so that short and
long games occur; for each length in the report we find some games in which the computer makes
exactly so many moves, and time its decisions in them.
"""

from __future__ import annotations

import functools
import itertools
import math
import random
from collections.abc import Iterator
from statistics import fmean

from mnkala.core import Position
from mnkala.lab.judging import Sentences, grouped, having, mean_interval, slope_interval, where
from mnkala.lab.measuring import answer, engine_for, typical_seconds
from mnkala.lab.registry import NOT_TOLD, Judgement, Row, brief, claim, finding, judged, measure
from mnkala.lab.tables import mean_and_half
from mnkala.search import Analysis

ALGORITHMS = {
    "Minimax": "minimax:depth=4,heuristic=utility",
    "Alpha-Beta": "alphabeta:depth=4,heuristic=utility",
    "MCTS": "mcts:iterations=1000,expand=all,solve=off,keep=off,seed={seed}",
}
"""The algorithms of the report. Its depth of 5 includes the level of the root: at most 1 + 7 + … +
7^4 = 2,801 nodes, which is depth 4 here.
"""

EMPTY = {
    "Minimax": "minimax:depth=1,heuristic=utility",
    "Alpha-Beta": "alphabeta:depth=1,heuristic=utility",
    "MCTS": "mcts:iterations=1,expand=all,solve=off,keep=off,seed=1",
}
"""The same algorithms with almost nothing to search, for the cost of a query beside its nodes.
Moves at the root are played in Python.
"""

OPPONENTS = (
    "random",
    "greedy",
    "alphabeta:depth=1",
    "alphabeta:depth=2",
    "alphabeta:depth=4",
    "deepening:nodes=3000",
)


@measure("time-a-move", version=4)
def time_a_move(
    algorithm: str, computer_moves: int, games: int = 5, tries: int = 240, repeats: int = 3
) -> Row:
    """The mean CPU time, nodes and memory of the computer's moves in games of Connect Four in which
    it makes so many.

    `ms` is the time without the cost of an empty query, `whole_ms` all of it: with the report's few
    nodes the difference matters.
    """
    found: list[tuple[int, tuple[Position, ...]]] = []
    for game in range(tries):
        decisions = _decisions(algorithm, game)
        if len(decisions) == computer_moves:
            found.append((game, decisions))
        if len(found) == games:
            break
    if not found:
        return {
            "games": 0,
            "ms": None,
            "ms_low": None,
            "ms_high": None,
            "whole_ms": None,
            "fixed_ms": None,
            "nodes": None,
            "most_nodes": None,
            "held": None,
        }
    means, empty, nodes, most, held, same = [], [], [], 0, [], 0
    for game, decisions in found:
        means.append(
            1000
            * fmean(_seconds(_engine(algorithm, game), position, repeats) for position in decisions)
        )
        empty.append(
            1000 * fmean(_seconds(EMPTY[algorithm], position, repeats) for position in decisions)
        )
        analyses = [_ask(algorithm, game, position) for position in decisions]
        nodes.append(sum(analysis.nodes for analysis in analyses) / len(analyses))
        most = max(most, *(analysis.nodes for analysis in analyses))
        held += [analysis.held for analysis in analyses]
        same += sum(_same_move(game, position) for position in decisions)
    mean, half = mean_and_half([whole - fixed for whole, fixed in zip(means, empty, strict=True)])
    return {
        "games": len(found),
        "ms": mean,
        "ms_low": None if half is None else mean - half,
        "ms_high": None if half is None else mean + half,
        "whole_ms": fmean(means),
        "fixed_ms": fmean(empty),
        "nodes": fmean(nodes),
        "most_nodes": most,
        "held": max(held),
        "decisions": sum(len(decisions) for _, decisions in found),
        "same_moves": same,
    }


def _same_move(game: int, position: Position) -> bool:
    """Whether Minimax and Alpha-Beta choose the same move."""
    return (
        len(
            {
                _ask(algorithm, game, position).line_codes[0]
                for algorithm in ("Minimax", "Alpha-Beta")
            }
        )
        == 1
    )


def _engine(algorithm: str, game: int) -> str:
    return ALGORITHMS[algorithm].format(seed=game)


def _ask(algorithm: str, game: int, position: Position) -> Analysis:
    return answer(_engine(algorithm, game), position)


def _seconds(text: str, position: Position, repeats: int) -> float:
    engine = engine_for(text, position)
    return typical_seconds(lambda: answer(engine, position), repeats, at_least=0.002)


@functools.lru_cache(maxsize=2000)
def _decisions(algorithm: str, game: int) -> tuple[Position, ...]:
    """The positions in which the computer had to move in game number `game`, whoever moved first;
    kept for the next length.
    """
    return tuple(_game(algorithm, game))


def _game(algorithm: str, game: int) -> Iterator[Position]:
    """Yield the positions of a game in which the computer has to move. Each side's first move is
    random, so that no two games are alike; the computer is timed there as well.
    """
    chance = random.Random(game)
    opponent = OPPONENTS[game % len(OPPONENTS)] + (
        f":seed={game}" if game % len(OPPONENTS) == 0 else ""
    )
    computer = (game // len(OPPONENTS)) % 2
    position = Position("connect4")
    while not position.is_over:
        ours = position.mover == computer
        if ours:
            yield position
        if len(position.history) < 2:
            move = chance.choice(position.legal_codes)
        else:
            move = answer(_engine(algorithm, game) if ours else opponent, position).line_codes[0]
        position = position.play_codes([move])


# ---- What the rows say ----


SAY = Sentences(__file__)
ORDER = ("Alpha-Beta", "Minimax", "MCTS")
"""The algorithms from fast to slow, according to the report."""
TREE = "MCTS"
REPORTED_NODES = 2801
"""The algorithm that holds its tree in memory."""


@finding("timing")
def in_words(rows: list[Row]) -> str:
    """Say whose moves are fastest, what is held in memory, and how much of the time is not spent on
    searching, beside the report's figures."""
    timed = having(rows, "ms")
    if not timed:
        return SAY.no_games()
    order = _means(timed, "ms")
    lengths = sorted({int(row["computer_moves"]) for row in timed})
    by_name = dict(_means(having(timed, "fixed_ms"), "fixed_ms"))
    fixed = [(name, by_name[name]) for name, _ in order if name in by_name]
    ours, theirs = dict(order), _means(having(timed, "report_ms"), "report_ms")
    return SAY.finding(
        ours=order,
        theirs=sorted(theirs, key=lambda one: list(ours).index(one[0])),
        theirs_order=[name for name, _ in theirs],
        memory=_memory(timed),
        shortest=lengths[0],
        longest=lengths[-1],
        changes=_by_length(timed, list(ours), lengths),
        fixed=fixed,
        costly=[name for name, ms in fixed if ms > ours[name]],
    )


@brief("timing", report="000", plot="Mean time a move, by how many moves the computer made")
def in_brief(rows: list[Row]) -> Row:
    """The mean milliseconds of a move of each algorithm."""
    means = dict(_means(having(rows, "ms"), "ms"))
    return {name.lower().replace("-", ""): ms for name, ms in means.items()}


def _means(rows: list[Row], column: str) -> list[tuple[str, float]]:
    """The mean of a column for each algorithm, the smallest first."""
    means = [
        (name, fmean(row[column] for row in some))
        for name, some in grouped(rows, "algorithm").items()
    ]
    return sorted(means, key=lambda one: one[1])


def _memory(rows: list[Row]) -> list[Row]:
    """For each algorithm, the largest number of nodes held in memory, the report's bound if it
    gives one and, for those that hold only a path, the mean number of nodes visited, because the
    report's bound is for the tree that they visit."""
    return [
        {
            "name": name,
            "held": max(int(row["held"]) for row in some),
            "visited": None if name == TREE else round(fmean(row["nodes"] for row in some)),
            "bound": next((row["report_held"] for row in some if row.get("report_held")), None),
        }
        for name, some in grouped(rows, "algorithm").items()
    ]


def _by_length(rows: list[Row], order: list[str], lengths: list[int]) -> list[tuple[str, float]]:
    """For each algorithm, the mean time of a move in the longest games divided by that in the
    shortest."""
    changes = []
    for name in order:
        by_length = {row["computer_moves"]: row["ms"] for row in rows if row["algorithm"] == name}
        if len(lengths) > 1 and {lengths[0], lengths[-1]} <= set(by_length):
            changes.append((name, by_length[lengths[-1]] / by_length[lengths[0]]))
    return changes


@claim(
    "timing",
    report="000",
    says="Alpha-Beta is the quickest, then Minimax, then MCTS of 1,000 iterations",
    needs=("ms",),
)
def order_of_times(rows: list[Row]) -> Judgement:
    """Judge by the ratios of the algorithms' times: the mean logarithm over the lengths of games
    that both have."""
    by_name = {
        name: {row["computer_moves"]: math.log(row["ms"]) for row in where(rows, algorithm=name)}
        for name in ORDER
    }
    found, ratios = [], []
    for quick, slow in itertools.pairwise(ORDER):
        both = sorted(by_name[quick].keys() & by_name[slow].keys())
        if len(both) < 2:
            return NOT_TOLD
        found.append(
            mean_interval([by_name[slow][length] - by_name[quick][length] for length in both])
        )
        ratios.append((slow, quick, *map(math.exp, found[-1])))
    return judged(
        all(low > 0 for _, low, _ in found),
        any(high < 0 for _, _, high in found),
        SAY.order(ratios=ratios),
    )


@claim(
    "timing",
    report="000",
    says="Minimax and Alpha-Beta make the same moves",
    needs=("decisions", "same_moves"),
)
def same_moves(rows: list[Row]) -> Judgement:
    """Judge by every position in which either of the two had to move."""
    decisions, same = (sum(row[name] for row in rows) for name in ("decisions", "same_moves"))
    return (
        judged(same == decisions, same < decisions, SAY.same_moves(same=same, decisions=decisions))
        if decisions
        else NOT_TOLD
    )


@claim(
    "timing",
    report="000",
    says="MCTS of 1,000 iterations keeps at most 7,001 nodes in memory",
    needs=("held", "report_held"),
)
def memory_bound(rows: list[Row]) -> Judgement:
    """Judge by the largest number of nodes held at any move. The report's bound for the other
    algorithms is for a tree that ours visit but do not hold."""
    told = where(rows, algorithm=TREE)
    if not told:
        return NOT_TOLD
    kept = all(row["held"] <= row["report_held"] for row in told)
    return judged(kept, not kept, SAY.memory(held=max(int(row["held"]) for row in told)))


@claim(
    "timing",
    report="000",
    says="Minimax and Alpha-Beta visit at most 2,801 nodes a move",
    needs=("most_nodes",),
)
def most_visited(rows: list[Row]) -> Judgement:
    """By the largest number of nodes of any move. The report's number counts the root, as ours do."""
    most = {
        name: max(int(row["most_nodes"]) for row in some)
        for name, some in grouped(rows, "algorithm").items()
        if name != TREE
    }
    if not most:
        return NOT_TOLD
    kept = max(most.values()) <= REPORTED_NODES
    return judged(kept, not kept, SAY.visited(most=list(most.items())))


def time_falls(rows: list[Row], *, name: str) -> Judgement:
    """Judge by the slope of the logarithm of the time against the length of the game.

    The report's text does not make this claim, but its five games show it. An interval that
    excludes the report's own slope refutes the claim, even if a slower fall remains possible.
    """
    some = sorted(where(rows, algorithm=name), key=lambda row: int(row["computer_moves"]))
    if len(some) < 3:
        return NOT_TOLD
    found = _slope(some, "ms")
    theirs = having(some, "report_ms")
    told = _slope(theirs, "report_ms")[0] if len(theirs) > 2 else 0.0
    return judged(
        found[2] < 0,
        found[1] > min(told, 0.0),
        SAY.a_move_more(
            slope=[100 * math.expm1(value) for value in found],
            told=100 * math.expm1(told) if told else None,
            ours=_change(some, "ms"),
            theirs=_change(theirs, "report_ms") if len(theirs) > 1 else None,
        ),
    )


for _name in ("Minimax", TREE):
    claim(
        "timing",
        report="000",
        says=f"with {_name} the mean time a move falls as games last longer (by its table)",
        needs=("ms", "computer_moves"),
    )(functools.partial(time_falls, name=_name))


def _slope(rows: list[Row], column: str) -> tuple[float, float, float]:
    """The change of the logarithm of a time with each additional move, with its interval."""
    return slope_interval([(float(row["computer_moves"]), math.log(row[column])) for row in rows])


def _change(rows: list[Row], column: str) -> Row:
    """The change from the shortest game to the longest."""
    return {
        "factor": rows[-1][column] / rows[0][column],
        "least": rows[0]["computer_moves"],
        "most": rows[-1]["computer_moves"],
    }
