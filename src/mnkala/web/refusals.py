"""Errors with the status that HTTP has for them. Every other error of the package is a bad request (400)."""

from __future__ import annotations

from typing import ClassVar

from mnkala.errors import MnkalaError
from mnkala.games.blame import blame
from mnkala.web.lanes import TooBusy

BAD_REQUEST = 400


class Refusal(MnkalaError):
    """Base: a request that cannot be met."""

    status: ClassVar[int] = BAD_REQUEST


class NoToken(Refusal):
    """Who are you?"""

    status = 401


class NotYours(Refusal):
    """Somebody else's seat, or a page of another origin."""

    status = 403


class NotThere(Refusal):
    """No such game, or none that you may see."""

    status = 404


class MovedOn(Refusal):
    """The game has changed since."""

    status = 409


class TooLarge(Refusal):
    """A body beyond the limit."""

    status = 413


class WrongKind(Refusal):
    """A body that does not say that it is JSON."""

    status = 415


class Unreadable(Refusal):
    """A game that is kept but cannot be read."""

    status = 422


class TooFast(Refusal):
    """More actions in a second than are allowed."""

    status = 429


class Left(Refusal):
    """The client has gone: nobody hears this. (The number is that of nginx.)"""

    status = 499


class Closing(Refusal):
    """The server is about to end."""

    status = 503


class Full(Refusal):
    """The server holds all that it is allowed to hold."""

    status = 503


class NotSaved(Refusal):
    """The file of games cannot be used now: the game stands as it was."""

    status = 503


class DiskFull(NotSaved):
    """There is no room for the change."""

    status = 507


def trouble_words(error: Exception) -> str:
    """What people are told of an error in an engine's work."""
    if isinstance(error, MnkalaError):
        return str(error)
    return str(blame(error) or f"the engine failed: {error!r}"[:300])


def status_of(error: MnkalaError) -> int:
    """The HTTP status of an error."""
    if isinstance(error, TooBusy):
        return 429
    return error.status if isinstance(error, Refusal) else BAD_REQUEST
