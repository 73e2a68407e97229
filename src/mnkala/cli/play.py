"""`mnkala play`: a game in the terminal."""

from __future__ import annotations

from pathlib import Path


def play(
    game: str | None = None,
    *,
    first: str | None = None,
    second: str | None = None,
    position: str | None = None,
    moves: str = "",
    resume: Path | None = None,
) -> int:
    """Play a game: `mnkala play connect4`. A person may sit on either side, or an engine on both.

    Parameters
    ----------
    game
        A game string, such as connect4 or connect4:10x11.
    first
        Who moves first: human (the default), a level (easy, medium, hard) or an engine string.
    second
        Who moves second: human, a level or an engine string; deepening:time=1 by default.
    position
        A position literal to start from.
    moves
        Moves to play before the game starts.
    resume
        Go on with a saved game.
    """
    from mnkala.cli.questions import make_position, prepare
    from mnkala.errors import MnkalaError
    from mnkala.games import Record
    from mnkala.play import Match, parse_player
    from mnkala.terminal import play_lines

    saved: dict[str, str] = {}
    if resume is not None:
        if game is not None or position is not None or moves:
            raise MnkalaError("--resume goes on with a saved game; leave out the game, --position and --moves")
        record = Record.load(resume)
        where, saved = record.position, dict(record.tags)
        if record.result != "*" and not where.is_over:
            raise MnkalaError(f"{resume} was given up ({record.result}); there is nothing to go on with")
    elif game is None:
        raise MnkalaError("which game? For example: mnkala play connect4 (see `mnkala games`)")
    else:
        where = make_position(game, [moves], position)
    players = (parse_player(first or saved.get("first") or "human", where.rules),
               parse_player(second or saved.get("second") or "deepening:time=1", where.rules))
    match = Match(where, players)
    for engine in match.engines():
        prepare(engine, where.rules)
    return play_lines(match, resume)
