"""Report 003's games between its levels, and the value of a deeper search in Kalah.

The engine `report-003` plays as the report does, so the games can be repeated: `mnkala match kalah
report-003:level=1 report-003:level=3`.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from mnkala.core import Position
from mnkala.errors import BadEngine
from mnkala.families.kalah.report_003 import DEPTH_OF_LEVEL
from mnkala.families.kalah.rules import Kalah
from mnkala.lab.judging import Sentences, grouped, having, head_to_head, verdicts, where
from mnkala.lab.measuring import MeasuredPlayer, play_out, seed_of_pair, series, summary
from mnkala.lab.registry import NOT_TOLD, Judgement, Row, brief, claim, finding, judged, measure
from mnkala.play.series import SeriesResult


def report_player(level: int, heuristic: str, pruning: bool) -> MeasuredPlayer:
    """A computer player of report 003 whose moves are clocked."""
    return MeasuredPlayer(
        f"report-003:level={level},heuristic={heuristic},pruning={'on' if pruning else 'off'}"
    )


def read_levels(text: str) -> tuple[int, int]:
    """Read two levels, such as `1 v 3`."""
    words = text.split(" v ")
    if len(words) != 2 or not all(word.isdigit() and int(word) in DEPTH_OF_LEVEL for word in words):
        raise BadEngine(f"levels {text!r}; write 'A v B' with levels 1, 2 and 3")
    return int(words[0]), int(words[1])


@measure("report-003-game", version=2)
def report_003_game(*, levels: str, heuristic: str, pruning: bool, game: str = "kalah") -> Row:
    """Report 003's game between two levels, such as `1 v 3`: the scores, the moves and the mean
    time for a move of both sides.
    """
    first, second = read_levels(levels)
    one, other = (report_player(level, heuristic, pruning) for level in (first, second))
    start = Position(game)
    for player in (one, other):
        player.engine.search.prepare(start.rules)
    position, spent = play_out(start, (one, other))
    assert isinstance(position.rules, Kalah)
    stores = position.rules.picture(position.state()).seeds.stores
    row: Row = {
        "depth_first": DEPTH_OF_LEVEL[first],
        "depth_second": DEPTH_OF_LEVEL[second],
        "played": position.moves,
    }
    for seat, name in enumerate(("first", "second")):
        row |= {
            f"score_{name}": stores[seat],
            f"moves_{name}": spent[seat].moves,
            f"nodes_{name}": spent[seat].nodes,
            f"seconds_{name}": round(spent[seat].seconds / max(1, spent[seat].moves), 6),
        }
    return row


@measure("depths", version=1)
def depths(*, game: str, heuristic: str, one: int, other: int, games: int, seed: int = 1) -> Row:
    """A series between two depths of alpha-beta with the same heuristic."""
    engine = f"alphabeta:heuristic={heuristic}"
    return summary(
        series(
            game,
            (engine, f"depth {one}"),
            (engine, f"depth {other}"),
            games,
            seed_of_pair(seed, str(one), str(other)),
        )
    )


# ---- What the rows say ----


SAY = Sentences(__file__)
DEEPEST = max(DEPTH_OF_LEVEL.values())
FIGURES = ("score_first", "score_second", "moves_first", "moves_second")
"""The figures by which a game of the report is recognised."""


@finding("levels")
def in_words(rows: list[Row]) -> str:
    """Say whether the higher level wins, whether pruning changes a move, and whether our games
    equal the report's."""
    games = having(rows, "played")
    return SAY.finding(
        single=_single(games),
        random=_random(rows),
        pruning=_pruning(games),
        report=_report(games),
        depths=verdicts(_duels(having(rows, "one", "share")).values()),
    )


@brief("levels", report="003", plot="Share of points of a depth (rows) against another (columns)")
def in_brief(rows: list[Row]) -> Row:
    """How often the higher level wins in the report's own games and from random openings."""
    single, drawn = _single(having(rows, "played")), _random(rows)
    return {
        "won": single["won"],
        "games": single["games"],
        "lost": drawn["lost"],
        "others": drawn["games"],
    }


def _duels(rows: Sequence[Row], report_only: bool = False) -> dict[str, SeriesResult]:
    """The results of a deeper side against a shallower one, by heuristic and depths."""
    depths = sorted(
        {
            int(row[side])
            for row in rows
            for side in ("one", "other")
            if not report_only or row[side] in DEPTH_OF_LEVEL.values()
        }
    )
    found = {}
    for heuristic, some in grouped(rows, "heuristic").items():
        for low, high in itertools.combinations(depths, 2):
            result = head_to_head(some, high, low)
            if result.games:
                found[f"depth {high} against {low} under {heuristic}"] = result
    return found


