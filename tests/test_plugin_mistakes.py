"""Plug-ins with a mistake: every use names it in a sentence; none gives a traceback, a hang or a
crash.
"""

from __future__ import annotations

import asyncio
import importlib
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numba.core.errors import TypingError

from mnkala import Position, parse_engine, parse_game
from mnkala.cli import tools
from mnkala.cli.tools import Examination
from mnkala.core import plugin_guards, plugin_trial
from mnkala.core.plugins import blame, failure
from mnkala.core.registry import forgetting, sound_game_names
from mnkala.errors import (
    LARGEST_LOG,
    BadEngine,
    BadPlugin,
    MnkalaError,
    in_one_line,
    keep_in_log,
    printable,
)
from mnkala.native import plain
from mnkala.native.disk_cache import CacheWarning
from mnkala.native.kernels import mark_compiled
from mnkala.native.objects import PACKAGE
from mnkala.play import parse_player
from mnkala.play.game_state import GameState
from mnkala.search import auto, heuristic_for, heuristics, mcts, perft
from mnkala.search.auto import offered_heuristics, offered_searches
from mnkala.search.conformance import count_games
from mnkala.search.heuristic import require_compiled, trial_name
from mnkala.search.tree import grow
from mnkala.terminal.app import GameApp
from tests import broken_plugins as plugins
from tests.command_line import mnkala
from tests.web_server import Person, running

