"""`mnkala analyse`: what a search thinks of one position or of many, for people and for
programs.

With `--json` it prints objects for programs, in which the chances of all moves are on one scale
(`worth`), so that a script which takes the largest has the best move.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json as json_module
import sys
from collections.abc import Iterator
from typing import Annotated, Any

from cyclopts import Parameter

from mnkala.cli.arguments import (
    AsJson,
    BatchFile,
    GameString,
    PlayedMoves,
    StartLiteral,
    flag,
    make_engine,
    make_position,
    prepare,
    read_batch,
)
from mnkala.core import Position, Rules, parse_game
from mnkala.core.position import written_line
from mnkala.core.score import Score
from mnkala.errors import MnkalaError
from mnkala.explain.contract import Reason
from mnkala.explain.inspection import inspect
from mnkala.explain.move_values import appraise
from mnkala.explain.score_words import score_words
from mnkala.explain.verdicts import verdicts
from mnkala.numbers import counted
from mnkala.search import Analysis, Engine
from mnkala.search.auto import resolved
from mnkala.terminal.environment import print_wrapped


def analyse(
    game: GameString,
    *moves: PlayedMoves,
    position: StartLiteral = None,
    engine: Annotated[
        str | None,
        Parameter(
            help="An engine string, such as alphabeta:depth=6; see `mnkala engines`. By default the strongest search of the game; with "
            "--heuristic deepening."
        ),
    ] = None,
    depth: Annotated[
        int | None, Parameter(help="Plies to look ahead: moves of either side.")
    ] = None,
    nodes: Annotated[int | None, Parameter(help="Nodes to visit at most.")] = None,
    time: Annotated[float | None, Parameter(help="Seconds to think.")] = None,
    heuristic: Annotated[
        str | None, Parameter(help="The heuristic's name; see `mnkala heuristics`.")
    ] = None,
    threads: Annotated[
        int | None,
        Parameter(help="How many threads, for auto, deepening, threats and mcts: 1 or 2."),
    ] = None,
    depth_from_nodes: Annotated[
        int | None,
        Parameter(
            help="For minimax and alphabeta: choose the depth by report 002's formula for this many nodes."
        ),
    ] = None,
    all_moves: Annotated[
        bool,
        flag("Search every move with a full window, so that each gets a score of its own."),
    ] = False,
    json: AsJson = False,
    batch: BatchFile = None,
) -> int:
    """Analyse a position: `mnkala analyse connect4 44352 --time 2`."""
    if batch is not None and (moves or position):
        raise MnkalaError(
            "--batch reads the positions from its file; leave out the moves and --position"
        )
    usual = "auto" if heuristic is None else "deepening"
    asked = make_engine(
        engine or usual,
        depth=depth,
        nodes=nodes,
        time=time,
        heuristic=heuristic,
        threads=threads,
        depth_from_nodes=depth_from_nodes,
    )
    if batch is not None:
        rules = parse_game(game)
        prepare(asked, rules)
        with contextlib.closing(asked.search):
            return _analyse_batch(rules, batch, asked, all_moves)
    where = make_position(game, moves, position)
    chosen = resolved(asked, where.rules)
    named = any(each is not None for each in (engine, depth, nodes, heuristic, depth_from_nodes))
    try:
        prepare(chosen, where.rules)
        found = thoughts(chosen, where, all_moves) if named else known(chosen, where)
        if json:
            *_, last = found
            print(json_module.dumps(_to_json(last, all_moves)))
        else:
            _print_live(where, chosen, found, all_moves)
    finally:
        chosen.search.close()
    return 0


def _analyse_batch(rules: Rules, file: str, engine: Engine, all_moves: bool) -> int:
    """Print a JSON line for every line of a file; a line that cannot be analysed gets an error
    and does not stop the rest."""
    failed = 0
    for reading in read_batch(rules, file):
        try:
            answer = _to_json(engine.analyse(reading.required(), all_moves=all_moves), all_moves)
        except MnkalaError as error:
            answer = reading.refused(error)
            failed += 1
        print(json_module.dumps(answer), flush=True)
    if failed:
        print(f"mnkala: {counted(failed, 'line')} could not be analysed", file=sys.stderr)
    return 1 if failed else 0


def thoughts(engine: Engine, position: Position, all_moves: bool) -> Iterator[Analysis]:
    """Yield the analyses of one search, which the user named."""
    return inspect(position, engine=engine, prover=None, all_moves=all_moves)


def known(engine: Engine, position: Position) -> Iterator[Analysis]:
    """Everything that is known: the proof where it is within reach, and the strongest search
    until then."""
    return (
        found
        for found in inspect(position, engine=engine)
        if found.depth or found.score is None or found.score.result != "unknown"
    )


def _print_live(
    position: Position, engine: Engine, answers: Iterator[Analysis], all_moves: bool
) -> None:
    """Print the board, a line for every depth as it is reached, and then the moves. Numbers in
    brackets are the heuristic's own."""
    print(position.terminal() if sys.stdout.isatty() else position)
    print(
        f"{position.to_move} to move, {engine}"
        if not position.is_over
        else f"the game is over: {position.outcome}"
    )
    last = None
    try:
        for analysis in answers:
            if last is None or _line(analysis) != _line(
                dataclasses.replace(last, nodes=analysis.nodes, seconds=analysis.seconds)
            ):
                print_wrapped(_line(analysis))
                sys.stdout.flush()
            last = analysis
    except KeyboardInterrupt:
        print("stopped; the last line above is the best answer so far")
        raise
    if last is None or not last.line_codes:
        return
    rules = position.rules
    why = _why(last) if all_moves else {}
    for move in last.moves:
        number = "" if move.score.heuristic is None else f"   ({move.score.heuristic:+d})"
        print(f"  {rules.move_text(move.code):>3}  {score_words(move.score, rules)}{number}")
        if move.code in why:
            print_wrapped(f"       {' '.join(reason.text() for reason in why[move.code])}")
            print_wrapped(f"       {written_line(last.position, move.line_codes)}")
    print_wrapped(
        f"best: {' '.join(rules.move_text(move) for move in last.best_codes)}   "
        f"nodes {last.nodes:,}  evaluations {last.evaluations:,}  cut-offs {last.cutoffs:,}  held {last.held:,}  "
        f"{last.seconds:.3f} s"
    )


