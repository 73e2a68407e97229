"""What one client, and all clients together, can make the server do. A client that meets a limit is
told which one."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable


@dataclasses.dataclass(frozen=True)
class Limits:
    """The limits of a server."""

    body_bytes: int = 300_000
    """The largest request, and the largest message on a socket."""
    head_bytes: int = 65_536
    """The largest head of a request: its first line and its headers."""
    head_seconds: float = 10.0
    """The seconds that a head may take to arrive; for the first one, from the start of the
    connection."""
    body_seconds: float = 30.0
    """Seconds that the body of a request may take to arrive."""
    connections: int = 1_000
    """The most simultaneous connections, including sockets; fewer if the system allows the
    process fewer files."""
    waiting_connections: int = 500
    """The most of these that have not yet sent a complete head."""
    cells: int = 8_100
    """The largest (m,n,k)-board, as the product of the sizes in a game string."""
    moves: int = 10_000
    """The longest list of moves in one request: enough for any game here, and a tenth of a
    second of work on the largest board."""
    seconds_per_move: float = 60.0
    """How long an engine may think about a move."""
    seconds_of_analysis: float = 300.0
    seconds_of_drawing: float = 60.0
    """How long drawing a picture may take; one is drawn at a time."""
    seconds_of_study: float = 900.0
    """How long a quick study may run; one runs at a time."""
    seconds_of_tournament: float = 4 * 3600.0
    """How long a tournament may run at a time; one runs at a time, and it may be continued."""
    seconds_per_tournament_move: float = 10.0
    """How long a player of a tournament may think about a move."""
    tournament_players: int = 8
    tournament_games: int = 400
    """The most games of one tournament."""
    tournament_workers: int = 4
    """The most games of a tournament that are played at the same time, where there are as many
    cores."""
    waiting_tournaments: int = 8
    """The most tournaments that may wait for the one that is played."""
    waiting_tournaments_per_person: int = 2
    stored_tournaments: int = 200
    """The most tournaments of the page that are kept."""
    stored_tournaments_per_person: int = 50
    patience: float = 10.0
    """When all places for long questions are taken, one that has run for this many seconds gives
    way to somebody who waits."""
    awaited_seconds: float = 90.0
    """An engine thinks for this long after a player's last request, unless the game is followed
    over a socket."""
    left_seconds: float = 20.0
    """It also thinks for this long after the last socket that followed the game was closed, so
    that a page can be reloaded."""
    away_seconds: float = 6.0
    """How long the other player of a linked game may be gone before the absence is reported."""
    table_bits: int = 22
    """The largest transposition table: 2^bits positions of 16 bytes."""
    tree_nodes: int = 4_000_000
    """The largest tree of a Monte-Carlo search."""
    threads: int = 2
    """The most threads of one engine."""
    sockets: int = 500
    sockets_per_person: int = 20
    stored_games: int = 100_000
    puzzle_results: int = 500_000
    """The most results in puzzles that are kept, of all people together."""
    unfinished_per_person: int = 2_000
    live_games: int = 2_000
    """The most games held in memory; others are read again when somebody asks for them."""
    live_bytes: int = 128 << 20
    """The approximate memory of these: a game of connect4 takes 20 kB, one of 90 x 90 takes 700
    kB. Games that are followed stay in memory, so no more may be followed than fit."""
    waiting_per_person: int = 3
    """The most questions to engines (hints, analyses, trees) that one person may have waiting."""
    waiting: int = 200
    """The most questions that may wait, of all people together."""
    followed_per_socket: int = 50
    taken_in: int = 1_000
    """The most games that are imported at once from a file of records."""
    listed: int = 200
    """The most games in one list."""
    actions_per_second: float = 10.0
    """How often one person may undo, pause, change the pace and so on; moves are not counted."""
    actions_at_once: int = 20
    """The largest burst of actions."""
    hello_seconds: float = 10.0
    """How long a socket may stay silent before it says who it is."""


USUAL = Limits()


MOST_REMEMBERED = 10_000
"""The most people whose buckets are remembered; full buckets are forgotten first."""


class RateLimiter:
    """Limits how often each person may act."""

    def __init__(
        self, per_second: float, at_once: int, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.per_second = per_second
        self.at_once = at_once
        self._now = now
        self._buckets: dict[str, tuple[float, float]] = {}

    def allows(self, person: str) -> bool:
        """Whether a person may act once more now; if so, the action is counted."""
        now = self._now()
        if len(self._buckets) >= MOST_REMEMBERED:
            self._buckets = {
                other: bucket
                for other, bucket in self._buckets.items()
                if self._tokens(bucket, now) < self.at_once
            }
        tokens = self._tokens(self._buckets.get(person, (self.at_once, now)), now)
        if tokens < 1:
            return False
        self._buckets[person] = tokens - 1, now
        return True

    def _tokens(self, bucket: tuple[float, float], now: float) -> float:
        tokens, since = bucket
        return min(self.at_once, tokens + (now - since) * self.per_second)
