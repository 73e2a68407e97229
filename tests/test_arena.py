"""Tournaments: who meets whom, what is scored when an engine hangs, dies or lies, what survives a
kill, and ratings that mean something.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mnkala.arena.calibrate import ladders
from mnkala.arena.game_job import Fixture, GameResult
from mnkala.arena.openings import opening_list
from mnkala.arena.plan import TournamentPlan, gauntlet, make_plan, round_robin, swiss
from mnkala.arena.ratings import ELO, Encounter, Ratings, davidson, rate, standings_of
from mnkala.arena.tournament import Tournament, read_tournament, run_tournament, tournament_path
from mnkala.cli.arena_table import print_table
from mnkala.core import Position, Record, parse_game
from mnkala.errors import MnkalaError
from mnkala.jobs import Outcome, Progress
from mnkala.play import engine_game
from mnkala.play.clock import Spent
from mnkala.play.engine_game import Conditions, play_game, read_clock
from mnkala.search import Analysis, Engine, Limit, Search, Task, parse_engine
from tests.command_line import mnkala
from tests.waiting import wait_until

SMALL = "gomoku:7"
TICTACTOE = parse_game("tictactoe")


# ---- Ratings ----


def simulated(strengths: list[float], nu: float, pairs: int, alike: float, seed: int) -> Ratings:
    """Ratings of games whose chances are those of the model. The share `alike` of the openings
    decides the two games of a pair against each other, as one does that favours a side.
    """
    rng = np.random.default_rng(seed)
    met = []
    for one in range(len(strengths)):
        for other in range(one + 1, len(strengths)):
            win, draw, _ = davidson(
                np.array([strengths[one] - strengths[other]]) * (2 + nu) / (2 * ELO), np.log(nu)
            )[0]
            first = rng.random(pairs)
            second = np.where(rng.random(pairs) < alike, 1 - first, rng.random(pairs))
            points = [
                np.where(drawn < win, 1.0, np.where(drawn < win + draw, 0.5, 0.0))
                for drawn in (first, second)
            ]
            met += [
                Encounter(one, other, (float(a), float(b))) for a, b in zip(*points, strict=True)
            ]
    return rate(len(strengths), met)


def test_ratings_recover_known_strengths_and_the_share_of_draws() -> None:
    strengths = [-400.0, -150.0, 0.0, 150.0, 400.0]
    found = simulated(strengths, 0.8, 2000, 0.3, 1)
    assert found.elo == pytest.approx(strengths, abs=15)
    assert found.draw_share == pytest.approx(0.8 / 2.8, abs=0.02)


@pytest.mark.parametrize(("pairs", "alike"), [(20, 0.0), (20, 0.8), (4, 0.5)])
def test_intervals_hold_the_truth_as_often_as_they_promise_whether_pairs_are_independent_or_not(
    pairs: int, alike: float
) -> None:
    strengths = [-200.0, -50.0, 50.0, 200.0]
    inside = 0
    for seed in range(60):
        found = simulated(strengths, 0.5, pairs, alike, seed)
        inside += sum(
            low <= truth <= high
            for truth, (low, high) in zip(strengths, map(found.interval, range(4)), strict=True)
        )
    assert 0.90 <= inside / 240 <= 0.995


def test_openings_that_one_side_wins_anyway_make_errors_smaller_and_not_larger() -> None:
    pairs = [Encounter(0, 1, (1.0, 0.0)) for _ in range(50)]
    games = [Encounter(0, 1, (points,)) for points in (1.0, 0.0) * 50]
    assert rate(2, pairs).difference(0, 1)[2] < 0.5 * rate(2, games).difference(0, 1)[2]
    assert rate(2, pairs).elo == pytest.approx((0, 0))


def test_who_wins_every_game_is_rated_high_and_not_infinitely_high_and_an_anchor_holds_its_rating() -> (
    None
):
    met = [Encounter(0, 1, (1.0, 1.0)), Encounter(1, 2, (0.5, 0.5))] * 3
    found = rate(3, met, anchor=(1, 1500.0))
    assert found.elo[1] == 1500
    assert 1600 < found.elo[0] < 2500
    assert found.interval(1) == (1500, 1500)
    low, high = found.interval(0)
    assert low < found.elo[0] < high
    assert rate(2, []).elo == (0, 0)
    with pytest.raises(MnkalaError, match="not two of the 2"):
        rate(2, [Encounter(0, 2, (1.0,))])


# ---- Who meets whom ----


@pytest.mark.parametrize("players", [2, 3, 6, 7])
def test_in_a_round_robin_everyone_meets_everyone_once_and_nobody_plays_twice_in_a_round(
    players: int,
) -> None:
    rounds = round_robin(players)
    met = [pairing for played in rounds for pairing in played]
    assert sorted(met) == [
        (one, other) for one in range(players) for other in range(one + 1, players)
    ]
    for played in rounds:
        seats = [player for pairing in played for player in pairing]
        assert len(set(seats)) == len(seats)


def test_in_a_gauntlet_only_the_challengers_play_everybody() -> None:
    assert sorted(pairing for played in gauntlet(4) for pairing in played) == [
        (0, 1),
        (0, 2),
        (0, 3),
    ]
    assert sorted(pairing for played in gauntlet(4, 2) for pairing in played) == [
        (0, 2),
        (0, 3),
        (1, 2),
        (1, 3),
    ]


@pytest.mark.parametrize("players", [6, 7])
def test_in_a_swiss_tournament_nobody_meets_twice_the_best_meet_and_everybody_is_left_out_once_at_most(
    players: int,
) -> None:
    rounds: list[list[tuple[int, int]]] = []
    points = [0.0] * players
    left_out: list[int] = []
    for _ in range(4):
        rounds.append(swiss(points, rounds))
        for one, other in rounds[-1]:
            points[min(one, other)] += 1  # the lower number is the stronger player
        missing = set(range(players)) - {player for pairing in rounds[-1] for player in pairing}
        left_out += missing
        for player in missing:
            points[player] += 1
    met = [pairing for played in rounds for pairing in played]
    assert len(set(met)) == len(met)
    assert len(set(left_out)) == len(left_out) == 4 * (players % 2)
    assert (0, 1) in met
    assert max(points) == points[0] == 4


def test_a_plan_is_told_by_what_is_played_and_survives_being_written() -> None:
    plan = make_plan(["tictactoe"], ["random", "greedy"], limit=Limit(nodes=50))
    assert plan.players == ("random:nodes=50", "greedy:nodes=50")
    assert TournamentPlan.from_json(plan.as_json()) == plan
    assert plan.total == 10
    clocked = make_plan(
        ["tictactoe"], ["random", "easy"], conditions=Conditions(read_clock("2+0.5"), adjudicate=5)
    )
    assert TournamentPlan.from_json(clocked.as_json()) == clocked
    assert clocked.digest != plan.digest
    opened = make_plan(
        ["gomoku:6"], ["random", "greedy"], conditions=Conditions(opening_rule="swap2")
    )
    assert TournamentPlan.from_json(opened.as_json()) == opened
    for written, rule in (
        ('"swap2": true', "swap2"),
        ('"swap2": false', None),
    ):  # as older versions wrote it
        assert (
            TournamentPlan.from_json(
                opened.as_json().replace('"opening_rule": "swap2"', written)
            ).opening_rule
            == rule
        )
    assert (
        make_plan(["tictactoe"], ["random", "greedy", "easy"], format="swiss", games_each=2).total
        == 3 * 1 * 2
    )


@pytest.mark.parametrize(
    ("players", "options", "told"),
    [
        (["random"], {}, "2 to 200"),
        (["random", "random"], {}, "two players are called random"),
        (["random", "human"], {}, "engines play here"),
        (["random", "greedy"], {"names": ["one"]}, "1 name for 2 players"),
        (["random", "greedy"], {"games_each": 0}, "1 to 1,000,000"),
        (["random", "greedy"], {"format": "swiss", "rounds": 2}, "1 to 1 are possible"),
        (["random", "greedy"], {"rounds": 2}, "--rounds is for --format swiss"),
        (
            ["random", "greedy"],
            {"conditions": Conditions(opening_rule="swap2")},
            "Swap2 is an opening rule of Gomoku",
        ),
    ],
)
def test_a_plan_that_cannot_be_played_is_refused_in_words(
    players: list[str], options: dict[str, Any], told: str
) -> None:
    with pytest.raises(MnkalaError, match=told):
        make_plan(["tictactoe"], players, **options)


def test_openings_differ_so_that_engines_which_always_answer_alike_do_not_repeat_a_game() -> None:
    rules = parse_game("connect4:5x6")
    found = opening_list(rules, "plies:2", 1, 12)
    assert len({Position(rules).play(moves).literal for moves in found}) == 12
    assert len(opening_list(TICTACTOE, "plies:0", 1, 3)) == 3  # there is only one
    with pytest.raises(MnkalaError, match="0 to 1000"):
        opening_list(TICTACTOE, "plies:many", 1, 3)


# ---- One game ----


@dataclasses.dataclass(frozen=True)
class Deaf(Search):
    """Hears no stop flag, and plays on only when it is let go."""

    name = "deaf"
    released: threading.Event = dataclasses.field(
        default_factory=threading.Event, metadata={"option": False}
    )

    def prepare(self, rules: Any) -> None:
        """Nothing is compiled."""

    def run(self, task: Task) -> Analysis:
        self.released.wait(60)
        return Analysis(task.position, "deaf", None, (), task.position.legal_codes[:1])


def test_an_engine_that_hears_no_clock_loses_and_nobody_waits_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine_game, "HURRY_SECONDS", 0.01)
    deaf = Deaf()
    played = play_game(
        Position("tictactoe"),
        (parse_engine("random"), Engine(deaf, Limit(time=0.01))),
        Conditions(grace=0.01),
    )
    deaf.released.set()
    assert (played.points, played.ending) == ((1.0, 0.0), "fault")
    assert played.fault.startswith("flag fall: a move took ")
    assert len(played.end.history_codes) == 1


def test_what_each_side_spent_is_counted_and_a_clock_gives_everyone_time() -> None:
    engines = parse_engine("alphabeta:depth=2"), parse_engine("random:seed=1")
    played = play_game(Position("tictactoe"), engines, Conditions(clock=(60.0, 1.0)))
    assert played.fault == ""
    one, other = played.spent
    assert one.moves + other.moves == len(played.end.history_codes)
    assert one.nodes > other.nodes
    assert one.longest >= one.mean > 0
    assert Spent(2, 30, 0.5, 0.4) + Spent(1, 3, 0.1, 0.1) == Spent(3, 33, 0.6, 0.4)
    assert str(Spent(2, 3000, 4.0, 3.0)) == "2 moves, mean 2.0 s, longest 3.0 s, 3,000 nodes"


def test_a_flag_falls_when_a_side_has_used_up_its_clock() -> None:
    lost = play_game(
        Position("tictactoe"),
        (parse_engine("random"), parse_engine("random")),
        Conditions(clock=(1e-9, 0.0), grace=-1.0),
    )
    assert lost.fault.startswith("flag fall: ")
    assert lost.points == (0.0, 1.0)


def test_a_judge_ends_a_game_once_its_result_is_proved_but_not_before_the_move_that_was_named() -> (
    None
):
    start = Position("tictactoe").play("a1b1")
    engines = parse_engine("random:seed=2"), parse_engine("random:seed=3")
    judged = play_game(start, engines, Conditions(adjudicate=0))
    assert (judged.points, judged.ending, judged.end) == ((1.0, 0.0), "adjudication", start)
    later = play_game(start, engines, Conditions(adjudicate=4))
    assert len(later.end.history_codes) >= 4
    with pytest.raises(MnkalaError, match="cannot be solved exactly"):
        Conditions(adjudicate=0).check(parse_game("mnk:30x30x9"))


# ---- Tournaments ----


def brain(folder: Path, mode: str, seconds: float = 60.0) -> str:
    """A small program that plays Gomoku, well or badly."""
    script = Path(__file__).parent / "brain.py"
    return f"gomocup:'{sys.executable}' -S '{script}' '{folder / mode}' {mode},time={seconds:g}"


def test_who_hangs_dies_or_lies_loses_is_named_and_the_tournament_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mnkala.families.lines.gomocup.GRACE_SECONDS", 0.1)
    monkeypatch.setattr("mnkala.programs.process.FAREWELL_SECONDS", 0.1)
    players = [
        "random",
        brain(tmp_path, "hang", 0.2),
        brain(tmp_path, "die"),
        brain(tmp_path, "taken"),
    ]
    plan = make_plan(
        [SMALL],
        players,
        names=["fair", "hangs", "dies", "lies"],
        format="gauntlet",
        games_each=2,
        openings="plies:2",
    )
    played = run_tournament(plan, tmp_path / "bad.sqlite", jobs=0)
    table = {row.name: row for row in played.standings().rows}
    assert table["fair"].result.points == 6
    assert [table[name].faults for name in ("fair", "hangs", "dies", "lies")] == [0, 2, 2, 2]
    told = "\n".join(played.faults)
    for words in (
        "hangs lost by flag fall",
        "dies lost by disconnection",
        "lies lost by illegal move",
    ):
        assert told.count(words) == 2
    again = read_tournament(tmp_path / "bad.sqlite")
    assert sorted(again.faults) == sorted(played.faults)
    records = [*Record.parse_many("".join(game.record(plan.names) for game in again.games))]
    assert len(records) == 6
    assert all(record.result in ("1-0", "0-1") for record in records)
    assert any(dict(record.tags)["ending"].startswith("flag fall: ") for record in records)
    assert str(tmp_path) not in told


def tictactoe_plan(**options: Any) -> TournamentPlan:
    return make_plan(
        ["tictactoe"],
        ["random:seed=1", "alphabeta:depth=2", "greedy"],
        openings="plies:1",
        **options,
    )


def moves_of(played: Tournament) -> dict[Fixture, str]:
    return {game.fixture: game.moves for game in played.games}


def test_an_interrupted_tournament_goes_on_where_it_stopped_and_other_plans_are_refused(
    tmp_path: Path,
) -> None:
    class Impatient(Progress):
        heard = 0

        def done(self, outcome: Outcome) -> None:
            self.heard += 1
            if self.heard == 5:
                raise KeyboardInterrupt

    path, plan = tmp_path / "t.sqlite", tictactoe_plan(games_each=4)
    with pytest.raises(KeyboardInterrupt):
        run_tournament(plan, path, jobs=0, progress=Impatient())
    kept = read_tournament(path)
    assert len(kept.games) == 5
    whole = run_tournament(plan, path, jobs=0)
    assert len(whole.games) == plan.total == 12
    assert moves_of(kept).items() <= moves_of(whole).items()
    assert run_tournament(plan, path, jobs=0).games
    with pytest.raises(MnkalaError, match=r"other games; give another --name, or begin it anew"):
        run_tournament(tictactoe_plan(games_each=6), path, jobs=0)
    assert len(run_tournament(tictactoe_plan(games_each=2), path, jobs=0, anew=True).games) == 6


def test_a_swiss_tournament_is_the_same_whether_it_was_interrupted_or_not(tmp_path: Path) -> None:
    players = [f"random:seed={number}" for number in range(5)]
    plan = make_plan(
        ["tictactoe"], players, format="swiss", rounds=3, games_each=2, openings="plies:1"
    )

    class Impatient(Progress):
        heard = 0

        def done(self, outcome: Outcome) -> None:
            self.heard += 1
            if self.heard == 9:
                raise KeyboardInterrupt

    whole = run_tournament(plan, tmp_path / "whole.sqlite", jobs=0)
    with pytest.raises(KeyboardInterrupt):
        run_tournament(plan, tmp_path / "parts.sqlite", jobs=0, progress=Impatient())
    assert moves_of(run_tournament(plan, tmp_path / "parts.sqlite", jobs=0)) == moves_of(whole)
    assert len(whole.games) == plan.total == 12


def test_the_ladder_counts_all_tournaments_of_a_game_together(tmp_path: Path) -> None:
    one = run_tournament(
        make_plan(["tictactoe"], ["greedy", "random:seed=1"], games_each=4, openings="plies:1"),
        tmp_path / "1",
        jobs=0,
    )
    two = run_tournament(
        make_plan(
            ["tictactoe"], ["random:seed=1", "greedy"], games_each=4, openings="plies:1", seed=9
        ),
        tmp_path / "2",
        jobs=0,
    )
    other = run_tournament(
        make_plan(
            ["tictactoe"], ["random:seed=8", "random:seed=9"], games_each=2, openings="plies:1"
        ),
        tmp_path / "3",
        jobs=0,
    )
    (found,) = ladders([one, two, other])
    rows = {row.name: row for row in found.standings.rows}
    assert rows["greedy"].result.games == 8
    assert rows["greedy"].result.points == sum(game.points_of(0) for game in one.games) + sum(
        game.points_of(1) for game in two.games
    )
    assert found.groups == 2
    assert "2 groups that never met" in found.notes[0]
    assert ladders([one], "connect4") == []
    assert ladders([one, two], current=True)[0].versions == 1


def test_a_pair_is_one_opening_with_both_colours(tmp_path: Path) -> None:
    played = run_tournament(tictactoe_plan(games_each=4), tmp_path / "t", jobs=0)
    by_pair: dict[tuple[int, int, int], list[GameResult]] = {}
    for game in played.games:
        by_pair.setdefault(
            (game.fixture.one, game.fixture.other, game.fixture.number // 2), []
        ).append(game)
    for first, second in by_pair.values():
        assert first.opening == second.opening
        assert first.fixture.first == second.fixture.second
    assert len({game.opening for game in played.games}) == 2


# ---- Commands ----


def test_the_commands_play_list_rate_and_write_games(tmp_path: Path) -> None:
    words = [
        "arena",
        "tournament",
        "tictactoe",
        "random:seed=1",
        "alphabeta",
        "--depth",
        "2",
        "--games",
        "4",
        "--openings",
        "plies:1",
        "--jobs",
        "0",
        "--name",
        "small",
        "--names",
        "lucky,careful",
        "--anchor",
        "careful=1000",
    ]
    done = mnkala(*words)
    assert done.returncode == 0, done.stderr
    assert "tictactoe: 4 of 4 games" in done.stdout
    assert "+1000" in done.stdout
    told = json.loads(mnkala(*words, "--json").stdout)
    assert (told["played"], told["players"][0]["name"], told["players"][0]["elo"]) == (
        4,
        "careful",
        1000,
    )
    assert told["players"][0]["spent"]["nodes"] > 0
    assert tournament_path("small").is_file()
    assert "small  tictactoe  round-robin of 2  4 of 4 games" in mnkala("arena", "list").stdout
    ladder = json.loads(mnkala("arena", "ladder", "tictactoe", "--name", "small", "--json").stdout)
    assert {row["name"] for row in ladder[0]["players"]} == {
        "random:seed=1,depth=2",
        "alphabeta:depth=2",
    }
    records = [*Record.parse_many(mnkala("arena", "games", "small").stdout)]
    assert len(records) == 4
    assert {dict(record.tags)["first"] for record in records} == {"lucky", "careful"}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["tournament", "tictactoe", "random"], "1 player; a tournament has 2"),
        (["tournament", "tictactoe", "random", "greedy", "--name", "../x"], "letters, digits"),
        (["tournament", "tictactoe", "random", "greedy", "--anchor", "nobody=3"], "player"),
        (["tournament", "tictactoe", "random", "greedy", "--clock", "soon"], "SECONDS+INCREMENT"),
        (["tournament", "nonsense", "random", "greedy"], "nonsense"),
        (["games", "nothing-like-this"], "there is no tournament"),
    ],
)
def test_what_cannot_be_played_or_shown_is_refused_in_one_line(words: list[str], told: str) -> None:
    done = mnkala("arena", *words)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_a_table_leaves_out_columns_rather_than_split_a_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The columns without entries first, then the last ones."""
    names = ("alphabeta:heuristic=basic,depth=2", "deepening:heuristic=zero-sum-hv,depth=3")
    spent = Spent(3, 9, 0.1, 0.05)
    games = [
        GameResult(
            Fixture("tictactoe", 0, 1, number),
            "",
            "b2",
            points,
            "",
            "rules",
            (spent, spent),
            swapped=False,
        )
        for number, points in enumerate((1.0, 0.5))
    ]
    standings = standings_of(names, games)
    for columns, heads in (
        ("120", ["Elo", "95 %", "points", "+ = -", "a move", "longest"]),
        ("80", ["Elo", "95 %", "points", "+ = -"]),
        ("60", ["Elo", "95 %"]),
    ):
        monkeypatch.setenv("COLUMNS", columns)
        print_table("tictactoe", standings)
        shown = capsys.readouterr().out
        assert all(name in shown for name in names)
        assert re.findall(r"Elo|95 %|points|\+ = -|faults|a move|longest", shown) == heads


