"""A game however it is written: one reader for what is typed, pasted, dropped or opened from a
file.

What it understands, alone or in several lines:

- moves of the game that is open: `44352`, `4 4 3 5 2`, `e5,f6`, `1. 4 4 2. 3 5`; if they are
  not moves of that game, those of the other games are tried;
- a game string and moves: `connect4 44352`, `kalah:6x4 3 6 1`;
- a record, with or without its result, with `# name: value` or `[Name "value"]` lines above it and
  `{comments}` in it;
- a position literal, with or without its game, mover and moves after it: `connect4@7/7/7/7/7/3x3
  35`, `7/7/7/7/7/3x3 o`, `<3,0,0,3,3,3,3,3,3>o`;
- a file of another program in a form that a family of games reads (`GameFile`), such as SGF of five
  in a row;
- an address: `https://connect4.gamesolver.org/?pos=44352`, or that of a position on mnkala's own
  page.

Nothing is played before `Written.position`, so that a server can hold every game to its limits
first.

Each form of file in which other programs keep games is made for the games of one family, which
names it (`Family.game_files`). Whoever reads what somebody pasted, saves a game by the name of a
file or offers files of a game asks this module, and need not know which forms there are.
"""

from __future__ import annotations

import contextlib
import dataclasses
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import parse_qs, urlencode

from mnkala.core.grid import GRID
from mnkala.core.position import Position
from mnkala.core.registry import (
    LONGEST_STRING,
    families,
    family_of,
    game_names,
    named_words,
    parse_game,
)
from mnkala.errors import BadGame, BadPosition, BadRecord, IllegalMove, MnkalaError
from mnkala.folders import file_errors, is_file
from mnkala.numbers import shortened

if TYPE_CHECKING:
    from mnkala.core.position import Position
    from mnkala.core.record import Record
    from mnkala.core.rules import Rules

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
NO_MOVES = "-"
LARGEST_FILE = 1 << 20
GAMESOLVER = "connect4"
"""The game of addresses with `pos=`: that of connect4.gamesolver.org, whose notation we share."""
GAMESOLVER_PAGE = "https://connect4.gamesolver.org/"

_TAG = re.compile(r'\[(\w+)\s+"(.*)"\]')
_SEEDS = re.compile(r"<[^<>]*>(?:\s*[xo]\b)?", re.IGNORECASE)
_NUMBER_OF_MOVE = re.compile(r"(?<![^\s,])[0-9]+\.+")
_GRADE = re.compile(r"(?<![!?])[!?]+(?=[\s,]|$)")
_FILE = re.compile(
    r"(?:[~/\\]|\.{1,2}[/\\]|[a-z]:[/\\]).+|[^\s?#<@]*[^\s./?#]\.[a-z]\w{0,7}", re.IGNORECASE
)
_NAME = re.compile(r"[a-z-]{4}|[a-z-]+$|[a-z]\w*[:@]", re.IGNORECASE)
"""How a word begins that is rather the name of a game than a move."""

Make = Callable[[str, str | None, str], Position]
"""A function that makes a position from a game string, a literal to start from and moves."""


def make_position(game: str, start: str | None, moves: str) -> Position:
    """Make a position without any limit on its size or length."""
    return Position(game, literal=start).play(moves)


