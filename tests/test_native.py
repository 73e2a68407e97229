"""The bridge to Numba: plain = compiled, caches that are never stale, plug-ins that may go, kernels
that load in a new process.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba.core.event import install_recorder

import mnkala
from mnkala import Limit, Position, Stop, parse_engine
from mnkala.folders import cache_base
from mnkala.native import (
    Wide,
    highest_bit,
    kernel,
    load,
    low,
    lowest_bit,
    mix,
    plain,
    popcount,
    prefetch,
    store,
    width,
)
from mnkala.native.cache import cache_folder
from mnkala.native.objects import WordArray
from mnkala.search.buffers import make_buffers
from mnkala.search.candidates import EVERY_MOVE
from mnkala.search.heuristic import heuristic_for
from mnkala.search.minimax import alphabeta, minimax
from mnkala.search.pvs import make_order, search_window
from mnkala.search.table import make_table
from mnkala.search.values import BY_DISTANCE, INFINITY
from tests.installed_plugin import PLUGIN, install_plugin
from tests.reference import random_position
from tests.warm_cache import warm_cache

SOURCE = Path(mnkala.__file__).parent


def run_python(
    code: str,
    cache: Path,
    *,
    source: Path = SOURCE.parent,
    extra_path: Path | None = None,
    **variables: str,
) -> str:
    """Run code in a new process with its own cache; its output. Fails with the process's own words."""
    paths = [str(path) for path in (extra_path, source) if path]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(paths),
        "MNKALA_CACHE_DIR": str(cache),
        **variables,
    }
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def run_here(code: str) -> str:
    """The output of the same code in this process."""
    with contextlib.redirect_stdout(io.StringIO()) as output:
        exec(textwrap.dedent(code), {})
    return output.getvalue().strip()


def entries(cache: Path) -> set[str]:
    """The names of what is compiled."""
    return {file.name for file in cache.rglob("*.nbc")}


ONE, SHORT = np.uint64(1), np.uint64(3)


@kernel
def use_wide_words(a: Wide, b: Wide, shift: np.uint64, words: WordArray) -> tuple[Any, ...]:
    """Every operator and every function of wide words, also next to a narrow one."""
    mixed = a & np.uint64(0)
    for _ in range(2):
        mixed |= a & b
        mixed ^= ~a
    one = (mixed << shift) + ONE
    two = ((one >> SHORT) * b - a) >> shift
    store(words, 0, one)
    store(words, 1, two)
    tests = 0
    for number, found in enumerate((one < two, one > two, one == two, two != ONE, one == ONE)):
        tests += int(found) << number
    same = load(words, 1, a) == two
    return (
        tests,
        int(same),
        popcount(two),
        lowest_bit(one | ONE << np.uint64(60)),
        highest_bit(one | ONE),
        low(two),
        width(two),
        width(shift),
    )


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**128 - 1), st.integers(0, 2**128 - 1), st.integers(0, 200))
def test_wide_words_are_the_same_compiled(a: int, b: int, shift: int) -> None:
    answers = []
    for function in (use_wide_words, plain(use_wide_words)):
        words = np.zeros(4, np.uint64)
        found = function(Wide(a), Wide(b), np.uint64(shift), words)
        answers.append(([int(each) for each in found], words.tolist()))
    assert answers[0] == answers[1]
    one = (a & b ^ ~a | a & b) ^ ~a
    one = ((one << shift) + 1) % 2**128
    assert answers[0][1][:2] == [one % 2**64, one >> 64]


@pytest.mark.parametrize(
    "heuristic",
    [
        "threats",
        *(
            pytest.param(name, marks=pytest.mark.slow)
            for name in ("zero-sum", "article", "nothing")
        ),
    ],
)
@pytest.mark.parametrize("game", ["connect4", "connect4:8x8"])
@given(seed=st.integers(0, 10_000))
@settings(max_examples=6)
def test_every_search_kernel_does_the_same_in_plain_python(
    game: str, heuristic: str, seed: int
) -> None:
    position = random_position(game, seed)
    rules, chosen = position.rules, heuristic_for(heuristic, position.rules)

    def outcome(function: object, *more: object) -> tuple[int, list[int], list[int]]:
        buffers = make_buffers(rules, 4, Stop())
        state = position.state()
        more = (*more, EVERY_MOVE, buffers)
        if function in (search_window, plain(search_window)):
            more = (*more, make_table(8), make_order(rules, buffers))
        value = function(rules, chosen, state, chosen.begin(rules, state), 3, *more)  # type: ignore[operator]
        assert [np.array_equal(a, b) for a, b in zip(state, position.state(), strict=True)] == [
            True
        ] * len(state)
        return (
            int(value),
            buffers.counters.tolist(),
            buffers.line[0, : buffers.line_end[0]].tolist(),
        )

    window = (-INFINITY, INFINITY, 0, BY_DISTANCE)
    assert outcome(minimax, 0, BY_DISTANCE) == outcome(plain(minimax), 0, BY_DISTANCE)
    assert outcome(alphabeta, *window) == outcome(plain(alphabeta), *window)
    assert outcome(search_window, *window) == outcome(plain(search_window), *window)


