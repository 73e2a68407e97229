"""Makes the pictures of the page in README and guide: `python -m docs.make_pictures`, with a Chromium on the machine."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from tests.browser import PHONE, Visitor, chromium
from tests.web_server import Server, running

FOLDER = Path(__file__).parent / "pictures"
WIDE, TALL = {"width": 1280, "height": 800}, {"width": 1280, "height": 1000}


def take(browser: Browser, server: Server, name: str, place: str, wait: float = 3.0, keys: str = "", *, click: str = "",
         **settings: Any) -> None:
    """A screenshot of one place of the page, after some seconds, some keys and a click."""
    visitor = Visitor(browser, server, **{"viewport": WIDE, **settings})
    page = visitor.go(place)
    page.wait_for_timeout(wait * 1000)
    if click:
        page.locator(click).click()
        page.wait_for_timeout(1200)
    for key in keys.split():
        page.keyboard.press(key)
    page.wait_for_timeout(400)
    page.screenshot(path=FOLDER / f"{name}.png")
    visitor.close()


def main() -> None:
    """All pictures."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, running(Path(folder), MNKALA_PLUGINS="domineering") as server, chromium() as browser:
        take(browser, server, "page-home", "")
        take(browser, server, "page-analysis", "#/analysis?game=connect4&moves=44354", wait=8)
        take(browser, server, "page-exact", "#/analysis?game=connect4&moves=44444226351", wait=12)
        take(browser, server, "page-book", "#/analysis?game=connect4&moves=4444", wait=8, color_scheme="dark", viewport=TALL)
        take(browser, server, "page-puzzle", "#/puzzles?win_in=4&number=12", wait=4, click="#puzzle-hint")
        take(browser, server, "page-puzzle-phone", "#/puzzles?win_in=3", wait=4, viewport=PHONE, is_mobile=True, has_touch=True)
        take(browser, server, "page-kalah", "#/analysis?game=kalah&moves=36", wait=6, color_scheme="dark")
        take(browser, server, "page-review", "#/review?game=connect4&moves=44453322261", wait=20)
        take(browser, server, "page-think", "#/think?game=tictactoe&moves=b2,a1,c1,a3&algorithm=alphabeta&depth=3", wait=4, keys="End")
        take(browser, server, "page-mcts", "#/think?game=tictactoe&moves=b2,a1,c1,a3&algorithm=mcts&iterations=60", wait=4, keys="End",
             color_scheme="dark")
        take(browser, server, "page-learn", "#/learn/alphabeta", wait=4)
        take(browser, server, "page-phone", "#/analysis?game=gomoku&moves=h8,h9,i8,g8,i9", wait=6, viewport=PHONE, is_mobile=True,
             has_touch=True)


if __name__ == "__main__":
    main()
