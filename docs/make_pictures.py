"""Makes the pictures of the page in README and guide: `python -m docs.make_pictures [NAME…]`, with a Chromium on the machine."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from tests.browser import PHONE, Visitor, chromium
from tests.web_server import Server, running

FOLDER = Path(__file__).parent / "pictures"
WIDE, TALL = {"width": 1280, "height": 800}, {"width": 1280, "height": 1000}
ON_A_PHONE: dict[str, Any] = {"viewport": PHONE, "is_mobile": True, "has_touch": True}
PROVED = "#exact-state:has-text('Every move is proved')"
"""The analysis says this once every move has its score."""
PICTURES: dict[str, dict[str, Any]] = {
    "page-home": {"place": ""},
    "page-analysis": {"place": "#/analysis?game=connect4&moves=44354", "wait": 8},
    "page-exact": {"place": "#/analysis?game=connect4&moves=44444226351", "wait": 12},
    "page-exact-tictactoe": {"place": "#/analysis?game=tictactoe&moves=b2,a2", "until": PROVED},
    "page-exact-kalah": {"place": "#/analysis?game=kalah:3x2", "until": PROVED},
    "page-exact-domineering": {"place": "#/analysis?game=domineering:4x4", "until": PROVED},
    "page-puzzle": {"place": "#/puzzles?win_in=4&number=12", "wait": 4, "click": "#puzzle-hint"},
    "page-puzzle-phone": {"place": "#/puzzles?win_in=3", "wait": 4, **ON_A_PHONE},
    "page-kalah": {"place": "#/analysis?game=kalah&moves=36", "wait": 6, "color_scheme": "dark"},
    "page-review": {"place": "#/review?game=connect4&moves=44453322261", "wait": 20},
    "page-think": {"place": "#/think?game=tictactoe&moves=b2,a1,c1,a3&algorithm=alphabeta&depth=3", "wait": 4, "keys": "End"},
    "page-mcts": {"place": "#/think?game=tictactoe&moves=b2,a1,c1,a3&algorithm=mcts&iterations=60", "wait": 4, "keys": "End",
                  "color_scheme": "dark"},
    "page-learn": {"place": "#/learn/alphabeta", "wait": 4},
    "page-legend": {"place": "#/analysis?game=connect4&moves=44", "click": "[data-help=legend]"},
    "page-phone": {"place": "#/analysis?game=gomoku&moves=h8,h9,i8,g8,i9", "wait": 6, **ON_A_PHONE},
}


def take(browser: Browser, server: Server, name: str, place: str, *, wait: float = 3.0, until: str = "", keys: str = "", click: str = "",
         **settings: Any) -> None:
    """A screenshot of one place of the page: once something is there, after some seconds, some keys and a click."""
    visitor = Visitor(browser, server, **{"viewport": WIDE, **settings})
    page = visitor.go(place)
    if until:
        page.wait_for_selector(until)
    page.wait_for_timeout(wait * 1000)
    if click:
        page.locator(click).click()
        page.wait_for_timeout(1200)
    for key in keys.split():
        page.keyboard.press(key)
    page.wait_for_timeout(400)
    page.screenshot(path=FOLDER / f"{name}.png")
    visitor.close()


def main(names: list[str]) -> None:
    """The pictures of these names, or all."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, running(Path(folder), MNKALA_PLUGINS="domineering") as server, chromium() as browser:
        for name in names or PICTURES:
            take(browser, server, name, **PICTURES[name])


if __name__ == "__main__":
    main(sys.argv[1:])
