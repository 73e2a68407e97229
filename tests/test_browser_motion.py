"""Movement on the boards: seeds travel, a reply waits until the move before has landed, and both
can be turned off, as sounds can.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import PATIENCE, Visitor, chromium, click_move
from tests.waiting import wait_until
from tests.web_server import Server

expect.set_options(timeout=PATIENCE)
WATCH = """() => {
  window.frames = [];
  const look = () => {
    const board = document.querySelector("#board");
    if (!board) return; // another page
    const hidden = (each) => getComputedStyle(each).visibility === "hidden";
    window.frames.push({
      carried: board.querySelectorAll(".carried > g").length, moving: board.getAnimations({ subtree: true }).some((each) => each.effect.getKeyframes()[0].transform),
      discs: board.querySelectorAll(".pieces .disc").length, rings: [...board.querySelectorAll(".ring.last")].filter((each) => !hidden(each)).length,
    });
    requestAnimationFrame(look);
  };
  look();
}"""


@pytest.fixture(scope="module")
def mover(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    folder: Path = tmp_path_factory.mktemp("motion")
    with chromium() as browser:
        server = Server(folder)
        visitor = Visitor(browser, server, reduced_motion="no-preference")
        try:
            yield visitor
            visitor.close()
        finally:
            server.stop()


def frames(page: Page) -> list[dict[str, Any]]:
    """What every frame since `WATCH` showed."""
    found: list[dict[str, Any]] = page.evaluate("window.frames")
    return found


def test_seeds_travel_and_captured_ones_go_to_the_store(mover: Visitor) -> None:
    page = mover.new_game("kalah", start="<6,0,0,1,0,3,3,3,3,3,3,3,3,3,3>")
    page.evaluate(WATCH)
    click_move(page, mover.state()["view"], "1")
    expect(page.locator(".store-count").first).to_have_text("4")
    expect(page.locator(".carried > g")).to_have_count(0)
    assert [page.locator(".count").nth(column).text_content() for column in range(12)] == [
        *"303333",
        *"003333",
    ]
    assert max(frame["carried"] for frame in frames(page)) == 2, (
        "one seed travelled, then those of two houses"
    )


def test_a_reply_waits_until_the_disc_before_has_landed_and_rings_come_last(mover: Visitor) -> None:
    page = mover.new_game("connect4", "human", "random:seed=1")
    page.evaluate(WATCH)
    click_move(page, mover.state()["view"], "4")
    expect(page.locator("#board .pieces .disc")).to_have_count(2)
    expect(page.locator(".ring.last")).to_have_count(1)
    wait_until(
        lambda: page.evaluate(
            "!document.querySelector('#board').getAnimations({ subtree: true }).length"
        ),
        "everything has landed",
    )
    seen = frames(page)
    assert any(
        frame["discs"] == 1 and not frame["moving"] and frame["rings"] == 1 for frame in seen
    ), "the first disc lay, with its ring, before the second fell"
    assert not any(frame["moving"] and frame["rings"] for frame in seen)


def test_without_animation_nothing_moves_and_sounds_are_turned_off_by_one_click(
    mover: Visitor,
) -> None:
    page = mover.new_game("kalah")
    page.locator("#settings").click()
    page.locator('[name="setting-motion"][value="off"]').check(force=True)
    page.keyboard.press("Escape")
    page.locator("#sound").click()
    expect(page.locator("#sound")).to_have_attribute("title", "Turn the sounds on")
    assert page.evaluate(
        "[localStorage.getItem('mnkala.sound'), localStorage.getItem('mnkala.motion')]"
    ) == ["off", "off"]
    page.evaluate(WATCH)
    click_move(page, mover.state()["view"], "3")
    expect(page.locator(".store-count").first).to_have_text("1")
    assert not any(frame["carried"] for frame in frames(page))
    page.reload()
    expect(page.locator("#sound")).to_have_attribute("title", "Turn the sounds on")
    page.locator("#sound").click()
    assert page.evaluate("localStorage.getItem('mnkala.sound')") is None


def test_a_board_is_chosen_by_a_sample_and_stones_tell_their_moves_in_reviews(
    mover: Visitor,
) -> None:
    page = mover.new_game("gomoku", moves="h8,h9,i8")
    ground, number = page.locator("#board .wood"), page.locator("#board .number")
    expect(number.first).to_be_hidden()
    page.locator("#settings").click()
    samples = page.locator(".segments [data-board] .wood")
    seen = [samples.nth(i).evaluate("each => getComputedStyle(each).fill") for i in range(4)]
    assert len(set(seen)) == 4
    page.locator('[name="setting-board"][value="slate"]').check(force=True)
    expect(ground).to_have_css("fill", seen[2])
    page.locator('[name="setting-numbers"][value="on"]').check(force=True)
    page.keyboard.press("Escape")
    expect(number).to_have_text(["2", "1", "3"])  # from the top
    expect(page.locator("#board .disc-mark")).to_have_count(3)
    page.evaluate("localStorage.removeItem('mnkala.numbers')")
    page.goto(f"{mover.server.address}/#/review?game=gomoku&moves=h8,h9,i8")
    page.reload()
    expect(page.locator("#board .number")).to_have_text(["2", "1", "3"])
    expect(page.locator("#board .number").first).to_be_visible()
    page.evaluate("localStorage.removeItem('mnkala.board')")


def test_classic_colours_are_those_of_the_game(mover: Visitor) -> None:
    page = mover.new_game("connect4", moves="4")
    page.locator("#settings").click()
    page.locator('[name="setting-pieces"][value="classic"]').check(force=True)
    page.keyboard.press("Escape")
    expect(page.locator("#board .disc.first .disc-body")).to_have_css("fill", "rgb(198, 40, 40)")
    page = mover.new_game("gomoku", moves="h8h9")
    expect(page.locator("#board .disc.first .disc-body")).to_have_css("fill", "rgb(28, 28, 28)")
    expect(page.locator("#board .disc.second .disc-body")).to_have_css("fill", "rgb(246, 245, 240)")
    page.evaluate("localStorage.removeItem('mnkala.pieces')")


def test_the_arrows_of_an_analysis_leave_the_counts_of_houses_readable(mover: Visitor) -> None:
    page = mover.go("#/analysis?game=kalah&moves=36")
    arrow = page.locator("#board .path").first
    expect(arrow).to_be_attached()
    over = page.evaluate(
        "(arrow) => Boolean(arrow.compareDocumentPosition(document.querySelector('#board .counts')) & Node.DOCUMENT_POSITION_FOLLOWING)",
        arrow.element_handle(),
    )
    assert over, "counts are drawn after the arrows"
