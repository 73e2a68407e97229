"""The page in a real browser against a real server: whole games by mouse and by keyboard, links,
analysis, review, trees, phones.
"""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, ViewportSize, expect

from mnkala import Limit, Position, parse_engine
from mnkala.cli.analyse import analysis_json
from mnkala.core import parse_game
from mnkala.explain.words import LANGUAGES, say, words
from mnkala.numbers import written
from mnkala.play import ladder_of
from tests.broken_plugins import PAINTS_ON_THE_PAGE
from tests.browser import (
    DESK,
    EMPTY,
    PATIENCE,
    PHONE,
    Visitor,
    check_access,
    check_no_violation,
    check_width,
    click_move,
    module,
    overflow,
    press_move,
)
from tests.web_server import Person, Server, locked, running

expect.set_options(timeout=PATIENCE)


GAMES = [
    ("connect4", "4 4 5 5 6 6 7", "1-0"),
    ("tictactoe", "b2 a1 a2 c2 b1 b3 a3 c1 c3", "1/2-1/2"),
    ("gomoku", "h8 a1 i8 a2 j8 a3 k8 a4 l8", "1-0"),
    ("kalah:3x2", "2 3 2 1 3 2", "1-0"),
    ("domineering:3x3", "b3 a1 a3", "1-0"),
    ("breakthrough:4x2", "a2-b3 a4-b3 a1-a2 b3-a2 b2-a3 a2-b1", "0-1"),
]


def play_all(visitor: Visitor, moves: str, play: Any) -> Any:
    """Play moves one after the other, each as soon as the page shows the one before."""
    state = visitor.state()
    for count, move in enumerate(moves.split(), start=1):
        play(visitor.page, state["view"], move)
        expect(visitor.page.locator("#move-list [data-move]")).to_have_count(count)
        state = visitor.state()
    return state


@pytest.mark.parametrize("play", [click_move, press_move])
@pytest.mark.parametrize(("game", "moves", "result"), GAMES)
def test_a_whole_game_is_played(
    ann: Visitor, game: str, moves: str, result: str, play: Any
) -> None:
    page = ann.new_game(game)
    state = play_all(ann, moves, play)
    assert state["view"]["played"] == moves.split()
    expect(page.locator("#result")).to_have_attribute("data-result", result)
    assert len(page.locator("#announcements").inner_text()) > 0


def play_all_one(visitor: Visitor, state: Any, play: Any) -> Any:
    play(visitor.page, state["view"], state["view"]["moves"][0]["move"])
    expect(visitor.page.locator("#move-list [data-move]")).to_have_count(
        len(state["view"]["played"]) + 1
    )
    return visitor.state()


def test_a_game_opens_by_swap2_and_is_had_as_a_file_of_other_programs(ann: Visitor) -> None:
    """All of it in one game between two people: three stones, two more, a choice that swaps the
    sides, and then the game.
    """
    page = ann.go()
    page.locator("[data-family=connect4]").check()
    expect(page.locator("#start-game")).to_be_enabled()
    expect(page.locator("#opening-swap2")).to_be_hidden()
    page.locator("[data-family=gomoku]").check()
    page.locator("#board-settings > summary").click()
    page.locator("#opening-swap2").check()
    page.locator("[name=mode][value=here]").check()
    page.locator("#your-name").fill("Ann")
    page.locator("#second-name").fill("Bob")
    page.locator("#start-game").click()
    opening, names = page.locator("#opening"), page.locator(".plate-name")
    expect(opening).to_contain_text("Ann: put 3 stones on the board")
    play_all(ann, "h8 i9 j7", click_move)
    expect(opening).to_contain_text("Bob: take x, or take o and move, or put two more stones.")
    expect(page.locator('.plate.to-move[data-seat="1"]')).to_be_visible()
    page.locator('#board [data-cell="0,0"]').click(force=True)
    opening.locator("[data-choice=two]").click()
    expect(opening).to_contain_text("Bob: put 2 more stones on the board, o before x.")
    for count, move in ((4, "h9"), (5, "k4")):
        click_move(page, ann.state()["view"], move)
        expect(page.locator("#move-list [data-move]")).to_have_count(count)
    expect(opening).to_contain_text("Ann: take x, or take o and move.")
    assert ann.state()["view"]["played"] == ["h8", "i9", "j7", "h9", "k4"], (
        "a click before the choice meant nothing"
    )
    page.reload()
    opening.locator("[data-choice=o]").click()
    expect(opening).to_be_hidden()
    expect(page.locator('.plate[data-seat="0"] .plate-name')).to_have_text("Bob")
    expect(names).to_have_count(2)
    expect(page.locator("#undo")).to_be_disabled()
    click_move(page, ann.state()["view"], "a1")
    expect(page.locator("#undo")).to_be_enabled()
    page.locator(".more summary").click()
    with page.expect_download() as download:
        page.locator("[data-export=psq]").click()
    assert download.value.path().read_text().splitlines() == [
        "Piskvorky 15x15, 11:11, 0",
        "8,8,0",
        "9,7,0",
        "10,9,0",
        "8,7,0",
        "11,12,0",
        "1,15,0",
        "Bob",
        "Ann",
        "0",
    ]


def test_digits_play_columns_and_houses(ann: Visitor) -> None:
    for game, digit in (("connect4", "3"), ("kalah", "2")):
        page = ann.new_game(game)
        page.locator("#board").focus()
        page.keyboard.press(digit)
        expect(page.locator("#move-list [data-move]")).to_have_count(1)
        assert ann.state()["view"]["played"] == [digit]


def test_a_game_against_the_computer_starts_with_one_click_from_the_first_page(
    ann: Visitor,
) -> None:
    page = ann.go()
    page.locator("#start-game").click()
    page.wait_for_url("**/#/game/*")
    expect(page.locator("#board")).to_be_visible()
    click_move(page, ann.state()["view"], "4")
    expect(page.locator("#move-list [data-move]")).to_have_count(2)
    expect(page.locator("#answer")).to_contain_text(ladder_of(parse_game("connect4"))[4].engine)


def test_a_board_that_does_not_exist_is_explained_where_it_is_typed(ann: Visitor) -> None:
    page = ann.go()
    page.locator("#board-settings > summary").click()
    page.locator("#advanced summary").click()
    page.locator("#game-string").fill("connect4:99x99")
    expect(page.locator("#game-error")).to_contain_text("8100")
    expect(page.locator("#start-game")).to_be_disabled()
    page.locator("#game-string").fill("connect4:5x6")
    expect(page.locator("#start-game")).to_be_enabled()
    page.locator("input[name=mode][value=here]").check(force=True)
    page.locator("#start-game").click()
    page.wait_for_url("**/#/game/*")
    assert ann.state()["view"]["rows"] == 5


