"""Report 003's games between its levels, and what a deeper search is worth in Kalah.

Its games are those of the engine `report-003`, with which they can be played again: `mnkala match kalah report-003:level=1
report-003:level=3`.
"""

from __future__ import annotations

from collections.abc import Sequence

from mnkala.core import Position
from mnkala.errors import BadEngine
from mnkala.families.kalah.report_003 import DEPTH_OF_LEVEL
from mnkala.families.kalah.rules import Kalah
from mnkala.lab.matches import MeasuredPlayer, play_out, seed_of_pair, series, summary
from mnkala.lab.registry import NOT_TOLD, Judgement, Row, claim, finding, judged, measure
from mnkala.lab.rows import grouped, having
from mnkala.lab.strength import head_to_head, verdict
from mnkala.lab.wording import Sentences
from mnkala.play.series import SeriesResult


def report_player(level: int, heuristic: str, pruning: bool) -> MeasuredPlayer:
    """A computer player of report 003, clocked."""
    return MeasuredPlayer(f"report-003:level={level},heuristic={heuristic},pruning={'on' if pruning else 'off'}")


def read_levels(text: str) -> tuple[int, int]:
    """`1 v 3` as two levels."""
    words = text.split(" v ")
    if len(words) != 2 or not all(word.isdigit() and int(word) in DEPTH_OF_LEVEL for word in words):
        raise BadEngine(f"levels {text!r}; write 'A v B' with levels 1, 2 and 3")
    return int(words[0]), int(words[1])


@measure("report-003-game", version=2)
def report_003_game(*, levels: str, heuristic: str, pruning: bool, game: str = "kalah") -> Row:
    """Report 003's game between two levels (`1 v 3`): scores, moves and mean time a move of either side."""
    first, second = read_levels(levels)
    one, other = (report_player(level, heuristic, pruning) for level in (first, second))
    start = Position(game)
    for player in (one, other):
        player.engine.search.prepare(start.rules)
    position, spent = play_out(start, (one, other))
    assert isinstance(position.rules, Kalah)
    stores = position.rules.picture(position.state()).seeds.stores
    row: Row = {"depth_first": DEPTH_OF_LEVEL[first], "depth_second": DEPTH_OF_LEVEL[second], "played": position.moves}
    for seat, name in enumerate(("first", "second")):
        row |= {f"score_{name}": stores[seat], f"moves_{name}": spent[seat].moves, f"nodes_{name}": spent[seat].nodes,
                f"seconds_{name}": round(spent[seat].seconds / max(1, spent[seat].moves), 6)}
    return row


@measure("depths", version=1)
def depths(*, game: str, heuristic: str, one: int, other: int, games: int, seed: int = 1) -> Row:
    """A series between two depths of alpha-beta with the same heuristic."""
    engine = f"alphabeta:heuristic={heuristic}"
    return summary(series(game, (engine, f"depth {one}"), (engine, f"depth {other}"), games, seed_of_pair(seed, str(one), str(other))))


# ---- What the rows say ----


SAY = Sentences(__file__)
DEEPEST = max(DEPTH_OF_LEVEL.values())


@finding("levels")
def in_words(rows: list[Row]) -> str:
    """Whether the higher level wins, pruning changes a move, and the report's games come out."""
    games, duels = having(rows, "played"), _duels(having(rows, "one", "share"), report_only=True)
    single = _single(games)
    lost, played = _lost(duels)
    return SAY.finding(single={"won": sum(margin > 0 for _, margin in single), "games": len(single)},
                       random={"lost": lost, "games": played, **_sure(duels)}, pruning=_pruning(games), report=_report(games),
                       depths=_sure(_duels(having(rows, "one", "share"))))


def _duels(rows: Sequence[Row], report_only: bool = False) -> dict[str, SeriesResult]:
    """The series of a deeper side against a shallower one, by heuristic and depths."""
    depths = sorted({int(row[side]) for row in rows for side in ("one", "other")
                     if not report_only or row[side] in DEPTH_OF_LEVEL.values()})
    found = {}
    for (heuristic,), some in grouped(rows, "heuristic").items():
        for low, high in ((low, high) for low in depths for high in depths if low < high):
            result = head_to_head(some, high, low)
            if result.games:
                found[f"depth {high} against {low} under {heuristic}"] = result
    return found


