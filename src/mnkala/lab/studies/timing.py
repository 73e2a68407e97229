"""Report 000's table: the mean time of the computer's moves in a game, by how many moves it made, for three algorithms.

The report's games were played by people. Ours are played by engines of many strengths, so that short and long games come up; for each
length that the report lists, some games in which the computer makes exactly so many moves are found, and its decisions in them are timed.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator
from statistics import fmean, median

from mnkala.games import Position
from mnkala.lab.clock import typical_seconds
from mnkala.lab.positions import answer, engine_for
from mnkala.lab.registry import Row, finding, measure
from mnkala.lab.tables import mean_and_half
from mnkala.lab.wording import extremes, grouped, having, listed, number, times
from mnkala.search import Analysis

ALGORITHMS = {
    "Minimax": "minimax:depth=4,heuristic=utility",
    "Alpha-Beta": "alphabeta:depth=4,heuristic=utility",
    "MCTS": "mcts:iterations=1000,expand=all,solve=off,keep=off,seed={seed}",
}
"""As the report has them. Its depth of 5 counts the level of the root: at most 1 + 7 + … + 7^4 = 2,801 nodes, which is depth 4 here."""

OPPONENTS = ("random", "greedy", "alphabeta:depth=1", "alphabeta:depth=2", "alphabeta:depth=4", "deepening:nodes=3000")


@measure("time-a-move", version=1)
def time_a_move(algorithm: str, computer_moves: int, games: int = 5, tries: int = 240, repeats: int = 3) -> Row:
    """Mean CPU time, nodes and memory of the computer's moves in games of Connect Four in which it makes so many."""
    found: list[tuple[int, tuple[Position, ...]]] = []
    for game in range(tries):
        decisions = _decisions(algorithm, game)
        if len(decisions) == computer_moves:
            found.append((game, decisions))
        if len(found) == games:
            break
    if not found:
        return {"games": 0, "ms": None, "ms_low": None, "ms_high": None, "nodes": None, "held": None}
    means, nodes, held = [], [], []
    for game, decisions in found:
        seconds = [_seconds(algorithm, game, position, repeats) for position in decisions]
        means.append(1000 * sum(seconds) / len(seconds))
        analyses = [_ask(algorithm, game, position) for position in decisions]
        nodes.append(sum(analysis.nodes for analysis in analyses) / len(analyses))
        held += [analysis.held for analysis in analyses]
    mean, half = mean_and_half(means)
    return {"games": len(found), "ms": mean, "ms_low": None if half is None else mean - half,
            "ms_high": None if half is None else mean + half, "nodes": sum(nodes) / len(nodes), "held": max(held)}


def _engine(algorithm: str, game: int) -> str:
    return ALGORITHMS[algorithm].format(seed=game)


def _ask(algorithm: str, game: int, position: Position) -> Analysis:
    return answer(_engine(algorithm, game), position)


def _seconds(algorithm: str, game: int, position: Position, repeats: int) -> float:
    engine = engine_for(_engine(algorithm, game), position)
    return typical_seconds(lambda: answer(engine, position), repeats, at_least=0.002)


@functools.lru_cache(maxsize=2000)
def _decisions(algorithm: str, game: int) -> tuple[Position, ...]:
    """The positions in which the computer had to move in game number `game`, whoever moved first. Kept for the next length."""
    return tuple(_game(algorithm, game))


def _game(algorithm: str, game: int) -> Iterator[Position]:
    """Each side's first move is random, so that no two games are alike; the computer is timed there all the same."""
    chance = random.Random(game)
    opponent = OPPONENTS[game % len(OPPONENTS)] + (f":seed={game}" if game % len(OPPONENTS) == 0 else "")
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


# ---- The finding ----


@finding("timing")
def in_words(rows: list[Row]) -> str:
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
