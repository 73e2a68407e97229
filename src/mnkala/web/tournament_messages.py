"""What the server sends about tournaments. Players are named as the plan names them: engine strings could tell folders of this computer."""

from __future__ import annotations

from mnkala.web.messages import Answer


class TournamentSummary(Answer, frozen=True, kw_only=True):
    """A tournament in a list."""

    name: str
    games: list[str]
    format: str
    """round-robin, gauntlet, swiss or match."""
    players: int
    played: int
    total: int
    updated: str
    """When a game was last added, in universal time."""
    going: bool
    """Whether it is being played, as far as the file tells."""


class Tournaments(Answer, frozen=True):
    """All tournaments, the latest first."""

    tournaments: list[TournamentSummary]


class PlayerRow(Answer, frozen=True, kw_only=True):
    """A player in the table."""

    player: int
    """Its number in the tournament."""
    name: str
    elo: float
    low: float
    high: float
    """The 95 % interval of the rating."""
    points: float
    games: int
    wins: int
    draws: int
    losses: int
    faults: int
    """Games lost by a crash, a fallen flag or an illegal move."""
    moves: int
    nodes: int
    mean_seconds: float
    longest_seconds: float


class TournamentView(Answer, frozen=True, kw_only=True):
    """A tournament as it stands."""

    summary: TournamentSummary
    names: list[str]
    """By the players' numbers."""
    rows: list[PlayerRow]
    """The strongest first."""
    cross: list[list[tuple[int, int, int]]]
    """By the numbers of two players: games that the first won, drew and lost against the second."""
    games_each: int
    rounds: int
    clock: tuple[float, float] | None
    adjudicate: int | None
    draw_share: float
    failures: int
    """Games that could not be played at all."""


class TournamentGame(Answer, frozen=True, kw_only=True):
    """A game of a tournament."""

    place: str
    """What addresses call it."""
    game: str
    first: str
    second: str
    """The players by their sides."""
    result: str
    ending: str
    """rules, fault or adjudication."""
    fault: str
    plies: int
    finished: str


class TournamentGames(Answer, frozen=True):
    """Games of a tournament, the latest first."""

    games: list[TournamentGame]
    more: int
    """So many are left out."""


class TournamentRecord(Answer, frozen=True):
    """A game of a tournament with its moves."""

    about: TournamentGame
    moves: str
