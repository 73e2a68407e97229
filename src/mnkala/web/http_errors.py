"""Errors that have an HTTP status. Every other error of the package is a bad request (400)."""

from __future__ import annotations

from typing import ClassVar

from mnkala.errors import MnkalaError
from mnkala.play.store import ChangedElsewhere, DiskFull, NotSaved

BAD_REQUEST = 400


class HttpError(MnkalaError):
    """Base class of errors with an HTTP status."""

    status: ClassVar[int]

    def __init_subclass__(cls, status: int) -> None:
        cls.status = status


class Unauthorized(HttpError, status=401):
    """The request contains no secret."""


class Forbidden(HttpError, status=403):
    """The seat is somebody else's, or the page is of another origin."""


class NotFound(HttpError, status=404):
    """The game does not exist, or the person may not see it."""


class Conflict(HttpError, status=409):
    """The game has changed since the request was made."""


class TooLarge(HttpError, status=413):
    """The body of a request exceeds the limit."""


class UnsupportedMedia(HttpError, status=415):
    """The body is not declared as JSON."""


class Unreadable(HttpError, status=422):
    """A saved game cannot be read."""


class TooManyActions(HttpError, status=429):
    """A person acted more often in a second than allowed."""


class TooBusy(HttpError, status=429):
    """More questions are waiting than allowed."""


class ClientLeft(HttpError, status=499):
    """The client has disconnected, so nobody reads the response. (nginx uses the same number.)"""


class ShuttingDown(HttpError, status=503):
    """The server is shutting down."""


class ServerFull(HttpError, status=503):
    """The server holds as many games as it may."""


STATUSES: dict[type[MnkalaError], int] = {ChangedElsewhere: 409, DiskFull: 507, NotSaved: 503}
"""The statuses of errors from lower layers; the first that fits is used."""


def status_of(error: MnkalaError) -> int:
    """The HTTP status of an error."""
    if isinstance(error, HttpError):
        return error.status
    return next(
        (status for kind, status in STATUSES.items() if isinstance(error, kind)), BAD_REQUEST
    )
