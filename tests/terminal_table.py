"""A game on the full screen of the terminal, for tests to play."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Static

from mnkala import Position
from mnkala.explain.inspection import Inspection
from mnkala.play import parse_player
from mnkala.play.clock import Clock
from mnkala.play.game_state import GameState
from mnkala.terminal.app import GameApp
from mnkala.terminal.board_widget import BoardWidget
from mnkala.terminal.plain_text import HIGH, WIDE, PlainGame
from mnkala.terminal.position_info import Study


class Table:
    """A game on a screen that a test plays."""

    def __init__(self, app: GameApp, pilot: Pilot[int]) -> None:
        self.app, self.pilot = app, pilot

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.pilot.press(key)
            await self.settle()

    async def settle(self) -> None:
        """Let messages run their way through app, screen and widgets, and back."""
        for _ in range(6 if self.app.is_running else 0):
            done = asyncio.Event()
            self.app.call_later(done.set)
            with contextlib.suppress(asyncio.TimeoutError):  # an app that is leaving calls nobody
                await asyncio.wait_for(done.wait(), 0.2)
            await self.pilot._wait_for_screen()

    async def until(self, condition: Callable[[], object], seconds: float = 120) -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline, (
                f"still not so; the screen says {self.said('status')!r}"
            )
            await asyncio.sleep(0.01)
        await self.settle()

    async def ready(self) -> None:
        await self.until(lambda: self.app.session.controller.is_prepared)

    async def click(self, row: int, column: int) -> None:
        board = self.app.query_one(BoardWidget)
        await self.pilot.click(BoardWidget, offset=board.place_of((row, column)))
        await self.settle()

    def said(self, name: str) -> str:
        """The text of a part of the screen."""
        return str(self.app.query_one(f"#{name}", Static).content).strip()

    def board(self) -> str:
        """The characters of the board."""
        board = self.app.query_one(BoardWidget)
        return "\n".join(strip.text.rstrip() for strip in board._strips)

    @property
    def played(self) -> str:
        return self.app.session.game.position.moves


async def workers_end() -> None:
    """Every engine stops when it is told to."""
    await asyncio.wait_for(asyncio.get_running_loop().shutdown_default_executor(), 120)


def a_game(game: str, moves: str, first: str, second: str, clock: Clock | None) -> GameState:
    position = Position(game).play(moves)
    return GameState(
        position,
        (parse_player(first, position.rules), parse_player(second, position.rules)),
        clock=clock,
    )


@contextlib.asynccontextmanager
async def table(
    game: str,
    moves: str = "",
    first: str = "human",
    second: str = "human",
    size: tuple[int, int] = (100, 30),
    clock: Clock | None = None,
    **more: Any,
) -> AsyncIterator[Table]:
    app = GameApp(a_game(game, moves, first, second, clock), **more)
    async with app.run_test(size=size) as pilot:
        here = Table(app, pilot)
        await here.settle()
        yield here
        app.session.close()
        await workers_end()


def terminal_lines(found: Inspection, language: str) -> list[str]:
    """What the terminal shows of an inspection, beside the board and in plain lines."""
    people = (
        parse_player("human", found.position.rules),
        parse_player("human", found.position.rules),
    )
    dialogue = PlainGame(GameState(found.position, people), None, False, language)
    dialogue.session.thoughts.study = Study.ANALYSIS
    dialogue.session.thoughts.found = found
    return dialogue.panels.thoughts(WIDE, HIGH).plain.split("\n")
