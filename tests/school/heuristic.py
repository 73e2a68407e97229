"""A decent heuristic: open lines in Connect, stores and seeds in Kalah."""

from mnkala import Position


def heuristic(position: Position) -> float:
    literal = position.literal or ""
    if literal.startswith("<"):
        numbers = [int(number) for number in literal.strip("<>o").split(",")]
        houses = numbers[0]
        return (
            numbers[1]
            - numbers[2]
            + 0.2 * (sum(numbers[3 : 3 + houses]) - sum(numbers[3 + houses :]))
        )
    rows = literal.split("/")
    own = "xo"[position.mover]
    total = 0
    for row in range(len(rows)):
        for column in range(len(rows[0])):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if row + 3 * down < len(rows) and 0 <= column + 3 * right < len(rows[0]):
                    window = [rows[row + i * down][column + i * right] for i in range(4)]
                    marks = set(window) - {"."}
                    if len(marks) == 1:
                        mark = marks.pop()
                        total += 10 ** (window.count(mark) - 1) * (1 if mark == own else -1)
    return total
