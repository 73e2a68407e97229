"""Sequential tests of strength: their error rates, openings that favour nobody, pairs as jobs,
faults, the log.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import json
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mnkala.arena import game_job, openings
from mnkala.arena.game_job import Pair, engine_identity, pair_job, play_pair
from mnkala.arena.openings import (
    EVEN,
    balanced_opening,
    choose,
    make_set,
    read_set,
    shipped_set,
    write_set,
)
from mnkala.arena.sprt import (
    HEAD,
    PairShares,
    Sprt,
    Standing,
    append_to_log,
    elo_of_share,
    run_sprt,
    share_of_elo,
)
from mnkala.cli import run
from mnkala.core import Position, parse_game
from mnkala.errors import MnkalaError
from mnkala.families.lines import STONES
from mnkala.families.lines.engine.weights import FIRST_GUESS
from mnkala.jobs import Job, Outcome, Store
from mnkala.play.engine_game import Conditions, play_game
from mnkala.play.intervals import PAIR_SHARES
from mnkala.play.series import SeriesResult
from mnkala.search import Analysis, Engine, Limit, Search, Task, parse_engine, register_search

TICTACTOE = parse_game("tictactoe")
SMALL = parse_game("mnk:5x5x4")
NEW, OLD = "threats:nodes=40", "random:seed=1"


# ---- The statistics ----


def tilted(base: tuple[float, ...], share: float) -> np.ndarray:
    """Chances of the five results of a pair, like `base` but with this mean share of points."""
    low, high = -50.0, 50.0
    for _ in range(60):
        middle = (low + high) / 2
        chances = np.array(base) * np.exp(middle * (np.array(PAIR_SHARES) - 0.5))
        chances /= chances.sum()
        low, high = (middle, high) if chances @ PAIR_SHARES < share else (low, middle)
    return np.asarray(chances)


def accepted_share(test: Sprt, chances: np.ndarray, runs: int, most: int) -> tuple[float, float]:
    """Simulated tests: how many accept, and how many reject."""
    shares = np.random.default_rng(1).choice(PAIR_SHARES, size=(runs, most), p=chances)
    number = np.arange(1, most + 1)
    mean = np.cumsum(shares, axis=1) / number
    llr = test.llr_of(number, mean, np.cumsum(shares**2, axis=1) - number * mean**2)
    low, high = test.bounds
    above, below = (
        np.where(hit.any(axis=1), hit.argmax(axis=1), most) for hit in (llr >= high, llr <= low)
    )
    return float(np.mean(above < below)), float(np.mean(below < above))


@pytest.mark.parametrize(
    "base", [(0.1, 0, 0.8, 0, 0.1), (0.2, 0.2, 0.2, 0.2, 0.2), (0.002, 0.05, 0.896, 0.05, 0.002)]
)
def test_a_test_errs_as_seldom_as_it_promises_whether_games_are_decisive_or_drawn(
    base: tuple[float, ...],
) -> None:
    test = Sprt(0, 40)
    no_better = accepted_share(test, tilted(base, share_of_elo(0)), 600, 800)
    better = accepted_share(test, tilted(base, share_of_elo(40)), 600, 800)
    assert no_better[0] <= 0.075  # two standard errors above five in a hundred
    assert better[1] <= 0.075
    assert min(sum(no_better), sum(better)) > 0.97  # and it ends


def test_a_handful_of_even_pairs_decides_nothing() -> None:
    some = SeriesResult()
    for _ in range(20):
        some = some.add_pair(1.0, 0.0)
    assert some.pairs == (0, 0, 20, 0, 0)
    assert (some.wins, some.draws, some.losses) == (20, 0, 20)
    assert Sprt(0, 10).verdict(some) == "not decided"
    assert -0.2 < Sprt(0, 10).llr(some) < 0


def test_pairs_are_counted_by_their_points_and_games_by_their_own() -> None:
    some = SeriesResult().add_pair(1, 1).add_pair(0.5, 1).add_pair(0, 0.5).add_pair(0, 0)
    assert some.pairs == (1, 1, 0, 1, 1)
    assert (some.wins, some.draws, some.losses) == (3, 2, 3)
    assert some.share == PairShares.of(some).share == 0.5
    assert PairShares.of(some).elo == 0
    low, high = PairShares.of(some).interval
    assert low < 0 < high
    assert low == pytest.approx(-high)


def test_many_won_pairs_are_accepted_many_lost_ones_rejected_and_later_ones_not_looked_at() -> None:
    def after(points: tuple[float, float], pairs: int) -> Standing:
        standing = Standing("tictactoe", NEW, OLD, Sprt(0, 50))
        for number in range(pairs):
            standing = standing.hear(Pair(number, "", points, ("", ""), ("", "")))
        return standing

    won = after((1, 1), 100)
    assert won.verdict == "accepted"
    assert won.result.games < 200
    assert after((0, 0), 100).verdict == "rejected"
    assert after((0, 0), 0).verdict == "not decided"
    assert "+∞" in str(won.pairs)


def test_elo_and_share_belong_together_and_hypotheses_must_differ() -> None:
    assert elo_of_share(share_of_elo(123.0)) == pytest.approx(123.0)
    assert share_of_elo(400) == pytest.approx(10 / 11)
    for bad in (
        {"elo0": 5, "elo1": 5},
        {"elo0": 0, "elo1": float("nan")},
        {"alpha": 0.0},
        {"beta": 0.7},
    ):
        with pytest.raises(MnkalaError, match=r"elo0 must be|between 0 and 0\.5"):
            Sprt(**bad)


# ---- Openings ----


def test_openings_of_gomoku_lie_in_the_middle_and_those_of_a_seed_are_always_the_same() -> None:
    rules = parse_game("gomoku")
    for number in range(8):
        start = openings.random_start(rules, random.Random(number))
        assert STONES[0] <= len(start.history_codes) <= STONES[1]
        assert all(
            4 <= row <= 10 and 4 <= col <= 10
            for row, col in (divmod(code, 15) for code in start.history_codes)
        )
    found = [balanced_opening(SMALL, 3, number, judge="threats:nodes=50") for number in range(2)]
    assert found == [
        balanced_opening(SMALL, 3, number, judge="threats:nodes=50") for number in range(2)
    ]
    assert found != [
        balanced_opening(SMALL, 4, number, judge="threats:nodes=50") for number in range(2)
    ]


def test_a_set_of_openings_is_even_by_its_judge_different_and_read_back_as_it_was_written(
    tmp_path: Path,
) -> None:
    made = list(make_set(SMALL, 4, 1, "threats:nodes=50"))
    assert len({one.moves for one in made}) == 4
    assert all(abs(one.chance - 0.5) <= EVEN for one in made)
    path = write_set(tmp_path / "set.jsonl", SMALL, made, "the command")
    assert read_set(path, SMALL) == made
    assert json.loads(path.read_text().splitlines()[0])["made_by"] == "the command"
    of_number, count = choose(SMALL, str(path), 1)
    assert (of_number(2), count) == (made[2].moves, 4)
    with pytest.raises(MnkalaError, match=r"openings of mnk:5x5x4, not of tictactoe"):
        read_set(path, TICTACTOE)
    for line, told in (
        ("nonsense", "is no opening"),
        ('{"moves": "b2b2"}', "line 1"),
        ('{"moves": "a1a2b1b2c1"}', "over after"),
        ("", "is no"),
    ):
        path.write_text(line + "\n")
        with pytest.raises(MnkalaError, match=told):
            read_set(path, TICTACTOE)
    with pytest.raises(MnkalaError, match="auto, random, plies:N or a file"):
        choose(SMALL, "nowhere", 1)


def test_an_opening_is_contested_unless_the_same_side_always_wins() -> None:
    judge = parse_engine("threats")
    assert openings.is_contested(Position("tictactoe").play("b2a1"), judge)  # a draw
    assert not openings.is_contested(Position("tictactoe").play("a1b1"), judge)


def test_the_shipped_openings_of_gomoku_are_different_even_and_say_how_they_were_made() -> None:
    rules = parse_game("gomoku")
    path = shipped_set(rules)
    assert path is not None
    known = read_set(path, rules)
    assert len(known) >= 100
    assert len({Position(rules).play(one.moves).literal for one in known}) == len(known)
    assert all(abs(one.chance - 0.5) <= EVEN for one in known)
    head = json.loads(path.read_text().splitlines()[0])
    assert head["made_by"].startswith("mnkala openings gomoku ")
    first, _ = choose(rules, "auto", 1)
    assert first(0) in {one.moves for one in known}
    assert first(len(known)) is None  # a random one, found where it is played


# ---- Pairs as jobs ----


def test_a_pair_is_one_opening_with_both_colours_and_its_games_can_be_replayed() -> None:
    found = play_pair("tictactoe", NEW, OLD, number=0, seed=1, opening="b2a1")
    assert found["opening"] == "b2a1"
    for moves in found["games"]:
        end = Position("tictactoe").play(moves)
        assert end.is_over
        assert end.moves.startswith("b2a1")
    assert all(points in (0, 0.5, 1) for points in found["points"])
    assert found["faults"] == ["", ""]


def test_an_interrupted_test_goes_on_where_it_stopped_and_nothing_is_played_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []
    interruptions = [3]

    def play_pair(number: int, **others: Any) -> dict[str, Any]:
        if number in interruptions:
            interruptions.remove(number)
            raise KeyboardInterrupt
        calls.append(number)
        return {
            "number": number,
            "opening": "",
            "points": [1.0, 1.0],
            "games": ["", ""],
            "faults": ["", ""],
        }

    monkeypatch.setattr(game_job, "play_pair", play_pair)
    options: dict[str, Any] = {
        "data": tmp_path / "games.sqlite",
        "jobs": 0,
        "openings": "random",
        "most": 6,
    }
    with pytest.raises(KeyboardInterrupt):
        run_sprt(TICTACTOE, NEW, OLD, Sprt(0, 10), **options)
    assert calls == [0, 1, 2]
    tested = run_sprt(TICTACTOE, NEW, OLD, Sprt(0, 10), **options)
    assert calls == [0, 1, 2, 3, 4, 5]
    assert (tested.pairs.number, tested.verdict) == (6, "not decided")
    assert run_sprt(TICTACTOE, NEW, OLD, Sprt(0, 300), **options).verdict == "accepted"
    assert len(calls) == 6
    run_sprt(TICTACTOE, NEW, "random:seed=2", Sprt(0, 10), **options)
    assert len(calls) == 12  # of another engine nothing was known


def test_an_opening_that_a_file_names_twice_is_played_once_and_holds_nothing_up(
    tmp_path: Path,
) -> None:
    listed = tmp_path / "openings.jsonl"
    listed.write_text(
        "".join(json.dumps({"moves": moves}) + "\n" for moves in ("b2a1", "b2a1", "a1b2"))
    )
    found = run_sprt(
        TICTACTOE,
        NEW,
        "random:seed=2",
        Sprt(0, 10),
        openings=str(listed),
        data=tmp_path / "kept.sqlite",
        jobs=0,
    )
    assert found.pairs.number == 2


def test_pairs_are_heard_in_the_order_of_openings_whoever_finishes_first(tmp_path: Path) -> None:
    keys = [f"pair {number}" for number in range(4)]
    result = json.dumps(
        {"number": 0, "opening": "", "points": [1, 0], "games": ["", ""], "faults": ["", ""]}
    )
    done = {
        key: Outcome(key, result.replace("0,", f"{number},", 1), None, 0.0, "")
        for number, key in enumerate(keys)
    }
    order: list[str] = []
    for number, coming in ((1, []), (0, [0, 1]), (3, [0, 1]), (2, [0, 1, 3])):
        done["pair 2"] = Outcome("pair 2", None, "its worker died", 0.0, "")
        order.append(keys[number])
        heard = [
            pair.number for pair in game_job.pairs_in_order(keys, (done[key] for key in order))
        ]
        assert heard == coming


def test_pairs_that_are_stored_are_heard_first_and_nothing_is_played_once_nobody_wants_more(
    tmp_path: Path,
) -> None:
    result = json.dumps(
        {"number": 0, "opening": "", "points": [1, 0], "games": ["", ""], "faults": ["", ""]}
    )
    jobs = [
        Job(f"pair {number}", "mnkala.arena.game_job:no_such_function", {}) for number in range(4)
    ]
    with Store(tmp_path / "kept.sqlite") as store:
        for number, job in enumerate(jobs[:3]):
            store.add(job, Outcome(job.key, result.replace("0,", f"{number},", 1), None, 0.0, ""))
        with contextlib.closing(game_job.play_pairs(jobs, store, workers=0)) as played:
            assert [next(played).number for _ in range(3)] == [0, 1, 2]
        assert store.errors() == []
        assert [pair.number for pair in game_job.play_pairs(jobs, store, workers=0)] == [0, 1, 2]
        assert "no_such_function" in store.errors()[0]


def test_what_is_stored_belongs_to_the_engine_and_the_files_that_it_names(tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    text = json.dumps(dataclasses.asdict(FIRST_GUESS))
    file.write_text(text)
    first = engine_identity(f"threats:heuristic={file}", SMALL)
    file.write_text(text + "\n")
    assert engine_identity(f"threats:heuristic={file}", SMALL) != first
    assert engine_identity(" threats ", SMALL) == "threats"
    keys = {
        pair_job(SMALL, NEW, OLD, number, seed, opening).key
        for number, seed, opening in (
            (0, 1, None),
            (1, 1, None),
            (0, 2, None),
            (0, 1, "c3"),
            (5, 2, "c3"),
        )
    }
    assert len(keys) == 4  # an opening that is given does not depend on seeds


# ---- Faults ----


@dataclasses.dataclass(frozen=True)
class Bad(Search):
    """Does everything wrong."""

    name = "bad"
    how: str = "crash"

    def prepare(self, rules: Any) -> None:
        """Nothing is compiled."""

    def run(self, task: Task) -> Analysis:
        if self.how == "crash":
            raise RuntimeError("out of cheese")
        return Analysis(
            task.position,
            "bad",
            None,
            (),
            (100,) if self.how == "illegal" else () if self.how == "none" else (4,),
        )


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("crash", "crash: .*out of cheese"),
        ("illegal", "illegal move: "),
        ("none", "illegal move: no move"),
    ],
)
def test_whoever_breaks_down_or_cheats_has_lost_and_the_fault_is_named(how: str, told: str) -> None:
    register_search(Bad)
    found = play_pair("tictactoe", f"bad:how={how}", "random", number=0, seed=1, opening="a1")
    assert found["points"] == [0.0, 0.0]
    for fault in found["faults"]:
        assert fault.startswith(f"bad:how={how} lost by ")
        assert re.search(told, fault)
    tested = Standing("tictactoe", "bad", "random", Sprt()).hear(
        Pair(0, "a1", (0.0, 0.0), ("", ""), tuple(found["faults"]))
    )
    assert tested.faults[1].startswith("pair 1, game 2: bad")


def test_an_answer_that_comes_after_its_time_has_lost_the_game() -> None:
    start, late = Position("tictactoe"), Engine(Bad("late"), Limit(time=0.01))
    played = play_game(
        start, (late, parse_engine("random")), Conditions(grace=-10)
    )  # ten seconds before the time is up it is too late
    assert played.points == (0.0, 1.0)
    assert played.fault.startswith("flag fall: ")
    assert (
        play_game(
            start,
            (parse_engine("random:seed=1"), parse_engine("random:seed=2")),
            Conditions(grace=-10),
        ).fault
        == ""
    )  # no clock, no flag


# ---- The log and the command ----


def test_a_test_is_added_to_the_table_of_its_game_and_the_rest_of_the_log_stays(
    tmp_path: Path,
) -> None:
    log = tmp_path / "log.md"
    log.write_text("# Log\n\nWhat this is.\n\n## Gomoku\n\nWords.\n\n## Kalah\n\nOther words.\n")
    tested = Standing(
        "gomoku", "threats:nodes=9", "threats:nodes=8", Sprt(0, 10), SeriesResult().add_pair(1, 1)
    )
    for change in ("first | change", "second"):
        append_to_log(log, tested, change, datetime.date(2026, 11, 17))
    lines = log.read_text().splitlines()
    at = lines.index(HEAD)
    assert lines[at + 2].startswith(
        "| 2026-11-17 | first / change | gomoku | `threats:nodes=9` against `threats:nodes=8` | 2 | 2, 0, 0 |"
    )
    assert lines[at + 3].startswith("| 2026-11-17 | second |")
    assert lines[:7] == ["# Log", "", "What this is.", "", "## Gomoku", "", "Words."]
    assert lines[at + 4 :] == ["", "## Kalah", "", "Other words."]
    append_to_log(
        log, dataclasses.replace(tested, game="kalah:6x4"), "third", datetime.date(2026, 11, 17)
    )
    assert log.read_text().rstrip().splitlines()[-1].endswith("| not decided |")
    assert (
        append_to_log(tmp_path / "new.md", tested, "x")
        .read_text()
        .startswith("# The log of the engines\n\n## Gomoku\n\n| date")
    )


def test_the_command_plays_tells_and_logs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [
        "sprt",
        NEW,
        OLD,
        "--game",
        "tictactoe",
        "--elo0",
        "0",
        "--elo1",
        "200",
        "--most",
        "6",
        "--jobs",
        "0",
        "--data",
        str(tmp_path / "games.sqlite"),
        "--log",
        str(tmp_path / "log.md"),
        "--change",
        "thinking",
    ]
    assert run(words) in (0, 1)
    out = capsys.readouterr()
    assert "pairs " in out.out
    assert "LLR" in out.out
    assert out.out.splitlines()[-1] in ("accepted", "rejected", "not decided")
    assert "| thinking | tictactoe |" in (tmp_path / "log.md").read_text()
    run([*words, "--json"])
    told = json.loads(capsys.readouterr().out)
    assert sum(told["pentanomial"]) == told["pairs"] <= 6
    assert 2 * told["pairs"] == told["wins"] + told["draws"] + told["losses"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["threats", "threats", "--game", "tictactoe"], "against itself"),
        (["threats", "human"], "engines play here"),
        (["threats", "threats:heuristic=nowhere.json"], "and this is none"),
        (["threats", "deepening", "--game", "connect4"], "threats cannot play connect4"),
        (["threats", "random", "--elo0", "9", "--elo1", "3"], "elo0 must be less"),
        (["threats", "random", "--openings", "no.jsonl"], "auto, random, plies:N or a file"),
        (["threats", "random", "--most", "0"], "1 to 1,000,000"),
        (["thraets", "random"], "did you mean threats"),
    ],
)
def test_what_cannot_be_tested_is_refused_in_a_sentence(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["sprt", *words, *(() if "--game" in words else ("--game", "gomoku"))]) == 2
    assert told in capsys.readouterr().err


def test_openings_are_listed_or_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["openings", "tictactoe", "-n", "2", "--judge", "threats:nodes=30"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    file = tmp_path / "few.jsonl"
    assert (
        run(["openings", "tictactoe", "-n", "2", "--judge", "threats:nodes=30", "--out", str(file)])
        == 0
    )
    assert len(read_set(file, TICTACTOE)) == 2
    monkeypatch.setattr(openings, "MOST_TRIES", 2)
    assert run(["openings", "tictactoe", "-n", "5000", "--judge", "threats:nodes=30"]) == 2
    assert "hardly more" in capsys.readouterr().err
