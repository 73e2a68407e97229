"""The page of tournaments in a real browser: one is started, watched, stopped and continued, the
table follows the games, and every game can be replayed.

More than two seconds of CPU, for a server and a browser of their own: nothing else shows that the
table on the page moves by itself.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from mnkala.arena.plan import make_plan
from mnkala.arena.tournament import run_tournament
from mnkala.explain.words import say
from mnkala.jobs import Outcome, Progress
from tests.browser import PATIENCE, Visitor, check_access, check_width
from tests.test_arena import brain
from tests.web_server import Person, Server

expect.set_options(timeout=PATIENCE)
NAME = "small-boards"


class Interrupted(Progress):
    """Stops a tournament after some games, as Ctrl-C would."""

    def __init__(self, games: int) -> None:
        self.left = games

    def done(self, outcome: Outcome) -> None:
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt


def play(server: Server, monkeypatch: pytest.MonkeyPatch, games: int | None = None) -> None:
    """Play the tournament, or so many games of it: a program that dies, against two engines."""
    monkeypatch.setattr("mnkala.programs.process.FAREWELL_SECONDS", 0.1)
    players = ["random:seed=1", "greedy", brain(server.folder, "die")]
    plan = make_plan(
        ["gomoku:7"], players, names=["lucky", "greedy", "dying"], games_each=2, openings="plies:2"
    )
    path = server.folder / "tournaments" / f"{NAME}.sqlite"
    try:
        run_tournament(plan, path, jobs=0, progress=None if games is None else Interrupted(games))
    except KeyboardInterrupt:
        assert games is not None


def test_the_table_follows_the_games_and_each_game_can_be_replayed(
    ann: Visitor, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = ann.go("#/tournaments")
    expect(page.locator("#tournaments")).to_have_text("No tournament has been played yet.")
    play(server, monkeypatch, 2)
    page = ann.go("#/games")
    page.locator("#to-tournaments").click()
    page.locator(f'[data-tournament="{NAME}"] a').click()
    expect(page.locator("#tournament-state")).to_contain_text("2 of 6 games · in progress")
    expect(page.locator(".rating-table tbody tr")).to_have_count(3)
    play(server, monkeypatch)
    expect(page.locator("#tournament-state")).to_contain_text(
        "6 of 6 games · finished"
    )  # the page has not been touched meanwhile
    dying = page.locator(".rating-table tbody tr", has_text="dying")
    expect(dying.locator(".faulty")).to_have_text("4")
    expect(page.locator("#tournament-games > li")).to_have_count(6)
    page.locator("#only-faults").check()
    expect(page.locator("#tournament-games > li")).to_have_count(4)
    expect(page.locator("#tournament-games > li").first).to_contain_text(
        "lost by a fault: disconnection"
    )
    page.locator("#only-faults").uncheck()
    page.locator("#of-player").select_option("dying")
    expect(page.locator("#tournament-games > li")).to_have_count(4)
    expect(page.locator(".cross-table tbody tr")).to_have_count(3)
    expect(page.locator("#tournament-verdict")).to_contain_text("leads")
    page.locator("#tournament-games a").first.click()
    expect(page).to_have_url(re.compile(rf"#/review\?tournament={NAME}&place=0-"))
    expect(page.locator(".review-page")).to_contain_text(
        f"From the tournament {NAME} · lost by a fault: disconnection"
    )
    expect(page.locator("#board")).to_be_visible()
    check_access(ann, f"#/tournaments/{NAME}", "", shows=".rating-table")
    page = ann.go("#/tournaments/no-such-thing")
    expect(page.locator("#problem")).to_contain_text("no tournament is called 'no-such-thing'")


def test_a_tournament_is_started_watched_stopped_continued_and_deleted(ann: Visitor) -> None:
    page = ann.go("#/tournaments")
    page.evaluate(
        """() => localStorage.setItem("mnkala.newtournament", JSON.stringify(
        {players: ["easy", "deepening:time=0.3"], own: ["deepening:time=0.3"], games: "20"}))"""
    )  # so many games that none is the last before somebody stops them
    page.reload()
    expect(page.locator("#new-tournament")).to_be_visible()
    if not page.locator("#start-tournament").is_visible():
        page.locator("#new-tournament > summary").click()
    expect(page.locator("#tournament-forecast")).to_contain_text("A match of 20 games, about")
    page.locator('.tournament-players [value="easy"]').uncheck()
    expect(page.locator("#tournament-forecast")).to_have_text("Choose at least two players.")
    expect(page.locator("#start-tournament")).to_be_disabled()
    page.locator('.tournament-players [value="medium"]').check()
    check_access(ann, "#/tournaments", "", shows="#start-tournament")
    page.locator("#start-tournament").click()
    expect(page.locator("h1")).to_have_text("Connect Four: deepening:time=0.3, Medium")
    expect(page.locator("#live-boards .miniature")).to_be_visible()
    page.locator("#tournament-stop").click()
    expect(page.locator("#tournament-state")).to_contain_text("stopped")
    expect(page.locator("#live-boards")).to_be_hidden()
    page.locator("#tournament-resume").click()
    expect(page.locator("#tournament-state")).to_contain_text("in progress")
    expect(page.locator("#live-boards .miniature")).to_be_visible()
    page.locator("#tournament-delete").click()
    page.locator("#tournament-delete").click()
    expect(page.locator("#new-tournament")).to_be_visible()
    expect(page.locator('[data-tournament^="connect4"]')).to_have_count(0)


def test_the_page_of_a_tournament_fits_a_phone_in_every_language(
    browser: Browser, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(server, monkeypatch)
    for language in ("pt", "it"):
        phone = Visitor(browser, server, locale=language, viewport={"width": 360, "height": 740})
        for place in ("#/tournaments", f"#/tournaments/{NAME}"):
            check_width(phone, place, f"phone-{language}", wait=200)
        expect(phone.page.locator("#tournament-state")).to_contain_text(
            say("tournament.state_over", language)
        )
        phone.close()


def test_what_the_server_tells_of_tournaments_names_no_folders_and_refuses_nonsense(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(server, monkeypatch)
    (server.folder / "tournaments" / "damaged.sqlite").write_text("this is no tournament" * 100)
    ann = Person(server)
    listed = ann.get("/tournaments")["tournaments"]
    assert [one["name"] for one in listed] == [NAME]
    text = (
        ann.http.get(f"/tournaments/{NAME}").text + ann.http.get(f"/tournaments/{NAME}/games").text
    )
    assert str(Path(__file__).parent) not in text
    games = ann.get(f"/tournaments/{NAME}/games?skip=4&player=0")
    assert (len(games["games"]), games["more"]) == (0, 0)
    for place in (
        "/tournaments/..%2Fx",
        f"/tournaments/{NAME}/games/9-9-9-9",
        "/tournaments/nothing",
    ):
        ann.get(place, expect=404)
    ann.get(f"/tournaments/{NAME}/games?player=x", expect=400)
    (server.folder / "tournaments" / "damaged.sqlite").unlink()
