"""`mnkala review`: a saved game looked at again, move by move."""

from __future__ import annotations

import json as json_module
import sys
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from mnkala.cli.arguments import AsJson, make_engine, prepare, read_record
from mnkala.numbers import counted

if TYPE_CHECKING:
    from mnkala.games import Record
    from mnkala.play.review import Review

MARKS = {"best": "", "good": "", "inaccuracy": "?!", "mistake": "?", "blunder": "??"}
"""The signs of chess books."""
RESULTS = {"win": "won", "draw": "drawn", "loss": "lost"}


def review(
    *game: Annotated[str, Parameter(allow_leading_hyphen=True,
        help="A file with a record, the game itself (game string and moves, a record, an address), or the id of a saved game.")],
    seconds: Annotated[float | None, Parameter(
        help="Seconds for each move. By default each gets a number of nodes, so that a review comes out the same every time.")] = None,
    nodes: Annotated[int | None, Parameter(help="Nodes for each position, if not the usual number.")] = None,
    engine: Annotated[str | None, Parameter(
        help="Who judges: an engine string; see `mnkala engines`. By default perfect where the game has a solver, else "
             "deepening.")] = None,
    json: AsJson = False,
) -> None:
    """Grade the moves of a game: `mnkala review game.txt`, or `mnkala review connect4 44352`.

    Every move is compared with the best one, from the end of the game to its start. A move is an inaccuracy, a mistake or a blunder if
    it gave away at least 10, 20 or 30 % of the result that its player could expect.
    """
    from mnkala.errors import MnkalaError
    from mnkala.folders import is_file
    from mnkala.games import Record
    from mnkala.play.review import review as review_game
    from mnkala.play.review import reviewer
    from mnkala.play.saved_games import find_saved_game, record_of
    from mnkala.search import Limit

    if not game:
        raise MnkalaError("name a file with a record, or write the game: mnkala review connect4 44352")
    saved = find_saved_game(game[0]) if len(game) == 1 and not is_file(game[0]) else None
    record = read_record(game) if saved is None else Record.parse(record_of(saved))
    if not record.position.history:
        raise MnkalaError("no move was played, so there is nothing to review")
    judge = reviewer(record.position.rules) if engine is None else make_engine(engine, depth=None, nodes=None, time=None, heuristic=None)
    prepare(judge, record.position.rules)
    limit = None if nodes is None else Limit(nodes=nodes)
    last = None
    try:
        for last in review_game(record.position, seconds, judge, limit=limit):
            if sys.stderr.isatty():
                print(f"\rmove {last.done} of {last.total} ", end="", file=sys.stderr, flush=True)
    finally:
        if sys.stderr.isatty():
            print("\r" + " " * 40 + "\r", end="", file=sys.stderr, flush=True)
    assert last is not None
    if json:
        from msgspec import to_builtins

        from mnkala.web.serialise import review_message

        whose = {"game": record.position.game, "start": record.position.start_literal, "result": record.result}
        print(json_module.dumps(whose | to_builtins(review_message(last))))
        return
    print("\n".join(table(last, record)))


def table(review: Review, record: Record) -> list[str]:
    """The review as lines of text."""
    players = record.position.rules.players
    tags = dict(record.tags)
    rows = [("", "", "move", "grade", f"chance of {players[0]}", "better was", "and then")]
    for move, expected in zip(review.moves, review.chances[1:], strict=True):
        shown = "" if expected is None else f"{100 * expected:.0f} %"
        other = move.best if move.grade not in ("best", None) else ""
        line = " ".join(move.line[1:5]) if other else ""
        mark = MARKS.get(move.grade or "", "")
        grade = f"{move.grade}: {' -> '.join(RESULTS[each] for each in move.turned)}" if move.turned else move.grade or ""
        turn = " <- the turning point" if move.ply == review.turning_point else ""
        rows.append((str(move.ply), players[move.player], move.move + mark, grade, shown, other, line + turn))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(cell.rjust(width) if column == 0 else cell.ljust(width) for column, (cell, width) in
                       enumerate(zip(row, widths, strict=True))).rstrip() for row in rows]
    lines.append("")
    for move in review.moves:
        if move.turned and move.reasons:
            words = " ".join(reason.text() for reason in move.reasons)
            played = record.position.rules.moves_text(record.position.rules.parse_moves(" ".join(move.refutation)))
            lines += [f"{move.ply}. {players[move.player]} {move.move}{MARKS.get(move.grade or '', '')}: {words}", f"    {played}"]
    if any(move.turned for move in review.moves):
        lines.append("")
    for player, accuracy in enumerate(review.accuracy):
        name = tags.get(("first", "second")[player], "")
        counts = ", ".join(f"{count} {grade}" if grade in ("best", "good") else counted(count, grade) for grade in MARKS
                           if (count := sum(move.grade == grade and move.player == player for move in review.moves)))
        told = "did not move" if accuracy is None else f"accuracy {accuracy:.1f} % ({counts})"
        lines.append(f"{players[player]}{f' ({name})' if name else ''}: {told}")
    if review.turning_point is None:
        lines.append("no single move turned the game over")
    guessed = review.engine == "perfect" and any(move.score is not None and move.score.result == "unknown" for move in review.moves)
    others = ", and by deepening where nothing could be proved" if guessed else ""
    lines.append(f"result {record.result}, judged by {review.engine}{others}")
    return lines