@dataclasses.dataclass(frozen=True)
class Written:
    """One game as it was written, as texts that have not been looked up yet."""

    game: str | None = None
    """The game string, if the text contains one."""
    start: str | None = None
    """The position literal, if the text contains one."""
    to_move: str | None = None
    """The player to move at the literal, if the text says so."""
    moves: str = ""
    result: str | None = None
    tags: tuple[tuple[str, str], ...] = ()

    def position(
        self, game: str | None = None, start: str | None = None, make: Make = make_position
    ) -> Position:
        """The last position, with its history. `game` and `start` are those of the open game,
        used if the text names none."""
        if self.game is not None:
            return self._at(self.game, self.start, make)
        if game is None:
            self._check_name()
            return self._guess(make)
        try:
            return self._at(game, start if self.start is None else self.start, make)
        except IllegalMove as error:
            self._check_name()
            if self._are_moves_of(game):
                raise
            if not (others := self._fitting(make)):
                if self.start is None and not self._begins_with_moves_of(game):
                    raise self._fits_none(game, error) from None
                raise
            if len(others) > 1:
                raise self._could_be(others) from None
            return others[0]
        except BadPosition:  # a literal of another board
            others = self._fitting(make) if self.start is not None else []
            if len(others) != 1:
                raise
            return others[0]

    def _check_name(self) -> None:
        """Raise an error that lists the games if the first word looks like the name of one."""
        first = self.moves.split(" ")[0]
        if self.start is None and _NAME.match(first):
            parse_game(first.partition("@")[0][:LONGEST_STRING])

    def _guess(self, make: Make) -> Position:
        """The position in the only game that the text fits."""
        if not (self.start or self.moves):
            raise BadRecord(
                "nothing is written here; write a game and its moves, for example: connect4 44352",
                "error.nothing_written",
            )
        fitting = self._fitting(make)
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            raise self._could_be(fitting)
        if self.start is not None and (candidates := [*self._candidates()]):
            self._at(
                candidates[-1], self.start, make
            )  # says what is wrong with it as a position of the likeliest game
        raise BadRecord(
            f"'{self._shortened}' fits no game as it stands; name the game in front, for example: connect4 44352",
            "error.fits_no_game",
            text=self._shortened,
        )

    @property
    def _shortened(self) -> str:
        return shortened(" ".join(filter(None, (self.start, self.moves))))

    def _could_be(self, fitting: list[Position]) -> BadGame:
        """The error for a text that fits several games."""
        games, what = [position.game for position in fitting], self._shortened
        example = f"{games[0]}{'@' if self.start else ' '}{what}"
        return BadGame(
            f"'{what}' could be {', '.join(games[:-1])} or {games[-1]}; name the game in front, for example: {example}",
            "error.could_be",
            text=what,
            games=", ".join(games),
            example=example,
        )

    def _are_moves_of(self, game: str) -> bool:
        """Whether these can be read as moves of a game, legal or not."""
        try:
            return bool(parse_game(game).parse_moves(self.moves))
        except IllegalMove:
            return False

    def _begins_with_moves_of(self, game: str) -> bool:
        first = self.moves.partition(" ")[0]
        beginnings = (dataclasses.replace(self, moves=text) for text in (first, first[:1]))
        return any(each._are_moves_of(game) for each in beginnings)

    def _fits_none(self, game: str, error: IllegalMove) -> BadRecord:
        """The error for a text that looks like moves of no game: what is wrong in the game that is
        open, and the games that were tried besides."""
        tried = ", ".join(each for each in dict.fromkeys(self._candidates()) if each != game)
        return BadRecord(
            f"{error}. These are no moves of {tried} either",
            "error.fits_none",
            why=error,
            tried=tried,
        )

    def _fitting(self, make: Make) -> list[Position]:
        return [
            found for each in self._candidates() if (found := self._fits(each, make)) is not None
        ]

    def _at(self, game: str, start: str | None, make: Make) -> Position:
        try:
            position = make(game, start, self.moves)
        except IllegalMove:
            rest, _, last = self.moves.rpartition(" ")
            if rest and re.fullmatch(r"[a-z]+|[0-9/]+-[0-9/]+", last, re.IGNORECASE):
                make(
                    game, start, rest
                )  # If all words but the last are moves, the last is a result; otherwise the error names the bad one.
                raise BadRecord(
                    f"'{shortened(last)}' is neither a move nor a result; results are {' '.join(RESULTS)}",
                    "error.no_result",
                    text=shortened(last),
                    results=" ".join(RESULTS),
                ) from None
            raise
        outcome, mark = position.outcome, position.rules.players[position.root().mover]
        if self.to_move is not None and self.to_move != mark:
            text = f"{mark} is to move in this position, not {self.to_move}"
            raise BadPosition(text, "error.to_move", mark=mark, other=self.to_move)
        if outcome is not None and self.result not in (None, "*", str(outcome)):
            text = f"the moves end in {outcome}, but the record says {self.result}"
            raise BadRecord(text, "error.other_result", end=str(outcome), said=str(self.result))
        return position

    def _fits(self, game: str, make: Make) -> Position | None:
        try:
            return self._at(game, self.start, make)
        except MnkalaError:
            return None

    def _candidates(self) -> Iterator[str]:
        """The games that the text may belong to, the likeliest last: each game in its usual
        sizes, and in the sizes that a literal implies."""
        told = (
            {family: list(family.games_of_literal(self.start)) for family in families()}
            if self.start is not None
            else {}
        )
        usual = [name.names[0] for name in game_names() if name.names]
        yield from (
            game
            for game in usual
            if self.start is None or not family_of(parse_game(game)).reads_literals
        )
        for games in reversed(told.values()):
            yield from games


