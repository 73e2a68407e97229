"""Errors with the status that HTTP has for them. Every other error of the package is a bad request (400)."""

from __future__ import annotations

from typing import ClassVar

from mnkala.errors import MnkalaError
from mnkala.games.blame import blame
from mnkala.web.work_queues import TooBusy

BAD_REQUEST = 400


class HttpError(MnkalaError):
    """Base of these errors."""

    status: ClassVar[int] = BAD_REQUEST


class Unauthorized(HttpError):
    """No secret was sent."""

    status = 401


class Forbidden(HttpError):
    """Somebody else's seat, or a page of another origin."""

    status = 403


class NotFound(HttpError):
    """No such game, or none that you may see."""

    status = 404


class Conflict(HttpError):
    """The game has changed since."""

    status = 409


class TooLarge(HttpError):
    """A body beyond the limit."""

    status = 413


class UnsupportedMedia(HttpError):
    """A body that does not say that it is JSON."""

    status = 415


class Unreadable(HttpError):
    """A game that is kept but cannot be read."""

    status = 422


class TooManyActions(HttpError):
    """More actions in a second than are allowed."""

    status = 429


class ClientLeft(HttpError):
    """The client has disconnected, so nobody reads this. (nginx uses the same number.)"""

    status = 499


class ShuttingDown(HttpError):
    """The server is about to end."""

    status = 503


class ServerFull(HttpError):
    """The server holds all that it is allowed to hold."""

    status = 503


class NotSaved(HttpError):
    """The file of games cannot be used now: the game stands as it was."""

    status = 503


class DiskFull(NotSaved):
    """There is no room for the change."""

    status = 507


def error_text(error: Exception) -> str:
    """What people are told when an engine fails."""
    if isinstance(error, MnkalaError):
        return str(error)
    return str(blame(error) or f"the engine failed: {error!r}"[:300])


def status_of(error: MnkalaError) -> int:
    """The HTTP status of an error."""
    if isinstance(error, TooBusy):
        return 429
    return error.status if isinstance(error, HttpError) else BAD_REQUEST