def _lost(duels: dict[str, SeriesResult]) -> tuple[int, int]:
    """Games that the deeper side lost, and all of them."""
    return sum(result.losses for result in duels.values()), sum(result.games for result in duels.values())


def _single(games: Sequence[Row]) -> list[tuple[Row, int]]:
    """The report's kind of games between unequal levels, each with the margin of the higher."""
    unequal = [row for row in games if row["pruning"] and row["depth_first"] != row["depth_second"]]
    return [(row, (row["score_second"] - row["score_first"]) * (1 if row["depth_second"] > row["depth_first"] else -1)) for row in unequal]


def _sure(duels: dict[str, SeriesResult]) -> Row:
    """In how many series the deeper side is clearly ahead, and clearly behind."""
    sure = [verdict(result) for result in duels.values()]
    return {"series": len(sure), "ahead": sure.count("ahead"), "behind": sure.count("behind")}


def _pairs(games: Sequence[Row]) -> list[tuple[Row, Row]]:
    """Games with pruning, each beside the one without."""
    without = {(row["heuristic"], row["levels"]): row for row in games if not row["pruning"]}
    return [(row, without[row["heuristic"], row["levels"]]) for row in games
            if row["pruning"] and (row["heuristic"], row["levels"]) in without]


def _milliseconds(games: Sequence[Row]) -> float | None:
    """The mean time of a move at the highest level."""
    deep = [(row, name) for row in games for name in ("first", "second") if row[f"depth_{name}"] == DEEPEST]
    moves = sum(row[f"moves_{name}"] for row, name in deep)
    return 1000 * sum(row[f"seconds_{name}"] * row[f"moves_{name}"] for row, name in deep) / moves if moves else None


def _pruning(games: Sequence[Row]) -> Row:
    """The games that pruning changed, of how many, and the time of a move with and without it."""
    pairs = _pairs(games)
    quick, slow = (_milliseconds([pair[side] for pair in pairs]) for side in (0, 1))
    different = [(row["levels"], row["heuristic"]) for row, other in pairs if row["played"] != other["played"]]
    return {"pairs": len(pairs), "different": different, "quick": quick if slow else None, "slow": slow}


def _met(games: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """The games that the report tells, and those of them that come out to the seed and to the move."""
    told = having([row for row in games if row["pruning"]], "report_score_first")
    return told, [row for row in told if all(row[name] == row[f"report_{name}"]
                                             for name in ("score_first", "score_second", "moves_first", "moves_second"))]


def _report(games: Sequence[Row]) -> Row:
    """How many games of the report come out, and the depths that its levels are taken to have."""
    told, met = _met(games)
    return {"games": len(told), "met": len(met), "depths": list(DEPTH_OF_LEVEL.values())}


@claim("levels", report="003", says="the scores and the numbers of moves of its twelve games")
def scores(rows: list[Row]) -> Judgement:
    """Games that do not come out may do so with other depths or another order of equal moves."""
    report = _report(having(rows, "played"))
    return judged(report["met"] == report["games"], False, SAY.scores(report=report)) if report["games"] else NOT_TOLD


@claim("levels", report="003", says="pruning changes no result")
def pruning_changes_nothing(rows: list[Row]) -> Judgement:
    """By all moves of the games."""
    found = _pruning(having(rows, "played"))
    changed = len(found["different"])
    return judged(not changed, bool(changed), SAY.differ(changed=changed, pairs=found["pairs"])) if found["pairs"] else NOT_TOLD


@claim("levels", report="003", says="pruning makes moves quicker")
def pruning_saves_time(rows: list[Row]) -> Judgement:
    """At the highest level, where it matters."""
    found = _pruning(having(rows, "played"))
    quick, slow = found["quick"], found["slow"]
    return judged(quick < slow, quick >= slow, SAY.time(quick=quick, slow=slow)) if quick and slow else NOT_TOLD
