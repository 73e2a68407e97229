"""Studies on the page in a real browser, and what the server answers about them: the shipped
report, and a quick run with its bounds.

More than two seconds of CPU, for a server, a browser and the drawing of plots: nothing else shows
that a student can run a study there.
"""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, expect

from mnkala import lab
from mnkala.explain.words import say
from mnkala.lab.plots import with_attributes
from mnkala.web.limits import Limits
from mnkala.web.study_handlers import shipped_studies
from mnkala.web.workers import QuickStudy
from tests.browser import PATIENCE, Visitor, check_access, check_width
from tests.web_server import Person, Server, running

expect.set_options(timeout=PATIENCE)
SHORT, LONG = "pruning", "parity"
"""Quick runs of a second or two, and of twenty."""


def until(person: Person, holds: Callable[[dict], bool]) -> dict:
    """The quick run once something holds of it."""
    end = time.monotonic() + PATIENCE / 1000
    while not holds(run := person.get("/quick-study")):
        assert time.monotonic() < end, run
        time.sleep(0.02)
    return run


# ---- The page ----


def test_a_student_reads_the_report_runs_a_study_and_sees_what_comes(ann: Visitor) -> None:
    results = lab.load(SHORT, "shipped")
    page = ann.go("#/learn")
    page.locator("#to-studies").click()
    row = page.locator(f'[data-study="{SHORT}"]')
    expect(row).to_contain_text(results.study.question)
    expect(row).to_contain_text((results.finding or "").partition("\n\n")[0])
    expect(page.locator(".study-brief")).to_have_count(5)
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
    check_access(ann, f"#/studies/{SHORT}", "", shows="figure svg")
    check_access(ann, "#/studies", "", shows="#studies")


def test_a_run_goes_on_when_its_page_is_left_and_is_cancelled_from_another(ann: Visitor) -> None:
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


def test_a_study_that_does_not_exist_has_a_page_that_says_so(ann: Visitor) -> None:
    page = ann.go("#/studies/prunning")
    expect(page.locator("#problem")).to_contain_text(
        "no study is called 'prunning'; did you mean pruning?"
    )
    page.locator("#problem a").first.click()
    expect(page.locator("#studies")).to_be_visible()


def test_studies_fit_a_phone_in_every_language(browser: Browser, server: Server) -> None:
    for language in ("pt", "it"):
        phone = Visitor(
            browser,
            server,
            locale=language,
            viewport={"width": 390, "height": 844},
            color_scheme="dark",
        )
        check_width(phone, "#/studies", f"phone-{language}", shows="#studies", wait=100)
        expect(phone.page.locator("h1")).to_have_text(say("study.title", language))
        check_width(
            phone, f"#/studies/{SHORT}", f"phone-{language}", shows="figure.narrow svg", wait=100
        )
        phone.close()


def test_a_plot_keeps_all_that_its_style_says() -> None:
    svg = (
        '<svg width="9"><defs><style type="text/css">*{stroke-linejoin: round; stroke-linecap: butt}</style></defs>'
        '<text style="font: 700 12px \'DejaVu Sans\'; text-anchor: middle">a: b; c</text><path style="fill: none; stroke-width: 0.8"/></svg>'
    )
    assert with_attributes(svg) == (
        '<svg stroke-linejoin="round" stroke-linecap="butt" width="9">'
        '<text font-size="12" font-family="\'DejaVu Sans\'" font-weight="700" text-anchor="middle">a: b; c</text>'
        '<path fill="none" stroke-width="0.8"/></svg>'
    )


# ---- What the server allows ----


def test_only_studies_that_come_along_are_shown_and_run_and_by_name(server: Server) -> None:
    ann = Person(server)
    for name in ("../own", f"./{SHORT}.toml", f"{SHORT}.toml", "no-such-thing"):
        assert (
            "no study is called" in ann.post("/quick-study", {"study": name}, expect=400)["error"]
        )
    for place in (
        "/studies/own",
        f"/studies/{SHORT}.toml",
        "/studies/..%2Fown",
        "/studies/scaling?data=quick",
    ):
        ann.get(place, expect=404)
    ann.get(f"/studies/{SHORT}?data=mine", expect=400)
    told = ann.http.get("/studies").text + ann.http.get(f"/studies/{SHORT}").text
    assert str(Path(lab.__file__).parent) not in told
    assert str(server.folder) not in told


def test_one_study_runs_at_a_time_and_only_who_started_it_cancels_it(server: Server) -> None:
    ann, bob = Person(server), Person(server)
    assert ann.post("/quick-study", {"study": LONG})["state"] == "running"
    assert (
        f"the study {LONG} is running"
        in bob.post("/quick-study", {"study": SHORT}, expect=429)["error"]
    )
    joined = bob.post("/quick-study", {"study": LONG})
    assert (joined["study"], joined["yours"], ann.get("/quick-study")["yours"]) == (
        LONG,
        False,
        True,
    )
    assert bob.http.delete("/quick-study").status_code == 403
    assert ann.http.delete("/quick-study").status_code == 204
    assert ann.get("/quick-study")["state"] == "cancelled"
    assert ann.http.delete("/quick-study").status_code == 204, "there is nothing left to cancel"
    bob.post("/quick-study", {"study": SHORT})
    assert until(bob, lambda run: run["state"] != "running")["state"] == "done"
    assert bob.get(f"/studies/{SHORT}?data=quick")["summary"]["state"] == "quick"
    assert SHORT in bob.get("/studies")["quick"]


def processes_of(folder: Path) -> list[str]:
    """The processes that run a quick study of this folder: it and its supervisor."""
    listed = subprocess.run(
        ["ps", "-eww", "-o", "pid,args"], capture_output=True, text=True, check=True
    ).stdout
    return [line for line in listed.splitlines() if "answer_page" in line and str(folder) in line]


def test_a_study_ends_with_its_server_by_ctrl_c_and_even_when_that_is_killed(
    tmp_path: Path,
) -> None:
    for way, folder in ((Server.stop, tmp_path / "stopped"), (Server.kill, tmp_path / "killed")):
        folder.mkdir()
        with running(folder) as server:
            ann = Person(server)
            ann.post("/quick-study", {"study": LONG})
            until(ann, lambda run: run["total"] > 0)
            assert len(processes_of(folder)) == 2
            way(server)
            end = time.monotonic() + 60
            while processes_of(folder):
                assert time.monotonic() < end
                time.sleep(0.05)


def test_a_run_that_dies_or_lasts_too_long_has_failed_and_another_may_begin(server: Server) -> None:
    quick = QuickStudy(Limits(seconds_of_study=0.05))
    quick.start(LONG, "ann")
    end = time.monotonic() + 60
    assert quick.work is not None
    while quick.work.run.state == "running" and time.monotonic() < end:
        time.sleep(0.01)
    run = quick.work.run
    assert (run.state, "more than 0 s" in run.error) == ("failed", True)
    quick.close()
    ann = Person(server)
    ann.post("/quick-study", {"study": LONG})
    until(ann, lambda run: run["total"] > 0)
    os.kill(int(processes_of(server.folder)[0].split()[0]), 9)
    assert "has died" in until(ann, lambda run: run["state"] != "running")["error"]
    assert ann.post("/quick-study", {"study": SHORT})["state"] == "running"
    ann.http.delete("/quick-study")
