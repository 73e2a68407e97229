"""What the study `counting` found, in words."""

from __future__ import annotations

from mnkala.lab.registry import Row, finding


@finding("counting")
def in_words(rows: list[Row]) -> str:
    """The points at every depth of the larger board."""
    games = sorted({str(row["game"]) for row in rows}, key=len)
    told = [
        f"{row['limit']}: {float(str(row['share'])):.0%}"
        for row in rows
        if row["game"] == games[0] and row["other"] == "discs"
    ]
    return f"Against a player who counts discs on {games[0]}, one who weighs moves and corners gets these shares of the points: {', '.join(told)}."
