"""Guards that hold a plug-in to its promises in compiled code, where a step beyond a buffer
would not raise an error but end the process.

A game of the package is trusted after its tests. The methods of any other are compiled with
index checks, and the numbers by which a search sizes its own steps are checked here. Plain
Python needs none of this, because NumPy checks every index there.

Control characters in the texts of a plug-in's game are written out, so that none reaches a
terminal. Foreign code that may never return is called in a thread, which is made to give up when
its time is over (`run_within`).
"""

from __future__ import annotations

import ctypes
import dataclasses
import functools
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mnkala.core.picture import Picture
from mnkala.errors import printable
from mnkala.native.objects import IntArray, is_foreign

if TYPE_CHECKING:
    from mnkala.core.rules import Rules


Method = Callable[..., Any]


def guard_moves(moves: Method) -> Method:
    """Wrap `Rules.moves` so that it cannot report more moves than its buffer holds."""

    def guarded(self: Any, state: Any, out: IntArray) -> int:
        count = moves(self, state, out)
        if count < 1 or count > len(out):
            raise IndexError(
                "moves() gives no move in a game that is going on, or more than most_moves() promises"
            )
        return count

    return guarded


def guard_near_moves(near_moves: Method) -> Method:
    """Wrap `Rules.near_moves` so that it cannot report more moves than its buffer holds; it may
    report none."""

    def guarded(self: Any, state: Any, radius: int, out: IntArray) -> int:
        count = near_moves(self, state, radius, out)
        if count < 0 or count > len(out):
            raise IndexError("near_moves() gives more moves than most_moves() promises")
        return count

    return guarded


def guard_mover(mover: Method) -> Method:
    """Wrap `Rules.mover` so that it can only answer 0 or 1."""

    def guarded(self: Any, state: Any) -> int:
        player = mover(self, state)
        if player < 0 or player > 1:
            raise IndexError("mover() gives a player that is neither 0 nor 1")
        return player

    return guarded


def guard_forcing(forcing: Method) -> Method:
    """Wrap `Heuristic.forcing` so that it cannot report more moves than its buffer holds."""

    def guarded(
        self: Any, rules: Any, state: Any, memory: Any, moves: IntArray, scores: IntArray
    ) -> int:
        count = forcing(self, rules, state, memory, moves, scores)
        if count < 0 or count > len(moves):
            raise IndexError("forcing() gives more moves than most_moves() promises")
        return count

    return guarded


TEXTS = ("game_string", "move_text", "moves_text", "literal", "board_style", "picture")
"""The methods of a game whose texts people read."""


def make_printable(cls: type[Rules]) -> None:
    """Wrap these methods of a plug-in's game so that their texts contain no control characters."""
    cls.summary, cls.rules_text = _clean(cls.summary), _clean(cls.rules_text)
    cls.players = _clean(cls.players)
    for name in TEXTS:
        method = getattr(cls, name)
        if is_foreign(method.__module__):
            setattr(cls, name, _cleaned(method))


def _cleaned(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def spoken(*arguments: Any, **keywords: Any) -> Any:
        return _clean(method(*arguments, **keywords))

    return spoken


def _clean(said: Any) -> Any:
    """Write out the control characters in a text, a sequence of texts or a picture. Anything else
    is left for the clauses of the contract to refuse."""
    if isinstance(said, str):
        return printable(said)
    if isinstance(said, tuple):
        return tuple(_clean(part) for part in said)
    if isinstance(said, Picture):
        labels = {
            "column_labels": _clean(said.column_labels),
            "row_labels": _clean(said.row_labels),
        }
        if is_foreign(
            type(said).__module__
        ):  # A plug-in's own class of pictures is drawn as all others are.
            return Picture(said.cells, marked=said.marked, seeds=said.seeds, **labels)
        return dataclasses.replace(said, **labels)
    return said


GRACE_SECONDS = 1.0
"""How long to wait for a thread that was asked to give up. Compiled code does not notice the
request; such a thread is left behind."""


class TookTooLong(Exception):
    """A call did not return in time."""


class _GiveUp(BaseException):
    """Raised inside the call, from outside; not an Exception, so that the call's own handlers let
    it pass.
    """


def run_within(seconds: float, function: Callable[[], None]) -> None:
    """Call `function` and raise what it raises, or TookTooLong if it does not return within
    `seconds`."""
    raised: list[BaseException] = []

    def work() -> None:
        try:
            function()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=work, name="bounded", daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(thread.ident or 0), ctypes.py_object(_GiveUp)
        )
        thread.join(GRACE_SECONDS)
        raise TookTooLong
    if raised:
        raise raised[0]