PLAIN_RUN = """
    import sys
    from mnkala import *
    for engine in ("minimax:depth=3", "alphabeta:depth=3", "deepening:depth=3"):
        for game in ("connect4", "connect4:8x8"):
            analysis = parse_engine(engine).analyse(Position(game).play("443"))
            print(analysis.score, analysis.line, analysis.nodes)
    print(perft(Position("connect4"), 3))
"""


def test_the_whole_package_runs_uncompiled(tmp_path: Path) -> None:
    ask = textwrap.dedent(PLAIN_RUN) + "print('numba' in sys.modules)"
    uncompiled = run_python(ask, tmp_path, MNKALA_PLAIN="1")
    assert uncompiled.splitlines() == [*run_here(PLAIN_RUN).splitlines(), "False"]


@kernel
def bit_tricks(word: np.uint64) -> tuple[int, int, int, np.uint64]:
    return popcount(word), lowest_bit(word), highest_bit(word), mix(word)


@given(st.integers(1, 2**64 - 1))
def test_bit_tricks_are_the_same_in_plain_python(number: int) -> None:
    word = np.uint64(number)
    assert bit_tricks(word) == (popcount(word), lowest_bit(word), highest_bit(word), mix(word))
    assert popcount(word) == bin(number).count("1")


@kernel
def sum_fetched(words: WordArray) -> np.uint64:
    total = np.uint64(0)
    for i in range(len(words)):
        prefetch(words, i + 8)
        total += words[i]
    return total


def test_fetching_ahead_changes_nothing_even_beyond_the_end() -> None:
    words = np.arange(20, dtype=np.uint64)
    assert sum_fetched(words) == plain(sum_fetched)(words) == 190


KERNEL_RUN = """
    from mnkala import *
    from mnkala.search import searches
    from mnkala.search.engine import options_of
    from mnkala.search.conformance import check_rules
    from mnkala.search.auto import offered_searches
    for game, move in {games!r}:
        position = Position(game).play(move)
        for name in searches():
            if name in ("random", "overlooking") or name not in offered_searches(position.rules):
                continue
            for heuristic in {heuristics!r} if game == "connect4" else ("auto",):
                options = {{field.name for field in options_of(searches()[name])}}
                engine = f"{{name}}:depth=3" + (f",heuristic={{heuristic}}" if "heuristic" in options else "")
                analysis = parse_engine(engine).analyse(position)
                print(name, analysis.score, analysis.line, analysis.nodes)
        print(perft(position, 2), [finding.problem for finding in check_rules(position.rules)])
"""