def test_the_live_table_shows_the_players_and_how_far_the_tournament_is(tmp_path: Path) -> None:
    from rich.console import Console

    from mnkala.cli.arena import title_of
    from mnkala.cli.arena_table import LiveTable

    live = LiveTable("small", title_of)
    run_tournament(
        tictactoe_plan(games_each=2), tmp_path / "t", jobs=0, progress=live, watch=live.see
    )
    console = Console(width=110, record=True, file=io.StringIO())
    console.print(live.table)
    console.print(live.bar)
    shown = console.export_text()
    for words in ("tictactoe: ", "of 6 games", "alphabeta:depth=2", "greedy", "6/6"):
        assert words in shown


def test_a_damaged_file_is_told_and_does_not_hide_the_others() -> None:
    damaged = tournament_path("damaged")
    damaged.parent.mkdir(parents=True, exist_ok=True)
    damaged.write_text("this is no tournament" * 100)
    done = mnkala("arena", "list")
    damaged.unlink()
    assert done.returncode == 0
    assert "damaged.sqlite" in done.stderr


def test_a_match_tells_moves_times_and_nodes_of_both_sides(tmp_path: Path) -> None:
    words = [
        "match",
        "tictactoe",
        "alphabeta:depth=2",
        "random:seed=4",
        "--games",
        "4",
        "--opening",
        "1",
        "--jobs",
        "0",
        "--data",
        str(tmp_path / "m"),
    ]
    said = mnkala(*words).stdout.splitlines()
    assert said[0].startswith("alphabeta:depth=2 against random:seed=4 on tictactoe: +")
    assert re.fullmatch(
        r"  alphabeta:depth=2: \d+ moves, mean .* m?s, longest .* m?s, [\d,]+ nodes", said[2]
    )
    told = json.loads(mnkala(*words, "--json").stdout)
    assert [side["moves"] > 0 for side in told["spent"]] == [True, True]
    assert sum(told["pentanomial"]) == 2


