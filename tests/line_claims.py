"""Sentences about threats on lines, held against a board of its own that tries moves one by one; it shares nothing with the package but
what a position looks like, and takes what a mark makes on a line from the slow reference of patterns."""

from __future__ import annotations

from collections.abc import Iterable

from mnkala.games import Position
from mnkala.games.mnk import Mnk
from mnkala.gomoku.patterns import FOUR, NONE, OPEN_FOUR, OPEN_THREE
from mnkala.play.line_threats import LineThreat
from mnkala.play.reason import Reason
from tests.line_reference import is_open, moves_short

Cell = tuple[int, int]
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))


class SlowBoard:
    """Marks by (row, column)."""

    def __init__(self, position: Position) -> None:
        rules = position.rules
        assert isinstance(rules, Mnk)
        self.rules, self.line, self.exact = rules, rules.line, rules.exact
        self.all = [(row, col) for row in range(rules.rows) for col in range(rules.cols)]
        self.everywhere = set(self.all)
        cells = position.state().cells
        self.marks = {cell: int(cells[i]) - 1 for i, cell in enumerate(self.all) if cells[i]}

    def cell(self, code: int) -> Cell:
        return divmod(code, self.rules.cols)

    def named(self, text: object) -> list[Cell]:
        """The cells of a list such as `g8, k8` or `h8-i8` or `h8 g8`."""
        names = str(text).replace("-", " ").replace(",", " ").split()
        return [self.cell(self.rules.parse_move(name)) for name in names]

    def with_(self, *marks: tuple[Cell, int]) -> SlowBoard:
        other = object.__new__(SlowBoard)
        other.__dict__.update(self.__dict__, marks=self.marks | dict(marks))
        return other

    @property
    def empty(self) -> list[Cell]:
        return [cell for cell in self.all if cell not in self.marks]

    def completes(self, cell: Cell, player: int, steps: Iterable[Cell] = STEPS) -> bool:
        if cell in self.marks:
            return False
        for step in steps:
            length = 1
            for sign in (1, -1):
                row, col = cell[0] + sign * step[0], cell[1] + sign * step[1]
                while self.marks.get((row, col)) == player:
                    length += 1
                    row, col = row + sign * step[0], col + sign * step[1]
            if length == self.line or (length > self.line and not self.exact):
                return True
        return False

    def completing(self, player: int, steps: Iterable[Cell] = STEPS) -> set[Cell]:
        return {cell for cell in self.empty if self.completes(cell, player, steps)}

    def kinds(self, cell: Cell, player: int) -> list[int]:
        """What a mark makes in each direction, as far as it matters here: an open three or more, else nothing."""
        found = []
        for step in STEPS:
            far = self.line if self.exact else self.line - 1
            around = [(cell[0] + i * step[0], cell[1] + i * step[1]) for i in range(-far, far + 1)]
            signs = {None: ".", player: "x"}
            text = "".join(signs.get(self.marks.get(each), "#") if each in self.everywhere else "#" for each in around)
            text = text[:far] + "x" + text[far + 1:]
            short = moves_short(text, far, self.line, self.exact, 2)
            opened = short in (1, 2) and is_open(text, far, self.line, self.exact, short)
            found.append((OPEN_FOUR if opened else FOUR) if short == 1 else OPEN_THREE if opened else NONE)
        return found

    def wins_next_but_one(self, player: int) -> dict[Cell, set[Cell]]:
        """The moves after which two cells or more complete a line, and these cells."""
        found = {cell: self.with_((cell, player)).completing(player) for cell in self.empty if not self.completes(cell, player)}
        return {cell: ways for cell, ways in found.items() if len(ways) > 1}

    def still_wins(self, ways: dict[Cell, set[Cell]], player: int, answer: Cell) -> bool:
        """Whether, after an answer, one of the moves that win next but one still does."""
        for cell, cells in ways.items():
            after = self.with_((answer, 1 - player), (cell, player))
            if cell != answer and sum(after.completes(each, player) for each in cells if each != answer) > 1:
                return True
        return False

    def forced_win(self, player: int, left: int) -> bool:
        """A victory by at most so many moves that all are fours, by trying everything."""
        if self.completing(player):
            return True
        theirs = self.completing(1 - player)
        if left < 2 or len(theirs) > 1:
            return False
        for cell in theirs or self.empty:
            after = self.with_((cell, player))
            ways = after.completing(player)
            if len(ways) > 1 or (len(ways) == 1 and after.with_((next(iter(ways)), 1 - player)).forced_win(player, left - 1)):
                return True
        return False


# ---- Threats ----


