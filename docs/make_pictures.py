"""Makes every picture of README and guide: `make pictures`, or `python -m docs.make_pictures
[NAME…]` for some of them, with a Chromium on the machine. What the page or the terminal no longer
shows is told and not fatal: look at the pictures before you keep them.
"""

from __future__ import annotations

import asyncio
import io
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page
from playwright.sync_api import Error as BrowserError
from tests.browser import PHONE, Visitor, chromium
from tests.terminal_table import table
from tests.web_server import Server, running

FOLDER = Path(__file__).parent / "pictures"
WIDE = {"width": 1280, "height": 800}
ON_A_PHONE: dict[str, Any] = {"viewport": PHONE, "is_mobile": True, "has_touch": True}
PATIENCE = 60_000
"""Milliseconds for what a picture waits for."""
COLOURS = 256
"""A palette makes a picture of the page a third as large, and nobody sees it."""
PROVED = "#exact-state:has-text('Every move is proved')"
"""The analysis says this once every move has its score."""
FONTS = "DejaVu Sans Mono, Menlo, Consolas, monospace"
PICTURES: dict[str, dict[str, Any]] = {
    "page-game": {
        "game": {"players": ["7", "human"], "moves": "44444226351", "nicknames": [None, "Ann"]},
        "keys": "h",
        "after": 5,
    },
    "page-home": {"place": ""},
    "page-analysis": {"place": "#/analysis?game=connect4&moves=44354", "wait": 8},
    "page-exact": {"place": "#/analysis?game=connect4&moves=44444226351", "wait": 12},
    "page-exact-tictactoe": {"place": "#/analysis?game=tictactoe&moves=b2,a2", "until": PROVED},
    "page-exact-kalah": {
        "place": "#/analysis?game=kalah&start=<6,18,12,1,0,1,2,2,1,3,1,1,0,3,3>",
        "until": PROVED,
    },
    "page-exact-domineering": {"place": "#/analysis?game=domineering:4x4", "until": PROVED},
    "page-puzzle": {"place": "#/puzzles?win_in=4&number=12", "wait": 4, "click": "#puzzle-hint"},
    "page-puzzle-phone": {"place": "#/puzzles?win_in=3", "wait": 4, **ON_A_PHONE},
    "page-kalah": {
        "place": "#/analysis?game=kalah&moves=36",
        "until": PROVED,
        "wait": 8,
        "color_scheme": "dark",
    },
    "page-review": {"place": "#/review?game=connect4&moves=44453322261", "wait": 20},
    "page-think": {
        "place": "#/think?game=tictactoe&moves=b2,a1,c1,a3&algorithm=alphabeta&depth=3",
        "wait": 4,
        "keys": "End",
    },
    "page-mcts": {
        "place": "#/think?game=tictactoe&moves=b2,a1,c1,a3&algorithm=mcts&iterations=60",
        "wait": 4,
        "keys": "End",
        "color_scheme": "dark",
    },
    "page-learn": {"place": "#/learn/alphabeta", "wait": 4},
    "page-studies": {"place": "#/studies/pruning", "until": "figure svg"},
    "page-legend": {"place": "#/analysis?game=connect4&moves=44", "click": "#open-legend"},
    "page-threats": {
        "place": "#/analysis?game=gomoku&moves=h8,g8,i8,g9,j8,g10,k10,h10,k9,i11",
        "until": "#analysis-lines > li",
        "wait": 6,
        "click": "#threats-switch",
    },
    "page-phone": {"place": "#/analysis?game=gomoku&moves=h8,h9,i8,g8,i9", "wait": 6, **ON_A_PHONE},
}
"""A place of the page, or a `game` of Connect Four that is begun there, and what happens before the
picture: `until` something is there, `wait` some seconds, `click`, press `keys`, wait some seconds
`after`. The rest is for the browser.
"""
TERMINALS: dict[str, dict[str, Any]] = {
    "terminal-connect4": {"game": "connect4", "moves": "44444226351", "keys": "a", "wait": 12},
    "terminal-kalah": {"game": "kalah", "moves": "36", "keys": "h", "wait": 6},
}
"""A game in the terminal, the keys that are pressed, and the seconds before the picture."""


def tell(name: str, what: str) -> None:
    """Say what went wrong, on one line."""
    print(f"{name}: {what.splitlines()[0]}", file=sys.stderr)


def prepare(page: Page, *, wait: float, until: str, keys: str, click: str, after: float) -> None:
    """Bring the page to what the picture shows."""
    page.set_default_timeout(PATIENCE)
    if until:
        page.wait_for_selector(until)
    page.wait_for_timeout(wait * 1000)
    if click:
        page.locator(click).click()
        page.wait_for_timeout(1200)
    for key in keys.split():
        page.keyboard.press(key)
    page.wait_for_timeout(after * 1000)


def take_page(
    browser: Browser,
    server: Server,
    name: str,
    place: str = "",
    *,
    game: dict[str, Any] | None = None,
    wait: float = 3.0,
    until: str = "",
    keys: str = "",
    click: str = "",
    after: float = 0.4,
    **settings: Any,
) -> None:
    """A screenshot of one place of the page, or of a game that is begun there."""
    visitor = Visitor(browser, server, **{"viewport": WIDE, **settings})
    try:
        page = visitor.go(place) if game is None else visitor.new_game("connect4", **game)
        prepare(page, wait=wait, until=until, keys=keys, click=click, after=after)
    except BrowserError as error:
        tell(name, error.message)
    picture = Image.open(io.BytesIO(visitor.page.screenshot()))
    picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(
        FOLDER / f"{name}.png", optimize=True
    )
    for complaint in visitor.complaints:
        tell(name, complaint)
    visitor.context.close()


async def take_terminal(
    name: str, *, game: str, moves: str, keys: str, wait: float, size: tuple[int, int] = (92, 27)
) -> None:
    """A screenshot of the terminal, drawn with the reader's own fonts."""
    async with table(game, moves, second="medium", size=size) as here:
        await here.ready()
        await here.press(*keys.split())
        await asyncio.sleep(wait)
        await here.settle()
        drawn = re.sub(
            r"@font-face\s*\{.*?\}", "", here.app.export_screenshot(title="mnkala"), flags=re.DOTALL
        )
    (FOLDER / f"{name}.svg").write_text(
        re.sub(r"Fira Code, ?monospace|Fira Code", FONTS, drawn), encoding="utf-8"
    )


def main(names: list[str]) -> None:
    """The pictures of these names, or all."""
    known = {**PICTURES, **TERMINALS}
    if unknown := set(names) - set(known):
        sys.exit(
            f"no picture is called {', '.join(sorted(unknown))}; pictures are {', '.join(known)}"
        )
    wanted = names or list(known)
    FOLDER.mkdir(exist_ok=True)
    for name in [name for name in wanted if name in TERMINALS]:
        asyncio.run(take_terminal(name, **TERMINALS[name]))
    if pages := [name for name in wanted if name in PICTURES]:
        with (
            tempfile.TemporaryDirectory() as folder,
            running(Path(folder), MNKALA_PLUGINS="domineering") as server,
            chromium() as browser,
        ):
            for name in pages:
                take_page(browser, server, name, **PICTURES[name])
    for file in sorted(file for name in wanted for file in FOLDER.glob(f"{name}.*")):
        print(f"{file.relative_to(FOLDER.parent.parent)}  {file.stat().st_size / 1024:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
