"""A live game as a row of the file of games, and back."""

from __future__ import annotations

import functools

from mnkala.play.saved_games import columns_of, controller_of, details_of
from mnkala.play.store import Details, Row
from mnkala.web.engines import kept_player
from mnkala.web.limits import Limits
from mnkala.web.live_game import LiveGame


def row_of(game: LiveGame) -> Row:
    """The row that saves a game."""
    running = game.controller
    return Row(
        **columns_of(running), id=game.id, first_owner=game.owners[0], second_owner=game.owners[1], invitation=game.invitation,
        linked=game.linked, watchable=game.watchable, here=game.here, revision=game.revision, created=game.created, updated=game.updated,
        more=Details(**details_of(running), rematch=game.rematch, undo_asked=game.undo_asked),
    )


def game_of(row: Row, limits: Limits) -> LiveGame:
    """The game that a row has saved. It opens whatever was played; engines that are not allowed here do not play on."""
    controller = controller_of(row, functools.partial(kept_player, limits=limits))
    game = LiveGame(controller, [row.first_owner, row.second_owner], linked=row.linked, watchable=row.watchable, here=row.here,
                    limits=limits)
    game.id, game.invitation, game.created, game.updated = row.id, row.invitation, row.created, row.updated
    game.revision = game.kept_revision = row.revision
    game.rematch, game.undo_asked = row.more.rematch, row.more.undo_asked
    return game