@pytest.mark.parametrize(
    ("games", "heuristics"),
    [
        pytest.param(
            [("connect4", "4"), ("mnk:4x4x3", "b2")], ["auto"], id="one combination of each"
        ),
        pytest.param(
            [("connect4", "4"), ("connect4:10x11", "4"), ("gomoku:6", "c3"), ("kalah", "3")],
            ["auto", "nothing"],
            id="many",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_every_kernel_runs_again_in_a_fresh_process_where_it_is_loaded_and_not_compiled(
    games: list[tuple[str, str]], heuristics: list[str]
) -> None:
    """Cached code with mutual recursion or drifting types crashes only in the second process."""
    ask = textwrap.dedent(KERNEL_RUN.format(games=games, heuristics=heuristics))
    first = run_here(ask)
    assert {file.name.split("-")[0] for file in cache_folder().iterdir()} >= search_kernels()
    code = (
        "from numba.core.event import install_recorder\n"
        "with install_recorder('numba:compile') as compiled:\n"
        f"{textwrap.indent(ask, '    ')}\n"
        "    print(len(compiled.buffer), 'compiled')"
    )
    assert run_python(code, cache_base()).splitlines() == [*first.splitlines(), "0 compiled"]


def search_kernels() -> set[str]:
    """The kernels of the searches, by module and name; not that of the trial, which only plug-ins'
    heuristics go through.
    """
    return {
        f"{file.stem}.{name}"
        for file in (SOURCE / "search").glob("*.py")
        for name in re.findall(r"^@kernel\ndef (\w+)", file.read_text(), re.MULTILINE)
    } - {"heuristic.ask_everything"}


def test_copies_of_the_package_share_what_they_compile_until_a_callee_in_any_file_is_edited(
    tmp_path: Path,
) -> None:
    """The kernel that counts games is small; all are stamped alike."""
    cache, copy = warm_cache(tmp_path / "cache"), tmp_path / "copy"
    shutil.copytree(SOURCE, copy / SOURCE.name, ignore=shutil.ignore_patterns("static"))
    code = (
        f"import mnkala; assert mnkala.__file__.startswith({str(copy)!r})\n"
        "from mnkala import *; print(perft(Position('connect4'), 1))"
    )
    compiled = entries(cache)
    assert run_python(code, cache, source=copy) == "7"
    assert entries(cache) == compiled
    rules = copy / SOURCE.name / "families" / "connect" / "bits.py"
    text = rules.read_text()
    edited = text.replace("        return count\n", "        return count + 1000\n")
    assert edited != text
    rules.write_text(edited)
    assert run_python(code, cache, source=copy) == "1007"
    assert any(name.startswith("conformance.count_games-") for name in entries(cache) - compiled)


ASK_PLUGIN = "from mnkala import *; print(perft(Position('pluginnim:7'), 2))"
ASK_BUILT_IN = "from mnkala import *; print(perft(Position('connect4'), 2))"
"""Both with the smallest kernel that knows a game."""


def test_a_plug_in_is_found_cached_edited_and_removed_without_breaking_anything(
    tmp_path: Path,
) -> None:
    folder, cache = tmp_path / "site", warm_cache(tmp_path / "cache")
    install_plugin(folder)
    ask_both = f"{ASK_PLUGIN}\n{ASK_BUILT_IN}"
    assert run_python(ask_both, cache, extra_path=folder) == "9\n49"
    compiled = entries(cache)
    assert run_python(ask_both, cache, extra_path=folder) == "9\n49"
    assert entries(cache) == compiled, "a plug-in's kernels are cached too"

    install_plugin(folder, PLUGIN.replace("min(3, state.stones)", "min(2, state.stones)"))
    assert run_python(ASK_PLUGIN, cache, extra_path=folder) == "4", (
        "an edit of the plug-in is noticed"
    )

    shutil.rmtree(folder)
    compiled = entries(cache)
    assert run_python(ASK_BUILT_IN, cache) == "49"
    assert entries(cache) == compiled, "the built-in games are still loaded from the cache"


def test_a_plug_in_that_cannot_be_loaded_is_left_out_with_a_warning(tmp_path: Path) -> None:
    install_plugin(tmp_path / "site", "raise RuntimeError('half installed')")
    code = """
        import warnings
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            from mnkala import game_names
            print([family.name for family in game_names()])
        print(caught[0].message)
    """
    output = run_python(
        code, tmp_path / "cache", extra_path=tmp_path / "site", MNKALA_PLUGINS="no_such_module"
    )
    assert "connect4" in output
    assert "plug-in nim (nim_plugin) was left out: RuntimeError: half installed" in output


def test_a_module_named_in_the_environment_is_a_plug_in(tmp_path: Path) -> None:
    (tmp_path / "my_games.py").write_text(PLUGIN)
    code = "from mnkala import Position; print(Position('pluginnim:3').legal_moves)"
    assert (
        run_python(code, tmp_path / "cache", extra_path=tmp_path, MNKALA_PLUGINS="my_games")
        == "('1', '2', '3')"
    )


def test_no_new_board_size_is_ever_compiled() -> None:
    engine = parse_engine("deepening:depth=2")

    def compiled(*sizes: str) -> int:
        with install_recorder("numba:compile") as recorder:
            for size in sizes:
                engine.analyse(Position(f"connect4:{size}"))
        return len(recorder.buffer)

    compiled("6x7", "8x8")  # a board in a word of 64 bits and a larger one
    assert compiled("4x4", "5x9", "7x7", "9x9", "12x15", "20x20") == 0


OWN_KERNEL = """
from mnkala.native import kernel

@kernel
def triple(number):
    return 3 * number
"""


def test_a_folder_that_cannot_be_written_does_not_stop_a_kernel(tmp_path: Path) -> None:
    blocked = tmp_path / "a-file"
    blocked.write_text("not a folder")
    (tmp_path / "own_kernel.py").write_text(OWN_KERNEL)
    code = """
        import sys
        from own_kernel import triple
        sys.stderr = sys.stdout
        print(triple(2), triple(2.5))
    """
    output = run_python(
        code, blocked, extra_path=tmp_path, NUMBA_CACHE_DIR=str(tmp_path / "elsewhere")
    )
    assert output.splitlines()[-1] == "6 7.5"
    assert output.count("cannot be written") == 1
    assert not (tmp_path / "elsewhere").exists(), (
        "Numba's own cache, whose stamp misses edits, does not step in"
    )


def test_limits_are_value_objects() -> None:
    assert Limit(depth=3) == Limit(depth=3)
    assert Limit(depth=3).depth_only
    assert not Limit(depth=3, time=1.0).depth_only