def test_any_engine_can_be_chosen_with_heuristic_depth_and_pruning(ann: Visitor) -> None:
    page = ann.new_game("connect4", "human", "minimax:depth=3,heuristic=basic")
    click_move(page, ann.state()["view"], "4")
    expect(page.locator("#move-list [data-move]")).to_have_count(2)
    assert ann.state()["answer"]["engine"] == "minimax:heuristic=basic,depth=3"


def test_a_hint_stays_with_its_reason_until_the_next_move(ann: Visitor) -> None:
    page = ann.new_game("connect4", "human", "human", moves="121212")
    page.locator("#hint").click()
    expect(page.locator('#board [data-hint="1"]')).to_be_attached()
    reason = Person(ann.server).post("/hint", {"game": "connect4", "moves": "121212"})["reasons"][
        0
    ]["text"]
    expect(page.locator("#hint-text")).to_contain_text(reason)
    click_move(page, ann.state()["view"], "1")
    expect(page.locator("#result")).to_have_attribute("data-result", "1-0")
    expect(page.locator("#board [data-hint]")).to_have_count(0)


def test_undo_and_redo_by_button_and_by_key(ann: Visitor) -> None:
    page = ann.new_game("connect4", "human", "easy")
    click_move(page, ann.state()["view"], "4")
    expect(page.locator("#move-list [data-move]")).to_have_count(2)
    page.locator("#undo").click()
    expect(page.locator("#move-list [data-move]")).to_have_count(0)
    page.locator("#redo").click()
    expect(page.locator("#move-list [data-move]")).to_have_count(2)
    page.keyboard.press("u")
    expect(page.locator("#move-list [data-move]")).to_have_count(0)


def contrast(page: Page, selector: str) -> float:
    """The contrast of a button's text with the button, by the formula of WCAG 2.2 (1 to 21)."""
    return page.eval_on_selector(
        selector,
        """element => {
        const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
        const luminance = (colour) => {
            paint.fillStyle = colour;
            paint.fillRect(0, 0, 1, 1);
            const [red, green, blue] = [...paint.getImageData(0, 0, 1, 1).data].map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
            return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        };
        const { color, backgroundColor } = getComputedStyle(element);
        const [dark, light] = [luminance(color), luminance(backgroundColor)].sort((one, other) => one - other);
        return (light + 0.05) / (dark + 0.05);
    }""",
    )


def test_resigning_and_a_rematch(ann: Visitor) -> None:
    page = ann.new_game("tictactoe", "human", "easy")
    page.locator("#resign").focus()
    for _ in range(3):  # a key that is held down repeats itself
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    expect(page.locator("#resign.sure")).to_have_text("Really resign?")
    assert not ann.state()["over"]
    page.keyboard.press("Enter")
    expect(page.locator("#result")).to_have_attribute("data-result", "0-1")
    before = page.url
    page.locator("#rematch").click()
    page.wait_for_function("before => location.href !== before", arg=before)
    expect(page.locator("#move-list [data-move]")).to_have_count(1)


def test_a_double_click_does_not_resign_and_the_question_can_be_read(ann: Visitor) -> None:
    page = ann.new_game("tictactoe", "human", "easy")
    page.locator("#resign").dblclick()
    expect(page.locator("#resign.sure")).to_have_text("Really resign?")
    page.wait_for_function("() => document.querySelector('#resign').getAnimations().length === 0")
    assert contrast(page, "#resign.sure:hover") >= 4.5
    assert not ann.state()["over"]
    page.locator("#resign").click()
    expect(page.locator("#result")).to_have_attribute("data-result", "0-1")


def test_two_computers_pause_step_and_go_on(ann: Visitor) -> None:
    page = ann.new_game("tictactoe", "random:seed=1", "random:seed=2", paused=True, pace=0.1)
    page.locator("#step").click()
    expect(page.locator("#move-list [data-move]")).to_have_count(1)
    page.locator("#step").click()
    expect(page.locator("#move-list [data-move]")).to_have_count(2)
    page.locator("#pause").click()
    expect(page.locator("#result")).to_be_visible()


def test_two_browsers_play_one_linked_game_and_a_third_only_watches(
    browser: Browser, server: Server, ann: Visitor
) -> None:
    ben, third = Visitor(browser, server), Visitor(browser, server)
    page = ann.go()
    page.locator("input[name=mode][value=link]").check(force=True)
    page.locator("#start-game").click()
    page.wait_for_url("**/#/game/*")
    link = page.locator("#invitation-field").input_value()
    watch = page.locator("#watch-field").input_value()
    assert "#/join/" in link
    assert ann.state()["open_seat"] is not None
    ben.page.goto(link)
    ben.page.wait_for_url("**/#/game/*")
    assert link.rsplit("/", 1)[1] not in ben.page.url
    expect(page.locator("#invitation")).to_have_count(0)
    third.page.goto(watch)
    expect(third.page.locator("#board")).to_be_visible()
    for mover, move in ((ann, "4"), (ben, "3"), (ann, "5")):
        click_move(mover.page, mover.state()["view"], move)
        for seen_by in (ann, ben, third):
            expect(seen_by.page.locator(f'#move-list [data-move="{move}"]')).to_have_count(1)
    third.page.locator('#board [data-cell="0,0"]').click(force=True)
    ann.page.locator('#board [data-cell="0,0"]').click(force=True)
    third.page.wait_for_timeout(300)
    assert ben.state()["view"]["played"] == ["4", "3", "5"]
    ann.page.locator("#undo").click()
    expect(ben.page.locator(".game-status")).to_contain_text("asks to take back a move.")
    ben.page.locator("#decline-undo").click()
    expect(ann.page.locator(".game-status")).to_be_empty()
    assert ben.state()["view"]["played"] == ["4", "3", "5"]
    ann.page.locator("#undo").click()
    ben.page.locator("#agree-undo").click()
    expect(third.page.locator("#move-list [data-move]")).to_have_count(2)
    # Names are seen by all, also those that are given later.
    ben.page.locator("#my-name").fill("Ben")
    ben.page.locator("#give-name").click()
    expect(ben.page.locator(".plate.second .plate-name")).to_have_text("Ben (you)")
    expect(page.locator(".plate.second .plate-name")).to_have_text("Ben")
    # Who leaves is away after some seconds, and back at once.
    expect(page.locator(".plate.second .presence")).to_have_text("here")
    place = ben.page.url
    ben.page.goto(f"{server.address}/{EMPTY}")
    expect(page.locator(".plate.second .presence")).to_have_text("away")
    expect(page.locator("#announcements")).to_contain_text("Ben has left.")
    ben.page.goto(place)
    expect(page.locator(".plate.second .presence")).to_have_text("here")
    # A draw is offered by name; a used invitation offers to watch, or leads back to one's own seat.
    for _ in range(2):
        ben.page.locator("#draw").click()
    expect(page.locator(".game-status")).to_contain_text("Ben offers a draw.")
    expect(ben.page.locator(".game-status")).to_contain_text("You offered a draw.")
    page.locator("#decline-draw").click()
    expect(ben.page.locator("#declined")).to_contain_text("declines the draw")
    third.page.goto(f"{server.address}/{EMPTY}")
    third.page.goto(link)
    expect(third.page.locator("h1")).to_have_text("This invitation has been used")
    third.page.locator("#watch-game").click()
    expect(third.page.locator("#board")).to_be_visible()
    ben.page.goto(f"{server.address}/{EMPTY}")
    ben.page.goto(link)
    expect(ben.page.locator("#resign")).to_be_visible()
    # A resigned game says so wherever it goes.
    ben.page.locator("#resign").click()
    ben.page.locator("#resign").click()
    expect(page.locator("#result")).to_contain_text("by resignation")
    page.locator("details.more > summary").click()
    expect(page.locator("#as-record")).to_have_text("connect4 4,3 1-0")
    with page.expect_download() as saved:
        page.locator("[data-export=record]").click()
    assert saved.value.path().read_text().endswith("# ending: resignation\nconnect4 43 1-0\n")
    ben.close()
    third.close()


