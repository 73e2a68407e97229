"""A live game as a row of the database, and back."""

from __future__ import annotations

import time

from mnkala.games import Position, parse_game
from mnkala.play import Match
from mnkala.play.clock import Clock
from mnkala.web.limits import Limits
from mnkala.web.live_game import LiveGame
from mnkala.web.requests import saved_player
from mnkala.web.store import Details, Row


def row_of(game: LiveGame) -> Row:
    """The row that saves a game."""
    match, clock, now = game.match, game.clock, time.monotonic()
    position = match.position
    times = None if clock is None else (clock.seconds, clock.increment, (clock.remaining(0, now), clock.remaining(1, now)))
    return Row(
        id=game.id, game=position.game, start=position.start_literal, moves=position.moves,
        first=match.players[0].name, second=match.players[1].name, first_owner=game.owners[0], second_owner=game.owners[1],
        invitation=game.invitation, linked=game.linked, watchable=game.watchable, over=match.is_over, result=game.result,
        played=len(position.history), created=game.created, updated=game.updated,
        more=Details(revision=game.revision, turn=game.turn, resigned=match.resigned, out_of_time=match.out_of_time, undone=[*match.undone],
                  paused=game.paused, pace=game.pace, rematch=game.rematch, undo_asked=game.undo_asked, clock=times),
    )


def game_of(row: Row, limits: Limits) -> LiveGame:
    """The game that a row has saved. The limits of requests do not apply to it: what was played here can always be opened."""
    rules, more = parse_game(row.game), row.more
    position = Position(rules, literal=row.start or None).play(row.moves)
    match = Match(position, (saved_player(row.first, rules), saved_player(row.second, rules)))
    match.resigned, match.out_of_time, match.undone = more.resigned, more.out_of_time, [*more.undone]
    game = LiveGame(match, [row.first_owner, row.second_owner], linked=row.linked, watchable=row.watchable, limits=limits)
    game.id, game.invitation, game.created, game.updated = row.id, row.invitation, row.created, row.updated
    game.revision, game.turn, game.paused, game.pace = more.revision, more.turn, more.paused, more.pace
    game.rematch, game.undo_asked = more.rematch, more.undo_asked
    if more.clock is not None:
        seconds, increment, left = more.clock
        game.clock = Clock(seconds, increment, [*left])
    return game
