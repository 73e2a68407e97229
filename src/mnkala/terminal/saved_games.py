"""Games of the terminal that are new, pasted, saved or resumed, and the words about them."""

from __future__ import annotations

import dataclasses
import datetime
import re
import shlex
from pathlib import Path

from mnkala.core import Position
from mnkala.core.paste import typed_text, written_games
from mnkala.errors import MnkalaError
from mnkala.explain.words import error_words, say
from mnkala.numbers import written
from mnkala.play import HUMAN, PERFECT, STRONGEST, Level, Player, parse_player
from mnkala.play.clock import Clock, in_seconds
from mnkala.play.fair_starts import any_fair_start
from mnkala.play.game_filter import Wanted
from mnkala.play.game_state import GameState
from mnkala.play.levels import ALL_NAMES, exact_words
from mnkala.play.opening_rule import new_opening
from mnkala.play.own_rating import note_result
from mnkala.play.players import same_player
from mnkala.play.saved_games import SavedGame, one_line, saved_games
from mnkala.play.store import Row

LISTED = 200
"""The most games in the list."""


def pasted_game(text: str, game: GameState, language: str) -> tuple[GameState, list[str]]:
    """A pasted game, to be continued between the same players, and a note on how it was read.
    Bare moves are read as moves of `game`'s game where possible."""
    found = written_games(typed_text(text))
    position = found[0].position(game.position.game, game.position.start_literal)
    said = [say("paste.several", language, games=len(found))] if len(found) > 1 else []
    if position.game != game.position.game:
        said.append(say("paste.read_as", language, game=position.game))
    players = same_players(game, position)
    return GameState(position, players, unaided=not position.history_codes), said


def same_players(game: GameState, position: Position) -> tuple[Player, Player]:
    """The players of a game for another position; instead of the perfect level, which not every
    game has, the strongest."""
    first, second = (
        same_player(
            dataclasses.replace(player, name=STRONGEST) if player.name == PERFECT else player,
            position.rules,
        )
        for player in game.players
    )
    return first, second


def chosen_game(game: GameState, chosen: str) -> GameState:
    """A new game that a menu offers after this one: a `rematch`, `swap` the sides, a `level`, `two`
    people, `watch` engines, an `opening`, a `fair` start, or another `game`."""
    word, _, rest = chosen.partition(" ")
    position = game.position.root()
    if word == "game":
        position = Position(rest)
    elif word == "fair":
        position = any_fair_start(position.rules).position
    names = {"level": (HUMAN, rest), "two": (HUMAN, HUMAN), "watch": ("medium", "medium")}.get(word)
    players = (
        (parse_player(names[0], position.rules), parse_player(names[1], position.rules))
        if names is not None
        else same_players(game, position)
    )
    players = players[::-1] if word == "swap" else players
    called = [player.nickname for player in game.players]
    called = {"swap": called[::-1], "level": [called[0] or called[1], None]}.get(word, called)
    first, second = (
        dataclasses.replace(player, nickname=name if player.is_human else None)
        for player, name in zip(players, called, strict=True)
    )
    again = (
        game.opening_rule.name
        if game.opening_rule is not None and word in ("rematch", "swap")
        else None
    )
    opening = new_opening(rest if word == "opening" else again, position)
    clock = game.clock and Clock.of(game.clock.seconds, game.clock.increment)
    return GameState(position, (first, second), opening, clock)


def file_for(game: GameState, file: Path | None) -> Path:
    """The file name offered for a record: the file that the game came from, or a new one in this
    folder."""
    return file or Path(
        f"{re.sub(r'[^a-z0-9]+', '-', game.position.game)}-{datetime.datetime.now():%Y-%m-%d-%H%M%S}.txt"
    )


def keep(saved: SavedGame, game: GameState, file: Path | None, language: str) -> str:
    """Save an unfinished game that is being left; return the message about it, or an empty text
    if nothing had to be saved."""
    if not (game.position.history or file):
        return ""
    try:
        if file is not None:
            game.record().save(file)
        saved.save(game)
    except MnkalaError as error:
        return say(
            "terminal.not_kept",
            language,
            error=error_words(error, language),
            record=game.record().without_tags(),
        )
    return say("terminal.kept", language, file=shlex.quote(str(file)) if file else saved.id)


def listed(language: str) -> dict[str, str]:
    """The newest games of this computer by id, each as one line."""

    def name(row: Row, side: int) -> str:
        return (row.first_nickname, row.second_nickname)[side] or _known_name(
            (row.first, row.second)[side], language
        )

    return {
        row.id: one_line(row, name, language)
        for row in saved_games(Wanted(), LISTED)
        if isinstance(row, Row)
    }


def ending(game: GameState, language: str, marks: tuple[str, str] | None = None) -> str:
    """How the game ended, as a sentence. `marks` are the players' shapes; by default their
    letters."""
    outcome = game.outcome
    if outcome is None:
        return ""
    if outcome.winner is None:
        return say("terminal.draw_agreed" if game.agreed else "terminal.draw", language)
    marks = marks or game.position.rules.players
    winner, loser = (
        f"{marks[side]} ({player_name(game, side, language)})"
        for side in (outcome.winner, 1 - outcome.winner)
    )
    key = {
        "resignation": "terminal.wins_resigned",
        "time": "terminal.wins_on_time",
        "fault": "terminal.wins_by_fault",
    }.get(game.ending or "", "terminal.wins")
    return say(key, language, winner=winner, loser=loser, fault=game.fault)


def spent_words(game: GameState, language: str) -> list[str]:
    """What the engine on each side spent, one line each."""
    found = []
    for side, spent in enumerate(game.spent):
        if spent.moves:
            nodes = (
                say("terminal.spent_nodes", language, nodes=written(spent.nodes, language=language))
                if spent.nodes
                else ""
            )
            found.append(
                say(
                    "terminal.spent",
                    language,
                    player=player_name(game, side, language),
                    mark=game.position.rules.players[side],
                    moves=spent.moves,
                    mean=in_seconds(spent.mean),
                    longest=in_seconds(spent.longest),
                    nodes=nodes,
                )
            )
    return found


def player_name(game: GameState, side: int, language: str) -> str:
    """The name of a player: people by the name they gave, levels in the reader's language,
    engines by their string."""
    player = game.players[side]
    return player.nickname or _known_name(player.name, language)


def _known_name(name: str, language: str) -> str:
    known = {HUMAN: "terminal.human"} | {level: f"game.level.{level}" for level in ALL_NAMES}
    return say(known[name], language) if name in known else name


def level_words(level: Level, language: str) -> str:
    """A level as a menu shows it: its number, its name and its rating."""
    named = (
        say(f"game.level.{level.player}", language)
        if not level.name
        else say(
            "game.level_named",
            language,
            number=level.number,
            name=say(f"game.level.{level.name}", language),
        )
    )
    rating = (
        ""
        if level.rating is None
        else say("game.level_rating", language, rating=round(level.rating))
    )
    return ", ".join(filter(None, (named, rating, exact_words(level, language))))


def noted_words(game: GameState, language: str) -> list[str]:
    """Keep the result of a finished game against a level, and return what it means for the
    person's rating. A file that cannot be written does not spoil the end of a game."""
    try:
        own = note_result(game)
    except MnkalaError as error:
        return [error_words(error, language)]
    return [] if own is None else [own.words(language)]