def _why(analysis: Analysis) -> dict[int, tuple[Reason, ...]]:
    """Why each move is good or bad, as far as that is proved."""
    return verdicts(analysis)


def _to_json(analysis: Analysis, all_moves: bool) -> dict[str, Any]:
    """The analysis for programs; if every move was searched, with the proved reasons."""
    told, rules = analysis_json(analysis), analysis.position.rules
    for move, reasons in (_why(analysis) if all_moves else {}).items():
        told["moves"][rules.move_text(move)]["why"] = [reason.to_json() for reason in reasons]
    return told


def _line(analysis: Analysis) -> str:

    rules, whole = analysis.position.rules, analysis.score
    number = "" if whole is None or whole.heuristic is None else f" ({whole.heuristic:+d})"
    score = "" if whole is None else score_words(whole, rules) + number
    effort = f"nodes {analysis.nodes:>11,}  {analysis.seconds:7.3f} s"
    depth = (
        f"depth {analysis.depth:>2}"
        if analysis.depth or whole is None or whole.exact is None
        else "proved  "
    )
    told = f"{depth}  {score:<24} {effort}  line {written_line(analysis.position, analysis.line_codes)}"
    return f"{told}  ({analysis.note})" if analysis.note else told


def analysis_json(analysis: Analysis) -> dict[str, Any]:
    """The position, its value for the player to move, every move that was searched (the best
    first), and the effort."""
    analysis = appraise(analysis)
    position, rules = analysis.position, analysis.position.rules

    def facts(score: Score) -> dict[str, Any]:
        return score.facts() | {"words": score_words(score, rules)}

    return {
        "game": position.game,
        "position": position.literal,
        "played": position.moves,
        "mover": position.to_move,
        "best": list(analysis.best_moves),
        **facts(analysis.score or Score.opinion(0, position.mover)),
        "line": list(analysis.line),
        "moves": {
            rules.move_text(each.code): facts(each.score)
            | {"line": [rules.move_text(code) for code in each.line_codes]}
            for each in analysis.moves
        },
        "engine": analysis.engine,
        "depth": analysis.depth,
        "nodes": analysis.nodes,
        "evaluations": analysis.evaluations,
        "cutoffs": analysis.cutoffs,
        "held": analysis.held,
        "table_hits": analysis.table_hits,
        "seconds": round(analysis.seconds, 6),
        "note": analysis.note,
    }
