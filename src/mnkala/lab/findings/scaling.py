"""What the data say of larger boards and of threads."""

from __future__ import annotations

import itertools
from statistics import median

from mnkala.lab.claims import NOT_TOLD, Judgement, claim, judged
from mnkala.lab.registry import Row, finding
from mnkala.lab.wording import about, extremes, grouped, growth, having, in_paragraphs, listed, number, power, times

FEWEST = 4
"""Boards that a power is fitted to, at least."""
CROWDED = 1.7
"""With fewer cores than this in use, two threads were not really two."""
STEP = 2.0
"""Between one board and the next, a fall by more than this factor is told."""


@finding("scaling")
def in_words(rows: list[Row]) -> str:
    """How time, speed and memory change from the smallest board to the largest, and what a second thread brings."""
    families = {family: some for family, some in _families(rows).items() if len(some) > 1}
    gain, made_of = _threads(rows)
    if not families:
        return in_paragraphs(["These are too few boards to tell how time grows with the board.", gain], [made_of])
    seconds = listed([f"{_ends(some, 'seconds')} s from {some[0]['cells']} to {number(some[-1]['cells'])} cells ({family})"
                      for family, some in families.items()])
    speed = listed([f"{_ends(some, 'nodes_per_cpu_second', 1e6)} ({family}{_step(some)})" for family, some in families.items()])
    memory = listed([f"{_ends(some, 'kilobytes')} ({family})" for family, some in families.items()])
    return in_paragraphs([f"To a fixed depth `deepening` takes {seconds}.", gain],
                         [made_of, f"Million nodes a CPU second: {speed}.", f"Kilobytes beyond the table: {memory}."])


def _families(rows: list[Row]) -> dict[str, list[Row]]:
    """Boards of a family from small to large."""
    return {str(family): sorted(some, key=lambda row: int(row["cells"]))
            for (family,), some in grouped(having(rows, "kilobytes"), "family").items()}


def _ends(boards: list[Row], column: str, unit: float = 1) -> str:
    """What the smallest and the largest board have: no power, for between them there may be a step."""
    return f"{about(boards[0][column] / unit)} to {about(boards[-1][column] / unit)}"


def _step(boards: list[Row]) -> str:
    """Where speed does not fall little by little, but at once."""
    falls = [(small, large) for small, large in itertools.pairwise(boards)
             if small["nodes_per_cpu_second"] > STEP * large["nodes_per_cpu_second"]]
    return "".join(f", {_ends([small, large], 'nodes_per_cpu_second', 1e6)} between {small['cells']} and {large['cells']} cells"
                   for small, large in falls)


def _threads(rows: list[Row]) -> tuple[str, str]:
    """The gain of a second thread by family, for on some it is a loss, and what it is made of."""
    searches = grouped(having(rows, "threads", "position"), "family", "game", "position")
    ordered = (sorted(some, key=lambda row: int(row["threads"])) for some in searches.values())
    pairs = [(some[0], some[1]) for some in ordered if [row["threads"] for row in some] == [1, 2]]
    if not pairs:
        return "", ""
    gains: dict[str, dict[str, list[float]]] = {}
    for one, two in pairs:
        gains.setdefault(str(one["family"]), {}).setdefault(str(one["game"]), []).append(one["seconds"] / two["seconds"])
    medians = {family: {game: median(some) for game, some in games.items()} for family, games in gains.items()}
    words = listed([f"{family} {extremes(games, '{:.2f}'.format).removeprefix('from ')}" for family, games in medians.items()])
    cores = median(two["cores"] for _, two in pairs)
    visited = median(two["nodes"] / one["nodes"] for one, two in pairs)
    crowded = f" They had {cores:.1f} cores: this is not what they can do on an idle machine." if cores < CROWDED else ""
    return (f"Two threads are by the clock this many times as quick as one, by board: {words}.",
            f"Two threads visit {times(visited)} the nodes.{crowded}")


@claim("scaling", report="001", says="memory grows no faster than the board: O(mn)")
def memory_grows_no_faster(rows: list[Row]) -> Judgement:
    """On the boards of (m,n,k)-games, for our search that deepens; the report's own player is not measured here."""
    boards = _families(rows).get("mnk", [])
    if len(boards) < FEWEST:
        return NOT_TOLD
    found = growth(boards, "cells", "kilobytes")
    return judged(found[2] <= 1, found[1] > 1, f"our deepening search, its table apart: {power('cells', found)}")
