"""What the server answers about studies: the shipped report, and a quick run with its bounds."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from mnkala import lab
from mnkala.lab.plots import with_attributes
from mnkala.web.limits import Limits
from mnkala.web.workers import QuickStudy
from tests.waiting import wait_until
from tests.web_server import Person, Server, running

SHORT, LONG = "pruning", "parity"
"""Quick runs of a second or two, and of twenty."""


def until(person: Person, holds: Callable[[dict], bool]) -> dict:
    """The quick run once something holds of it."""
    end = time.monotonic() + 120
    while not holds(run := person.get("/quick-study")):
        assert time.monotonic() < end, run
        time.sleep(0.02)
    return run


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


def processes_of(folder: Path) -> list[str]:
    """The processes that run a quick study of this folder: it and its supervisor."""
    listed = subprocess.run(
        ["ps", "-eww", "-o", "pid,args"], capture_output=True, text=True, check=True
    ).stdout
    return [line for line in listed.splitlines() if "answer_page" in line and str(folder) in line]


def test_a_study_ends_with_its_server_even_when_that_is_killed(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        ann = Person(server)
        ann.post("/quick-study", {"study": LONG})
        until(ann, lambda run: run["total"] > 0)
        assert len(processes_of(tmp_path)) == 2
        server.kill()
        wait_until(lambda: not processes_of(tmp_path), "the study has ended")


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
    assert ann.post("/quick-study", {"study": LONG})["state"] == "running"
    ann.http.delete("/quick-study")