def test_a_game_in_the_terminal_ends_with_what_each_engine_spent() -> None:
    said = mnkala(
        "play", "tictactoe", "--first", "alphabeta:depth=2", "--second", "random:seed=1", "--plain"
    ).stdout
    assert re.search(
        r"^x \(alphabeta:depth=2\): \d moves, mean .* ms, longest .* ms, \d+ nodes$",
        said,
        re.MULTILINE,
    )
    assert re.search(r"^o \(random:seed=1\): \d moves, mean ", said, re.MULTILINE)


# ---- Kills. Slow for the processes that they start; the runner's own tests of the same in
# `test_jobs.py` are quick. ----


@pytest.fixture
def real_tournament(tmp_path: Path) -> tuple[list[str], Path]:
    """A command whose games take some tenths of a second each, and its file."""
    path = tmp_path / "t.sqlite"
    return [
        sys.executable,
        "-m",
        "mnkala",
        "arena",
        "tournament",
        "connect4:5x6",
        "deepening:nodes=20000",
        "random:seed=2",
        "greedy",
        "--games",
        "20",
        "--openings",
        "plies:2",
        "--data",
        str(path),
    ], path


def finished(path: Path) -> int:
    return len(read_tournament(path).games) if path.exists() and path.stat().st_size else 0


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="kills by signal")
def test_after_sigkill_no_finished_game_is_lost_and_the_same_command_ends_the_tournament(
    real_tournament: tuple[list[str], Path],
) -> None:
    command, path = real_tournament
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        wait_until(lambda: _started(path) and finished(path) >= 5, "some games are over")
        process.send_signal(signal.SIGKILL)
    kept = read_tournament(path)
    assert 5 <= len(kept.games) < 60
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert f"60 games, {len(kept.games)} already done" in done.stderr
    whole = read_tournament(path)
    assert len(whole.games) == 60
    assert {game.fixture: game for game in kept.games}.items() <= {
        game.fixture: game for game in whole.games
    }.items()


