"""The page in a real browser against a real server: whole games by mouse and by keyboard, links, analysis, review, trees, phones."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from mnkala import Limit, Position, parse_engine
from mnkala.play.analysis_json import analysis_json
from mnkala.play.words import say, words
from tests.browser import PATIENCE, Visitor, check_access, check_width, click_move, press_move
from tests.web_server import Person, Server, locked, running

expect.set_options(timeout=PATIENCE)


GAMES = [
    ("connect4", "4 4 5 5 6 6 7", "1-0"),
    ("tictactoe", "b2 a1 a2 c2 b1 b3 a3 c1 c3", "1/2-1/2"),
    ("gomoku", "h8 a1 i8 a2 j8 a3 k8 a4 l8", "1-0"),
    ("kalah:3x2", "2 3 2 1 3 2", "1-0"),
    ("domineering:3x3", "b3", None),
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
def test_a_whole_game_is_played(ann: Visitor, game: str, moves: str, result: str | None, play: Any) -> None:
    page = ann.new_game(game)
    state = play_all(ann, moves, play)
    assert state["view"]["played"] == moves.split()
    if result is None:
        while not state["over"]:
            state = play_all_one(ann, state, play)
        result = state["result"]
    expect(page.locator("#result")).to_have_attribute("data-result", result)
    assert len(page.locator("#announcements").inner_text()) > 0


def play_all_one(visitor: Visitor, state: Any, play: Any) -> Any:
    play(visitor.page, state["view"], state["view"]["moves"][0]["move"])
    expect(visitor.page.locator("#move-list [data-move]")).to_have_count(len(state["view"]["played"]) + 1)
    return visitor.state()


def test_digits_play_columns_and_houses(ann: Visitor) -> None:
    for game, digit in (("connect4", "3"), ("kalah", "2")):
        page = ann.new_game(game)
        page.locator("#board").focus()
        page.keyboard.press(digit)
        expect(page.locator("#move-list [data-move]")).to_have_count(1)
        assert ann.state()["view"]["played"] == [digit]


def test_a_game_against_the_computer_starts_with_one_click_from_the_first_page(ann: Visitor) -> None:
    page = ann.go()
    page.locator("#start-game").click()
    page.wait_for_url("**/#/game/*")
    expect(page.locator("#board")).to_be_visible()
    click_move(page, ann.state()["view"], "4")
    expect(page.locator("#move-list [data-move]")).to_have_count(2)
    expect(page.locator("#answer")).to_contain_text("deepening:nodes=4000")


def test_a_board_that_does_not_exist_is_explained_where_it_is_typed(ann: Visitor) -> None:
    page = ann.go()
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
    reason = Person(ann.server).post("/hint", {"game": "connect4", "moves": "121212"})["reasons"][0]["text"]
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


def test_resigning_and_a_rematch(ann: Visitor) -> None:
    page = ann.new_game("tictactoe", "human", "easy")
    page.locator("#resign").click()
    page.locator("#resign").click()
    expect(page.locator("#result")).to_have_attribute("data-result", "0-1")
    before = page.url
    page.locator("#rematch").click()
    page.wait_for_function("before => location.href !== before", arg=before)
    expect(page.locator("#move-list [data-move]")).to_have_count(1)


def test_two_computers_pause_step_and_go_on(ann: Visitor) -> None:
    page = ann.new_game("tictactoe", "random:seed=1", "random:seed=2", paused=True, pace=0.1)
    page.locator("#step").click()
    expect(page.locator("#move-list [data-move]")).to_have_count(1)
    page.locator("#step").click()
    expect(page.locator("#move-list [data-move]")).to_have_count(2)
    page.locator("#pause").click()
    expect(page.locator("#result")).to_be_visible()


def test_two_browsers_play_one_linked_game_and_a_third_only_watches(browser: Browser, server: Server, ann: Visitor) -> None:
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
    ben.page.locator("#agree").click()
    expect(third.page.locator("#move-list [data-move]")).to_have_count(2)
    ben.close()
    third.close()


def test_analysis_shows_the_engines_own_numbers_on_the_board(ann: Visitor) -> None:
    game, moves = "connect4:10x11", "5,5,6,6"
    page = ann.go(f"#/analysis?game={game}&moves={moves}")
    expect(page.locator("[data-score]")).to_have_count(11)
    expected = analysis_json(parse_engine("deepening").analyse(Position(game).play(moves), Limit(depth=6), all_moves=True))["moves"]
    won = [move for move, entry in expected.items() if entry["kind"] == "exact"]
    assert set(won) >= {"4", "7"}
    for move in won:
        tile = page.locator(f'[data-score="{move}"]')
        expect(tile).to_have_attribute("data-proved", "true")
        expect(tile.locator("strong")).to_have_text(f"in {expected[move]['plies']}")
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


def test_a_known_game_is_reviewed(ann: Visitor) -> None:
    """The sixth move lets three in a column be."""
    page = ann.go("#/review?game=connect4&moves=1212121")
    expect(page.locator('#review-moves [data-ply="6"]')).to_have_attribute("data-grade", "blunder")
    expect(page.locator("#accuracy-first")).to_contain_text("%")
    expect(page.locator("#turning-point")).to_be_visible()
    expect(page.locator('#review-graph [data-ply="6"]')).to_have_attribute("data-grade", "blunder")
    page.locator('#review-moves [data-ply="3"]').click()
    expect(page.locator("#board")).to_be_visible()


@pytest.mark.parametrize(("form", "start"), [("record", b"connect4 445"), ("svg", b"<svg"), ("png", b"\x89PNG"), ("gif", b"GIF8")])
def test_a_review_is_exported(ann: Visitor, form: str, start: bytes) -> None:
    page = ann.go("#/review?game=connect4&moves=445")
    with page.expect_download() as downloading:
        page.locator(f"#export-{form}").click()
    content = Path(downloading.value.path()).read_bytes()
    assert start in content[:200]


def test_a_pasted_record_is_opened_and_a_bad_one_explained(ann: Visitor) -> None:
    page = ann.go("#/review")
    page.locator("#record-input").fill("connect4 44 maybe")
    page.locator("#record-open").click()
    expect(page.locator("body")).to_contain_text("'maybe' is not a result")
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


def test_minimax_and_alphabeta_stand_side_by_side(ann: Visitor) -> None:
    page = ann.go("#/think?game=tictactoe&moves=b2,a1&algorithm=compare&depth=3")
    for algorithm in ("minimax", "alphabeta"):
        expected = parse_engine(algorithm).analyse(Position("tictactoe").play("b2 a1"), Limit(depth=3))
        expect(page.locator(f"#think-nodes-{algorithm}")).to_have_attribute("data-total", str(expected.nodes))


def test_the_visits_of_a_monte_carlo_tree_are_those_of_the_engine(ann: Visitor) -> None:
    page = ann.go("#/think?game=tictactoe&algorithm=mcts&iterations=40")
    expect(page.locator("[data-node]").first).to_be_attached()
    page.keyboard.press("End")
    expected = parse_engine("mcts:iterations=40,keep=off").analyse(Position("tictactoe"))
    expect(page.locator("#think-nodes")).to_have_attribute("data-nodes", str(expected.nodes))


@pytest.mark.parametrize("tour", ["minimax", "alphabeta", "mcts"])
def test_a_tour_is_walked_to_its_end(ann: Visitor, tour: str) -> None:
    page = ann.go("#/learn")
    page.locator(f'a[href*="#/learn/{tour}"]').first.click()
    steps = 0
    forward = page.locator("#learn-next")
    expect(forward).to_be_visible()
    while forward.is_visible() and forward.is_enabled() and f"#/learn/{tour}" in page.url and steps < 40:
        before = page.locator("main").inner_text()
        forward.click()
        page.wait_for_function("before => document.querySelector('main').innerText !== before", arg=before)
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


def test_a_move_that_cannot_be_saved_is_not_shown_and_the_page_says_so(ann: Visitor, server: Server) -> None:
    page = ann.new_game("connect4")
    with locked(server.folder / "games.sqlite"):
        click_move(page, ann.state()["view"], "4")
        expect(page.locator("#unsaved")).to_contain_text("another program")
        expect(page.locator("#move-list [data-move]")).to_have_count(0)
    click_move(page, ann.state()["view"], "4")
    expect(page.locator("#move-list [data-move]")).to_have_count(1)
    expect(page.locator("#unsaved")).to_have_count(0)


def test_a_game_that_cannot_be_read_is_listed_with_the_reason_and_can_be_deleted(ann: Visitor, server: Server) -> None:
    ann.new_game("connect4")
    bad = ann.state()["id"]
    ann.new_game("kalah")
    with contextlib.closing(sqlite3.connect(server.folder / "games.sqlite", isolation_level=None)) as file:
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


PLACES = ["", "#/games", "#/analysis?game=connect4&moves=121212", "#/review?game=connect4&moves=44352", "#/think?game=tictactoe&moves=b2&depth=2",
          "#/learn", "#/learn/alphabeta", "#/analysis?game=gomoku&moves=h8,a1,h9,a2,h10,a3,h11,a4", "#/analysis?game=kalah:3x2&moves=2"]
"""Positions whose analysis is soon complete, so that no engine thinks for as long as a page is looked at."""


@pytest.mark.parametrize("place", PLACES)
def test_every_page_fits_a_phone(phone: Visitor, place: str) -> None:
    check_width(phone, place, "phone")


@pytest.mark.parametrize("place", PLACES)
def test_no_page_has_a_serious_accessibility_violation_in_light_or_dark_colours(ann: Visitor, place: str) -> None:
    check_access(ann, place, "")


@pytest.mark.parametrize("language", ["pt", "it"])
def test_the_page_speaks_the_readers_language(browser: Browser, server: Server, language: str) -> None:
    ann = Visitor(browser, server, locale=language)
    page = ann.go()
    expect(page.locator("#start-game")).to_have_text(words(language)["page.start_game"])
    assert page.locator("html").get_attribute("lang") == language
    said = page.evaluate("import('./words.js').then(({ t }) => [1, 2].map((count) => t('page.games_moves', { count })))")
    assert said == [say("page.games_moves", language, count=count) for count in (1, 2)]
    ann.close()


def test_a_phone_plays_by_touch(phone: Visitor) -> None:
    page = phone.new_game("connect4", "human", "easy")
    page.locator('#board [data-cell="0,3"]').tap()
    expect(page.locator("#move-list [data-move]")).to_have_count(2)


def test_a_cell_that_means_several_moves_asks_which(ann: Visitor) -> None:
    """In Domineering a click on a cell may mean the domino above or below it."""
    page = ann.new_game("domineering:4x4")
    page.locator('#board [data-cell="1,1"]').click()
    expect(page.locator(".chooser [data-move]")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(page.locator(".chooser")).to_be_hidden()
    assert ann.state()["view"]["played"] == []
