"""Compiling ahead and in the background: nobody waits for a compiler twice, and nothing that goes
wrong there stops anybody.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from mnkala.core import Rules, game_names, parse_game
from mnkala.errors import MnkalaError, NotCompiled
from mnkala.jobs.child import Child
from mnkala.native import kernels
from mnkala.native.disk_cache import CacheWarning
from mnkala.native.objects import is_foreign
from mnkala.play.compiler import MOST_DEATHS, Compiler
from mnkala.play.warmup import step_for, warmup_steps
from mnkala.search import heuristics, parse_engine, searches
from mnkala.search.engine import HeuristicSearch, Search
from mnkala.search.heuristic import fits
from tests.waiting import wait_until
from tests.warm_cache import warm_cache
from tests.web_server import Person, running

CONNECT4 = parse_game("connect4")
GREEDY, MINIMAX = parse_engine("greedy:heuristic=nothing"), parse_engine("minimax:heuristic=basic")


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which nothing has been compiled yet."""
    monkeypatch.setenv("MNKALA_CACHE_DIR", str(tmp_path))
    return tmp_path


# ---- The plan ----


def _plays(search: Search, rules: Rules) -> bool:
    try:
        search.check(rules)
    except MnkalaError:
        return False
    return True


def test_every_combination_that_a_menu_offers_is_in_the_plan() -> None:
    planned = {step.kernel_key for step in warmup_steps(everything=True)}
    for family in game_names():
        for name in family.names:
            rules = parse_game(name)
            for search_name, cls in searches().items():
                fitting = (
                    [entry.name for entry in heuristics() if fits(entry.name, rules)]
                    if issubclass(cls, HeuristicSearch)
                    else []
                )
                for options in ("", *(f":heuristic={heuristic}" for heuristic in fitting)):
                    search = parse_engine(search_name + options).search
                    if _plays(search, rules) and (search_name != "perfect" or name == "connect4"):
                        assert search.kernel_key(rules) in planned | {""}, f"{name}, {search}"


def test_what_people_play_most_is_compiled_first() -> None:
    own = {
        family.name
        for family in game_names()
        if not is_foreign(type(parse_game(family.example)).__module__)
    }  # not another test's
    labels = [
        step.label
        for step in warmup_steps(everything=True)
        if step.label.partition(",")[0].partition(":")[0] in own
    ]
    assert labels[:2] == ["connect4, deepening", "connect4, perfect"]
    assert (
        labels.index("kalah, sowing")
        < labels.index("connect4, minimax")
        < labels.index("connect4, minimax, nothing")
    )


def test_a_new_board_size_is_no_new_combination() -> None:
    assert (
        step_for(MINIMAX.search, CONNECT4).kernel_key
        == step_for(MINIMAX.search, parse_game("connect4:5x8")).kernel_key
    )


def test_monte_carlo_search_shares_its_kernels_among_heuristics_that_it_does_not_ask() -> None:
    one, other = (
        parse_engine(f"mcts:heuristic={name}").search.kernel_key(CONNECT4)
        for name in ("basic", "threats")
    )
    assert (
        one
        == other
        != parse_engine("mcts:heuristic=basic,candidates=best:3").search.kernel_key(CONNECT4)
    )


def test_what_is_marked_as_compiled_is_known_to_other_processes_until_the_cache_is_emptied(
    empty_cache: Path,
) -> None:
    assert not kernels.is_compiled("something")
    kernels.mark_compiled("something")
    assert kernels.is_compiled("something")
    assert not kernels.is_compiled("something else")
    assert kernels.is_compiled("")


def test_a_disk_that_takes_no_mark_costs_only_the_mark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("MNKALA_CACHE_DIR", str(tmp_path / "file"))
    with pytest.warns(CacheWarning):
        kernels.mark_compiled("something")
    assert not kernels.is_compiled("something")


# ---- The process ----


@pytest.mark.slow
def test_what_is_wanted_is_compiled_by_another_process_and_then_loaded(empty_cache: Path) -> None:
    """It compiles the smallest combination that there is; so does the server of the last test, by
    the same way.
    """
    changes: list[float] = []
    compiler = Compiler(everything=False, changed=lambda: changes.append(time.monotonic()))
    try:
        assert not compiler.is_ready(GREEDY, CONNECT4)
        compiler.want(GREEDY, CONNECT4).result(timeout=300)
        assert compiler.is_ready(GREEDY, CONNECT4)
        assert kernels.is_compiled(GREEDY.search.kernel_key(CONNECT4))
        assert changes
    finally:
        compiler.close()


class Scripted(Compiler):
    """A compiler whose process is a few lines of Python."""

    def __init__(self, script: str, *, everything: bool = False) -> None:
        super().__init__(everything=everything)
        self.script = script
        self.started: list[tuple[str, ...]] = []
        """The arguments of each process."""

    def child(self, *arguments: str) -> Child:
        self.started.append(arguments)
        return Child([sys.executable, "-c", self.script, *arguments])


DIES_AT_GREEDY = """
import json, os, sys
for line in sys.stdin:
    name = json.loads(line)["engine"].partition(":")[0]
    print(json.dumps({"begins": COMBINATIONS[name], "label": name}), flush=True)
    if name == "greedy" and not any("greedy" in word for word in sys.argv[1:]):
        os._exit(7)
    print(json.dumps({"ends": COMBINATIONS[name], "seconds": 0.1, "problem": ""}), flush=True)
"""