def _margins(games: Sequence[Row]) -> list[int]:
    """The seeds by which the higher level won or lost each of the report's games between unequal
    levels.
    """
    return [
        (row["score_second"] - row["score_first"])
        * (1 if row["depth_second"] > row["depth_first"] else -1)
        for row in where(games, pruning=True)
        if row["depth_first"] != row["depth_second"]
    ]


def _single(games: Sequence[Row]) -> Row:
    """How many of the report's own games between unequal levels the higher one wins."""
    margins = _margins(games)
    return {"won": sum(margin > 0 for margin in margins), "games": len(margins)}


def _random(rows: Sequence[Row]) -> Row:
    """How often the deeper side loses from random openings, at the depths of the levels."""
    duels = _duels(having(rows, "one", "share"), report_only=True).values()
    return {
        "lost": sum(result.losses for result in duels),
        "games": sum(result.games for result in duels),
        **verdicts(duels),
    }


def _milliseconds(games: Sequence[Row]) -> float | None:
    """The mean time for a move at the highest level."""
    deep = [
        (row, name)
        for row in games
        for name in ("first", "second")
        if row[f"depth_{name}"] == DEEPEST
    ]
    moves = sum(row[f"moves_{name}"] for row, name in deep)
    return (
        1000 * sum(row[f"seconds_{name}"] * row[f"moves_{name}"] for row, name in deep) / moves
        if moves
        else None
    )


def _pruning(games: Sequence[Row]) -> Row:
    """The games that pruning changed, of how many, and the time for a move with and without it."""
    pairs = [
        sorted(some, key=lambda row: not row["pruning"])
        for some in grouped(games, "heuristic", "levels").values()
        if len(some) == 2
    ]
    quick, slow = (_milliseconds([pair[side] for pair in pairs]) for side in (0, 1))
    different = [
        (row["levels"], row["heuristic"])
        for row, other in pairs
        if row["played"] != other["played"]
    ]
    return {
        "pairs": len(pairs),
        "different": different,
        "quick": quick if slow else None,
        "slow": slow,
    }


def _report(games: Sequence[Row]) -> Row:
    """How many games of the report ours equal in seeds and moves, and the depths that its levels
    are assumed to have.
    """
    told = having(where(games, pruning=True), "report_score_first")
    met = [row for row in told if all(row[name] == row[f"report_{name}"] for name in FIGURES)]
    return {"games": len(told), "met": len(met), "depths": list(DEPTH_OF_LEVEL.values())}


@claim(
    "levels",
    report="003",
    says="the scores and the numbers of moves of its twelve games",
    needs=("played",),
)
def scores(rows: list[Row]) -> Judgement:
    """Judge by the scores and lengths of all games. Games that differ never refute the claim,
    because they might be equal with other depths or another order of equal moves."""
    report = _report(rows)
    return (
        judged(report["met"] == report["games"], False, SAY.scores(report=report))
        if report["games"]
        else NOT_TOLD
    )


@claim("levels", report="003", says="the higher level always wins")
def higher_level_wins(rows: list[Row]) -> Judgement:
    """Judge by the report's own games and by those from random openings; a single game that the
    higher level does not win refutes the claim."""
    single, random = _single(having(rows, "played")), _random(rows)
    if not single["games"]:
        return NOT_TOLD
    failed = bool(random["lost"] or single["won"] < single["games"])
    return judged(not failed, failed, SAY.higher_level(single=single, random=random))


@claim("levels", report="003", says="pruning changes no result", needs=("played",))
def pruning_changes_nothing(rows: list[Row]) -> Judgement:
    """Judge by the moves of all games, played with and without pruning."""
    found = _pruning(rows)
    changed = len(found["different"])
    return (
        judged(not changed, bool(changed), SAY.differ(changed=changed, pairs=found["pairs"]))
        if found["pairs"]
        else NOT_TOLD
    )


@claim("levels", report="003", says="pruning makes moves quicker", needs=("played",))
def pruning_saves_time(rows: list[Row]) -> Judgement:
    """Judge by the time for a move at the highest level, where most of the time is spent."""
    found = _pruning(rows)
    quick, slow = found["quick"], found["slow"]
    return (
        judged(quick < slow, quick >= slow, SAY.time(quick=quick, slow=slow))
        if quick and slow
        else NOT_TOLD
    )
