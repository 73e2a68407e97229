"""People who share a game on the page, and the games that are kept, in a real browser: invitations,
the list of games, and servers that end or that somebody wants to misuse.

Each test is a journey of one person; its steps are functions that say what holds.
"""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
from pathlib import Path

from playwright.sync_api import Page, Request, expect

from tests.broken_plugins import PAINTS_ON_THE_PAGE
from tests.browser import (
    EMPTY,
    PATIENCE,
    PHONE,
    Visitor,
    check_width,
    click_move,
    module,
    overflow,
    play_all,
)
from tests.web_server import Server, locked, running

expect.set_options(timeout=PATIENCE)


# ---- Two people ----


def test_two_people_play_one_linked_game(ann: Visitor, phone: Visitor) -> None:
    """And a third, who comes later with the phone of the second, only watches."""
    an_invitation_names_an_address_that_works_for_others(ann)
    ben, page = phone, ann.go()
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
    for mover, move in ((ann, "4"), (ben, "3"), (ann, "5")):
        click_move(mover.page, mover.state()["view"], move)
        for seen_by in (ann, ben):
            expect(seen_by.page.locator(f'#move-list [data-move="{move}"]')).to_have_count(1)
    page.locator('#board [data-cell="0,0"]').click(force=True)
    a_move_is_taken_back_if_the_other_agrees(ann, ben)
    names_and_presence_are_seen_by_the_other(ann, ben)
    a_draw_is_offered_by_name_and_declined(ann, ben)
    a_used_invitation_leads_back_to_ones_own_seat(ben, link)
    a_resigned_game_says_so_wherever_it_goes(ann, ben)
    others_may_only_watch(ben, link, watch)


def a_move_is_taken_back_if_the_other_agrees(ann: Visitor, ben: Visitor) -> None:
    ann.page.locator("#undo").click()
    expect(ben.page.locator(".game-status")).to_contain_text("asks to take back a move.")
    assert ben.state()["view"]["played"] == ["4", "3", "5"], "a click out of turn meant nothing"
    ben.page.locator("#decline-undo").click()
    expect(ann.page.locator(".game-status")).to_be_empty()
    assert ben.state()["view"]["played"] == ["4", "3", "5"]
    ann.page.locator("#undo").click()
    ben.page.locator("#agree-undo").click()
    for seen_by in (ann, ben):
        expect(seen_by.page.locator("#move-list [data-move]")).to_have_count(2)


def names_and_presence_are_seen_by_the_other(ann: Visitor, ben: Visitor) -> None:
    """Also a name that is given later; who leaves is away after some seconds, and back at once."""
    page, place = ann.page, ben.page.url
    ben.page.locator("#my-name").fill("Ben")
    ben.page.locator("#give-name").click()
    expect(ben.page.locator(".plate.second .plate-name")).to_have_text("Ben (you)")
    expect(page.locator(".plate.second .plate-name")).to_have_text("Ben")
    expect(page.locator(".plate.second .presence")).to_have_text("here")
    ben.page.goto(f"{ben.server.address}/{EMPTY}")
    expect(page.locator(".plate.second .presence")).to_have_text("away")
    expect(page.locator("#announcements")).to_contain_text("Ben has left.")
    ben.page.goto(place)
    expect(page.locator(".plate.second .presence")).to_have_text("here")


def a_draw_is_offered_by_name_and_declined(ann: Visitor, ben: Visitor) -> None:
    for _ in range(2):
        ben.page.locator("#draw").click()
    expect(ann.page.locator(".game-status")).to_contain_text("Ben offers a draw.")
    expect(ben.page.locator(".game-status")).to_contain_text("You offered a draw.")
    ann.page.locator("#decline-draw").click()
    expect(ben.page.locator("#declined")).to_contain_text("declines the draw")


def a_used_invitation_leads_back_to_ones_own_seat(ben: Visitor, link: str) -> None:
    ben.page.goto(f"{ben.server.address}/{EMPTY}")
    ben.page.goto(link)
    expect(ben.page.locator("#resign")).to_be_visible()


def a_resigned_game_says_so_wherever_it_goes(ann: Visitor, ben: Visitor) -> None:
    page = ann.page
    for _ in range(2):
        ben.page.locator("#resign").click()
    expect(page.locator("#result")).to_contain_text("by resignation")
    page.locator("details.more > summary").click()
    expect(page.locator("#as-record")).to_have_text("connect4 4,3 1-0")
    with page.expect_download() as saved:
        page.locator("[data-export=record]").click()
    assert saved.value.path().read_text().endswith("# ending: resignation\nconnect4 43 1-0\n")


