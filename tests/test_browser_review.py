"""Reviews of games and the way to positions on the page, in a real browser: mistakes found again,
positions that are set up, games that are pasted, and links that do not work.

Each test is a journey of one person; its steps are functions that say what holds.
"""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser import EMPTY, PATIENCE, Visitor, click_move, overflow

expect.set_options(timeout=PATIENCE)


# ---- Reviews ----


def test_a_game_is_reviewed_and_its_record_taken_along(ann: Visitor) -> None:
    a_known_game_is_reviewed(ann)
    a_turn_of_kalah_is_told_in_seeds(ann)
    who_looks_at_an_own_game_again_reads_that_they_won(ann)
    a_pasted_record_is_opened_and_a_bad_one_explained(ann)
    with ann.page.expect_download() as downloading:
        ann.page.locator("#export-record").click()
    assert b"tictactoe b2a1c3 *" in Path(downloading.value.path()).read_bytes()


def a_known_game_is_reviewed(ann: Visitor) -> None:
    """The sixth move lets three in a column be."""
    page = ann.go("#/review?game=connect4&moves=1212121")
    expect(page.locator('#review-moves [data-ply="6"]')).to_have_attribute("data-grade", "blunder")
    expect(page.locator("#accuracy-first")).to_contain_text("%")
    expect(page.locator("#turning-point")).to_be_visible()
    expect(page.locator('#review-graph [data-ply="6"]')).to_have_attribute("data-grade", "blunder")
    page.locator('#review-moves [data-ply="3"]').click()
    expect(page.locator("#board")).to_be_visible()
    expect(page.locator(".comment strong").first).to_have_text(re.compile(r"^3\. "))
    expect(page.locator("#review-moves li:has([aria-current])")).to_have_attribute(
        "data-number", "3"
    )


def a_turn_of_kalah_is_told_in_seeds(ann: Visitor) -> None:
    page = ann.go("#/review?game=kalah:3x3&moves=122321331")
    expect(page.locator("#accuracy-first")).to_have_text("10")
    expect(page.locator("#review-moves [data-ply]")).to_have_count(7)
    page.locator("#turning-point").click()
    expect(page.locator(".comment")).to_contain_text(
        "Gives away 12 seeds: loses by 10, where house 1 wins by 2."
    )
    expect(page.locator('#review-graph [data-ply="5"]')).to_have_attribute("data-grade", "blunder")
    page.keyboard.press("Home")
    expect(page.locator("#review-graph")).to_have_attribute(
        "aria-valuetext", "Start: First player +2"
    )
    expect(page.locator("#review-moves li").nth(1)).to_have_attribute(
        "data-number", "3"
    )  # turns are counted, of either player
    page.keyboard.press("ArrowRight")  # the first of two sowings of a turn
    expect(page.locator("#review-moves [aria-current]")).to_have_attribute("data-move", "1 2")


def who_looks_at_an_own_game_again_reads_that_they_won(ann: Visitor) -> None:
    """And not "You wins"."""
    ann.new_game("tictactoe", "human", "easy", moves="a1b1a2b2a3")
    page = ann.go(f"#/review?id={ann.state()['id']}")
    expect(page.locator(".review-result")).to_have_text("You won")


def a_pasted_record_is_opened_and_a_bad_one_explained(ann: Visitor) -> None:
    ann.new_game("tictactoe", moves="b2")
    saved = ann.state()["id"]
    page = ann.go("#/analysis?game=tictactoe")
    page.locator('[data-nav="review"]').click()
    expect(page.locator("#saved-games a").first).to_have_attribute("href", f"#/review?id={saved}")
    page.locator("#record-input").fill("connect4 44 maybe")
    page.locator("#record-open").click()
    expect(page.locator("body")).to_contain_text("'maybe' is neither a move nor a result")
    page.locator("#record-input").fill("tictactoe b2,a1,c3 *")
    page.locator("#record-open").click()
    expect(page.locator("#review-moves [data-ply]")).to_have_count(3)


# ---- Mistakes ----


def test_a_missed_move_is_found_on_the_board_and_among_the_mistakes_of_saved_games(
    ann: Visitor,
) -> None:
    what_was_missed_is_found_on_the_board_and_played_on_from(ann)
    mistakes_of_saved_games_are_reviewed_listed_and_tried_again(ann)
    a_game_without_a_mistake_says_so(ann)
    a_turn_is_found_from_where_it_left_the_better_one(ann)


def what_was_missed_is_found_on_the_board_and_played_on_from(ann: Visitor) -> None:
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