@pytest.fixture
def scripted(empty_cache: Path, request: pytest.FixtureRequest) -> Callable[..., Scripted]:
    def make(script: str, **options: bool) -> Scripted:
        combinations = {
            engine.search.name: engine.search.kernel_key(CONNECT4) for engine in (GREEDY, MINIMAX)
        }
        made = Scripted(f"COMBINATIONS = {combinations!r}\n{script}", **options)
        request.addfinalizer(made.close)
        return made

    return make


def test_a_process_that_dies_at_one_combination_goes_on_with_the_others(
    scripted: Callable[..., Scripted],
) -> None:
    compiler = scripted(DIES_AT_GREEDY)
    greedy, minimax = compiler.want(GREEDY, CONNECT4), compiler.want(MINIMAX, CONNECT4)
    greedy.result(timeout=300)
    minimax.result(timeout=300)
    assert len(compiler.started) == 2
    assert compiler.started[1][-1] == "skip:" + GREEDY.search.kernel_key(CONNECT4)


def test_what_the_compiler_refuses_is_told_to_everybody_who_waits_for_it(
    scripted: Callable[..., Scripted],
) -> None:
    compiler = scripted("""
import json, sys
sys.stdin.readline()
print(json.dumps({"ends": COMBINATIONS["greedy"], "seconds": 0.1, "problem": "greedy cannot be compiled"}), flush=True)
sys.stdin.read()
""")
    for _ in range(2):
        with pytest.raises(NotCompiled, match="greedy cannot be compiled"):
            compiler.want(GREEDY, CONNECT4).result(timeout=300)
        assert not compiler.is_ready(GREEDY, CONNECT4)


def test_a_process_that_never_lives_is_given_up_and_nobody_waits_for_ever(
    scripted: Callable[..., Scripted],
) -> None:
    compiler = scripted("raise SystemExit(3)", everything=True)
    compiler.want(GREEDY, CONNECT4).result(timeout=300)
    assert len(compiler.started) == MOST_DEATHS
    assert compiler.is_ready(GREEDY, CONNECT4), "it is compiled where it is used"


def test_progress_tells_what_is_compiled_for_whom_and_how_long_it_takes(
    scripted: Callable[..., Scripted],
) -> None:
    compiler = scripted(
        """
import json, sys
print(json.dumps({"total": 10, "done": 4}), flush=True)
print(json.dumps({"begins": COMBINATIONS["minimax"], "label": "connect4, minimax, basic"}), flush=True)
sys.stdin.read()
""",
        everything=True,
    )
    compiler.want(MINIMAX, CONNECT4)
    wait_until(lambda: compiler.progress().total, "the process reports")
    progress = compiler.progress()
    assert (progress.done, progress.total, progress.compiling, progress.waiting) == (
        4,
        10,
        "connect4, minimax, basic",
        True,
    )
    assert progress.seconds > 0


def test_one_who_does_not_wait_any_more_takes_nothing_from_the_others(
    scripted: Callable[..., Scripted],
) -> None:
    compiler = scripted("import sys; sys.stdin.read()")

    async def two_wait_and_one_leaves() -> None:
        leaves, stays = (asyncio.wrap_future(compiler.want(MINIMAX, CONNECT4)) for _ in range(2))
        leaves.cancel()
        await asyncio.sleep(0)
        assert not stays.done()
        compiler._finish(MINIMAX.search.kernel_key(CONNECT4))
        await asyncio.wait_for(stays, 60)

    asyncio.run(two_wait_and_one_leaves())


def started(compiler: Compiler) -> Child:
    """The process of a compiler that begins with the plan."""
    compiler.start()
    wait_until(lambda: compiler._process, "the process is started")
    assert compiler._process is not None
    return compiler._process


def test_nothing_is_started_where_everything_is_compiled_already(
    empty_cache: Path, scripted: Callable[..., Scripted]
) -> None:
    for step in warmup_steps(everything=True):
        kernels.mark_compiled(step.kernel_key)
    compiler = scripted("", everything=True)
    compiler._start_if_needed()
    assert not compiler.started


def test_the_process_ends_when_whoever_started_it_is_gone(empty_cache: Path) -> None:
    process = started(compiler := Compiler(everything=True))
    process.close_input()
    assert process.end(300) == 0
    compiler.close()


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="priorities are POSIX")
def test_the_process_gives_way_to_everything_else(empty_cache: Path) -> None:
    from mnkala.jobs.supervisor import descendants

    process = started(compiler := Compiler(everything=True))
    own = os.getpriority(os.PRIO_PROCESS, 0)
    wait_until(
        lambda: (
            [os.getpriority(os.PRIO_PROCESS, child) for child in descendants(process.pid)] > [own]
        ),
        "it is nicer than we are",
    )
    compiler.close()


# ---- The server ----


def test_a_server_says_what_a_game_waits_for_and_then_plays_it(tmp_path: Path) -> None:
    """On a cache that says of no kernel that it is there, as on a new machine."""
    cache = warm_cache(tmp_path / "cache", marked=False)
    with (
        running(tmp_path, MNKALA_CACHE_DIR=str(cache)) as server,
        Person(server).live() as connection,
    ):
        ann = Person(server)
        game = ann.new("connect4", str(GREEDY), "human")
        assert game["preparing"]
        told = connection.until(
            lambda message: message["type"] == "compiling" and message["compiling"], seconds=300
        )
        assert (told["compiling"], told["waiting"]) == ("connect4, greedy, nothing", True)
        assert told["seconds"] > 0
        played = ann.until(game, lambda seen: seen["view"]["played"], seconds=300)
        assert not played["preparing"]
        connection.until(
            lambda message: message["type"] == "compiling" and not message["busy"], seconds=60
        )
