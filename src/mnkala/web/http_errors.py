"""Errors with the status that HTTP has for them. Every other error of the package is a bad request (400)."""

from __future__ import annotations

from typing import ClassVar

from mnkala.errors import MnkalaError
from mnkala.play.store import ChangedElsewhere, DiskFull, NotSaved
from mnkala.web.work_queues import TooBusy

BAD_REQUEST = 400


class HttpError(MnkalaError):
    """Base class of errors with an HTTP status."""

    status: ClassVar[int]

    def __init_subclass__(cls, status: int) -> None:
        cls.status = status


class Unauthorized(HttpError, status=401):
    """The request contains no secret."""


class Forbidden(HttpError, status=403):
    """Somebody else's seat, or a page of another origin."""


class NotFound(HttpError, status=404):
    """No such game, or none that you may see."""


class Conflict(HttpError, status=409):
    """The game has changed since the request was made."""


class TooLarge(HttpError, status=413):
    """The body of a request exceeds the limit."""


class UnsupportedMedia(HttpError, status=415):
    """A body that does not say that it is JSON."""


class Unreadable(HttpError, status=422):
    """A game that is kept but cannot be read."""


class TooManyActions(HttpError, status=429):
    """More actions in a second than are allowed."""


class ClientLeft(HttpError, status=499):
    """The client has disconnected, so nobody reads this. (nginx uses the same number.)"""


class ShuttingDown(HttpError, status=503):
    """The server is shutting down."""


class ServerFull(HttpError, status=503):
    """The server holds all that it is allowed to hold."""


STATUSES: dict[type[MnkalaError], int] = {TooBusy: 429, ChangedElsewhere: 409, DiskFull: 507, NotSaved: 503}
"""Of errors that come from further below; of two that fit, the first."""


def status_of(error: MnkalaError) -> int:
    """The HTTP status of an error."""
    if isinstance(error, HttpError):
        return error.status
    return next((status for kind, status in STATUSES.items() if isinstance(error, kind)), BAD_REQUEST)
