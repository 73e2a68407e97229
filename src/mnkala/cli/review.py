"""`mnkala review`: the review of a saved game, move by move."""

from __future__ import annotations

import json as json_module
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from msgspec import to_builtins

from mnkala.cli.arguments import AsJson, make_engine, prepare, read_record
from mnkala.errors import MnkalaError, unknown
from mnkala.explain.words import GRADE_MARKS
from mnkala.folders import is_file
from mnkala.numbers import counted

if TYPE_CHECKING:
    from mnkala.core import Record
    from mnkala.play.reviews import MoveReview, Review
    from mnkala.play.turn_reviews import TurnReview

RESULTS = {"win": "won", "draw": "drawn", "loss": "lost"}


def review(
    *game: Annotated[
        str,
        Parameter(
            allow_leading_hyphen=True,
            help="A file with a record, the game itself (game string and moves, a record, an address), or the id of a saved game, or `last`.",
        ),
    ],
    seconds: Annotated[
        float | None,
        Parameter(
            help="Seconds for each move. By default each gets a number of nodes, so that a review comes out the same every time."
        ),
    ] = None,
    nodes: Annotated[
        int | None, Parameter(help="Nodes for each position, if not the usual number.")
    ] = None,
    engine: Annotated[
        str | None,
        Parameter(
            help="Who judges: an engine string; see `mnkala engines`. By default perfect where the game has a solver, else "
            "the strongest search of the game."
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Grade the moves of a game: `mnkala review game.txt`, or `mnkala review connect4 44352`.

    Every move is compared with the best one, from the end of the game to its start. A move is an
    inaccuracy, a mistake or a blunder if it gave away at least 10, 20 or 30 % of the result that
    its player could expect. Kalah is reviewed turn by turn, in seeds, as far as the solver knows: to
    give away fewer than 4 is an inaccuracy, fewer than 8 a mistake, and 8 or more, or a better
    result, a blunder.
    """
    from mnkala.core import Record
    from mnkala.play.reviews import review as review_game
    from mnkala.play.reviews import reviewer
    from mnkala.play.saved_games import find_saved_game, no_saved_game, record_of
    from mnkala.search import Limit
    from mnkala.terminal.environment import print_wrapped

    if not game:
        raise MnkalaError(
            "name a file with a record, or write the game: mnkala review connect4 44352"
        )
    saved = find_saved_game(game[0]) if len(game) == 1 and not is_file(game[0]) else None
    try:
        record = read_record(game) if saved is None else Record.parse(record_of(saved))
    except MnkalaError as error:
        if len(game) > 1 or not game[0].isalnum():
            raise
        raise MnkalaError(f"{error}; and {no_saved_game(game[0])}") from None
    if not record.position.history:
        raise MnkalaError("no move was played, so there is nothing to review")
    judge = (
        reviewer(record.position.rules)
        if engine is None
        else make_engine(engine, depth=None, nodes=None, time=None, heuristic=None)
    )
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
    if not json:
        print_wrapped(*review_lines(last, record))
        return
    from mnkala.web.serialise import review_message

    whose = {
        "game": record.position.game,
        "start": record.position.start_literal,
        "result": record.result,
    }
    print(json_module.dumps(whose | to_builtins(review_message(last))))


def mistakes(
    *,
    language: Annotated[str, Parameter(help="en, pt or it.")] = "en",
    json: AsJson = False,
) -> None:
    """List your mistakes in saved games by kind, with a trend and what trains them: `mnkala mistakes`.

    Finished games of this computer against an engine or by link are reviewed first, each of them
    once. Ctrl-C stops that and lists the mistakes found so far.
    """
    from mnkala.explain.words import LANGUAGES
    from mnkala.play.mistakes import review_all, unreviewed
    from mnkala.play.saved_games import open_store
    from mnkala.search import Stop
    from mnkala.terminal.puzzles import tell_mistakes

    if language not in LANGUAGES:
        raise MnkalaError(unknown("language", language, LANGUAGES))
    if not json:
        tell_mistakes(language)
        return
    from msgspec import to_builtins

    with open_store() as store:
        for _ in review_all(store, unreviewed(store, None)[0], Stop()):
            pass
        print(json_module.dumps(to_builtins(unreviewed(store, None)[1])))


def review_lines(review: Review, record: Record) -> list[str]:
    """The review as lines of text."""
    players, tags = record.position.rules.players, dict(record.tags)
    lines = [*(turn_table(review) if review.turns else move_table(review)), ""]
    if why := [*_why(review)]:
        lines += [*why, ""]
    for player in (0, 1):
        name = tags.get(("first", "second")[player], "")
        lines.append(
            f"{players[player]}{f' ({name})' if name else ''}: {_accuracy(review, player)}"
        )
    if review.turning_point is None:
        lines.append("no single move turned the game over")
    from mnkala.search.auto import strongest

    guessed = review.engine == "perfect" and any(
        move.score is not None and move.score.result == "unknown" for move in review.moves
    )
    others = (
        f", and by {strongest(record.position.rules).name} where nothing could be proved"
        if guessed
        else ""
    )
    lines.append(f"result {record.result}, judged by {review.engine}{others}")
    return lines


def move_table(review: Review) -> list[str]:
    """The table of moves, one line each."""
    players = review.position.rules.players
    rows = [("", "", "move", "grade", f"chance of {players[0]}", "better was", "and then")]
    for move, expected in zip(review.moves, review.chances[1:], strict=True):
        shown = "" if expected is None else f"{100 * expected:.0f} %"
        other = move.best if move.grade not in ("best", None) else ""
        line = " ".join(move.line[1:5]) if other else ""
        mark = GRADE_MARKS.get(move.grade or "", "")
        turn = " <- the turning point" if move.ply == review.turning_point else ""
        rows.append(
            (
                str(move.ply),
                players[move.player],
                move.move + mark,
                _graded(move),
                shown,
                other,
                line + turn,
            )
        )
    return _columns(rows)


def turn_table(review: Review) -> list[str]:
    """The table of turns, one line each, with what each gave away where that is proved."""
    players = review.position.rules.players
    rows = [
        ("", "", "turn", "grade", "given away", f"margin of {players[0]}", "better was", "and then")
    ]
    for turn in review.turns:
        margin, expected = review.margins[turn.last], review.chances[turn.last]
        shown = (
            f"{margin:+d}"
            if margin
            else "0"
            if margin == 0
            else ""
            if expected is None
            else f"estimate: {100 * expected:.0f} %"
        )
        better = turn.best if turn.grade not in ("best", None) else ()
        then = " ".join(turn.line[len(better) : len(better) + 4]) if better else ""
        turning = (
            " <- the turning point"
            if turn.first <= (review.turning_point or 0) <= turn.last
            else ""
        )
        rows.append(
            (
                str(turn.number),
                players[turn.player],
                " ".join(turn.moves) + GRADE_MARKS.get(turn.grade or "", ""),
                _graded(turn),
                "" if turn.given_away is None else str(turn.given_away),
                shown,
                " ".join(better),
                then + turning,
            )
        )
    return _columns(rows)


def _graded(one: MoveReview | TurnReview) -> str:
    """The grade of a move or a turn, with the change of the result that it caused."""
    return (
        f"{one.grade}: {' -> '.join(RESULTS[each] for each in one.turned)}"
        if one.turned
        else one.grade or ""
    )


def _columns(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            cell.rjust(width) if column == 0 else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _why(review: Review) -> Iterator[str]:
    """Why moves that changed the result were wrong; for turns, why any was that gave something
    away."""
    rules = review.position.rules
    faults: Iterator[tuple[int, str, MoveReview | TurnReview]] = (
        ((turn.number, " ".join(turn.moves), turn) for turn in review.turns if turn.given_away)
        if review.turns
        else ((move.ply, move.move, move) for move in review.moves if move.turned)
    )
    for number, text, fault in faults:
        if fault.reasons:
            words = " ".join(reason.text() for reason in fault.reasons)
            yield f"{number}. {rules.players[fault.player]} {text}{GRADE_MARKS.get(fault.grade or '', '')}: {words}"
            yield f"    {rules.moves_text(rules.parse_moves(' '.join(fault.refutation)))}"


def _accuracy(review: Review, player: int) -> str:
    """Describe how well a player played: by the margins given away where these are proved,
    otherwise by the accuracy in percent."""
    graded: Sequence[MoveReview | TurnReview] = review.turns or review.moves
    counts = ", ".join(
        f"{count} {grade}" if grade in ("best", "good") else counted(count, grade)
        for grade in GRADE_MARKS
        if (count := sum(each.grade == grade and each.player == player for each in graded))
    )
    exact = review.accuracy_in_margins[player]
    if exact is not None and exact.per_turn is not None:
        guessed = exact.turns - exact.proved
        rest = f"; {counted(guessed, 'turn')} without a proved margin" if guessed else ""
        from mnkala.explain.contract import explanations_of
        from mnkala.explain.words import say

        lost = say(
            f"{explanations_of(review.position.rules).margin_texts}.count", margin=exact.given_away
        )
        return (
            f"gave away {lost}, {exact.per_turn:.1f} a turn, {exact.best} of {counted(exact.proved, 'turn')} "
            f"best{rest} ({counts})"
        )
    share = review.accuracy[player]
    return "did not move" if share is None else f"accuracy {share:.1f} % ({counts})"
