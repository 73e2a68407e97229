"""Games of five in line as Piskvork, the manager of Gomocup's tournaments, keeps them: `.psq`.

    Piskvorky 15x15, 11:11, 1
    8,8,0
    9,8,1250
    brain-a
    brain-b
    0

Columns and rows, the levels of the two players, and who of them began (0 or 1); then the moves, column and row from the top left, counted
from 1, with milliseconds; then the names of both players, if it was a tournament; and a number that says how the game ended, which only
Piskvork understands. The file does not tell whether more than five in line win: that is taken to be so.
"""

from __future__ import annotations

import re

from mnkala.core.game_file import GameFile
from mnkala.core.paste import Written
from mnkala.core.position import Position
from mnkala.core.record import Record
from mnkala.errors import BadRecord, IllegalMove
from mnkala.families.lines.coordinates import code_at, gomoku_board, gomoku_of, point_of
from mnkala.numbers import shortened

_HEAD = re.compile(r"Piskvorky\s+([0-9]{1,4})x([0-9]{1,4})\s*,\s*[0-9]+\s*:\s*[0-9]+\s*,\s*([01])\s*", re.IGNORECASE)
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
            raise BadRecord(f"'{shortened(lines[0], 60)}' is no first line of Piskvork's; one is {EXAMPLE}")
        board = gomoku_board(int(head[1]), int(head[2]))
        moves: list[str] = []
        names: list[str] = []
        for number, line in enumerate(lines[1:], start=2):
            if (move := _MOVE.fullmatch(line)) and not names:
                try:
                    moves.append(board.move_text(code_at(board, int(move[1]) - 1, int(move[2]) - 1)))
                except IllegalMove:
                    raise BadRecord(f"line {number}: {line} is not on the board of {board.cols} columns and {board.rows} rows, "
                                    "which are counted from 1") from None
            elif "," in line and re.match(r"[-0-9]", line) and not names:
                raise BadRecord(f"line {number}: '{shortened(line)}' is no move; moves are COLUMN,ROW,MILLISECONDS, such as 8,8,120")
            elif not _NUMBER.fullmatch(line) and len(names) < 2:
                names.append(line)
        names = names[::-1] if head[3] == "1" else names
        tags = tuple(zip(("first", "second"), names, strict=False)) if len(names) == 2 else ()
        return [Written(board.game_string(), moves=" ".join(moves), tags=tags)]

    def check(self, position: Position) -> None:
        gomoku_of(position.rules, "Piskvork")
        if position.start_literal is not None:
            raise BadRecord("files of Piskvork's are written of games that began on an empty board")

    def write(self, record: Record) -> str:
        """Write a game; the times of its moves are unknown and written as zero."""
        board, tags = gomoku_of(record.position.rules, "Piskvork"), dict(record.tags)
        points = (point_of(board, code) for code in record.position.history_codes)
        moves = "".join(f"{x + 1},{y + 1},0\n" for x, y in points)
        names = "".join(f"{' '.join(tags.get(side, side).split()) or side}\n" for side in ("first", "second"))
        return f"Piskvorky {board.cols}x{board.rows}, 11:11, 0\n{moves}{names}0\n"
