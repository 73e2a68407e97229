"""Saved games in a list, without opening them."""

from __future__ import annotations

import functools

from mnkala.errors import MnkalaError
from mnkala.games import parse_game
from mnkala.play import parse_player
from mnkala.web.messages import Summary
from mnkala.web.store import DamagedRow, Row


def summary(row: Row | DamagedRow, person: str | None) -> Summary:
    """A line of the list. What cannot be opened is there too, with the reason, so that it can be deleted."""
    if isinstance(row, DamagedRow):
        return Summary(row.id, row.game, ("?", "?"), (False, False), 0, over=True, result="*", created=row.updated, updated=row.updated,
                       linked=False, open_seat=None, unreadable=row.why)
    humans = (row.first == "human", row.second == "human")
    yours = (row.first_owner == person and humans[0], row.second_owner == person and humans[1])
    seat = 0 if row.first_owner is None else 1 if row.second_owner is None else None
    return Summary(row.id, row.game, (row.first, row.second), yours, row.played, row.over, row.result, row.created, row.updated,
                   row.linked, seat, unreadable(row.game, row.first, row.second))


@functools.lru_cache(maxsize=1000)
def unreadable(game: str, first: str, second: str) -> str | None:
    """Why such a game cannot be opened, if so: its rules or engines may have been a plug-in that is no longer there."""
    try:
        rules = parse_game(game)
        for player in (first, second):
            parse_player(player, rules)
    except MnkalaError as error:
        return str(error)
    return None