def typed_text(text: str) -> str:
    """What somebody typed, or the content of the file that it names. A text counts as a file
    name if the file exists or if it can be nothing else."""
    name = text.strip().strip("'\"")
    if named_words(name.split()) or "\n" in name or "://" in name:
        return text
    return (
        file_text(Path(name).expanduser())
        if is_file(name) or (_FILE.fullmatch(name) and not GRID.fullmatch(name))
        else text
    )


def file_text(path: Path) -> str:
    """The content of a file of records."""
    with file_errors(path, "read", BadRecord):
        if path.stat().st_size > LARGEST_FILE:
            raise BadRecord(f"{path} is larger than any record ({LARGEST_FILE} bytes)")
        return path.read_text(encoding="utf-8")


def written_games(text: str) -> list[Written]:
    """The games of a text, at least one. A game begins with a line that names a game, a position
    or an address, after a result, or below tags; other lines continue the moves."""
    if (form := form_of(text)) is not None:
        return form.read(text)
    found: list[tuple[list[str], list[tuple[str, str]]]] = []
    tags: list[tuple[str, str]] = []
    is_open = False
    for raw in text.lstrip("\ufeff").splitlines():
        line = raw.strip().strip("`").strip()
        if tag := _TAG.fullmatch(line):
            tags.append((tag[1], tag[2]))
            is_open = False
        elif line.startswith("#") and not line.startswith("#/"):
            name, colon, value = line[1:].partition(":")
            tags += [(name.strip(), value.strip())] if colon else []
            is_open = False
        elif line:
            if not is_open or _is_address(line) or _begins(line.split()):
                found.append(([], tags))
                tags = []
            found[-1][0].append(line)
            is_open = _result(line.split()[-1]) is None and not _is_address(line)
    return [_read("\n".join(lines), tuple(kept)) for lines, kept in found] or [
        Written(tags=tuple(tags))
    ]


def _begins(words: list[str]) -> bool:
    return (
        words[0].startswith(("@", "<")) or bool(GRID.fullmatch(words[0])) or named_words(words) > 0
    )


def _is_address(line: str) -> bool:
    return "://" in line or line.startswith(("#/", "www.")) or bool(re.search(r"[?&]pos=", line))


def _result(word: str) -> str | None:
    said = word.replace("½", "1/2").replace("–", "-")
    return said if said in RESULTS else None