def test_an_invitation_names_an_address_that_works_for_others(ann: Visitor) -> None:
    def invite() -> Page:
        page = ann.new_game("tictactoe")
        page.evaluate(
            "async () => { const { api } = await "
            + module("api")
            + """
            const game = await api.post('games', { game: 'tictactoe', players: ['human', 'human'], linked: true });
            sessionStorage.setItem(`mnkala.invitation.${game.id}`, game.invitation);
            location.hash = `#/game/${game.id}`;
        }"""
        )
        expect(page.locator("#invitation-field")).to_be_visible()
        return page

    page = invite()
    expect(page.locator("#network")).to_contain_text("Only this computer can join")
    expect(page.locator("#network")).to_contain_text("any device in the same network")
    expect(page.locator("#qr")).to_have_count(0)
    found = ["http://192.168.1.5:8080/", "http://10.0.0.7:8080/"]
    page.route(
        "**/api/v1/addresses",
        lambda route: route.fulfill(
            json={
                "addresses": found,
                "loopback": False,
                "command": "",
                "opened": True,
                "can_open": True,
            }
        ),
    )
    asked: list[str] = []

    def heard(request: Request) -> None:
        if request.url.endswith("/qr"):
            asked.append(json.loads(request.post_data or "")["text"])

    page.on("request", heard)
    page = invite()
    for address in found:
        page.locator("#address").select_option(address)
        expect(page.locator("#invitation-field")).to_have_value(
            re.compile(f"^{re.escape(address)}#/join/")
        )
        page.wait_for_function("() => document.getElementById('qr').naturalWidth > 0")
        assert asked[-1] == page.locator("#invitation-field").input_value()
    expect(page.locator("#close-network")).to_be_visible()
    page.unroute("**/api/v1/addresses")


def test_the_list_of_games_is_filtered_saved_to_a_file_and_read_back(
    ann: Visitor, tmp_path: Path
) -> None:
    ann.new_game("kalah", nicknames=["Ann", "Zoe"])
    ann.new_game("connect4", moves="44")
    page = ann.go("#/games")
    expect(page.locator("[data-game]")).to_have_count(2)
    page.locator("#filter-text").fill("zoe")
    expect(page.locator("[data-game]")).to_have_count(1)
    expect(page.locator("[data-game] .who")).to_contain_text("Zoe")
    page.locator("#filter-state").select_option("finished")
    expect(page.locator("[data-game]")).to_have_count(0)
    page.reload()
    expect(page.locator("#filter-state")).to_have_value("finished")
    page.locator("#filter-state").select_option("")
    page.locator("#filter-text").fill("")
    expect(page.locator("[data-game]")).to_have_count(2)
    with page.expect_download() as saved:
        page.locator("#export-all").click()
    text = saved.value.path().read_text()
    assert "# first: Ann\n# second: Zoe\n" in text
    file = tmp_path / "games.txt"
    file.write_text(text * 150)  # more than one request takes
    page.locator("#import-file").set_input_files(file)
    expect(page.locator("#announcements")).to_have_text("Games added: 300")
    expect(page.locator("#older")).to_be_visible()


def test_analysis_shows_the_engines_own_numbers_on_the_board(ann: Visitor) -> None:
    game, moves = "connect4:10x11", "5,5,6,6"
    page = ann.go(f"#/analysis?game={game}&moves={moves}")
    expect(page.locator("[data-score]")).to_have_count(11)
    expected = analysis_json(
        parse_engine("deepening").analyse(
            Position(game).play(moves), Limit(depth=6), all_moves=True
        )
    )["moves"]
    won = [move for move, entry in expected.items() if entry["kind"] == "exact"]
    assert set(won) >= {"4", "7"}
    for move in won:
        tile, own = (
            page.locator(f'[data-score="{move}"]'),
            expected[move]["plies"] + (expected[move]["result"] == "win"),
        )
        expect(tile).to_have_attribute("data-proved", "true")
        expect(tile.locator("strong")).to_have_text(f"in {own // 2}")  # the winner's own moves
    expect(page.locator("#evaluation-bar .evaluation-end > span")).to_have_text(
        [re.compile(r"^\d+\s%$")] * 2
    )
    expect(page.locator("#evaluation-bar")).to_contain_text("100")
    expect(page.locator("#analysis-facts")).to_contain_text("nodes")
    page.locator("#analysis-switch").focus()
    page.keyboard.press("a")
    expect(page.locator("[data-score]")).to_have_count(0)


def test_the_analysis_is_kept_while_one_plays(ann: Visitor) -> None:
    page = ann.new_game("tictactoe")
    page.keyboard.press("a")
    expect(page.locator("[data-score]")).to_have_count(9)
    click_move(page, ann.state()["view"], "b2")
    expect(page.locator("[data-score]")).to_have_count(8)


@pytest.mark.parametrize(("game", "least"), [("connect4", 350), ("gomoku", 330), ("kalah", 540)])
def test_a_phone_held_sideways_shows_a_large_board_with_the_players_and_controls_beside_it(
    ann: Visitor, game: str, least: int
) -> None:
    ann.page.set_viewport_size({"width": 844, "height": 390})
    page = ann.new_game(game)
    board = page.locator("#board").bounding_box()
    assert board is not None
    assert board["width"] >= least
    for shown in ("#board", ".plate.first", ".plate.second", "#undo", "#hint", "#resign"):
        box = page.locator(shown).bounding_box()
        assert box is not None
        assert 0 <= box["y"] <= box["y"] + box["height"] <= 390, shown
    assert overflow(page) <= 0


