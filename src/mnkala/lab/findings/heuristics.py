"""What the data say of the heuristics of reports 002, 003 and 004."""

from __future__ import annotations

from collections.abc import Sequence

from mnkala.lab.registry import Row, finding
from mnkala.lab.strength import CLEARLY, by_verdict, head_to_head, ratings, told, verdict, with_shares
from mnkala.lab.studies.heuristics import ALL
from mnkala.lab.wording import having, listed
from mnkala.play.series import SeriesResult


@finding("heuristics")
def in_words(rows: list[Row]) -> str:
    """The field of each game by strength, and whether the leader's lead is sure."""
    rows = having(rows, "one", "other", "share")
    said = []
    for game in dict.fromkeys(row["game"] for row in rows):
        parts = []
        for limit in dict.fromkeys(row["limit"] for row in rows if row["game"] == game):
            some = [row for row in rows if row["game"] == game and row["limit"] == limit and row["other"] not in (ALL, row["one"])]
            names = list(dict.fromkeys(row["one"] for row in some))
            if len(names) < 2:
                continue
            order = ratings(some, names)
            lead = head_to_head(some, order[0].name, order[1].name)
            sure = f"{order[0].name} is clearly ahead of {order[1].name}, {told(lead)}" if verdict(lead) == "ahead" else \
                f"{order[0].name} against {order[1].name} is not decided, {told(lead)}"
            parts.append(f"with {limit}: {'; '.join(map(str, order))} ({sure})")
        said.append(f"{game}, Elo against the mean of the field with its 95 % interval: {'. '.join(_capital(part) for part in parts)}.")
    return "\n\n".join([*said, *_claims(rows), *([CLEARLY] if said else [])])


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _claims(rows: Sequence[Row]) -> list[str]:
    """What reports 002 and 003 say of their own heuristics."""
    said = []
    for report, game, best, others in (("002", "connect4", "zero-sum", ("basic", "article")), ("003", "kalah", "stores", ("own-side",))):
        results: dict[str, SeriesResult] = {}
        for row in rows:
            if row["game"] == game and row["one"] == best and row["other"] in others:
                name = f"{row['other']} ({row['limit']})"
                some = [one for one in rows if one["game"] == game and one["limit"] == row["limit"]]
                results[name] = head_to_head(some, best, row["other"])
        if results:
            sure = by_verdict(results)
            words = [f"clearly ahead of {with_shares(sure['ahead'], results)}"] if sure["ahead"] else []
            words += [f"clearly behind {with_shares(sure['behind'], results)}"] if sure["behind"] else []
            words += [f"undecided against {with_shares(sure['undecided'], results)}"] if sure["undecided"] else []
            said.append(f"Report {report} holds its {best} to be the better one; here it is {listed(words)}.")
    return said
