"""Errors with the status that HTTP has for them. Every other error of the package is a bad request (400)."""

from __future__ import annotations

from typing import ClassVar

from mnkala.errors import MnkalaError
from mnkala.games.blame import blame
from mnkala.web.work_queues import TooBusy

BAD_REQUEST = 400


class HttpError(MnkalaError):
    """Base of these errors."""

    status: ClassVar[int]

    def __init_subclass__(cls, status: int) -> None:
        cls.status = status


class Unauthorized(HttpError, status=401):
    """No secret was sent."""


class Forbidden(HttpError, status=403):
    """Somebody else's seat, or a page of another origin."""


class NotFound(HttpError, status=404):
    """No such game, or none that you may see."""


class Conflict(HttpError, status=409):
    """The game has changed since."""


class TooLarge(HttpError, status=413):
    """A body beyond the limit."""


class UnsupportedMedia(HttpError, status=415):
    """A body that does not say that it is JSON."""


class Unreadable(HttpError, status=422):
    """A game that is kept but cannot be read."""


class TooManyActions(HttpError, status=429):
    """More actions in a second than are allowed."""


class ClientLeft(HttpError, status=499):
    """The client has disconnected, so nobody reads this. (nginx uses the same number.)"""


class ShuttingDown(HttpError, status=503):
    """The server is about to end."""


class ServerFull(HttpError, status=503):
    """The server holds all that it is allowed to hold."""


class NotSaved(HttpError, status=503):
    """The file of games cannot be used now: the game stands as it was."""


class DiskFull(NotSaved, status=507):
    """There is no room for the change."""


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