def test_every_page_is_reached_from_a_narrow_header(phone: Visitor) -> None:
    page = phone.go("#/games")
    more = page.locator(".nav-more")
    for name in ("think", "learn", "tournaments", "studies"):
        expect(page.locator(f'[data-nav="{name}"]')).to_be_hidden()
        more.locator("summary").click()
        more.locator(f'[data-more="{name}"]').click()
        page.wait_for_url(f"**/#/{name}")
        expect(more.locator("summary")).to_have_css(
            "color", page.evaluate("getComputedStyle(document.body).color")
        )
    assert overflow(page) <= 0


SCREENS = {"desk": (1280, 800), "wide": (1440, 900), "sideways": (844, 390)}
FITS = """(selector) => {
  const box = document.querySelector(selector).getBoundingClientRect();
  return box.height > 0 && box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
}"""


@pytest.mark.parametrize(
    ("screen", "game"), [("desk", "connect4"), ("wide", "kalah:3x2"), ("sideways", "tictactoe")]
)
def test_the_analysis_page_is_one_screen_in_which_only_lists_scroll(
    ann: Visitor, screen: str, game: str
) -> None:
    width, height = SCREENS[screen]
    ann.page.set_viewport_size({"width": width, "height": height})
    page = ann.go(f"#/analysis?game={game}")
    expect(page.locator("#analysis-lines > [data-move]").first).to_be_visible()
    assert page.evaluate(
        "[document.documentElement.scrollHeight, document.documentElement.scrollWidth]"
    ) == [height, width]
    for part in (
        "#board",
        "#evaluation-bar",
        "#analysis-lines",
        "#move-list",
        "#analysis-more",
        "#analysis-family",
        "#copy-link",
    ):
        assert page.evaluate(FITS, part), part
    board = page.locator("#board").bounding_box()
    assert board is not None
    assert board["height"] > 0.6 * height or board["width"] > 0.5 * width
    page.set_viewport_size({"width": 1280, "height": 800})


def test_on_a_phone_the_board_and_the_tools_stay_in_view(phone: Visitor) -> None:
    page = phone.go("#/analysis?game=connect4&moves=121212")
    expect(page.locator("#analysis-lines > [data-move]")).to_have_count(7)
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    assert page.evaluate("scrollY") > 0
    assert page.evaluate(FITS, "#board")
    assert page.evaluate(FITS, "#analysis-more")
    assert (
        page.evaluate("parseFloat(getComputedStyle(document.querySelector('.chip')).fontSize)")
        >= 12
    )


def current(page: Page, ply: int, move: str) -> None:
    expect(page.locator('#move-list [aria-current="step"]')).to_have_attribute("data-ply", str(ply))
    expect(page.locator('#move-list [aria-current="step"]')).to_have_attribute("data-move", move)


def test_a_new_move_branches_and_variations_outlive_a_reload(ann: Visitor) -> None:
    page = ann.go("#/analysis?game=tictactoe&moves=b2,a1,c3")
    page.locator("#analysis-switch").click()
    page.keyboard.press("ArrowLeft")  # after a click the keys are still the page's
    current(page, 2, "a1")
    page.locator('#board [data-cell="0,0"]').click()
    current(page, 3, "a3")
    expect(page.locator("#move-list [data-ply='3']")).to_have_count(2)
    page.keyboard.press("ArrowUp")  # after a click on the board, too
    current(page, 3, "c3")
    page.keyboard.press("ArrowDown")
    current(page, 3, "a3")
    page.locator("#promote").click()
    expect(page.locator("#move-list .variation")).to_contain_text("c3")
    page.reload()
    current(page, 3, "a3")
    assert page.url.endswith("moves=b2,a1,a3")
    expect(page.locator("#move-list .variation")).to_contain_text("c3")
    expect(page.locator("#analysis-switch")).to_have_attribute("aria-checked", "false")
    page.locator('[data-walk="first"]').click()
    expect(page.locator('[data-walk="first"]')).to_be_disabled()
    page.keyboard.press("ArrowRight")
    current(page, 1, "b2")
    page.locator("#move-list .variation [data-move]").click()
    current(page, 3, "c3")
    page.locator("#remove").click()
    page.locator("#remove").click()
    current(page, 2, "a1")
    expect(page.locator("#move-list [data-move]")).to_have_count(3)
    page.locator("#analysis-family").select_option("kalah")
    expect(page.locator("#move-list [data-move]")).to_have_count(0)


def test_a_tree_of_moves_is_walked_changed_and_read_again(ann: Visitor) -> None:
    ann.page.goto(f"{ann.server.address}/{EMPTY}")
    found = ann.page.evaluate("""async () => {
      const { MoveTree } = await import("/move_tree.js");
      const tree = new MoveTree();
      tree.add(["1", "2", "3"], [0, 1, 0]);
      const other = tree.add(["1", "4", "5"], [0, 1, 0]);
      const moves = (node) => tree.moves(node).join("");
      const seen = [moves(tree.end(tree.root)), moves(tree.beside(other, 1)), moves(tree.branch(other)), tree.branch(tree.find(["1", "2"]))];
      tree.promote(other);
      const again = MoveTree.read(JSON.parse(JSON.stringify(tree.serialise())));
      seen.push(again.root.children[0].children.map(({ move }) => move).join(""), moves(tree.remove(tree.branch(tree.find(["1", "2"])))), tree.find(["1", "2"]));
      return seen;
    }""")
    assert found == ["145", "12", "14", None, "42", "1", None]


@pytest.mark.parametrize(
    ("place", "said", "way", "leads"),
    [
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
    ],
)
def test_a_bad_link_says_what_is_wrong_and_offers_a_way_on(
    ann: Visitor, place: str, said: str, way: str, leads: str
) -> None:
    page = ann.go(place)
    expect(page.locator("#problem")).to_contain_text(said)
    expect(page.locator(way)).to_have_attribute("href", leads)


def test_what_is_wrong_is_said_in_the_readers_language(ann: Visitor) -> None:
    for language, said in (
        ("pt", "nenhum jogo se chama 'nonsense'"),
        ("it", "nessun gioco si chiama 'nonsense'"),
        ("en", "no game is called 'nonsense'"),
    ):
        ann.page.goto(f"{ann.server.address}/{EMPTY}")
        ann.page.evaluate(
            "(language) => localStorage.setItem('mnkala.language', language)", language
        )
        expect(ann.go("#/analysis?game=nonsense").locator("#problem")).to_contain_text(said)