PATIENCE = 120


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that imports a source as a plug-in. What it registers is forgotten after the test.

    Each checkout has plug-ins of its own, because errors in compiled code name the files of the one
    that compiled it.
    """
    monkeypatch.setenv("MNKALA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(tmp_path)
    made: list[str] = []

    def load_source(source: str) -> ModuleType:
        made.append(f"mistake_{tmp_path.name}_{len(made)}")
        (tmp_path / f"{made[-1]}.py").write_text(f"{source}\n# {PACKAGE}\n")
        return importlib.import_module(made[-1])

    with forgetting():
        yield load_source


def told(*arguments: str) -> str:
    """What a command says of a plug-in with a mistake: one sentence, and status 2."""
    done = mnkala(*arguments)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("mnkala: ")
    return done.stderr


# ---- The trial on first use ----


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (plugins.WRITES_TOO_MANY, "IndexError in moves"),
        (plugins.COUNTS_TOO_MANY, "moves() gives 500,000 moves"),
        (plugins.NEVER_ENDS, "a game went on after 9 moves, which longest_game() says is the most"),
        (
            plugins.ASKS_FOR_TERABYTES,
            "longest_game() is 1000000000000; it must be a whole number from 1 to 1048576",
        ),
        (
            plugins.ASKS_FOR_MANY_MOVES,
            "most_moves() is 1000000; it must be a whole number from 1 to 65535",
        ),
        (plugins.EXITS, "calls sys.exit() in mover"),
    ],
)
def test_a_broken_game_is_refused_on_first_use_in_the_words_of_the_check(
    load: Any, source: str, words: str
) -> None:
    load(source)
    for _ in range(2):
        with pytest.raises(BadPlugin, match="the game faulty cannot be played") as refusal:
            Position("faulty")
        assert words in str(refusal.value)


def test_a_game_that_never_returns_is_given_up(load: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugin_trial, "PATIENCE_SECONDS", 0.2)
    load(plugins.LOOPS)
    with pytest.raises(BadPlugin, match="did not return within"):
        parse_game("faulty")


def test_a_size_with_a_mistake_is_refused_at_the_latest_by_an_engine(load: Any) -> None:
    load(plugins.ENDLESS_WHEN_LARGE)
    Position("faulty:30")
    for use in (
        lambda: parse_engine("random").analyse(Position("faulty:30")),
        lambda: perft(Position("faulty:30"), 1),
        lambda: parse_engine("alphabeta").search.prepare(Position("faulty:30").rules),
    ):
        with pytest.raises(BadPlugin, match="went on after 30 moves"):
            use()


def test_a_sound_game_is_tried_once_and_a_damaged_note_costs_another_trial(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MNKALA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "sound.py").write_text(
        plugins.faulty("def moves(self", "listed = []\n    def moves(self").replace(
            "count = min", "self.listed.append(state)\n        count = min"
        )
    )

    def is_tried() -> bool:
        """Whether its moves are listed when a position is made of the plug-in, imported anew."""
        with forgetting():
            plugin = importlib.import_module("sound")
            Position("faulty")
            return bool(plugin.Faulty.listed)

    assert [is_tried(), is_tried()] == [True, False]
    (note,) = (tmp_path / "cache" / "plugins").iterdir()
    for damaged in (b"", b"\xff\xfe", note.read_bytes()[:20]):
        note.write_bytes(damaged)
        assert [is_tried(), is_tried()] == [True, False]
    (tmp_path / "closed").write_text("not a folder")
    monkeypatch.setenv("MNKALA_CACHE_DIR", str(tmp_path / "closed"))
    with pytest.warns(CacheWarning):
        assert is_tried()


def test_the_packages_own_games_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugin_trial, "problem_of", lambda *_: pytest.fail("tried"))
    for game in ("connect4", "kalah", "tictactoe"):
        plugin_trial.require_sound(Position(game).rules)


def test_lists_leave_a_broken_game_out_and_say_so(load: Any) -> None:
    load(plugins.NEVER_ENDS)
    with pytest.warns(UserWarning, match="the game faulty cannot be played"):
        names = {family.name for family in sound_game_names()}
    assert "connect4" in names
    assert "faulty" not in names


# ---- Compiled code ----


@pytest.mark.parametrize("source", [plugins.WRITES_TOO_MANY, plugins.COUNTS_TOO_MANY])
def test_compiled_code_of_a_plug_in_cannot_leave_its_buffers(load: Any, source: str) -> None:
    """These would end the process if they were trusted."""
    rules = load(source).Faulty()
    plugin_trial.trust(rules)
    with pytest.raises(
        BadPlugin, match=r"mistake_\S+: Faulty, in compiled code, raised IndexError"
    ):
        perft(Position(rules), 1)


def test_the_guards_of_compiled_code_let_only_sound_numbers_pass() -> None:
    """They are ordinary functions: here they run in plain Python."""
    out = np.zeros(3, np.int64)
    listing = plugin_guards.guard_moves(lambda self, state, out: state)
    near = plugin_guards.guard_near_moves(lambda self, state, radius, out: state)
    mover = plugin_guards.guard_mover(lambda self, state: state)
    forcing = plugin_guards.guard_forcing(lambda self, rules, state, memory, moves, scores: state)
    assert [
        listing(None, 1, out),
        listing(None, 3, out),
        near(None, 0, 2, out),
        mover(None, 1),
        forcing(None, None, 0, 0, out, out),
    ] == [1, 3, 0, 1, 0]
    for guard, arguments in (
        (listing, (None, 0, out)),
        (listing, (None, 4, out)),
        (near, (None, -1, 2, out)),
        (near, (None, 4, 2, out)),
        (mover, (None, 2)),
        (mover, (None, -1)),
        (forcing, (None, None, 4, 0, out, out)),
    ):
        with pytest.raises(IndexError):
            guard(*arguments)


def test_plain_python_refuses_what_compiled_code_refuses(load: Any) -> None:
    rules = load(plugins.WRITES_TOO_MANY).Faulty()
    buffers, stop = np.zeros((3, 3), np.int64), np.zeros(1, np.int64)
    for count in (count_games, plain(count_games)):
        with pytest.raises(IndexError):
            count(rules, rules.start(), 2, buffers, stop)


@pytest.mark.filterwarnings("ignore:overflow encountered")
def test_a_game_that_never_ends_is_stopped(load: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        mcts, "grow", plain(grow)
    )  # the same source, without a wait for the compiler
    rules = load(plugins.NEVER_ENDS).Faulty()
    plugin_trial.trust(rules)
    position = Position(rules)
    with pytest.raises(
        BadPlugin,
        match=r"faulty:9 goes on after 9 moves, which its longest_game\(\) says is the most",
    ):
        position.play_codes([0] * 20)
    for options in ("", ",expand=all", ",threads=2"):
        with pytest.raises(BadPlugin, match=r"longest_game\(\)"):
            parse_engine(f"mcts:iterations=100{options}").analyse(position)


# ---- Heuristics and searches ----


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (
            plugins.HEURISTIC_RAISES,
            r"Guess.evaluate\(\), line 43, raised FloatingPointError: divide by zero",
        ),
        (plugins.HEURISTIC_OF_MIXED_TYPES, r"Guess.evaluate\(\), line 43, raised UFuncTypeError"),
        (
            plugins.HEURISTIC_OF_WORDS,
            "it gives 'many' for the value of a position, which must be a whole number",
        ),
    ],
)
def test_a_heuristic_that_cannot_judge_a_game_does_not_fit_it(
    load: Any, source: str, words: str
) -> None:
    load(source)
    with pytest.raises(BadEngine, match=f"the heuristic guess does not fit faulty:9: .*{words}"):
        parse_engine("greedy:heuristic=guess").search.check(Position("faulty").rules)


def test_a_heuristic_that_breaks_later_in_the_game_is_named(load: Any) -> None:
    load(plugins.HEURISTIC_RAISES_LATER)
    with pytest.raises(
        BadPlugin,
        match="Guess, in compiled code, raised ZeroDivisionError: integer division by zero",
    ):
        parse_engine("greedy:heuristic=guess").analyse(Position("faulty:20").play("3 3 3 3 3 3"))


def test_a_heuristic_that_the_compiler_refuses_is_told_in_a_sentence_and_not_offered(
    load: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(plugins.HEURISTIC_NOT_TYPED)
    rules = Position("faulty").rules
    monkeypatch.setattr(
        auto, "heuristics", lambda: [entry for entry in heuristics() if entry.name == "guess"]
    )
    with pytest.raises(BadPlugin) as refusal:
        require_compiled("guess", heuristic_for("guess", rules), rules)
    said = str(refusal.value)
    assert said.startswith(
        "the heuristic guess on faulty:9 cannot be compiled: the plug-in mistake_"
    )
    assert said.endswith("evaluate(), line 43; compiler.log in mnkala's cache folder says why")
    assert is_plain(said)
    assert "nopython" in (tmp_path / "cache" / "compiler.log").read_text()
    assert offered_heuristics(rules, compiling=True) == []


def test_a_heuristic_that_breaks_the_compiler_is_told_in_a_sentence(load: Any) -> None:
    load(plugins.HEURISTIC_RAISES_WHEN_COMPILED)
    with pytest.raises(
        BadPlugin, match=r"_counted\(\), line \d+, raised ValueError: not today"
    ) as refusal:
        require_compiled("guess", heuristic_for("guess", rules := Position("faulty").rules), rules)
    assert is_plain(str(refusal.value))


def test_a_plug_ins_heuristic_is_offered_where_it_fits_once_it_is_compiled(load: Any) -> None:
    load(plugins.SOUND)
    rules = Position("faulty").rules

    def offered(game: str) -> bool:
        return "guess" in [entry.name for entry in offered_heuristics(parse_game(game))]

    assert not offered("faulty")
    mark_compiled(trial_name(heuristic_for("guess", rules), rules))
    assert offered("faulty")
    assert offered("faulty:12")
    assert not offered("connect4")
    with pytest.raises(
        BadEngine, match=r"the heuristic guess does not fit connect4: .* has no attribute 'stones'"
    ):
        parse_player("greedy:heuristic=guess", parse_game("connect4"))


def test_every_search_that_a_menu_offers_can_play_the_game() -> None:
    assert "perfect" in offered_searches(parse_game("connect4"))
    assert "perfect" not in offered_searches(parse_game("gomoku"))
    assert {entry.name for entry in offered_heuristics(parse_game("connect4"))} ^ {
        entry.name for entry in offered_heuristics(parse_game("connect4:10x11"))
    } == {"criticality", "criticality-by-cell", "learned", "runs"}


def test_what_a_compiler_says_is_no_text_for_people(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MNKALA_CACHE_DIR", str(tmp_path))
    error = TypingError(
        "Failed in nopython mode pipeline (step: nopython frontend)\n"
        + "- of which:\n  Overload 'x'\n" * 100
    )
    for said in (
        str(failure(error)),
        in_one_line(error),
        str(blame(error, what="deepening on connect4")),
    ):
        assert is_plain(said)
    assert str(blame(error, what="deepening on connect4")).startswith(
        "deepening on connect4 cannot be compiled; compiler.log"
    )
    for _ in range(200):
        keep_in_log(error)
    assert 0 < (tmp_path / "compiler.log").stat().st_size < 2 * LARGEST_LOG


def is_plain(text: str) -> bool:
    """Whether a text fits a line or two, and has no words of a compiler."""
    return (
        "\n" not in text
        and len(text) < 400
        and not any(
            word in text for word in ("nopython", "Overload", "signature", "numba", "TypingError")
        )
    )


def test_a_search_with_a_mistake_is_named(load: Any) -> None:
    module = load(plugins.SEARCH_RAISES)
    with pytest.raises(
        BadPlugin,
        match=rf"the plug-in {module.__name__}: Hasty.run\(\), line \d+, raised KeyError: 'no plan'",
    ):
        parse_engine("hasty").analyse(Position("connect4"))


def test_an_error_of_the_package_itself_is_nobody_elses_fault(load: Any) -> None:
    """What a script calls is not called by the package, and a line of Python of ours that fails is
    not compiled code of theirs.
    """
    rules = load(plugins.SOUND).Faulty()
    with pytest.raises(AttributeError) as ours:
        Position(None)  # type: ignore[arg-type]
    assert blame(ours.value, lambda: (rules,)) is None
    assert blame(MnkalaError("said"), lambda: (rules,)) is None


# ---- Texts ----


def test_control_characters_of_a_game_are_written_out(load: Any) -> None:
    load(plugins.STEERS_THE_TERMINAL)
    position = Position("faulty")
    said = [
        *position.rules.players,
        position.rules.summary,
        *position.legal_moves,
        str(position),
        position.terminal(),
        *(family.summary for family in sound_game_names()),
    ]
    assert any(r"\x1b[31mred\x07" in text for text in said)
    assert any(r"\x1b]0;title\x07" in text for text in said)
    assert not any("\x1b]" in text or "\x1b[31m" in text or "\x07" in text for text in said)


def test_control_characters_never_come_out_of_an_error() -> None:
    assert str(MnkalaError("a\x1b[2Jb\u202ec\nd é 漢\xa0")) == "a\\x1b[2Jb\\u202ec\nd é 漢\xa0"
    assert printable("\ud800") == "\\ud800"


# ---- The server ----


def test_the_server_names_mistakes_and_goes_on(tmp_path: Path) -> None:
    (tmp_path / "mistake.py").write_text(
        plugins.RAISES_WHEN_LARGE.replace("return -state.stones", "return 1 // (state.stones - 1)")
    )
    (tmp_path / "another.py").write_text(
        plugins.NEVER_ENDS.replace('"faulty"', '"endless"').replace('"guess"', '"another-guess"')
    )
    path = os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH"))))
    with running(tmp_path, PYTHONPATH=path, MNKALA_PLUGINS="mistake,another") as server:
        person = Person(server)
        offered = {game["name"] for game in person.get("/catalogue")["games"]}
        assert {"connect4", "faulty"} <= offered
        assert "endless" not in offered
        refused = person.post("/look", {"game": "endless"}, expect=400)
        assert "longest_game() says is the most" in refused["error"]
        refused = person.post("/look", {"game": "faulty:30", "moves": "1"}, expect=400)
        assert (
            "the plug-in mistake: Faulty.play(), line 25, raised ValueError: too many stones"
            in refused["error"]
        )
        troubled = person.until(
            person.new("faulty:20", "greedy:heuristic=guess", "human", moves="3 3 3 3 3 3"),
            lambda game: game["trouble"],
        )
        assert (
            "mistake: Guess, in compiled code, raised ZeroDivisionError"
            in troubled["trouble"]["error"]
        )
        person.move(person.new("faulty"), "1")
        assert "Traceback" not in server.errors


# ---- The terminal ----


def test_the_terminal_leaves_with_a_sentence(
    load: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MNKALA_DATA_DIR", str(tmp_path))
    rules = load(plugins.RAISES_WHEN_LARGE).Faulty(30)
    app = GameApp(
        GameState(Position(rules), (parse_player("human", rules), parse_player("human", rules)))
    )
    asyncio.run(app.run_async(headless=True))
    assert app.return_value == 2
    assert "Faulty.play(), line 25, raised ValueError: too many stones" in app.kept_messages[0]


# ---- The commands ----


def test_a_command_refuses_a_broken_game(load: Any) -> None:
    load(plugins.WRITES_TOO_MANY)
    assert "the game faulty cannot be played" in told("match", "faulty", "mcts", "random")


def test_a_mistake_that_only_a_command_meets_is_named_too(load: Any) -> None:
    name = load(plugins.RAISES_WHEN_LARGE).__name__
    assert (
        f"the plug-in {name}: Faulty.play(), line 25, raised ValueError: too many stones"
        in told("play", "faulty:30", "--moves", "1")
    )


@pytest.mark.parametrize(
    ("source", "clause", "words"),
    [
        (plugins.LEAVES, "moves:", "ended the process with status 3, as by os._exit(3)"),
        (plugins.LOOPS, "start:", "did not return within 1 seconds"),
        (plugins.CRASHES, "start:", "crashed the process (SIGSEGV)"),
        (plugins.LEAVES_AT_ONCE, "loading:", "ended the process, as by os._exit(0)"),
    ],
)
def test_check_has_a_verdict_whatever_the_game_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, clause: str, words: str
) -> None:
    if "SIGSEGV" in words and os.name == "nt":
        pytest.skip("Windows has another name for it")
    (tmp_path / "mistake.py").write_text(source)
    monkeypatch.chdir(tmp_path)
    *_, (broken, problem) = Examination("mistake:Faulty", seconds=1).verdicts()
    assert broken.startswith(clause)
    assert problem is not None
    assert words in problem


def test_a_module_may_have_the_name_of_its_game(load: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    module = load(plugins.SOUND)
    monkeypatch.setitem(sys.modules, "faulty", module)
    assert type(tools._find("faulty:Faulty")) is module.Faulty
    assert tools._find("faulty:7").game_string() == "faulty:7"


@pytest.mark.skipif(os.name == "nt", reason="sends a POSIX signal")
def test_a_second_ctrl_c_ends_compiled_code_that_never_returns(tmp_path: Path) -> None:
    (tmp_path / "mistake.py").write_text(plugins.LOOPS_COMPILED)
    environment = {**os.environ, "MNKALA_PLUGINS": "mistake"}
    process = subprocess.Popen(
        [sys.executable, "-m", "mnkala", "perft", "faulty", "3"],
        cwd=tmp_path,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert process.stdout
    said = ""

    def hear(words: str) -> str:
        heard = ""
        while words not in heard:
            line = process.stdout.readline() if process.stdout else ""
            assert line, said + heard
            heard += line
        return heard

    try:
        said += hear("in the loop")
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)  # at once: the same request
        said += hear("press Ctrl-C again")
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        said += process.stdout.read()
        assert process.wait(PATIENCE) == 130
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    assert "ended without waiting" in said
    assert "Traceback" not in said
