"""Games of five in a row in the files of other programs: SGF and Piskvork's `.psq`.

SGF is the Smart Game Format FF[4] (Hollosi 1999): `(;GM[4]FF[4]SZ[15]PB[Ann];B[hh];W[hi])`. GM[4]
is Gomoku. Points are letters, the column before the row, from the top left. Of variations the first
one is read: the game itself.

Piskvork is the manager of Gomocup's tournaments:

    Piskvorky 15x15, 11:11, 1
    8,8,0
    9,8,1250
    brain-a
    brain-b
    0

Columns and rows, the levels of the two players, and who of them began (0 or 1); then the moves,
column and row from the top left, counted from 1, with milliseconds; then the names of both players,
if it was a tournament; and a number that says how the game ended, which only Piskvork understands.
The file does not tell whether more than five in a row win: that is taken to be so.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator

from mnkala.core.paste import GameFile, Written
from mnkala.core.position import Position
from mnkala.core.record import Record
from mnkala.errors import BadRecord, IllegalMove
from mnkala.families.lines.rules import code_at, gomoku_board, gomoku_of, point_of
from mnkala.numbers import read_digits, shortened

LETTERS = string.ascii_lowercase + string.ascii_uppercase
USUAL_SIZE = "15"
GOMOKU = "4"
EXACT_WORDS = ("exact", "standard")
"""Values of the property RU under which more than five in a row do not win."""
TAGS = {"PB": "first", "PW": "second", "DT": "date"}
_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]+)|\[((?:[^\]\\]|\\.)*)\])", re.DOTALL)
Node = dict[str, list[str]]


class Sgf(GameFile):
    """SGF files of five in a row."""

    name = "sgf"
    media = "application/x-go-sgf; charset=utf-8"

    def is_meant(self, text: str) -> bool:
        return bool(re.match(r"\s*\(\s*;", text.lstrip("\ufeff")))

    def read(self, text: str) -> list[Written]:
        return [_game([*nodes]) for nodes in _main_lines(text.lstrip("\ufeff"))]

    def check(self, position: Position) -> None:
        board = gomoku_of(position.rules, "SGF")
        if position.start_literal is not None:
            raise _begun_elsewhere("SGF")
        if max(board.rows, board.cols) > len(LETTERS):
            raise BadRecord(
                f"SGF has letters for {len(LETTERS)} rows and columns; this board has {board.cols} columns and {board.rows} "
                "rows",
                "lines.error.sgf_letters",
                most=len(LETTERS),
                columns=board.cols,
                rows=board.rows,
            )

    def write(self, record: Record) -> str:
        position, result, tags = record.position, record.result, dict(record.tags)
        board = gomoku_of(position.rules, "SGF")
        head = {
            "FF": "4",
            "GM": GOMOKU,
            "CA": "UTF-8",
            "SZ": str(board.rows) if board.rows == board.cols else f"{board.cols}:{board.rows}",
            "RU": "exact" if board.exact else "freestyle",
        }
        head |= {theirs: tags[ours] for theirs, ours in TAGS.items() if ours in tags}
        head |= (
            {"RE": told} if (told := {"1-0": "B+", "0-1": "W+", "1/2-1/2": "0"}.get(result)) else {}
        )
        if told and told != "0" and not position.is_over:
            head["RE"] += {"resignation": "R", "time": "T"}.get(tags.get("ending", ""), "F")
        moves = "".join(
            f";{'BW'[number % 2]}[{LETTERS[x]}{LETTERS[y]}]"
            for number, (x, y) in enumerate(
                point_of(board, code) for code in position.history_codes
            )
        )
        return (
            f"(;{''.join(f'{name}[{_escaped(value)}]' for name, value in head.items())}\n{moves})\n"
        )


def _main_lines(text: str) -> Iterator[list[Node]]:
    """The nodes of each game, without those of variations."""
    nodes: list[Node] = []
    depth, closed, at, values = 0, False, 0, list[str]()
    while text[at:].strip():
        found = _TOKEN.match(text, at)
        if found is None:
            where = shortened(text[at:].strip(), 20)
            raise BadRecord(
                f"this SGF cannot be read at '{where}'", "lines.error.sgf_sign", text=where
            )
        at = found.end()
        sign, name, value = found.groups()
        if sign == "(":
            depth += 1
        elif sign == ")":
            depth, closed = depth - 1, True
            if depth == 0:
                yield nodes
                nodes, closed = [], False
        elif depth <= 0:
            where = shortened(found[0].strip(), 20)
            raise BadRecord(
                f"'{where}' stands outside of any game of this SGF; a game is (;…)",
                "lines.error.sgf_outside",
                text=where,
            )
        elif closed:
            continue  # It is another variation.
        elif sign == ";":
            nodes.append({})
        elif name is not None and nodes:
            values = nodes[-1].setdefault(
                "".join(letter for letter in name if letter.isupper()), []
            )
        elif value is not None and nodes and nodes[-1]:
            values.append(re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL))
        else:
            raise BadRecord(
                "a property without a node in this SGF; nodes begin with ;", "lines.error.sgf_node"
            )
    if depth or nodes:
        raise BadRecord("this SGF ends within a game; a ) is missing", "lines.error.sgf_end")


def _begun_elsewhere(form: str) -> BadRecord:
    return BadRecord(
        f"{form} can keep only games that began on an empty board",
        "lines.error.not_empty",
        form=form,
    )


def _game(nodes: list[Node]) -> Written:
    head = {
        name: values[0] if values else "" for name, values in (nodes[0] if nodes else {}).items()
    }
    if head.get("GM", GOMOKU).strip() != GOMOKU:
        other = shortened(head["GM"])
        raise BadRecord(
            f"GM[{other}] is another game; Gomoku is GM[4]", "lines.error.sgf_game", game=other
        )
    columns, _, rows = head.get("SZ", USUAL_SIZE).partition(":")
    width, height = read_digits(columns.strip()), read_digits((rows or columns).strip())
    if width is None or height is None:
        size = shortened(head["SZ"])
        text = f"SZ[{size}] is no size; sizes are SZ[15] or SZ[15:12]"
        raise BadRecord(text, "lines.error.sgf_size", size=size)
    board = gomoku_board(
        width, height, any(word in head.get("RU", "").lower() for word in EXACT_WORDS)
    )
    moves: list[str] = []
    for node in nodes:
        for name in node.keys() & {"AB", "AW", "AE"}:
            raise BadRecord(
                f"stones that are set up ({name}) are not read; a game begins on an empty board",
                "lines.error.sgf_stones",
                name=name,
            )
        for name in ("B", "W"):
            for point in node.get(name, ()):
                where: dict[str, str | int] = {
                    "number": len(moves) + 1,
                    "move": f"{name}[{shortened(point)}]",
                }
                if name != "BW"[len(moves) % 2]:
                    raise BadRecord(
                        "move {number} is {move}; B and W move in turn, B first".format(**where),
                        "lines.error.sgf_turn",
                        **where,
                    )
                if len(point) != 2 or not set(point) <= set(LETTERS):
                    raise BadRecord(
                        "move {number} is {move}; a point is two letters, such as hh".format(
                            **where
                        ),
                        "lines.error.sgf_point",
                        **where,
                    )
                moves.append(
                    board.move_text(
                        code_at(board, LETTERS.index(point[0]), LETTERS.index(point[1]))
                    )
                )
    said = head.get("RE", "").strip().lower()
    result = {"b": "1-0", "w": "0-1", "0": "1/2-1/2", "d": "1/2-1/2"}.get(said[:1], "*")
    tags = tuple(
        (ours, " ".join(head[theirs].split()))
        for theirs, ours in TAGS.items()
        if head.get(theirs, "").strip()
    )
    return Written(board.game_string(), moves=" ".join(moves), result=result, tags=tags)


def _escaped(text: str) -> str:
    return re.sub(r"([\]\\])", r"\\\1", text)


_HEAD = re.compile(
    r"Piskvorky\s+([0-9]{1,4})x([0-9]{1,4})\s*,\s*[0-9]+\s*:\s*[0-9]+\s*,\s*([01])\s*",
    re.IGNORECASE,
)
_MOVE = re.compile(r"(-?[0-9]{1,4}),(-?[0-9]{1,4})(?:,-?[0-9]*)?")
_NUMBER = re.compile(r"-?[0-9]+(?:,-?[0-9]+)*")
EXAMPLE = "Piskvorky 15x15, 11:11, 0"


class Psq(GameFile):
    """Files of Piskvork, with the ending `.psq`."""

    name = "psq"

    def is_meant(self, text: str) -> bool:
        return bool(re.match(r"\s*Piskvorky\s+\S", text.lstrip("\ufeff"), re.IGNORECASE))

    def read(self, text: str) -> list[Written]:
        lines = [line.strip() for line in text.lstrip("\ufeff").splitlines() if line.strip()]
        head = _HEAD.fullmatch(lines[0])
        if head is None:
            raise BadRecord(
                f"'{shortened(lines[0], 60)}' is no first line of Piskvork's; one is {EXAMPLE}",
                "lines.error.psq_head",
                text=shortened(lines[0], 60),
                example=EXAMPLE,
            )
        board = gomoku_board(int(head[1]), int(head[2]))
        moves: list[str] = []
        names: list[str] = []
        for number, line in enumerate(lines[1:], start=2):
            if (move := _MOVE.fullmatch(line)) and not names:
                try:
                    moves.append(
                        board.move_text(code_at(board, int(move[1]) - 1, int(move[2]) - 1))
                    )
                except IllegalMove:
                    raise BadRecord(
                        f"line {number}: {line} is not on the board of {board.cols} columns and {board.rows} rows, "
                        "which are counted from 1",
                        "lines.error.psq_cell",
                        line=number,
                        text=line,
                        columns=board.cols,
                        rows=board.rows,
                    ) from None
            elif "," in line and re.match(r"[-0-9]", line) and not names:
                raise BadRecord(
                    f"line {number}: '{shortened(line)}' is no move; moves are COLUMN,ROW,MILLISECONDS, such as 8,8,120",
                    "lines.error.psq_move",
                    line=number,
                    text=shortened(line),
                )
            elif not _NUMBER.fullmatch(line) and len(names) < 2:
                names.append(line)
        names = names[::-1] if head[3] == "1" else names
        tags = tuple(zip(("first", "second"), names, strict=False)) if len(names) == 2 else ()
        return [Written(board.game_string(), moves=" ".join(moves), tags=tags)]

    def check(self, position: Position) -> None:
        gomoku_of(position.rules, "Piskvork")
        if position.start_literal is not None:
            raise _begun_elsewhere("Piskvork")

    def write(self, record: Record) -> str:
        """Write a game; the times of its moves are unknown and written as zero."""
        board, tags = gomoku_of(record.position.rules, "Piskvork"), dict(record.tags)
        points = (point_of(board, code) for code in record.position.history_codes)
        moves = "".join(f"{x + 1},{y + 1},0\n" for x, y in points)
        names = "".join(
            f"{' '.join(tags.get(side, side).split()) or side}\n" for side in ("first", "second")
        )
        return f"Piskvorky {board.cols}x{board.rows}, 11:11, 0\n{moves}{names}0\n"
