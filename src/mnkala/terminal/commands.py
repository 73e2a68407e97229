"""What a person can do besides moving: one table for the full screen and for plain lines.

In plain lines a command is its word or its key. On the full screen it is its key, a click on its
name in the last line, or its word in the line where moves are typed. `terminal.help_WORD`
explains it in every language.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from mnkala.explain.words import say

Where = Literal["both", "screen", "lines"]
When = Literal["always", "playing", "watching", "turns", "book", "threats", "puzzles", "over"]


class Command(NamedTuple):
    """A command, or a second key that belongs to the command above it."""

    word: str
    """The word to type; empty for a second key of the command before."""
    action: str = ""
    """Textual's action on the full screen; `session(NAME, …)` calls a method of the session. In
    plain lines the method of the same word is called, or else that of the session."""
    keys: str = ""
    """The keys on the full screen, by Textual's names."""
    shown: str = ""
    """The key as the help shows it."""
    label: str = ""
    """The key of the text for its name in the last line of the full screen."""
    when: When = "always"
    """The games and matches for which the last line shows it."""
    argument: str = ""
    """What may be typed after the word."""
    where: Where = "both"


COMMANDS = (
    Command("hint", "session('ask_hint')", "h", "h", "play.hint", "playing"),
    Command("undo", "session('undo')", "u", "u", "play.undo", "playing"),
    Command("redo", "session('redo')", "r", "r", "play.redo", "playing"),
    Command(
        "pause",
        "session('toggle_pause')",
        "space",
        "Space",
        "play.pause",
        "watching",
        where="screen",
    ),
    Command("", "session('step')", "full_stop", ".", "play.step", "watching", where="screen"),
    Command(
        "",
        "session('change_pace', False)",
        "plus,equals_sign",
        "+",
        "terminal.key_speed",
        "watching",
        where="screen",
    ),
    Command("", "session('change_pace', True)", "minus", "-", where="screen"),
    Command("analyse", "session('study', 'analysis')", "a", "a", "play.analysis"),
    Command("turn", "session('step_through', 1)", "t", "t", "terminal.key_turn", "turns"),
    Command("", "session('step_through', -1)", "T", "T", where="screen"),
    Command("book", "session('study', 'book')", "b", "b", "terminal.key_book", "book"),
    Command("threats", "session('study', 'threats')", "v", "v", "threat.switch", "threats"),
    Command("puzzle", "puzzle", "p", "p", "puzzle.title", "puzzles", argument="[N]"),
    Command("solution", "session('show_solution')", "S", "S"),
    Command("missed", "session('find_missed')", "M", "M", "play.find_missed", "over"),
    Command("back", "session('go_back')", "B", "B"),
    Command("mistakes", "mistakes", where="lines"),
    Command("evaluation", "session('toggle_evaluation')", "e", "e", where="screen"),
    Command("look", "turn(-1)", "left_square_bracket,pageup", "[", where="screen"),
    Command("", "turn(1)", "right_square_bracket,pagedown", "]", where="screen"),
    Command("review", "review", "w", "w", "review.title", "over", where="screen"),
    Command("start", "look(0)", "home", "Home", where="screen"),
    Command("", "look", "end", "End", where="screen"),
    Command("new", "new", "n", "n", "play.new_game"),
    Command("fair", "session('begin_new', 'fair')"),
    Command("games", "games", "o", "o", "saved.title"),
    Command("open", "open", "g", "g", "terminal.key_open", argument="GAME"),
    Command("save", "save", "s", "s", "terminal.key_save", argument="[FILE]"),
    Command("type", "type", "m,slash", "m", "terminal.key_move", where="screen"),
    Command("moves", where="lines"),
    Command("draw", "session('offer_draw')", "D", "D"),
    Command("resign", "resign", "R", "R", "play.resign"),
    Command("language", "language", "l", "l", "page.language"),
    Command("rules", "rules", "i", "i"),
    Command("numbers", "legend", "k", "k"),
    Command("help", "help", "question_mark", "?", "terminal.key_help"),
    Command("quit", "leave(0)", "q", "q", "terminal.key_quit"),
)
OTHER_WORDS = {"analyze": "analyse", "exit": "quit"}


def command_of(text: str, where: Where) -> Command | None:
    """The command that was typed, by its word in upper or lower case or by its key."""
    word = OTHER_WORDS.get(text.lower(), text.lower())
    here = (each for each in COMMANDS if each.word and each.where in ("both", where))
    return next((each for each in here if each.word == word or each.shown == text), None)


def help_rows(language: str, where: Where, **values: object) -> Iterator[tuple[str, str]]:
    """All commands and keys with what they do; a second key stands beside the first."""
    here = [each for each in COMMANDS if each.where in ("both", where)]
    for place, command in enumerate(here):
        if not command.word or (where == "screen" and not command.shown):
            continue
        keys = [command.shown]
        for second in here[place + 1 :]:
            if second.word:
                break
            keys.append(second.shown)
        shown = f"{command.word} {command.argument}".strip() if where == "lines" else " ".join(keys)
        yield shown, say(f"terminal.help_{command.word}", language, **values)
