"""The choice of a level in a real browser: ten levels with their ratings, and one's own after some
games.

More than two seconds of CPU, for a server and a browser: nothing else shows that the page keeps
results and tells what they mean.
"""

from __future__ import annotations

import json

from playwright.sync_api import expect

from mnkala.core import parse_game
from mnkala.explain.words import say
from mnkala.play import ladder_of
from mnkala.play.levels import exact_words
from tests.browser import PATIENCE, Visitor
from tests.waiting import wait_until

expect.set_options(timeout=PATIENCE)


def test_a_level_is_picked_with_its_rating_and_results_become_ones_own(ann: Visitor) -> None:
    level = ladder_of(parse_game("tictactoe"))[2]
    page = ann.go("#/?game=tictactoe")
    expect(page.locator('[name="word-level-0"]')).to_have_count(3)
    page.locator(".all-levels > summary").click()
    expect(page.locator('[name="level-0"]')).to_have_count(11)
    page.locator('[name="level-0"][value="level3"]').check()
    expect(page.locator(".level-about")).to_contain_text(
        f"Level 3: {say('game.level_rating', rating=round(level.rating or 0))}"
    )
    page.locator("#start-game").click()
    expect(page.locator("#board")).to_be_visible()
    page = ann.go()
    page.locator("[data-family=kalah]").check(force=True)
    expect(page.locator('[name="word-level-0"]:checked + span')).to_have_text("Medium")
    page.locator("[data-family=tictactoe]").check(force=True)
    expect(page.locator('[name="level-0"]:checked + span')).to_have_text("3")
    for _ in range(3):
        page = ann.new_game("tictactoe", "human", "level3")
        page.locator("#resign").click()
        page.locator("#resign").click()
        expect(page.locator("#result")).to_have_attribute("data-result", "0-1")
    for help_button in ("#hint", "#analysis-switch"):  # a game with help says nothing of the person
        page = ann.new_game("tictactoe", "human", "level3")
        page.locator(help_button).click()
        wait_until(lambda: not ann.state()["unaided"], "the server knows of the help")
        page.locator("#resign").click()
        page.locator("#resign").click()
        expect(page.locator("#result")).to_have_attribute("data-result", "0-1")
    kept = json.loads(page.evaluate("localStorage.getItem('mnkala.results')"))
    assert [(each["level"], each["points"]) for each in kept["tictactoe"]] == [("level3", 0)] * 3
    page = ann.go("#/?game=tictactoe")
    expect(page.locator(".own-rating")).to_contain_text("Your rating is about")
    page.locator(".own-rating button").click()
    expect(page.locator(".own-rating")).to_be_empty()
    assert page.evaluate("localStorage.getItem('mnkala.results')") is None


def test_the_top_level_says_whether_every_move_is_exact_or_from_where_on(ann: Visitor) -> None:
    """Kalah of six houses and four seeds had the level "perfect"."""
    said = {
        "kalah": "Level 10 (strongest)",
        "kalah:4x4": "Level 10 (perfect)",
        "connect4": "Level 10 (perfect)",
        "tictactoe": "Level 10 (perfect)",
        "gomoku": "Level 10 (strongest)",
    }
    for game, name in said.items():
        page = ann.go(f"#/?game={game}")
        if not page.locator(".all-levels[open]").count():
            page.locator(".all-levels > summary").click()
        page.locator('[name="level-0"][value="level10"]').check()
        expect(page.locator(".level-about")).to_contain_text(name)
        expect(page.locator(".level-about")).to_contain_text(
            exact_words(ladder_of(parse_game(game))[-1])
        )
