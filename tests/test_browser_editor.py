"""Setting up positions and pasting games on the page, in a real browser."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser import PATIENCE, Visitor, overflow

expect.set_options(timeout=PATIENCE)


def edit(visitor: Visitor, game: str) -> Page:
    """The editor of a game, opened by its button."""
    page = visitor.go(f"#/analysis?game={game}")
    page.locator("#edit-position").click()
    expect(page.locator("#editor-verdict li")).to_have_count(1)
    return page


def expect_at(page: Page, place: str, *, whole: bool = False) -> None:
    """The page has gone to a place, or to one whose address begins so."""
    expect(page).to_have_url(re.compile(re.escape(place) + ("$" if whole else "")))


def click(page: Page, *cells: str) -> None:
    for cell in cells:
        page.locator(f'#editor-board [data-cell="{cell}"]').click()


def test_discs_are_set_up_and_what_is_wrong_is_explained(ann: Visitor) -> None:
    page = edit(ann, "connect4")
    verdict = page.locator("#editor-verdict")
    click(page, "0,3", "2,3")
    expect(verdict).to_have_text("x has 2 and o has 0: x may have at most one more.")
    expect(page.locator("#editor-analyse")).to_be_disabled()
    page.keyboard.press("2")
    click(page, "4,3")
    expect(page.locator("#editor-literal")).to_have_text(
        "connect4@......./......./......./......./...o.../...x..."
    )
    page.locator("input[name=editor-mover][value='1']").check(force=True)
    expect(verdict).to_contain_text("It is the turn of x")
    page.keyboard.press("1")
    click(page, "0,0")
    expect(page.locator("#editor-analyse")).to_be_enabled()
    page.keyboard.press("0")
    click(page, "5,0", "5,3")  # the disc above falls
    expect(verdict).to_have_text("x has 0 and o has 1: x moves first, so o never has more.")
    page.locator("#editor-start").click()
    expect(page.locator("#editor-literal")).to_have_text("connect4@" + "/".join(["......."] * 6))
    page.keyboard.press("1")
    page.locator("#editor-board").focus()
    page.keyboard.press("Enter")
    expect(page.locator("input[name=editor-mover][value='1']")).to_be_checked()
    page.locator("#editor-analyse").click()
    expect_at(page, "#/analysis?game=connect4&start=")
    expect(page.locator("#editor")).to_have_count(0)
    expect(page.locator("#board")).to_be_visible()


def test_marks_are_set_up_and_played_from(ann: Visitor) -> None:
    page = edit(ann, "tictactoe")
    click(page, "0,0", "0,1", "0,1", "1,1")
    page.locator("input[name=editor-brush][value='2']").check(force=True)
    click(page, "2,2")
    page.locator("#editor-play").click()
    expect_at(page, "#/?game=tictactoe&start=")
    expect(page.locator("#start-position")).to_have_value("x../.x./..o")
    expect(page.locator("#start-game")).to_be_enabled()
    page.locator("#edit-position").click()
    expect(page.locator("#editor-literal")).to_have_text("tictactoe@x../.x./..o")
    page.locator("#editor-clear").click()
    click(page, "0,0", "0,1", "0,2")
    page.keyboard.press("2")
    click(page, "1,0", "1,1")
    expect(page.locator("#editor-verdict")).to_contain_text("The game is over")
    expect(page.locator("#editor-play")).to_be_disabled()


def test_seeds_are_set_up_on_a_phone(phone: Visitor) -> None:
    page = edit(phone, "kalah:3x2")
    assert overflow(page) <= 0
    click(page, "1,0")
    expect(page.locator("#editor-verdict")).to_have_text(
        "12 seeds are needed, 13 are on the board."
    )
    page.locator("#editor-number").fill("0")
    click(page, "0,2")
    page.locator("input[name=editor-brush][value=add]").check(force=True)
    click(page, "0,-1")  # the store of the second player
    expect(page.locator("#editor-store-1")).to_have_value("1")
    page.locator("input[name=editor-mover][value='1']").check(force=True)
    expect(page.locator("#editor-literal")).to_have_text("kalah:3x2@<3,1,0,0,2,2,3,2,2>o")
    page.locator("#editor-number").fill("0")
    click(page, "0,2")
    page.locator("#editor-board").focus()
    page.keyboard.press("+")
    expect(page.locator("#editor-verdict")).to_contain_text("13 are on the board")
    page.keyboard.press("0")
    expect(page.locator("#editor-literal")).to_contain_text("<3,1,0,0,2,2,3,2,2>o")
    page.locator("#editor-analyse").click()
    expect_at(page, "#/analysis?game=kalah:3x2&start=")


def test_a_game_whose_pictures_do_not_tell_all_has_no_editor(ann: Visitor) -> None:
    page = ann.go("#/analysis?game=domineering:3x3")
    expect(page.locator("#paste-open")).to_be_visible()
    expect(page.locator("#edit-position")).to_be_hidden()
    page.locator("#analysis-family").select_option("tictactoe")
    expect(page.locator("#edit-position")).to_be_visible()
    page.go_back()
    expect(page.locator("#edit-position")).to_be_hidden()


def test_a_game_is_pasted_in_any_form(ann: Visitor, tmp_path: Path) -> None:
    page = ann.go("#/analysis?game=tictactoe&moves=b2")
    forms = (
        ("a1 b2", "game=tictactoe&moves=a1,b2"),
        ("connect4 44352 *", "game=connect4&moves=4,4,3,5,2"),
        ("1. 4 4 2. 3", "game=connect4&moves=4,4,3"),
        ("https://connect4.gamesolver.org/?pos=4455", "game=connect4&moves=4,4,5,5"),
        ("3/1x1/o2 b1", "game=tictactoe&start=.../.x./o..&moves=b1"),
    )

    def paste(text: str) -> None:
        if not page.locator("#paste").is_visible():
            page.locator("#paste-open, #set-up > summary").first.click()
        page.locator("#paste").fill(text)
        page.locator("#open-pasted").click()

    for text, address in forms:
        paste(text)
        expect_at(page, f"#/analysis?{address}", whole=True)
    paste("h8 h9 i8 i9")
    expect_at(page, "#/analysis?game=gomoku&moves=h8,h9,i8,i9", whole=True)
    expect(page.locator("#toasts")).to_contain_text("Read as a game of gomoku")
    paste("conect4 44")
    expect(page.locator("#paste-error")).to_contain_text("no game is called 'conect4'")
    file = tmp_path / "games.txt"
    file.write_text("# first: Ann\ntictactoe a1 *\nconnect4 4 *\n")
    page.locator("#paste-file").set_input_files(file)
    expect_at(page, "#/analysis?game=tictactoe&moves=a1", whole=True)
    expect(page.locator("#toasts")).to_contain_text("2 games; this is the first")