def _read(text: str, tags: tuple[tuple[str, str], ...]) -> Written:
    """Split one game into its parts."""
    if _is_address(text):
        return dataclasses.replace(_read_address(text), tags=tags)
    plain = re.sub(r"\{[^{}]*\}|\s#.*|\bto move\b", " ", text.strip("'\""))
    words = _SEEDS.sub(lambda literal: "".join(literal[0].split()), plain).split()
    game = start = to_move = result = None
    if count := named_words(words):
        game, at, literal = "".join(words[:count]).partition("@")
        del words[:count]
        start = literal if at else None
    if start is None and words and (words[0].startswith(("@", "<")) or GRID.fullmatch(words[0])):
        start = words.pop(0).removeprefix("@")
    if start is not None and words and words[0].lower() in ("x", "o"):
        to_move = words.pop(0).lower()
    if words and (result := _result(words[-1])) is not None:
        words.pop()
    moves = _GRADE.sub(
        "", _NUMBER_OF_MOVE.sub(" ", " ".join(word for word in words if word != NO_MOVES))
    )
    return Written(game, start, to_move, " ".join(moves.split()), result, tags)


def _read_address(text: str) -> Written:
    """Read the game that an address opens."""
    address = next((word for word in text.split() if _is_address(word)), text).strip("<>()'\"")
    said = {
        name: values[0]
        for part in re.split("[?#]", address)[1:]
        for name, values in parse_qs(part).items()
    }
    if "game" in said:
        return Written(
            said["game"], said.get("start"), None, said.get("moves", said.get("pos", ""))
        )
    if re.search(r"[?&]pos=", address):
        return Written(GAMESOLVER, moves=said.get("pos", ""))
    if "id" in said or "#/game/" in address:
        raise BadRecord(
            "this address is that of a game on its server; open it in a browser, or paste the record of the game",
            "error.address_of_game",
        )
    raise BadRecord(
        f"'{shortened(address)}' names no position; addresses that do have pos=44352, as on connect4.gamesolver.org, or "
        "game=connect4&moves=44352, as on mnkala's page",
        "error.address_without_position",
        address=shortened(address),
    )


def gamesolver_address(position: Position) -> str:
    """The address that shows a position of Connect Four on connect4.gamesolver.org, which
    `written_games` reads back.
    """
    if position.game != GAMESOLVER:
        raise BadRecord(
            f"a position of {position.game}; connect4.gamesolver.org shows those of {GAMESOLVER}"
        )
    if position.start_literal is not None:
        raise BadRecord(
            "a game that began with a board that was set up has no address there: it is told by its moves from the empty board"
        )
    return f"{GAMESOLVER_PAGE}?{urlencode({'pos': position.moves})}"


class GameFile:
    """Base class of the file formats of other programs."""

    name: ClassVar[str]
    """The ending of its files' names, and its name in requests. The page labels it by the text
    `play.file_NAME`."""
    media: ClassVar[str] = "text/plain; charset=utf-8"
    """The media type under which such a file is served."""

    def is_meant(self, text: str) -> bool:
        """Whether a text is such a file, valid or not."""
        raise NotImplementedError

    def read(self, text: str) -> list[Written]:
        """The games of a file, at least one; raises BadRecord for a bad file."""
        raise NotImplementedError

    def check(self, position: Position) -> None:
        """Raise an error with the reason if the game so far cannot be written in this format."""

    def write(self, record: Record) -> str:
        """Write a game as a file. The caller has already called `check`."""
        raise NotImplementedError


def form_of(text: str) -> GameFile | None:
    """The format that a text is written in, if it is that of another program."""
    return next((form for form in _forms() if form.is_meant(text)), None)


def form_named(name: str, rules: Rules) -> GameFile | None:
    """The format of this name: the one of the game's own family, or one whose `check` explains why
    it cannot write this game; None if no format has this name."""
    return next(
        (form for form in (*family_of(rules).game_files(), *_forms()) if form.name == name), None
    )


def forms_for(position: Position) -> Iterator[str]:
    """The names of the formats in which a game can be written."""
    for form in family_of(position.rules).game_files():
        with contextlib.suppress(MnkalaError):
            form.check(position)
            yield form.name


def _forms() -> Iterator[GameFile]:
    for family in families():
        yield from family.game_files()
