"""A live game as a row of the database, and back."""

from __future__ import annotations

import time

from mnkala.games import Position, parse_game
from mnkala.play import Match
from mnkala.play.clock import Clock
from mnkala.play.controller import Controller
from mnkala.web.limits import Limits
from mnkala.web.live_game import LiveGame
from mnkala.web.requests import saved_player
from mnkala.web.store import Details, Row


def row_of(game: LiveGame) -> Row:
    """The row that saves a game."""
    match, running, now = game.match, game.controller, time.monotonic()
    position, clock = match.position, running.clock
    times = None if clock is None else (clock.seconds, clock.increment, (clock.remaining(0, now), clock.remaining(1, now)))
    return Row(
        id=game.id, game=position.game, start=position.start_literal, moves=position.moves,
        first=match.players[0].name, second=match.players[1].name, first_owner=game.owners[0], second_owner=game.owners[1],
        invitation=game.invitation, linked=game.linked, watchable=game.watchable, over=match.is_over, result=game.result,
        played=len(position.history), created=game.created, updated=game.updated,
        more=Details(revision=game.revision, turn=running.turn, resigned=match.resigned, out_of_time=match.out_of_time,
                  undone=[*match.undone], paused=running.paused, pace=running.pace,
                  rematch=game.rematch, undo_asked=game.undo_asked, clock=times),
    )


def game_of(row: Row, limits: Limits) -> LiveGame:
    """The game that a row has saved. The limits of requests do not apply to it: what was played here can always be opened."""
    rules, more = parse_game(row.game), row.more
    position = Position(rules, literal=row.start or None).play(row.moves)
    match = Match(position, (saved_player(row.first, rules), saved_player(row.second, rules)))
    match.resigned, match.out_of_time, match.undone = more.resigned, more.out_of_time, [*more.undone]
    clock = None
    if more.clock is not None:
        seconds, increment, left = more.clock
        clock = Clock(seconds, increment, [*left])
    controller = Controller(match, clock, pace=more.pace, paused=more.paused)
    controller.turn = more.turn
    game = LiveGame(controller, [row.first_owner, row.second_owner], linked=row.linked, watchable=row.watchable, limits=limits)
    game.id, game.invitation, game.created, game.updated = row.id, row.invitation, row.created, row.updated
    game.revision, game.rematch, game.undo_asked = more.revision, more.rematch, more.undo_asked
    return game