def test_a_known_game_is_reviewed(ann: Visitor) -> None:
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
    ann.go("#/review?game=kalah:3x3&moves=122321331")  # Kalah is told by turns, in seeds
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


def test_page_and_terminal_write_numbers_alike_in_every_language(ann: Visitor) -> None:
    page = ann.go("#/")
    numbers = [(7, 0), (1588, 0), (17588, 0), (1234567, 0), (1234.5, 1), (0.25, 2)]
    for language in LANGUAGES:
        page.evaluate(f"async (wanted) => (await {module('words')}).loadWords(wanted)", language)
        shown = [
            page.evaluate(
                f"async ([value, digits]) => (await {module('words')}).number(value, digits)",
                list(each),
            )
            for each in numbers
        ]
        assert shown == [written(value, digits, language) for value, digits in numbers]
    assert [written(17588, language=language) for language in LANGUAGES] == [
        "17,588",
        "17\xa0588",
        "17.588",
    ]


def test_who_looks_at_an_own_game_again_reads_that_they_won(ann: Visitor) -> None:
    """And not "You wins"."""
    ann.new_game("tictactoe", "human", "easy", moves="a1b1a2b2a3")
    page = ann.go(f"#/review?id={ann.state()['id']}")
    expect(page.locator(".review-result")).to_have_text("You won")


@pytest.mark.parametrize(
    ("form", "start"),
    [("record", b"connect4 445"), ("svg", b"<svg"), ("png", b"\x89PNG"), ("gif", b"GIF8")],
)
def test_a_review_is_exported(ann: Visitor, form: str, start: bytes) -> None:
    page = ann.go("#/review?game=connect4&moves=445")
    with page.expect_download() as downloading:
        page.locator(f"#export-{form}").click()
    content = Path(downloading.value.path()).read_bytes()
    assert start in content[:200]


def test_a_pasted_record_is_opened_and_a_bad_one_explained(ann: Visitor) -> None:
    ann.new_game("tictactoe", moves="b2")
    saved = ann.state()["id"]
    page = ann.go("#/analysis?game=tictactoe")
    page.locator('[data-nav="review"]').click()
    expect(page.locator("#saved-games a")).to_have_attribute("href", f"#/review?id={saved}")
    page.locator("#record-input").fill("connect4 44 maybe")
    page.locator("#record-open").click()
    expect(page.locator("body")).to_contain_text("'maybe' is neither a move nor a result")
    page.locator("#record-input").fill("tictactoe b2,a1,c3 *")
    page.locator("#record-open").click()
    expect(page.locator("#review-moves [data-ply]")).to_have_count(3)


def test_the_tree_has_the_nodes_that_the_engine_counts(ann: Visitor) -> None:
    page = ann.go("#/think?game=connect4&moves=44&algorithm=alphabeta&depth=3")
    expected = parse_engine("alphabeta").analyse(Position("connect4").play("44"), Limit(depth=3))
    expect(page.locator("#think-nodes")).to_have_attribute("data-total", str(expected.nodes))
    page.keyboard.press("End")
    expect(page.locator("#think-nodes")).to_have_attribute("data-nodes", str(expected.nodes))
    page.locator("#step-back").click()
    page.locator("#step-forward").click()
    with page.expect_download() as downloading:
        page.locator("#export-json").click()
    assert json.loads(Path(downloading.value.path()).read_text())["nodes"] == expected.nodes


def test_the_steps_of_a_search_name_their_moves_and_count_those_of_the_winner(ann: Visitor) -> None:
    for language, sentence, plies in (
        ("en", "It plays column 3: MAX loses in 2 moves.", "4 plies: moves of both sides"),
        ("pt", "Joga a coluna 3: MAX perde em 2 jogadas.", "4 meias-jogadas dos dois lados"),
        ("it", "Gioca la colonna 3: MAX perde in 2 mosse.", "4 semimosse di entrambi"),
    ):
        page = ann.go("#/think?game=connect4&moves=271546426&algorithm=alphabeta&depth=4")
        page.evaluate("(language) => localStorage.setItem('mnkala.language', language)", language)
        page.reload()
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator("[data-node]").first).to_be_attached()
        page.keyboard.press("End")
        expect(page.locator("#step-sentence")).to_contain_text(sentence)
        expect(page.locator(".step-panel")).not_to_contain_text(plies)
        page.locator("[data-node='0']").hover()
        expect(page.locator(".tree-tip")).to_contain_text(plies)


def test_minimax_and_alphabeta_stand_side_by_side(ann: Visitor) -> None:
    page = ann.go("#/think?game=tictactoe&moves=b2,a1&algorithm=compare&depth=3")
    for algorithm in ("minimax", "alphabeta"):
        expected = parse_engine(algorithm).analyse(
            Position("tictactoe").play("b2 a1"), Limit(depth=3)
        )
        expect(page.locator(f"#think-nodes-{algorithm}")).to_have_attribute(
            "data-total", str(expected.nodes)
        )


def test_the_visits_of_a_monte_carlo_tree_are_those_of_the_engine(ann: Visitor) -> None:
    page = ann.go("#/think?game=tictactoe&algorithm=mcts&iterations=40")
    expect(page.locator("[data-node]").first).to_be_attached()
    page.keyboard.press("End")
    expected = parse_engine("mcts:iterations=40,keep=off").analyse(Position("tictactoe"))
    expect(page.locator("#think-nodes")).to_have_attribute("data-nodes", str(expected.nodes))


def test_rules_numbers_and_reports_are_one_click_away(ann: Visitor, phone: Visitor) -> None:
    page = ann.go("#/?game=kalah:3x2,standard")
    expect(page.locator("#start-game")).to_be_enabled()
    page.locator("[data-help=rules]").click()
    expect(page.locator("#rules-dialog h2")).to_contain_text("Kalah 3x2,standard")
    expect(page.locator("#rules-dialog figure .miniature")).to_have_count(11)
    page.keyboard.press("Escape")
    page = ann.new_game("domineering:4x4")
    page.locator("[data-help=rules]").click()
    for text in ("Lay dominoes, upright or flat", "Whoever cannot lay a domino loses."):
        expect(page.locator("#rules-dialog")).to_contain_text(text)
    page.keyboard.press("Escape")
    page.locator("[data-help=legend]").click()
    expect(page.locator("#legend-dialog [data-entry=wins_in]")).to_contain_text(
        "counts the winner's own moves"
    )
    expect(
        page.locator("#legend-dialog [data-entry=wins_by], #legend-dialog [data-entry=book]")
    ).to_have_count(0)
    page = ann.go("#/learn")
    page.locator("[data-help=reports]").click()
    expect(page.locator("#reports-dialog [data-report]")).to_have_count(5)
    small = phone.go("#/")
    small.locator("[data-help=rules]").click()
    expect(small.locator("#rules-dialog figure").first).to_be_visible()
    assert small.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_phone_shows_the_tree_of_a_search_large_enough_to_read_and_explains_its_signs(
    phone: Visitor,
) -> None:
    page = phone.go("#/think")
    for size in (ViewportSize(width=390, height=844), ViewportSize(width=844, height=390)):
        page.set_viewport_size(size)
        page.reload()
        expect(page.locator(".tree .node").first).to_be_visible()
        stage = page.locator(".tree-stage").bounding_box()
        assert stage is not None
        assert stage["y"] + stage["height"] <= size["height"]
        assert stage["width"] * stage["height"] > 0.45 * size["width"] * size["height"]
        letters = page.evaluate("""() => Math.min(...[...document.querySelectorAll('.tree text')].filter((text) => text.textContent)
            .map((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a))""")
        assert letters >= 11.99
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("[data-tool=signs]").click()
    expect(page.locator("#signs-dialog [data-entry=end]")).to_contain_text("L2")
    page.set_viewport_size(ViewportSize(width=PHONE["width"], height=PHONE["height"]))


