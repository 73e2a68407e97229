"""A real Chromium for tests of the page, and a reader of what it shows.

The browser is Debian's chromium (installed by `make test` where root and apt are there) or any
Chrome on the machine. Where it could have been installed but is missing, the tests fail; elsewhere
they skip and say why.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)

from tests.web_server import Server

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)
PATIENCE = 180_000
"""Milliseconds to wait for anything: machines may be busy, and an engine may have to be compiled.
It costs nothing where all is well.
"""
EMPTY = "nothing-here"
"""An address without a page, but with the storage and the modules of the server: much lighter than
the page itself.
"""
PHONE, DESK = {"width": 360, "height": 740}, {"width": 1280, "height": 800}


def find_chromium() -> str:
    """The path of a Chromium; skips where there is none, fails where `make test` should have
    installed it.
    """
    chosen = os.environ.get("MNKALA_CHROMIUM") or next(
        (path for name in NAMES if (path := shutil.which(name))), None
    )
    if chosen is None:
        reason = (
            "no Chromium on this machine (tried "
            + ", ".join(NAMES)
            + "; MNKALA_CHROMIUM names another)"
        )
        if getattr(os, "geteuid", lambda: 1)() == 0 and shutil.which("apt-get"):
            pytest.fail(
                f"{reason}, though root and apt are there: run `make test` or `apt-get install chromium`"
            )
        pytest.skip(reason)
    return chosen


class BrowserAtHand:
    """One browser for all modules of tests, and the people who sit at it."""

    def __enter__(self) -> BrowserAtHand:
        self._stack = contextlib.ExitStack()
        path = find_chromium()
        playwright = self._stack.enter_context(sync_playwright())
        self._loop = asyncio.get_running_loop()
        self._browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        self._visitors: dict[str, Visitor] = {}
        asyncio._set_running_loop(None)
        return self

    def __exit__(self, *error: object) -> None:
        asyncio._set_running_loop(self._loop)
        self._browser.close()
        self._stack.close()

    @contextlib.contextmanager
    def at_work(self) -> Iterator[Browser]:
        """The browser for the time of a `with`. Playwright leaves its event loop marked as running
        between two calls; only here, so that other tests can run one of their own.
        """
        asyncio._set_running_loop(self._loop)
        yield self._browser
        for visitor in self._visitors.values():
            visitor.page.goto("about:blank")
        asyncio._set_running_loop(None)

    def visitor(self, name: str, server: Server, **settings: Any) -> Visitor:
        """The person of this name, who comes with these settings at first."""
        if name not in self._visitors:
            self._visitors[name] = Visitor(self._browser, server, **settings)
        return self._visitors[name]


class Visitor:
    """A person at a browser of their own: nothing is shared with other visitors. Every complaint of
    the console is noted.
    """

    def __init__(self, browser: Browser, server: Server, **settings: Any) -> None:
        self.server = self.home = server
        options: dict[str, Any] = {
            "viewport": DESK,
            "locale": "en-GB",
            "reduced_motion": "reduce",
            **settings,
        }
        self.size: ViewportSize = options["viewport"]
        self.context: BrowserContext = browser.new_context(**options)
        self.context.set_default_timeout(PATIENCE)
        self.complaints: list[str] = []
        self.page = self.new_page()

    def new_page(self) -> Page:
        """Another tab."""
        page = self.context.new_page()
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        return page

    def _heard(self, message: ConsoleMessage) -> None:
        expected = ("WebSocket connection", "ERR_CONNECTION_REFUSED", "Failed to load resource")
        if message.type in ("error", "warning") and not any(
            word in message.text for word in expected
        ):
            self.complaints.append(f"{message.type}: {message.text}")

    def go(self, place: str = "") -> Page:
        """Open a place of the page, such as `#/games`."""
        self._visit(place)
        self.page.wait_for_selector(
            "main h1, main #board, main form, main .game, main .think, main .learn"
        )
        return self.page

    def _visit(self, place: str) -> None:
        """Go to a place, or load it again. What another place of the page shows is gone at once, so
        that nobody takes it for what comes, and the mouse rests on nothing of that.
        """
        self.page.mouse.move(0, 0)
        address = f"{self.server.address}/{place}"
        if self.page.url == address:
            self.page.reload()
            return
        if self.page.url.startswith(self.server.address):
            self.page.evaluate("document.querySelector('main')?.replaceChildren()")
        self.page.goto(address)

    def new_game(self, game: str, *players: str, **more: Any) -> Page:
        """A game set up by the page's own requests, and opened."""
        if not self.page.url.startswith(self.server.address):
            self.page.goto(f"{self.server.address}/{EMPTY}")
        settings = {"game": game, "players": list(players) or ["human", "human"], **more}
        made = self.page.evaluate(
            f"async (settings) => (await {module('api')}).api.post('games', settings)", settings
        )
        self._visit(f"#/game/{made['id']}")
        expect(self.page.locator("#board")).to_be_visible()
        return self.page

    def state(self) -> Any:
        """The open game, as the server tells this visitor."""
        game_id = self.page.url.split("#/game/")[1].split("?")[0]
        return self.page.evaluate(
            f"async (id) => (await {module('api')}).api.get(`games/${{id}}`)", game_id
        )

    def start_anew(self) -> None:
        """Forget everything, as a new person would: far cheaper than a new browser context, whose
        processes have to start first.
        """
        for other in self.context.pages[1:]:
            other.close()
        self.server = self.home
        self.page.emulate_media(color_scheme="light", reduced_motion="reduce")
        if self.page.viewport_size != self.size:
            self.page.set_viewport_size(self.size)
        self.page.goto(f"{self.server.address}/{EMPTY}")
        self.page.evaluate("localStorage.clear(); sessionStorage.clear()")
        self.complaints.clear()

    def check_complaints(self) -> None:
        """No complaint may have been heard."""
        assert not self.complaints, "\n".join(self.complaints)

    def close(self) -> None:
        """Leave, without a complaint."""
        self.context.close()
        self.check_complaints()