def mistakes_of_saved_games_are_reviewed_listed_and_tried_again(ann: Visitor) -> None:
    page = ann.go("#/mistakes")
    page.locator("#mistakes-start").click()
    kind = page.locator('[data-kind="mistake.missed_now"]')
    expect(kind).to_contain_text("too few games for a trend")
    kind.locator("summary").click()
    kind.locator(".mistake-places a").first.click()
    expect(page.locator(".find")).to_contain_text("Before move 5, x had something better.")
    page.go_back()
    kind.locator(".mistake-train").click()
    expect(page.locator("[data-puzzle]")).to_have_count(3)


def a_game_without_a_mistake_says_so(ann: Visitor) -> None:
    page = ann.go("#/review?game=tictactoe&moves=b2,a1&find=1")
    expect(page.locator("#nothing-missed")).to_be_visible()


def a_turn_is_found_from_where_it_left_the_better_one(ann: Visitor) -> None:
    """The turn 1 3 would win, 1 4 was played: sowing 1 is on the board, and 3 is to be found."""
    page = ann.go("#/review?game=kalah:4x4&moves=1,4&find=1")
    expect(page.locator(".find")).to_be_visible()
    expect(page.locator("#board .store-count").first).to_have_text("1")
    page.locator('#board [data-cell="1,3"]').click()
    expect(page.locator(".find-verdict")).to_contain_text("Not house 4")
    page.locator('#board [data-cell="1,2"]').click()
    expect(page.locator(".find-verdict")).to_contain_text("Right: house 3")


# ---- Positions ----


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


def test_positions_are_set_up_and_what_is_wrong_is_explained(ann: Visitor, phone: Visitor) -> None:
    discs_are_set_up_and_what_is_wrong_is_explained(ann)
    marks_are_set_up_and_played_from(ann)
    a_game_whose_pictures_do_not_tell_all_has_no_editor(ann)
    seeds_are_set_up_on_a_phone(phone)


def discs_are_set_up_and_what_is_wrong_is_explained(ann: Visitor) -> None:
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


def marks_are_set_up_and_played_from(ann: Visitor) -> None:
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


def a_game_whose_pictures_do_not_tell_all_has_no_editor(ann: Visitor) -> None:
    page = ann.go("#/analysis?game=domineering:3x3")
    expect(page.locator("#paste-open")).to_be_visible()
    expect(page.locator("#edit-position")).to_be_hidden()
    page.locator("#analysis-family").select_option("tictactoe")
    expect(page.locator("#edit-position")).to_be_visible()
    page.go_back()
    expect(page.locator("#edit-position")).to_be_hidden()


def seeds_are_set_up_on_a_phone(phone: Visitor) -> None:
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
    a_bad_link_says_what_is_wrong_and_offers_a_way_on(ann)
    what_is_wrong_is_said_in_the_readers_language(ann)


BAD_LINKS = [
    (
        "#/analysis?game=nonsense",
        "no game is called 'nonsense'",
        "#choose-game a >> nth=0",
        "#/analysis?game=connect4",
    ),
    (
        "#/analysis?game=tictactoe&moves=b2,a1,b2",
        "b2 cannot be played",
        "#open-legal",
        "#/analysis?game=tictactoe&moves=b2,a1",
    ),
    (
        "#/think?game=tictactoe&start=zz",
        "needs 3 rows",
        "#open-start",
        "#/think?game=tictactoe",
    ),
    (
        "#/review?game=connect4&moves=448",
        "column 8 does not exist",
        "#open-legal",
        "#/review?game=connect4&moves=4,4",
    ),
    ("#/puzzles?win_in=99", "99", "#problem a", "#/puzzles?win_in=3"),
    ("#/game/unknown", "unknown", "#problem a >> nth=0", "#/"),
    ("#/tournaments/no-such-thing", "no tournament is called 'no-such-thing'", None, ""),
    (
        "#/studies/prunning",
        "no study is called 'prunning'; did you mean pruning?",
        "#problem a >> nth=0",
        "#/studies",
    ),
]


def a_bad_link_says_what_is_wrong_and_offers_a_way_on(ann: Visitor) -> None:
    for place, said, way, leads in BAD_LINKS:
        page = ann.go(place)
        expect(page.locator("#problem")).to_contain_text(said)
        if way is not None:
            expect(page.locator(way)).to_have_attribute("href", leads)


def what_is_wrong_is_said_in_the_readers_language(ann: Visitor) -> None:
    ann.page.evaluate("localStorage.setItem('mnkala.language', 'it')")
    ann.page.goto(f"{ann.server.address}/{EMPTY}")
    problem = ann.go("#/analysis?game=nonsense").locator("#problem")
    expect(problem).to_contain_text("nessun gioco si chiama 'nonsense'")
