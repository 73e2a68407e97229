"""What the exact solver says of engines and levels."""

from __future__ import annotations

from collections.abc import Sequence

from mnkala.lab.registry import Row, finding
from mnkala.lab.studies.judge import ALL
from mnkala.lab.wording import grouped, having, in_paragraphs, listed, percent, with_interval

NAMES = {"connect4": "Connect Four", "kalah": "Kalah", "mnk:5x5x4": "four in line on 5×5"}
TOLD_LEVELS = (1, 5, 9, 10)
"""Of ten levels, those that a sentence has room for."""
HOW = "Games begin in the same positions for all, won or drawn for the player; intervals are by games."


@finding("judge")
def in_words(rows: list[Row]) -> str:
    """How often results are given away by level and by engine, and when in the game."""
    whole = [row for row in having(rows, "share", "plies") if row["plies"] == ALL]
    if not whole:
        return "No move was judged."
    levels, engines = [row for row in whole if row.get("level")], [row for row in whole if not row.get("level")]
    return in_paragraphs([_levels(levels), _when(rows)], [_engines(engines), HOW])


def _levels(rows: Sequence[Row]) -> str:
    said = []
    for (game,), some in grouped(rows, "game").items():
        by_level = {int(row["level"]): row for row in some}
        chosen = [level for level in TOLD_LEVELS if level in by_level] or sorted(by_level)
        said.append(f"in {_named(game)} {listed([f'level {level} {_share(by_level[level])}' for level in chosen])}")
    return f"Of the moves with a proved result to lose, players lose it at so many: {'; '.join(said)}." if said else ""


def _named(game: object) -> str:
    return NAMES.get(str(game), str(game))


def _share(row: Row) -> str:
    return with_interval(row["share"], row["low"], row["high"])


def _when(rows: Sequence[Row]) -> str:
    """Early moves against late ones, all players of a game together."""
    said = []
    for (game,), some in grouped([row for row in having(rows, "ply", "blind") if row["chances"]], "game").items():
        bands = [[row for row in some if row["ply"] == ply] for ply in sorted({int(row["ply"]) for row in some})]
        if len(bands) > 1:
            told = [f"at {percent(_mean(band, 'share'))} (a random move: {percent(_mean(band, 'blind'))}) of moves {band[0]['plies']}"
                    for band in (bands[0], bands[-1])]
            said.append(f"in {_named(game)} {listed(told)}")
    return f"All of them together lose it {'; '.join(said)}." if said else ""


def _mean(rows: Sequence[Row], column: str) -> float:
    """The share of some rows together."""
    return float(sum(row[column] * row["chances"] for row in rows) / sum(row["chances"] for row in rows))


def _engines(rows: Sequence[Row]) -> str:
    said = []
    for (game,), some in grouped(rows, "game").items():
        ordered = sorted(some, key=lambda row: float(row["share"]))
        if ordered[0]["share"] < ordered[-1]["share"]:
            best, worst = ordered[0], ordered[-1]
            said.append(f"in {_named(game)} {best['engine']} the least ({_share(best)}), {worst['engine']} the most ({_share(worst)})")
    return f"Of the engines, {'; '.join(said)}." if said else ""