@pytest.mark.parametrize(
    ("step", "hidden"),
    [
        ("minimax?step=5", ".node[data-node='0'] .value:not(:text-is('?'))"),
        ("alphabeta?step=2", ".node.cut:not(.gone)"),
        ("mcts?step=6", ".edge.line"),
    ],
)
def test_a_tour_keeps_its_answer_back_until_it_is_asked_for(
    ann: Visitor, step: str, hidden: str
) -> None:
    page = ann.go(f"#/learn/{step}")
    expect(page.locator("#learn-show")).to_be_visible()
    expect(page.locator(".tree .node").first).to_be_visible()
    expect(page.locator(hidden)).to_have_count(0)
    expect(page.locator(".learn-says")).to_have_text("")
    page.locator("#learn-show").click()
    expect(page.locator("#learn-feedback")).to_have_attribute("data-right", "true")
    assert page.locator(hidden).count() > 0
    assert page.locator(".learn-says").inner_text()


@pytest.mark.parametrize("tour", ["minimax", "alphabeta", "mcts"])
def test_a_tour_is_walked_to_its_end(ann: Visitor, tour: str) -> None:
    page = ann.go("#/learn")
    page.locator(f'a[href*="#/learn/{tour}"]').first.click()
    steps = 0
    forward = page.locator("#learn-next")
    expect(forward).to_be_visible()
    usable = page.locator("#learn-next:enabled:visible")
    while usable.count() and f"#/learn/{tour}" in page.url and steps < 40:
        before = page.locator("main").inner_text()
        forward.click()
        page.wait_for_function(
            "before => document.querySelector('main').innerText !== before", arg=before
        )
        steps += 1
    assert steps >= 3


def test_a_reload_and_a_killed_server_lose_nothing(browser: Browser, tmp_path: Path) -> None:
    with running(tmp_path) as server:
        port = server.port
        ann = Visitor(browser, server)
        page = ann.new_game("connect4")
        play_all(ann, "4 4 3", click_move)
        page.reload()
        expect(page.locator("#move-list [data-move]")).to_have_count(3)
        server.kill()
        expect(page.locator("#banner")).to_be_visible()
        server.start(port)
        expect(page.locator("#banner")).to_be_hidden()
        play_all_one(ann, ann.state(), click_move)
        assert ann.state()["view"]["played"][:3] == ["4", "4", "3"]
        page.goto(f"{server.address}/#/games")
        expect(page.locator("[data-game]")).to_have_count(1)
        ann.close()


def test_a_move_that_cannot_be_saved_is_not_shown_and_the_page_says_so(
    ann: Visitor, server: Server
) -> None:
    page = ann.new_game("connect4")
    with locked(server.folder / "games.sqlite"):
        click_move(page, ann.state()["view"], "4")
        expect(page.locator("#unsaved")).to_contain_text("another program")
        expect(page.locator("#move-list [data-move]")).to_have_count(0)
    click_move(page, ann.state()["view"], "4")
    expect(page.locator("#move-list [data-move]")).to_have_count(1)
    expect(page.locator("#unsaved")).to_have_count(0)


def test_a_game_that_cannot_be_read_is_listed_with_the_reason_and_can_be_deleted(
    ann: Visitor, server: Server
) -> None:
    ann.new_game("connect4")
    bad = ann.state()["id"]
    ann.new_game("kalah")
    with contextlib.closing(
        sqlite3.connect(server.folder / "games.sqlite", isolation_level=None)
    ) as file:
        file.execute("UPDATE games SET more = 'nonsense' WHERE id = ?", (bad,))
    page = ann.go("#/games")
    expect(page.locator("#games > li")).to_have_count(2)
    expect(page.locator(f'#games [data-game="{bad}"]')).to_contain_text("damaged")
    page.locator(f'[data-delete="{bad}"]').click()
    page.locator(f'[data-delete="{bad}"]').click()
    expect(page.locator("#games > li")).to_have_count(1)


def test_saved_games_can_be_opened_and_deleted(ann: Visitor) -> None:
    ann.new_game("kalah")
    page = ann.go("#/games")
    expect(page.locator("[data-game]")).to_have_count(1)
    page.locator("[data-open]").first.click()
    expect(page.locator("#board")).to_be_visible()
    ann.go("#/games")
    page.locator("[data-delete]").click()
    page.locator("[data-delete]").click()
    expect(page.locator("[data-game]")).to_have_count(0)


PLACES = [
    "",
    "#/games",
    "#/analysis?game=connect4&moves=121212",
    "#/review?game=connect4&moves=44352",
    "#/think?game=tictactoe&moves=b2&depth=2",
    "#/learn",
    "#/learn/alphabeta",
    "#/analysis?game=gomoku&moves=h8,a1,h9,a2,h10,a3,h11,a4",
    "#/analysis?game=kalah:3x2&moves=2",
]
"""Positions whose analysis is soon complete, so that no engine thinks for as long as a page is
looked at.
"""


@pytest.mark.parametrize("place", PLACES)
def test_every_page_is_accessible_in_light_and_dark_colours_and_fits_a_phone(
    ann: Visitor, place: str
) -> None:
    check_access(ann, place, "")


def test_dialogs_offers_and_the_end_of_a_game_have_no_accessibility_violation(
    ann: Visitor,
) -> None:
    page = ann.new_game("connect4", "human", "minimax:depth=3", moves="737462")
    for _ in range(2):
        page.locator("#draw").click()
    expect(page.locator("#declined")).to_contain_text("it rates its own position higher")
    check_no_violation(page)
    page.locator("#settings").click()
    expect(page.locator("#network")).to_contain_text("Only this computer can join")
    check_no_violation(page)
    page.keyboard.press("Escape")
    for _ in range(2):
        page.locator("#resign").click()
    expect(page.locator("#result")).to_contain_text("by resignation")
    check_no_violation(page)
    ann.go("#/analysis?game=connect4&moves=44")
    page.locator("#edit-position").click()
    expect(page.locator("#editor-verdict li")).to_have_count(1)
    check_no_violation(page)