def others_may_only_watch(third: Visitor, link: str, watch: str) -> None:
    third.start_anew()
    third.page.goto(link)
    expect(third.page.locator("h1")).to_have_text("This invitation has been used")
    third.page.locator("#watch-game").click()
    expect(third.page.locator("#board")).to_be_visible()
    assert third.page.url == watch
    assert third.state()["yours"] == [False, False]


def an_invitation_names_an_address_that_works_for_others(ann: Visitor) -> None:
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


# ---- Saved games ----


def test_the_list_of_games_is_filtered_saved_to_a_file_and_read_back(
    ann: Visitor, tmp_path: Path
) -> None:
    a_move_that_cannot_be_saved_is_not_shown_and_the_page_says_so(ann)
    a_game_that_cannot_be_read_is_listed_with_the_reason_and_can_be_deleted(ann)
    ann.new_game("kalah", nicknames=["Ann", "Zoe"])
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
    page.locator("[data-open]").first.click()
    expect(page.locator("#board")).to_be_visible()
    page = ann.go("#/games")
    file = tmp_path / "games.txt"
    file.write_text(text * 150)  # more than one request takes
    page.locator("#import-file").set_input_files(file)
    expect(page.locator("#announcements")).to_have_text("Games added: 300")
    expect(page.locator("#older")).to_be_visible()


def a_move_that_cannot_be_saved_is_not_shown_and_the_page_says_so(ann: Visitor) -> None:
    page = ann.new_game("connect4")
    with locked(ann.server.folder / "games.sqlite"):
        click_move(page, ann.state()["view"], "4")
        expect(page.locator("#unsaved")).to_contain_text("another program")
        expect(page.locator("#move-list [data-move]")).to_have_count(0)
    click_move(page, ann.state()["view"], "4")
    expect(page.locator("#move-list [data-move]")).to_have_count(1)
    expect(page.locator("#unsaved")).to_have_count(0)


def a_game_that_cannot_be_read_is_listed_with_the_reason_and_can_be_deleted(ann: Visitor) -> None:
    ann.new_game("connect4")
    bad = ann.state()["id"]
    ann.go("#/games")
    with contextlib.closing(
        sqlite3.connect(ann.server.folder / "games.sqlite", isolation_level=None)
    ) as file:
        file.execute("UPDATE games SET more = 'nonsense' WHERE id = ?", (bad,))
    ann.page.reload()
    page = ann.page
    expect(page.locator("#games > li")).to_have_count(2)
    expect(page.locator(f'#games [data-game="{bad}"]')).to_contain_text("damaged")
    page.locator(f'[data-delete="{bad}"]').click()
    page.locator(f'[data-delete="{bad}"]').click()
    expect(page.locator("#games > li")).to_have_count(1)


# ---- A server of one's own ----


def test_nothing_runs_as_a_script_and_a_killed_server_loses_nothing(
    ann: Visitor, tmp_path: Path
) -> None:
    (tmp_path / "evil.py").write_text(PAINTS_ON_THE_PAGE)
    with running(tmp_path, MNKALA_PLUGINS="evil", PYTHONPATH=str(tmp_path)) as server:
        ann.server = server
        nothing_that_a_game_or_an_engine_is_called_runs_as_a_script_or_bursts_the_page(ann)
        a_reload_and_a_killed_server_lose_nothing(ann, server)


def nothing_that_a_game_or_an_engine_is_called_runs_as_a_script_or_bursts_the_page(
    eve: Visitor,
) -> None:
    eve.page.set_viewport_size(PHONE)  # type: ignore[arg-type]
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
    page.goto(f"{eve.server.address}/#/games")
    page.locator(".game-row", has_text="mcts").locator("[data-open]").click()
    expect(page.locator(".notice.bad")).to_contain_text("this server allows up to 4000000")
    assert overflow(page) <= 0


def a_reload_and_a_killed_server_lose_nothing(ann: Visitor, server: Server) -> None:
    page = ann.new_game("connect4")
    play_all(ann, "4 4 3", click_move)
    page.reload()
    expect(page.locator("#move-list [data-move]")).to_have_count(3)
    server.kill()
    expect(page.locator("#banner")).to_be_visible()
    server.start(server.port)
    expect(page.locator("#banner")).to_be_hidden()
    click_move(page, ann.state()["view"], "1")
    expect(page.locator("#move-list [data-move]")).to_have_count(4)
    assert ann.state()["view"]["played"] == ["4", "4", "3", "1"]
