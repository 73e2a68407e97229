"""Where a game of the terminal goes when it is saved or left, and what is said about it."""

from __future__ import annotations

import datetime
import shlex
from pathlib import Path

from mnkala.errors import MnkalaError
from mnkala.folders import data_folder
from mnkala.play import HUMAN, LEVELS, PERFECT, Match
from mnkala.play.words import say


def file_for(file: Path | None) -> Path:
    """Where a game is saved unless told otherwise: where it came from, or a new file of the user's games."""
    now = datetime.datetime.now().strftime("%Y-%m-%d-%H%M%S-%f")
    return file or data_folder() / "games" / f"{now}.txt"


def save(match: Match, file: Path) -> None:
    """Write the game down."""
    match.record().save(file)


def keep(match: Match, file: Path | None, language: str) -> str:
    """Save an unfinished game that is being left; what to tell the person, or nothing if there was nothing to keep."""
    if not (match.position.history or file):
        return ""
    where = file_for(file)
    try:
        save(match, where)
    except MnkalaError as error:
        return say("terminal.not_kept", language, error=error, record=match.record().without_tags())
    return say("terminal.kept", language, file=shlex.quote(str(where)))


def ending(match: Match, language: str, marks: tuple[str, str] | None = None) -> str:
    """How the game ended, in a sentence. `marks` are what the players look like, by default their letters."""
    outcome = match.outcome
    if outcome is None:
        return ""
    if outcome.winner is None:
        return say("terminal.draw", language)
    marks = marks or match.position.rules.players
    winner, loser = (f"{marks[side]} ({player_name(match, side, language)})" for side in (outcome.winner, 1 - outcome.winner))
    key = {"resignation": "terminal.wins_resigned", "time": "terminal.wins_on_time"}.get(match.ending or "", "terminal.wins")
    return say(key, language, winner=winner, loser=loser)


def player_name(match: Match, side: int, language: str) -> str:
    """What a player is called: people and levels have names in every language, engines are called by their string."""
    name = match.players[side].name
    known = {HUMAN: "terminal.human"} | {level: f"game.level.{level}" for level in (*LEVELS, PERFECT)}
    return say(known[name], language) if name in known else name