def _started(path: Path) -> bool:
    """Whether the plan is in the file."""
    try:
        return bool(read_tournament(path))
    except MnkalaError:
        return False


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="kills by signal")
def test_of_two_dask_workers_one_is_killed_in_mid_game_and_only_that_game_is_played_again(
    real_tournament: tuple[list[str], Path], tmp_path: Path
) -> None:
    if importlib.util.find_spec("distributed") is None:
        pytest.skip("the cluster test needs the package distributed, which is not installed")
    command, path = real_tournament
    dask = [sys.executable, "-m", "dask"]
    started: list[subprocess.Popen[bytes]] = []

    def start(*words: str) -> None:
        started.append(
            subprocess.Popen(
                [*dask, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=tmp_path
            )
        )

    try:
        start(
            "scheduler",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--no-dashboard",
            "--scheduler-file",
            str(tmp_path / "scheduler.json"),
        )
        wait_until((tmp_path / "scheduler.json").exists, "the scheduler runs")
        address = json.loads((tmp_path / "scheduler.json").read_text())["address"]
        for _ in range(2):
            start("worker", address, "--no-nanny", "--nthreads", "1", "--no-dashboard")
        with subprocess.Popen(
            [*command, "--cluster", address],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            wait_until(
                lambda: process.poll() is not None or (_started(path) and finished(path) >= 3),
                "some games are over",
            )
            kept = read_tournament(path)
            started[1].send_signal(signal.SIGKILL)
            _, errors = process.communicate(timeout=300)
        assert process.returncode == 0, errors
    finally:
        for each in started:
            each.kill()
            each.wait()
    whole = read_tournament(path)
    assert len(whole.games) == 60
    assert whole.failures == ()
    assert {game.fixture: game for game in kept.games}.items() <= {
        game.fixture: game for game in whole.games
    }.items()
