"""Conversions from what the package knows to what the server sends. What is sent unchanged has
the type of the domain; other messages take their fields from a value of the domain (`filled`),
and `told` says how scores, reasons and positions are sent."""

from __future__ import annotations

import dataclasses
import functools
import time
import warnings
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar, cast

import msgspec

from mnkala import __version__
from mnkala.core import Position, Record, Rules, parse_game
from mnkala.core.plugins import PluginWarning
from mnkala.core.registry import GameName, families, family_of, sound_game_names
from mnkala.core.score import Score
from mnkala.errors import MnkalaError, in_one_line
from mnkala.explain.chances import read
from mnkala.explain.contract import Reason, Threat, cells_of, explanations_of
from mnkala.explain.inspection import Inspection
from mnkala.explain.rulebook import Rulebook, Section
from mnkala.explain.score_words import board_text, detail_text, score_text, short_text
from mnkala.explain.turn_words import steps_of, turn_lengths, turn_moves
from mnkala.explain.verdicts import beyond_the_score
from mnkala.explain.words import LANGUAGES
from mnkala.native.objects import is_foreign
from mnkala.play import LEVELS, Player, ladder_of, levels_of
from mnkala.play.clock import Clock
from mnkala.play.compiler import Progress
from mnkala.play.game_state import GameState
from mnkala.play.mistakes import mistakes_of
from mnkala.play.opening_rule import Decision
from mnkala.play.own_rating import own_rating
from mnkala.play.reviews import Review
from mnkala.play.store import DamagedRow, Row
from mnkala.play.turn_reviews import TurnReview
from mnkala.play.view import View, make_view
from mnkala.search import Analysis, RootMove, heuristics, searches
from mnkala.search.auto import offered_heuristics, offered_searches
from mnkala.search.engine import HeuristicSearch, kind_of, options_of, summary
from mnkala.web import messages as m
from mnkala.web.engines import Unavailable
from mnkala.web.limits import Limits

if TYPE_CHECKING:
    from mnkala.explain.inspection import Hint
    from mnkala.play.opening_explorer import ExploredPosition
    from mnkala.play.puzzle_contract import Attempt
    from mnkala.play.puzzle_progress import Numbered, State
    from mnkala.play.puzzle_progress import Progress as PuzzlesReached
    from mnkala.play.puzzles import Hints
    from mnkala.web.live_game import LiveGame


M = TypeVar("M", bound=m.Answer)


def told(value: Any, rules: Rules) -> Any:
    """Convert a value of the package to what the server sends: errors, scores, reasons, reviewed
    turns and positions become messages, and floats are rounded."""
    match value:
        case MnkalaError():
            return problem(value)
        case Score():
            return worth_view(value, rules)
        case Reason():
            return reason_messages([value])[0]
        case TurnReview():
            return filled(m.ReviewedTurn, value, rules)
        case Position():
            return make_view(value)
        case float():
            return round(value, 4)
        case tuple() | list():
            return [told(each, rules) for each in value]
    return value


def problem(error: MnkalaError) -> m.Problem:
    """Convert an error to the message about it."""
    values = {
        name: problem(value) if isinstance(value, MnkalaError) else value
        for name, value in error.values.items()
    }
    return m.Problem(str(error), error.key, values)


def filled(kind: type[M], found: object, rules: Rules, **others: Any) -> M:
    """A message whose fields are the attributes of `found` that have their names, and `others`."""
    names = (name for name in kind.__struct_fields__ if name not in others and hasattr(found, name))
    return kind(**{name: told(getattr(found, name), rules) for name in names}, **others)


# ---- What there is ----


@functools.cache
def catalogue_message(limits: Limits, loopback: bool) -> m.Catalogue:
    """List everything that can be chosen."""
    offered = [(name, parse_game(name.example)) for name in sound_game_names()]
    return m.Catalogue(
        version=__version__,
        loopback=loopback,
        languages=LANGUAGES,
        levels=list(LEVELS),
        games=[
            m.FamilyInfo(
                name.name,
                name.summary,
                name.grammar,
                name.example,
                list(name.names),
                _sample(name),
                is_foreign(type(rules).__module__),
                rules.board_style(),
                rules.heuristic,
                family_of(rules).name,
                list(name.sizes),
                _puzzles(rules),
            )
            for name, rules in offered
        ],
        examples=[
            m.ExampleInfo(family.name, name, example.game, example.moves, example.depth)
            for family in families()
            for name, example in family.examples.items()
        ],
        engines=[
            m.EngineInfo(
                name,
                summary(cls),
                [
                    m.OptionInfo(field.name, kind_of(field), field.default)
                    for field in options_of(cls)
                ],
                issubclass(cls, HeuristicSearch),
            )
            for name, cls in searches().items()
        ],
        heuristics=msgspec.convert(heuristics(), list[m.HeuristicInfo], from_attributes=True),
        limits={name: float(value) for name, value in dataclasses.asdict(limits).items()},
    )


