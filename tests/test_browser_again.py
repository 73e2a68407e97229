"""After a game: the move that was missed as a task on the board, and playing on from there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser import PATIENCE, Visitor, chromium, click_move
from tests.web_server import Server

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def ann(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    folder: Path = tmp_path_factory.mktemp("again")
    with chromium() as browser:
        server = Server(folder)
        visitor = Visitor(browser, server)
        try:
            yield visitor
            visitor.close()
        finally:
            server.stop()


def test_what_was_missed_is_found_on_the_board_and_played_on_from(ann: Visitor) -> None:
    """The first player could complete the diagonal at c1, and plays a2 instead, so that the
    computer wins there.
    """
    page = ann.new_game("tictactoe", "human", "level2", moves="b2a1a3b1")
    expect(page.locator("#move-list [data-move]")).to_have_count(4)
    click_move(page, ann.state()["view"], "a2")
    page.locator("#find-missed").click()
    task, verdict, board = (
        page.locator(".find"),
        page.locator(".find-verdict"),
        page.locator("#board"),
    )
    expect(task).to_contain_text("Before move 5, x had something better.")
    board.locator('[data-cell="1,0"]').click()
    expect(verdict).to_have_text("Not a2: there is something better. Try again.")
    board.locator('[data-cell="0,2"]').click()
    expect(verdict).to_have_text("Not c3: there is something better. Try again.")
    board.locator('[data-cell="2,2"]').click()
    expect(verdict).to_contain_text("Right: c1")
    page.locator("#find-more").click()
    for number in (1, 2, 3):
        expect(page.locator('.puzzle-dot[aria-current="step"]')).to_have_attribute(
            "data-puzzle", str(number)
        )
        page.locator("#puzzle-next").click()
    expect(task).to_contain_text("Before move 5, x had something better.")
    page.locator("#find-done").click()
    expect(page.locator(".comment")).to_contain_text("blunder")
    page.locator("#find-it").click()
    page.locator("#find-answer").click()
    page.locator("#retry-it").click()
    expect(page.locator("#move-list [data-move]")).to_have_count(4)
    state = ann.state()
    assert [player["name"] for player in state["players"]] == ["human", "level2"]
    assert (state["view"]["played"], state["yours"]) == (["b2", "a1", "a3", "b1"], [True, False])


def test_a_game_without_a_mistake_says_so(ann: Visitor) -> None:
    page = ann.go("#/review?game=tictactoe&moves=b2,a1&find=1")
    expect(page.locator("#nothing-missed")).to_be_visible()


def test_a_turn_is_found_from_where_it_left_the_better_one(ann: Visitor) -> None:
    """The turn 1 3 would win, 1 4 was played: sowing 1 is on the board, and 3 is to be found."""
    page = ann.go("#/review?game=kalah:4x4&moves=1,4&find=1")
    expect(page.locator(".find")).to_be_visible()
    expect(page.locator("#board .store-count").first).to_have_text("1")
    page.locator('#board [data-cell="1,3"]').click()
    expect(page.locator(".find-verdict")).to_contain_text("Not house 4")
    page.locator('#board [data-cell="1,2"]').click()
    expect(page.locator(".find-verdict")).to_contain_text("Right: house 3")


def test_mistakes_of_saved_games_are_reviewed_listed_and_tried_again(ann: Visitor) -> None:
    page = ann.new_game("tictactoe", "human", "level2", moves="b2a1a3b1")
    expect(page.locator("#move-list [data-move]")).to_have_count(4)
    click_move(page, ann.state()["view"], "a2")
    expect(page.locator("#find-missed")).to_be_visible()
    ann.go("#/mistakes")
    page.locator("#mistakes-start").click()
    kind = page.locator('[data-kind="mistake.missed_now"]')
    expect(kind).to_contain_text("too few games for a trend")
    kind.locator("summary").click()
    kind.locator(".mistake-places a").first.click()
    expect(page.locator(".find")).to_contain_text("Before move 5, x had something better.")
    page.go_back()
    kind.locator(".mistake-train").click()
    expect(page.locator("[data-puzzle]")).to_have_count(3)
