"""What the exact solver says of engines and levels."""

from __future__ import annotations

from collections.abc import Sequence

from mnkala.lab.registry import Row, finding
from mnkala.lab.studies.judge import ALL
from mnkala.lab.wording import count, grouped, having, in_paragraphs, listed, percent, with_interval

PLACES = {"connect4": "in Connect Four", "kalah": "in Kalah", "mnk:5x5x4": "on 5×5"}
TOLD_LEVELS = (1, 10)
"""Of ten levels, those that a sentence has room for."""


@finding("judge")
def in_words(rows: list[Row]) -> str:
    """How often results are given away by level and by engine, and when in the game."""
    whole = [row for row in having(rows, "share", "plies") if row["plies"] == ALL]
    if not whole:
        return "No move was judged."
    levels, engines = [row for row in whole if row.get("level")], [row for row in whole if not row.get("level")]
    judged = {row["game"] for row in levels}
    return in_paragraphs([_levels(levels), _when([row for row in rows if row["game"] in judged])], [_engines(engines)])


def _levels(rows: Sequence[Row]) -> str:
    games = {game: {int(row["level"]): row for row in some} for (game,), some in grouped(rows, "game").items()}
    levels = [level for level in TOLD_LEVELS if games and all(level in some for some in games.values())]
    if not levels:
        return ""
    said = [f"{_place(game)} at {listed([_share(some[level]) for level in levels])}" for game, some in games.items()]
    which = f"level{'' if len(levels) == 1 else 's'} {listed([str(level) for level in levels])}"
    return f"Of moves with a proved result to lose, {which} lose{'s' if len(levels) == 1 else ''} it {'; '.join(said)}."


def _place(game: object) -> str:
    return PLACES.get(str(game), f"in {game}")


def _share(row: Row) -> str:
    return with_interval(row["share"], row["low"], row["high"])


def _when(rows: Sequence[Row]) -> str:
    """Early moves against late ones, all players of a game together."""
    said = []
    for (game,), some in grouped([row for row in having(rows, "ply") if row["chances"]], "game").items():
        bands = [[row for row in some if row["ply"] == ply] for ply in sorted({int(row["ply"]) for row in some})]
        if len(bands) > 1:
            told = [f"{percent(_together(band))} of moves {band[0]['plies']}" for band in (bands[0], bands[-1])]
            said.append(f"{listed(told)} {_place(game)}")
    return f"All players together lose it at {'; '.join(said)}." if said else ""


def _together(rows: Sequence[Row]) -> float:
    """The share of some rows together."""
    return float(sum(row["given"] for row in rows) / sum(row["chances"] for row in rows))


def _engines(rows: Sequence[Row]) -> str:
    """The engine with the least share, and how many of the others are not clearly worse."""
    said = []
    for (game,), some in grouped(rows, "game").items():
        best = min(some, key=lambda row: float(row["share"]))
        near = sum(row is not best and row["low"] <= best["high"] for row in some)
        said.append(f"{best['engine']} {_place(game)}, {_share(best)}" + (f", tied with {count(near, 'other')}" if near else ""))
    return f"Engines that lose least (tied: intervals touch): {'; '.join(said)}." if said else ""