def _sample(name: GameName) -> tuple[str, list[str]]:
    game, moves = name.sample or ((*name.names, name.example)[0], "")
    rules = parse_game(game)
    return game, [rules.move_text(code) for code in rules.parse_moves(moves)]


def _puzzles(rules: Rules) -> m.PuzzlesInfo | None:
    family = family_of(rules)
    try:
        kinds = family.puzzles()
        puzzles = next((each for each in kinds if each.fits(rules)), kinds[0] if kinds else None)
        return (
            None
            if puzzles is None
            else m.PuzzlesInfo(puzzles.game, puzzles.option, list(puzzles.offered), puzzles.texts)
        )
    except Exception as error:
        if not is_foreign(type(family).__module__):
            raise
        warnings.warn(
            f"the puzzles of {family.name} were left out: {in_one_line(error)}",
            PluginWarning,
            stacklevel=2,
        )
        return None


def rules_message(rules: Rules, language: str) -> m.RulesOfGame:
    """Convert the rules of a game to a message."""
    book = Rulebook(rules, language)

    def told(section: Section) -> m.RulesSection:
        figures = [
            m.RulesFigure(make_view(figure.position), figure.caption, list(figure.cells))
            for figure in section.figures
        ]
        return m.RulesSection(section.heading, section.text, figures)

    return m.RulesOfGame(book.title, [told(section) for section in book.sections])


def offers_message(rules: Rules) -> m.Offers:
    """What the menus offer for a game."""
    return m.Offers(
        offered_searches(rules),
        [entry.name for entry in offered_heuristics(rules)],
        list(levels_of(rules)),
        ladder_of(rules),
    )


def own_rating_message(rules: Rules, results: Sequence[tuple[str, float]]) -> m.OwnRating:
    """A person's rating from results against levels."""
    found = own_rating(rules, results)
    if found is None:
        return m.OwnRating(None, None, None, len(results))
    return m.OwnRating(round(found.rating), round(found.low), round(found.high), found.games)


def progress_message(progress: Progress) -> m.CompilerProgress:
    """The progress of the compiler."""
    return msgspec.convert(progress, m.CompilerProgress, from_attributes=True)


# ---- Games ----


def game_message(
    game: LiveGame,
    person: str | None,
    present: tuple[bool | None, bool | None] = (None, None),
    invitation: str | None = None,
) -> m.Game:
    """A game as one person sees it."""
    state, row = game.state, game.row
    position, over, held, mine = (
        state.position,
        state.is_over,
        game.is_held_by(person),
        game.seats(person),
    )
    going = held and not over and state.open_seat is None
    can = m.Can(
        move=going and mine[state.mover],
        undo=held and len(position.history) > state.fixed_plies and not (row.linked and over),
        redo=held and bool(state.undone) and not row.linked,
        resign=going and any(mine),
        hint=going and mine[state.mover] and state.opening is None and not row.linked,
        rematch=held and over,
        draw=going
        and any(mine)
        and state.opening is None
        and state.draw_asked is None
        and (row.linked or mine[state.mover]),
    )
    first, second = (_player_view(player) for player in state.players)
    return filled(
        m.Game,
        state,
        position.rules,
        id=row.id,
        revision=row.revision,
        linked=row.linked,
        watchable=row.watchable,
        created=row.created,
        updated=row.updated,
        view=cast("View", game.encoded_view()),
        players=(first, second),
        yours=mine,
        present=present,
        over=over,
        opening=_opening_view(state),
        thinking=game.ticket.player if game.ticket else None,
        preparing=game.is_preparing,
        can=can,
        clock=_clock(state.clock),
        answer=_engine_answer(state.answer),
        trouble=told(game.trouble or game.unsaved, position.rules),
        invitation=invitation,
    )


def _player_view(player: Player) -> m.PlayerView:
    plays_here = player.engine is not None and not isinstance(player.engine.search, Unavailable)
    return m.PlayerView(
        player.name, player.is_human, str(player.engine) if plays_here else None, player.nickname
    )


def _opening_view(game: GameState) -> m.OpeningView | None:
    opening = game.opening
    if opening is None:
        return None
    return m.OpeningView(
        opening.name,
        str(opening.stage),
        [str(choice) for choice in opening.choices],
        opening.left(game.position),
    )


