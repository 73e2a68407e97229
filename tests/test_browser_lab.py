"""Tournaments and studies on the page, in a real browser: they are started, watched, stopped and
continued, and what came out is read.

More than two seconds of CPU for each, since engines and studies work in processes of their own:
nothing else shows that tables move by themselves and that a student can run a study there.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from mnkala import lab
from mnkala.arena.plan import make_plan
from mnkala.arena.tournament import run_tournament
from mnkala.jobs import Outcome, Progress
from mnkala.web.study_handlers import shipped_studies
from tests.browser import PATIENCE, Visitor, check_access
from tests.test_arena import brain
from tests.web_server import Person, Server

expect.set_options(timeout=PATIENCE)
NAME = "small-boards"
SHORT, LONG = "pruning", "parity"
"""Quick runs of a second or two, and of twenty."""


# ---- Tournaments ----


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
    answers = [
        Person(server).http.get(f"/tournaments/{NAME}{more}").text for more in ("", "/games")
    ]
    assert not any(str(Path(__file__).parent) in each for each in answers), "no folder is named"
    check_access(ann, f"#/tournaments/{NAME}", "", shows=".rating-table", wait=100)


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


# ---- Studies ----


def test_a_student_reads_the_report_runs_a_study_and_sees_what_comes(ann: Visitor) -> None:
    the_report_is_read(ann)
    a_run_goes_on_when_its_page_is_left_and_is_cancelled_from_another(ann)
    a_study_is_run_and_its_results_are_shown_beside_the_shipped_ones(ann)


def the_report_is_read(ann: Visitor) -> None:
    results = lab.load(SHORT, "shipped")
    page = ann.go("#/learn")
    page.locator("#to-studies").click()
    row = page.locator(f'[data-study="{SHORT}"]')
    expect(row).to_contain_text(results.study.question)
    expect(row).to_contain_text((results.finding or "").partition("\n\n")[0])
    expect(page.locator(".study-brief")).to_have_count(5 + 5)  # the reports and our own questions
    expect(page.locator('[data-brief="002"] .brief-found')).to_contain_text(
        "one position for every"
    )
    expect(page.locator('[data-brief="002"] svg').first).to_be_visible()
    expect(page.locator("#studies > li")).to_have_count(len(lab.all_studies()))
    judged = [
        judgement.verdict.value for claim, judgement in results.judgements if claim.report == "002"
    ]
    confirmed = sum(
        claim.verdict == "reproduced" for claim in shipped_studies().claims if claim.report == "002"
    )
    expect(page.locator('#claims [data-report="002"] summary')).to_contain_text(
        f"reproduced: {confirmed}"
    )
    page.locator('#claims [data-report="002"] summary').click()
    expect(
        page.locator('#claims [data-report="002"] tr', has_text=SHORT).locator(".badge")
    ).to_contain_text(judged)
    row.locator("h3 a").click()
    expect(page.locator("#study-finding")).to_contain_text((results.finding or "")[:60])
    expect(page.locator("figure.wide svg").first).to_have_attribute(
        "aria-label", re.compile("Nodes with and without pruning")
    )
    expect(page.locator("figure.narrow").first).to_be_hidden()
    expect(page.locator("figure svg [style], figure svg style")).to_have_count(0)
    expect(page.locator("#study-command")).to_have_text(f"mnkala lab run {SHORT}")


def a_run_goes_on_when_its_page_is_left_and_is_cancelled_from_another(ann: Visitor) -> None:
    page = ann.go(f"#/studies/{LONG}")
    page.locator("#run-study").click()
    expect(page.locator("#study-run progress")).to_be_visible()
    page = ann.go("#/games")
    page = ann.go("#/studies")
    expect(page.locator("#study-run")).to_contain_text(LONG)
    page.locator("#cancel-study").click()
    expect(page.locator("#cancel-study")).to_have_count(0)
    page = ann.go(f"#/studies/{LONG}")
    expect(page.locator("#study-ended")).to_contain_text("was cancelled; what was measured is kept")
    expect(page.locator("#run-study")).to_be_enabled()


def a_study_is_run_and_its_results_are_shown_beside_the_shipped_ones(ann: Visitor) -> None:
    page = ann.go(f"#/studies/{SHORT}")
    page.locator("#run-study").press("Enter")
    expect(page.locator("#study-run progress")).to_be_visible()
    expect(page).to_have_url(
        re.compile(rf"#/studies/{SHORT}\?data=quick")
    )  # by itself, once it is done
    expect(page.locator("#study-finding")).to_be_visible()
    expect(page.locator("#study-state")).to_contain_text("quick data only, 24 jobs")
    expect(page.locator("#study-command")).to_have_text(f"mnkala lab run {SHORT} --quick")
    page.locator('[data-data="report"]').click()
    expect(page.locator("#study-state")).to_contain_text("full data, 36 jobs")