@pytest.mark.parametrize("language", ["pt", "it"])
def test_the_page_speaks_the_readers_language(
    browser: Browser, server: Server, language: str
) -> None:
    ann = Visitor(browser, server, locale=language)
    page = ann.go()
    expect(page.locator("#start-game")).to_have_text(words(language)["page.start_game"])
    assert page.locator("html").get_attribute("lang") == language
    said = page.evaluate(
        module("words")
        + ".then(({ t }) => [1, 2].map((count) => t('page.games_moves', { count })))"
    )
    assert said == [say("page.games_moves", language, count=count) for count in (1, 2)]
    ann.close()


def test_a_phone_plays_by_touch(phone: Visitor) -> None:
    page = phone.new_game("connect4", "human", "easy")
    page.locator('#board [data-cell="0,3"]').tap()
    expect(page.locator("#move-list [data-move]")).to_have_count(2)


# ---- The board itself ----

DRAW = (
    "async ({game, moves, texts, words, options, show}) => { const [{ api }, { Board }] = [await "
    + module("api")
    + ", await "
    + module("board")
    + """];
  const view = await api.post("look", { game, ...(moves ? { moves } : {}) });
  const place = Object.assign(document.createElement("div"), { className: "board-place" });
  document.querySelector("main").replaceChildren(place);
  window.chosen = [];
  window.board = new Board(place, options?.edit ? { onCell: (...cell) => chosen.push(cell.join()) } : { onMove: (move) => chosen.push(move) });
  const annotations = texts && view.moves.map(({ move }, i) => ({ move, text: texts[i % texts.length], words: words?.[i % words.length], note: i % 2 ? "in 12" : "", tone: ["good", "even", "bad"][i % 3], best: !i, proved: i % 2 === 0, title: `said of ${move}` }));
  board.show(view, { annotations, ...show });
  board.measure();
}"""
)
"""Put a board on an empty page, with something said of every move."""
SPILT = """() => [...document.querySelectorAll(".badge, .column-tile")].filter((each) => each.getClientRects().length).flatMap((each) => {
  const box = (each.querySelector("rect") ?? each).getBoundingClientRect();
  return [...each.querySelectorAll("text, strong, .column-note")].filter((text) => {
    const { left, right, width } = text.getBoundingClientRect();
    return width && (left < box.left - 0.5 || right > box.right + 0.5);
  }).map((text) => text.textContent);
})"""
"""The texts that are wider than the badge or tile they stand in."""


def draw(page: Page, game: str, **more: Any) -> None:
    page.evaluate(DRAW, {"game": game, **more})


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_texts_of_any_length_stay_within_their_badges_and_large_boards_rank_the_best_handful(
    ann: Visitor, size: Any
) -> None:
    page = ann.go("#/games")
    page.set_viewport_size(size)
    for game, shown in [
        ("tictactoe", 9),
        ("connect:7x8x4", 8),
        ("connect:8x12x4", 12),
        ("kalah", 6),
        ("gomoku", 5),
        ("breakthrough:6x6", 3),
    ]:
        draw(page, game, texts=["−12…+17", "63 %", "wins 5", "draw"])
        expect(page.locator("[data-score]")).to_have_count(shown)
        assert page.evaluate(SPILT) == [], game
    expect(page.locator("#board .badges .arrow")).to_have_count(
        5
    )  # ways of pieces to three goals, each with the best of its ways
    draw(page, "gomoku", texts=["63 %"])
    assert [each.get_attribute("data-rank") for each in page.locator("#board [data-rank]").all()][
        ::-1
    ] == list("12345")
    expect(page.locator('#board [data-cell="0,14"]')).to_have_attribute(
        "aria-label", re.compile("said of o15")
    )  # also of the others
    draw(page, "kalah", texts=["+12", "−9"], words=["wins by 12", "loses by 9"])
    assert page.evaluate(SPILT) == []
    expect(page.locator('#board [data-score="2"] .in-full')).to_be_visible(
        visible=size == DESK
    )  # in words where there is room
    expect(page.locator('#board [data-score="2"] .in-brief')).to_be_visible(visible=size == PHONE)
    house, badge = (
        page.locator(where).bounding_box()
        for where in ("#board .hollow.first >> nth=0", '#board [data-score="1"]')
    )
    assert house
    assert badge
    assert badge["y"] > house["y"] + house["height"], "the seeds stay in sight"
    page.set_viewport_size({"width": DESK["width"], "height": DESK["height"]})


def test_the_names_of_rows_and_columns_stay_while_two_fingers_zoom_and_one_scrolls(
    phone: Visitor,
) -> None:
    page = phone.go("#/games")
    draw(page, "mnk:50x50x5", texts=["63 %"])
    box = page.locator(".board-view").bounding_box()
    assert box
    fingers = page.context.new_cdp_session(page)

    def touch(kind: str, *places: tuple[float, float]) -> None:
        points = [
            {"x": box["x"] + x, "y": box["y"] + y, "id": i} for i, (x, y) in enumerate(places)
        ]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", (140, 150), (180, 150))
    for far in (40, 70, 100):
        touch("touchMove", (160 - far, 150), (160 + far, 150))
    touch("touchEnd")
    assert page.evaluate("board.zoom.factor") > 3
    page.locator(".board-view").evaluate("(place) => place.scrollTo(300, 500)")
    for ruler, edge in ((".row-ruler", "left"), (".column-ruler", "bottom")):
        assert (
            page.evaluate(
                "([ruler, edge]) => Math.abs(document.querySelector(ruler).getBoundingClientRect()[edge]"
                " - document.querySelector('.board-view').getBoundingClientRect()[edge])",
                [ruler, edge],
            )
            < 1.5
        )
    sizes = "(kind) => [...document.querySelectorAll(kind)].filter((each) => each.getClientRects().length).map((each) => each.getBoundingClientRect().height)"
    assert min(page.evaluate(sizes, ".ruler text")) > 11
    page.locator('[data-zoom="out"]').click()
    expect(page.locator(".board-zoom")).to_be_visible()