def _clock(clock: Clock | None) -> m.ClockView | None:
    if clock is None:
        return None
    now = time.monotonic()
    left = (round(clock.remaining(0, now), 3), round(clock.remaining(1, now), 3))
    return m.ClockView(clock.seconds, clock.increment, left, clock.running)


def _engine_answer(analysis: Analysis | None) -> m.EngineAnswer | None:
    if analysis is None:
        return None
    worth = _score(analysis.score, analysis.position, analysis.engine)
    opening = (
        m.OpeningAnswer(analysis.rule, str(analysis.did), list(analysis.line))
        if isinstance(analysis, Decision)
        else None
    )
    return filled(
        m.EngineAnswer,
        analysis,
        analysis.position.rules,
        move=analysis.best_move,
        worth=worth,
        opening=opening,
    )


def summary_message(row: Row | DamagedRow, owners: tuple[str, ...]) -> m.Summary:
    """A saved game in a list, without opening it. A game that cannot be opened is listed with
    the reason, so that it can be deleted."""
    if isinstance(row, DamagedRow):
        return m.Summary(
            row.id,
            row.game,
            ("?", "?"),
            (False, False),
            0,
            over=True,
            result="*",
            created=row.updated,
            updated=row.updated,
            linked=False,
            open_seat=None,
            unreadable=m.Problem(row.why),
        )
    yours = (
        row.first_owner in owners and row.first == "human",
        row.second_owner in owners and row.second == "human",
    )
    seat = 0 if row.first_owner is None else 1 if row.second_owner is None else None
    return m.Summary(
        row.id,
        row.game,
        (row.first, row.second),
        yours,
        row.played,
        row.over,
        row.result,
        row.created,
        row.updated,
        row.linked,
        seat,
        _why_unreadable(row.game),
        (row.first_nickname, row.second_nickname),
        row.ending,
        row.of_terminal,
    )


@functools.lru_cache(maxsize=1000)
def _why_unreadable(game: str) -> m.Problem | None:
    """Why a game cannot be opened, if so: its rules may have come from a plug-in that is gone."""
    try:
        parse_game(game)
    except MnkalaError as error:
        return problem(error)
    return None


def record_message(record: Record, games: int) -> m.RecordView:
    """A game that was read from a record, the first of several."""
    position = record.position
    return m.RecordView(
        position.game,
        position.start_literal,
        position.moves,
        record.result,
        dict(record.tags),
        make_view(position),
        games,
    )


def steps_message(position: Position, move: str) -> m.Steps:
    """List what happens during a move step by step, such as every seed that falls; empty in games
    that do not describe this. An illegal move is refused."""
    code = position.rules.parse_move(move)
    position.play_codes((code,))  # refused if it is not legal
    shown = ((step, step.picture.seeds) for step in steps_of(position, code))
    return m.Steps(
        [
            m.StepView(step.kind, list(step.cells), board, step.seeds, step.hand)
            for step, board in shown
            if board is not None
        ]
    )


# ---- What engines say ----


def worth_facts(score: Score, rules: Rules) -> dict[str, Any]:
    """The fields of a score that are sent, and its words."""
    words, short, board = reason_messages(
        text(score, rules) for text in (score_text, short_text, board_text)
    )
    detail = detail_text(score, rules)
    return {
        "player": score.player,
        "source": score.source,
        **score.facts(),
        "words": words,
        "short": short,
        "board": board,
        "detail": None if detail is None else reason_messages([detail])[0],
    }


def worth_view(score: Score, rules: Rules) -> m.WorthView:
    """The value of a position or a move."""
    return m.WorthView(**worth_facts(score, rules))


def _score(score: Score | None, position: Position, engine: str) -> m.WorthView | None:
    return None if score is None else worth_view(read(score, position, engine), position.rules)


def move_views(
    position: Position,
    moves: Iterable[RootMove],
    reasons: Mapping[int, Iterable[Reason]] = MappingProxyType({}),
) -> list[m.MoveWorth]:
    """The value of each move, with the reasons."""
    return [
        m.MoveWorth(
            **worth_facts(each.score, position.rules),
            move=position.rules.move_text(each.code),
            line=_texts(position, each.line_codes),
            reasons=reason_messages(beyond_the_score(reasons.get(each.code, ()))),
            turn=list(turn_moves(position, each.line_codes)),
            turns=turn_lengths(position, each.line_codes),
        )
        for each in moves
    ]