def module(name: str) -> str:
    """JavaScript that imports a module of the page, the very one that the page uses where a page is
    open.
    """
    return f"import(new URL('{name}.js', document.querySelector('script[type=module]')?.src ?? location.origin))"


def clicks(view: Any, move: str) -> Any:
    """The cells to click for a move: where pieces move all of them, else one."""
    cells = next(entry["cells"] for entry in view["moves"] if entry["move"] == move)
    return cells if view["from_to"] else cells[:1]


def is_shared(view: Any, cells: Any) -> bool:
    """Whether a cell means several moves, so that the page asks."""
    return not view["from_to"] and sum(cells[0] in entry["cells"] for entry in view["moves"]) > 1


def click_move(page: Page, view: Any, move: str) -> None:
    """Play a move by the mouse: on its cells, and through the chooser where a cell means several."""
    for row, column in clicks(view, move):
        page.locator(f'#board [data-cell="{row},{column}"]').click()
    if is_shared(view, clicks(view, move)):
        page.locator(f'.chooser [data-move="{move}"]').click()


def press_move(page: Page, view: Any, move: str) -> None:
    """Play a move by the keyboard alone: arrows to its cells, Enter."""
    page.keyboard.press("Shift")  # after a click the arrows would be the page's
    page.locator("#board").focus()
    for row, column in clicks(view, move):
        page.keyboard.press("Home")
        for _ in range(view["rows"]):
            page.keyboard.press("ArrowUp")
        for _ in range(row):
            page.keyboard.press("ArrowDown")
        for _ in range(column):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
    if is_shared(view, clicks(view, move)):
        page.locator(f'.chooser [data-move="{move}"]').focus()
        page.keyboard.press("Enter")


def play_all(visitor: Visitor, moves: str, *ways: Any) -> Any:
    """Play moves one after the other, each as soon as the page shows the one before; every one has
    its way of being played, and the last way goes on to the end.
    """
    state = visitor.state()
    every = itertools.chain(ways, itertools.repeat(ways[-1]))
    for count, (move, play) in enumerate(zip(moves.split(), every, strict=False), start=1):
        play(visitor.page, state["view"], move)
        expect(visitor.page.locator("#move-list [data-move]")).to_have_count(count)
        state = visitor.state()
    return state


# ---- What every page must keep ----


def overflow(page: Page) -> int:
    """By how many pixels a page is wider than its window."""
    return int(
        page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    )


def check_width(
    visitor: Visitor, place: str, kind: str, *, shows: str = "main", wait: int = 600
) -> None:
    """A page fits its window, once it shows something and has settled."""
    page = visitor.go(place)
    expect(page.locator(shows).first).to_be_visible()
    page.wait_for_timeout(wait)
    assert overflow(page) <= 0
    keep_shot(page, kind, place)


def check_access(
    visitor: Visitor, place: str, kind: str, *, shows: str = "main", wait: int = 900
) -> None:
    """Axe finds nothing serious on a page, once it shows something and has settled, and the page
    fits the window of a phone."""
    page = visitor.go(place)
    expect(page.locator(shows).first).to_be_visible()
    page.wait_for_timeout(wait)
    check_no_violation(page, kind, place)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.wait_for_timeout(100)
    assert overflow(page) <= 0
    keep_shot(page, f"phone{kind}", place)
    page.set_viewport_size(DESK)  # type: ignore[arg-type]


def check_no_violation(page: Page, kind: str = "-dialog", place: str = "game") -> None:
    """Axe finds nothing serious on a page as it is: everything in light colours, then the contrast
    of the dark ones.
    """
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(AXE_SCRIPT)
    for scheme, options in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        found = page.evaluate(VIOLATIONS, {"resultTypes": ["violations"], **options})
        assert [f"{scheme}, {each}" for each in found] == []
        keep_shot(page, f"{scheme}{kind}", place)
    page.emulate_media(color_scheme="light")


VIOLATIONS = """async (options) => (await axe.run(options)).violations
  .filter(({ impact }) => ["serious", "critical"].includes(impact))
  .map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`)"""
"""The serious violations that Axe finds, and where the first of each kind is."""


def keep_shot(page: Page, kind: str, place: str) -> None:
    """A picture of the page, if somebody wants to look at it."""
    folder = shots_folder()
    if folder is not None:
        page.screenshot(path=folder / f"{kind}-{re.sub(r'[^a-z0-9]+', '-', place) or 'home'}.png")


def shots_folder() -> Path | None:
    """Where screenshots go, if somebody wants to look at them: MNKALA_SHOTS."""
    chosen = os.environ.get("MNKALA_SHOTS")
    return Path(chosen) if chosen else None
