"""An agent of Kaggle's ConnectX as people write them, and as a player here: it wins if it can,
stops what would lose, and likes the centre.

mnkala match connect4 kaggle:kaggle_simple.py random --games 20      (in this folder)
"""


def drop(board, column, mark, configuration):
    """The board with one more disc."""
    board = list(board)
    row = max(
        row for row in range(configuration.rows) if board[row * configuration.columns + column] == 0
    )
    board[row * configuration.columns + column] = mark
    return board


def has_line(board, mark, configuration):
    """Whether there is a line of discs with this mark."""
    rows, columns, line = configuration.rows, configuration.columns, configuration.inarow
    for row in range(rows):
        for column in range(columns):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + i * down, column + i * right) for i in range(line)]
                if all(
                    0 <= r < rows and 0 <= c < columns and board[r * columns + c] == mark
                    for r, c in cells
                ):
                    return True
    return False


def agent(observation, configuration):
    """The column to play, counted from 0."""
    free = [column for column in range(configuration.columns) if observation.board[column] == 0]
    for mark in (observation.mark, 3 - observation.mark):
        for column in free:
            if has_line(drop(observation.board, column, mark, configuration), mark, configuration):
                return column
    return min(free, key=lambda column: abs(column - configuration.columns // 2))
