"""People who play on the page, in a real browser against a real server: by mouse and keys, against
the computer, at a level of their own, and with an opening rule.

Each test is a journey of one person; its steps are functions that say what holds.
"""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Page, expect

from mnkala.core import parse_game
from mnkala.explain.words import say
from mnkala.play import ladder_of
from mnkala.play.levels import exact_words
from tests.browser import (
    PATIENCE,
    Visitor,
    click_move,
    play_all,
    press_move,
)
from tests.waiting import wait_until
from tests.web_server import Person

expect.set_options(timeout=PATIENCE)


def press_digit(page: Page, view: Any, move: str) -> None:
    """Play a column or a house by its digit."""
    page.locator("#board").focus()
    page.keyboard.press(move)


def resign(page: Page) -> None:
    """Resign the open game of the first player."""
    for _ in range(2):
        page.locator("#resign").click()
    expect(page.locator("#result")).to_have_attribute("data-result", "0-1")


# ---- Games of every kind ----

KEYS, DIGITS, MOUSE = press_move, press_digit, click_move
GAMES = [
    ("connect4", "4 4 5 5 6 6 7", "1-0", (KEYS, DIGITS, KEYS, MOUSE)),
    ("kalah:3x2", "2 3 2 1 3 2", "1-0", (KEYS, DIGITS, KEYS, MOUSE)),
    ("domineering:3x3", "b3 a1 a3", "1-0", (KEYS, MOUSE)),
    (
        "breakthrough:4x2",
        "a2-b3 a4-b3 a1-a2 b3-a2 b2-a3 a2-b1",
        "0-1",
        (KEYS, KEYS, KEYS, MOUSE),
    ),
]
"""Games with the ways in which their moves are played; the last one goes on to the end, for after a
click the arrows are the page's.
"""


def test_games_of_every_kind_are_played_by_mouse_and_keys(ann: Visitor) -> None:
    a_cell_that_means_several_moves_asks_which(ann)
    for game, moves, result, ways in GAMES:
        page = ann.new_game(game)
        state = play_all(ann, moves, *ways)
        assert state["view"]["played"] == moves.split(), game
        expect(page.locator("#result")).to_have_attribute("data-result", result)
        assert len(page.locator("#announcements").inner_text()) > 0
    the_reader_sits_below_in_every_seat(ann)