def reason_messages(reasons: Iterable[Reason]) -> list[m.ReasonView]:
    """Convert reasons to messages."""
    return msgspec.convert(list(reasons), list[m.ReasonView], from_attributes=True)


def threats_message(position: Position, threats: Iterable[Threat]) -> m.LineThreats:
    """Convert the threats on a board to a message."""
    rules = position.rules
    views = []
    for threat in threats:
        (told,) = reason_messages([threat.told])
        stones, at, stops = (
            list(cells_of(rules, cells)) for cells in (threat.stones, threat.at, threat.stops)
        )
        views.append(
            m.LineThreatView(threat.player, threat.kind, told, stones, at, stops, threat.is_line)
        )
    return m.LineThreats(views)


def puzzle_view(each: Numbered, state: State) -> m.PuzzleView:
    """A puzzle without its solution."""
    puzzle = each.puzzle
    goal, (task,) = puzzle.goal, reason_messages([puzzle.task(puzzle.goal)])
    return m.PuzzleView(
        puzzle.game,
        puzzle.moves,
        puzzle.grade.stars,
        task,
        each.number,
        each.total,
        round(puzzle.rating),
        state,
        win_in=goal if isinstance(goal, int) else None,
        kind=goal if isinstance(goal, str) else None,
    )


def progress_view(reached: PuzzlesReached) -> m.PuzzleProgress:
    """What a person has reached in puzzles."""
    found = reached.rating
    rating, low, high = (
        (None, None, None)
        if found is None
        else (round(found.rating), round(found.low), round(found.high))
    )
    return m.PuzzleProgress(
        rating, low, high, reached.tried, reached.solved, reached.streak, reached.today
    )


def puzzle_help_message(help_: Hints) -> m.PuzzleHelp:
    """Convert help with a puzzle to a message."""
    (idea,) = reason_messages([help_.idea])
    return m.PuzzleHelp(list(help_.line), reason_messages(help_.reasons), list(help_.area), idea)


def tried_message(tried: Attempt) -> m.Tried:
    """The solver's judgement of a move in a puzzle."""
    rules = tried.after.rules
    return filled(
        m.Tried,
        tried,
        rules,
        left=tried.left if isinstance(tried.left, int) else None,
        worth=worth_view(tried.known, rules),
    )


def hint_message(hint: Hint, rules: Rules) -> m.Hint:
    """Convert a hint to a message."""
    return filled(m.Hint, hint, rules, worth=told(hint.score, rules))


def analysis_update(number: int, found: Inspection) -> m.AnalysisUpdate:
    """Convert an analysis in progress to an update."""
    position, proof = found.position, found.proof
    return filled(
        m.AnalysisUpdate,
        found,
        position.rules,
        id=number,
        game=position.game,
        moves=position.moves,
        whole=told(found.score, position.rules),
        scores=move_views(position, found.moves, found.reasons),
        best=list(found.best_moves),
        proved=None if proof is None else sum(move.score.exact is not None for move in proof.moves),
    )


def review_message(review: Review) -> m.ReviewView:
    """The review of a game so far."""
    position, engine, rules = review.position, review.engine, review.position.rules
    moves = [
        filled(
            m.ReviewedMove,
            move,
            rules,
            worth=_score(move.score, position, engine),
            best_worth=_score(move.best_score, position, engine),
            given_away=move.given_away if review.turns else None,
        )
        for move in review.moves
    ]
    return filled(
        m.ReviewView,
        review,
        rules,
        moves=moves,
        mistakes=mistakes_of(review) if review.final else (),
        exactness=review.accuracy_in_margins,
        margin_texts=explanations_of(rules).margin_texts,
    )


def review_update(number: int, review: Review) -> m.ReviewUpdate:
    """Convert a growing review to an update."""
    return m.ReviewUpdate(
        id=number, done=review.done, total=review.total, review=review_message(review)
    )


def solved_message(found: Inspection) -> m.Solved:
    """What is proved about a position."""
    assert found.score is not None
    return filled(
        m.Solved,
        found,
        found.position.rules,
        whole=worth_view(found.score, found.position.rules),
        best=list(found.best_moves),
        scores=move_views(found.position, found.moves, found.reasons),
    )


def opening_message(found: ExploredPosition) -> m.Opening:
    """What the opening book knows about a position."""
    position = found.position
    return filled(
        m.Opening,
        found,
        position.rules,
        whole=told(found.score, position.rules),
        best=_texts(position, found.best_codes),
        scores=move_views(position, found.moves),
    )


def _texts(position: Position, moves: Iterable[int]) -> list[str]:
    return [position.rules.move_text(move) for move in moves]