def test_a_piece_is_picked_put_back_dragged_and_goes_where_it_may(ann: Visitor) -> None:
    page = ann.go("#/games")
    draw(page, "breakthrough:5x4", moves="b2-b3", texts=["63 %"])

    def cell(row: int, column: int) -> Any:
        return page.locator(f'#board [data-cell="{row},{column}"]')

    cell(1, 1).click()
    expect(page.locator("#board .tint.goal")).to_have_count(2)
    expect(cell(1, 1)).to_have_attribute("aria-selected", "true")
    expect(cell(2, 0)).to_have_attribute("aria-label", re.compile("can go here. said of b4-a3"))
    page.keyboard.press("Escape")
    expect(page.locator("#board .tint.goal")).to_have_count(0)
    cell(1, 1).click()
    cell(1, 0).click()
    expect(cell(1, 0)).to_have_attribute("aria-selected", "true")
    cell(4, 3).click()
    expect(page.locator("#board .tint.picked")).to_have_count(0)
    assert page.evaluate("chosen") == []
    cell(1, 3).drag_to(cell(2, 2))
    assert page.evaluate("chosen") == ["d4-c3"]


def test_the_reader_sits_below_in_every_seat(ann: Visitor) -> None:
    page = ann.page

    def y(where: str) -> float:
        box = page.locator(where).bounding_box()
        assert box
        return float(box["y"] + box["height"] / 2)

    for game, turned, upper, lower in (
        ("kalah", True, "1,0", "0,0"),
        ("breakthrough:5x4", True, "4,0", "0,0"),
        ("tictactoe", False, "0,0", "2,0"),
    ):
        ann.new_game(game, "random:seed=1", "human")
        expect(page.locator("#move-list [data-move]").first).to_be_visible()
        expect(page.locator('.plate[data-seat="1"]')).to_contain_text("to move")
        assert (
            y('.plate[data-seat="0"]')
            < y(f'#board [data-cell="{upper}"]')
            < y(f'#board [data-cell="{lower}"]')
            < y('.plate[data-seat="1"]')
        )
        if turned:
            page.locator("#board").focus()
            page.keyboard.press("Home")
            page.keyboard.press("ArrowDown")
            page.keyboard.press("ArrowDown")
            columns = ann.state()["view"]["columns"]
            expect(page.locator("#board")).to_have_attribute(
                "aria-activedescendant", re.compile(f"-{columns - 1}$")
            )  # the left as one sees it
    ann.new_game("kalah")
    assert (
        y('.plate[data-seat="1"]')
        < y('#board [data-cell="0,0"]')
        < y('#board [data-cell="1,0"]')
        < y('.plate[data-seat="0"]')
    ), "two people at one computer"


def test_every_cell_of_a_board_can_be_chosen_for_editing_and_a_preview_looks_like_one(
    ann: Visitor,
) -> None:
    page = ann.go("#/games")
    draw(page, "kalah:3x2", moves="2", options={"edit": True})
    for cell in ("1,1", "0,2", "0,-1"):
        page.locator(f'#board [data-cell="{cell}"]').click()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert page.evaluate("chosen") == ["1,1", "0,2", "0,-1", "0,0"]
    draw(page, "connect4", moves="44", show={"preview": True})
    expect(page.locator(".board-preview")).to_have_text(words("en")["board.preview"])
    assert (
        page.locator(".board-view").evaluate("(place) => getComputedStyle(place).outlineStyle")
        == "dashed"
    )


def test_nothing_that_a_game_or_an_engine_is_called_runs_as_a_script_or_bursts_the_page(
    browser: Browser, tmp_path: Path
) -> None:
    (tmp_path / "evil.py").write_text(PAINTS_ON_THE_PAGE)
    with (
        running(tmp_path, MNKALA_PLUGINS="evil", PYTHONPATH=str(tmp_path)) as server,
        contextlib.closing(Visitor(browser, server, viewport=PHONE)) as eve,
    ):
        page = eve.new_game("faulty")
        game = eve.state()
        moved = page.evaluate(
            f"async ([id, body]) => (await {module('api')}).api.post(`games/${{id}}/moves`, body)",
            [game["id"], {"move": game["view"]["moves"][0]["move"], "turn": 0}],
        )
        assert moved["view"]["played"] == ["<img/src=x/onerror=hacked=1>"]
        record = "# first: human\n# second: mcts:memory=200000000,iterations=100000000,exploration=1,seed=5\nconnect4 4 *"
        page.evaluate(
            f"async (text) => (await {module('api')}).api.post('records', {{ text }})", record
        )
        for place, shows in (
            (f"#/game/{game['id']}", "#board"),
            ("#/analysis?game=faulty", "#board"),
            ("#/games", ".game-row"),
            ("", "form"),
        ):
            check_width(eve, place, "evil", shows=shows)
            assert page.evaluate("typeof hacked") == "undefined"
            assert page.locator("img[src=x], svg[onload]").count() == 0
        page.goto(f"{server.address}/#/games")
        page.locator(".game-row", has_text="mcts").locator("[data-open]").click()
        expect(page.locator(".notice.bad")).to_contain_text("this server allows up to 4000000")
        assert overflow(page) <= 0


def test_a_cell_that_means_several_moves_asks_which(ann: Visitor) -> None:
    """In Domineering a click on a cell may mean the domino above or below it."""
    page = ann.new_game("domineering:4x4")
    page.locator('#board [data-cell="1,1"]').click()
    expect(page.locator(".chooser [data-move]")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(page.locator(".chooser")).to_be_hidden()
    assert ann.state()["view"]["played"] == []


def test_a_redraw_keeps_focus_and_scroll_and_waits_while_something_is_pressed(ann: Visitor) -> None:
    page = ann.page
    page.goto(f"{ann.server.address}/{EMPTY}")
    page.evaluate(f"""async () => {{
      const {{ h, redraw, replace }} = await {module("dom")};
      const list = h("div", {{ id: "list", css: {{ height: "60px", overflow: "auto" }} }});
      document.body.replaceChildren(list);
      window.pressed = [];
      window.draw = (mark) => redraw(list, () => replace(list, [0, 1, 2, 3, 4, 5, 6, 7].map((i) =>
        h("button", {{ type: "button", "data-move": String(i), css: {{ display: "block" }}, onclick: () => {{ window.pressed.push(i); }} }}, `${{mark}} ${{i}}`))));
      window.draw("old");
    }}""")
    sixth = page.locator('[data-move="6"]')
    sixth.focus()
    top = page.evaluate("document.querySelector('#list').scrollTop")
    assert top > 0
    page.evaluate("window.draw('new')")
    expect(sixth).to_have_text("new 6")
    expect(sixth).to_be_focused()
    assert page.evaluate("document.querySelector('#list').scrollTop") == top
    sixth.hover()
    page.mouse.down()
    page.evaluate("window.draw('late')")
    expect(sixth).to_have_text("new 6")
    page.mouse.up()
    expect(sixth).to_have_text("late 6")
    assert page.evaluate("window.pressed") == [6], "the click has arrived"