def a_cell_that_means_several_moves_asks_which(ann: Visitor) -> None:
    """In Domineering a click on a cell may mean the domino above or below it."""
    page = ann.new_game("domineering:3x3")
    page.locator('#board [data-cell="1,1"]').click()
    expect(page.locator(".chooser [data-move]")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(page.locator(".chooser")).to_be_hidden()
    assert ann.state()["view"]["played"] == []


def the_reader_sits_below_in_every_seat(ann: Visitor) -> None:
    page = ann.page

    def y(where: str) -> float:
        box = page.locator(where).bounding_box()
        assert box
        return float(box["y"] + box["height"] / 2)

    for game, turned, upper, lower in (
        ("kalah", True, "1,0", "0,0"),
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


# ---- Against the computer ----


def test_a_person_plays_against_the_computer(ann: Visitor) -> None:
    a_game_starts_with_one_click_from_the_first_page(ann)
    undo_and_redo_by_button_and_by_key(ann)
    a_hint_stays_with_its_reason_until_the_next_move(ann)
    resigning_and_a_rematch(ann)
    a_double_click_does_not_resign_and_the_question_can_be_read(ann)
    two_computers_pause_step_and_go_on(ann)
    the_clock_of_the_player_to_move_runs(ann)
    a_board_that_does_not_exist_is_explained_where_it_is_typed(ann)


def a_game_starts_with_one_click_from_the_first_page(
    ann: Visitor,
) -> None:
    page = ann.go()
    page.locator("#start-game").click()
    page.wait_for_url("**/#/game/*")
    expect(page.locator("#board")).to_be_visible()
    click_move(page, ann.state()["view"], "4")
    expect(page.locator("#move-list [data-move]")).to_have_count(2)
    expect(page.locator("#answer")).to_contain_text(ladder_of(parse_game("connect4"))[4].engine)


def undo_and_redo_by_button_and_by_key(ann: Visitor) -> None:
    page = ann.page
    page.locator("#undo").click()
    expect(page.locator("#move-list [data-move]")).to_have_count(0)
    page.locator("#redo").click()
    expect(page.locator("#move-list [data-move]")).to_have_count(2)
    page.keyboard.press("u")
    expect(page.locator("#move-list [data-move]")).to_have_count(0)


def a_hint_stays_with_its_reason_until_the_next_move(ann: Visitor) -> None:
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


def resigning_and_a_rematch(ann: Visitor) -> None:
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


def a_double_click_does_not_resign_and_the_question_can_be_read(ann: Visitor) -> None:
    page = ann.new_game("tictactoe", "human", "easy")
    page.locator("#resign").dblclick()
    expect(page.locator("#resign.sure")).to_have_text("Really resign?")
    page.wait_for_function("() => document.querySelector('#resign').getAnimations().length === 0")
    assert contrast(page, "#resign.sure:hover") >= 4.5
    assert not ann.state()["over"]
    page.locator("#resign").click()
    expect(page.locator("#result")).to_have_attribute("data-result", "0-1")


def two_computers_pause_step_and_go_on(ann: Visitor) -> None:
    page = ann.new_game("tictactoe", "random:seed=1", "random:seed=2", paused=True, pace=0.1)
    page.locator("#step").click()
    expect(page.locator("#move-list [data-move]")).to_have_count(1)
    page.locator("#step").click()
    expect(page.locator("#move-list [data-move]")).to_have_count(2)
    page.locator("#pause").click()
    expect(page.locator("#result")).to_be_visible()


def the_clock_of_the_player_to_move_runs(ann: Visitor) -> None:
    page = ann.new_game("tictactoe", clock={"seconds": 60, "increment": 0})
    expect(page.locator(".clock")).to_have_text(["1:00", "1:00"])
    click_move(page, ann.state()["view"], "b2")
    expect(page.locator(".plate.second .clock")).to_have_text(re.compile("0:5[0-9]"))
    expect(page.locator(".plate.first .clock")).to_have_text("1:00")


def a_board_that_does_not_exist_is_explained_where_it_is_typed(ann: Visitor) -> None:
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


# ---- Levels ----


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
    the_choice_is_kept_for_each_game(page)
    for _ in range(3):
        resign(ann.new_game("tictactoe", "human", "level3"))
    a_game_with_help_says_nothing_of_the_person(ann)
    kept = json.loads(page.evaluate("localStorage.getItem('mnkala.results')"))
    assert [(each["level"], each["points"]) for each in kept["tictactoe"]] == [("level3", 0)] * 3
    page = ann.go("#/?game=tictactoe")
    expect(page.locator(".own-rating")).to_contain_text("Your rating is about")
    page.locator(".own-rating button").click()
    expect(page.locator(".own-rating")).to_be_empty()
    assert page.evaluate("localStorage.getItem('mnkala.results')") is None
    the_top_level_says_whether_every_move_is_exact_or_from_where_on(ann)


def the_choice_is_kept_for_each_game(page: Page) -> None:
    page.locator("[data-family=kalah]").check(force=True)
    expect(page.locator('[name="word-level-0"]:checked + span')).to_have_text("Medium")
    page.locator("[data-family=tictactoe]").check(force=True)
    expect(page.locator('[name="level-0"]:checked + span')).to_have_text("3")


def a_game_with_help_says_nothing_of_the_person(ann: Visitor) -> None:
    for help_button in ("#hint", "#analysis-switch"):
        page = ann.new_game("tictactoe", "human", "level3")
        page.locator(help_button).click()
        wait_until(lambda: not ann.state()["unaided"], "the server knows of the help")
        resign(page)


def the_top_level_says_whether_every_move_is_exact_or_from_where_on(ann: Visitor) -> None:
    """Kalah of six houses and four seeds had the level "perfect"."""
    said = {"kalah": "Level 10 (strongest)", "kalah:4x4": "Level 10 (perfect)"}
    for game, name in said.items():
        page = ann.go(f"#/?game={game}")
        if not page.locator(".all-levels[open]").count():
            page.locator(".all-levels > summary").click()
        page.locator('[name="level-0"][value="level10"]').check()
        expect(page.locator(".level-about")).to_contain_text(name)
        expect(page.locator(".level-about")).to_contain_text(
            exact_words(ladder_of(parse_game(game))[-1])
        )


# ---- Openings ----


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