def check_threat(position: Position, threat: LineThreat) -> None:
    """All that is told of a threat."""
    board, player = SlowBoard(position), threat.player
    stones, at, stops = ([board.cell(code) for code in codes] for codes in (threat.stones, threat.at, threat.stops))
    assert all(board.marks[cell] == player for cell in stones)
    if threat.kind == "fours":
        assert_victory(board, player, at)
        for cell in stops:
            assert not board.with_((cell, 1 - player)).forced_win(player, 3)
        return
    assert not set(at) & set(board.marks)
    if threat.kind in ("four", "open_four"):
        assert set(at) <= board.completing(player)
        assert (len(at) > 1) == (threat.kind == "open_four")
        assert stops == ([] if len(at) > 1 else at)
        return
    if threat.kind == "open_three":
        step = next(step for step in STEPS if on_one_line([*stones, *at], step))
        ways = {cell: board.with_((cell, player)).completing(player, (step,)) - board.completing(player, (step,)) for cell in at}
        assert all(len(found) > 1 for found in ways.values())
        for answer in board.empty:
            left = [cell for cell, found in ways.items() if cell != answer and len(found - {answer}) > 1]
            assert (answer in stops) == (not left)
        return
    (cell,) = at
    assert is_double(board.kinds(cell, player), threat.kind)
    for answer in board.empty:
        gone = answer == cell or not any(is_double(board.with_((answer, 1 - player)).kinds(cell, player), kind)
                                         for kind in ("double_four", "four_three", "double_three"))
        if threat.kind == "double_four":
            after = board.with_((answer, 1 - player), (cell, player))
            made = [after.completing(player, (step,)) - board.completing(player, (step,)) for step in STEPS]
            gone = answer == cell or len(set[Cell]().union(*made)) < 2
        assert (answer in stops) == gone, (threat, answer)


def is_double(kinds: list[int], kind: str) -> bool:
    fours, threes = kinds.count(FOUR), kinds.count(OPEN_THREE)
    wanted = {"double_four": fours > 1, "four_three": fours == 1 and threes > 0, "double_three": fours == 0 and threes > 1}
    return OPEN_FOUR not in kinds and wanted[kind]


def on_one_line(cells: list[Cell], step: Cell) -> bool:
    """Whether all lie on one line of this direction."""
    (row, col), *others = cells
    return all((each[0] - row) * step[1] == (each[1] - col) * step[0] for each in others)


def assert_victory(board: SlowBoard, player: int, line: list[Cell]) -> None:
    """Every move but the last leaves the other side one cell to take, and takes it; the last but one leaves two or more."""
    assert len(line) % 2 == 1
    for i, cell in enumerate(line[:-1]):
        if i % 2 == 0:
            assert not board.completing(player)
            assert board.completing(1 - player) <= {cell}
            board = board.with_((cell, player))
            ways = board.completing(player)
            assert line[i + 1] in ways
            assert len(ways) == 1 or i == len(line) - 3
        else:
            board = board.with_((cell, 1 - player))
    assert board.completes(line[-1], player)


# ---- Reasons ----


def check_reason(position: Position, move: int, reason: Reason) -> None:
    """All that a reason for a move claims."""
    board, me = SlowBoard(position), position.mover
    you, cell, values, key = 1 - me, board.cell(move), reason.values, reason.key.removeprefix("hint.")
    after = board.with_((cell, me))
    kinds, ways = board.kinds(cell, me), after.completing(me)
    fours, threes = kinds.count(FOUR), kinds.count(OPEN_THREE)
    assert not after.completing(you), "somebody else completes a line first"
    if key == "wins_by_fours":
        line = board.named(values["line"])
        assert (line[0], len(line)) == (cell, values["plies"])
        assert_victory(board, me, line)
    elif key in ("makes_open_four", "makes_double_four"):
        assert ways == set(board.named(values["moves"]))
        assert len(ways) > 1
        assert (OPEN_FOUR in kinds) == (key == "makes_open_four")
    elif key in ("makes_four_three", "makes_four"):
        assert fours == 1
        assert (threes > 0) == (key == "makes_four_three")
        assert [*ways] == board.named(values["move"])
    elif key.startswith(("makes_open_three", "makes_double_three")):
        assert (max(kinds) == OPEN_THREE, threes > 1) == (True, key.startswith("makes_double"))
        wins = after.wins_next_but_one(me)
        answers = {answer for answer in after.empty if not after.still_wins(wins, me, answer)}
        assert answers == set(board.named(values["moves"]))
        assert key.endswith("unstopped") == (not answers)
    elif key == "stops_open_three":
        stones = board.named(values["cells"])
        assert all(board.marks[stone] == you for stone in stones)
        lines = [step for step in STEPS if on_one_line(stones, step)]
        before = board.completing(you, lines)
        near = [each for each in board.empty if on_one_line([*stones, each], lines[0])]
        open_fours = {each: board.with_((each, you)).completing(you, lines) - before for each in near}
        threats = {each: found for each, found in open_fours.items() if len(found) > 1}
        assert threats
        assert any(each == cell or len(after.with_((each, you)).completing(you, lines)) < 2 for each in threats)
    elif key == "stops_fours":
        line = board.named(values["line"])
        assert_victory(board, you, line)
        assert not after.forced_win(you, 3)
    else:
        (at,) = board.named(values["move"])
        kind = key.removeprefix("stops_")
        assert is_double(board.kinds(at, you), kind)
        assert at == cell or not is_double(after.kinds(at, you), kind)
