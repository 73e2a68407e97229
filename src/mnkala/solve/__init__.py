"""Exact solvers: scores that are proved, not guessed.

`ConnectSolver` solves Connect on boards of at most 64 bits; `solve_many` labels whole data sets.
"""

from mnkala.solve.connect.many import solve_many
from mnkala.solve.connect.shape import solvable
from mnkala.solve.connect.solver import ConnectSolver, Solution, plies_to_end, prepare

__all__ = ["ConnectSolver", "Solution", "plies_to_end", "prepare", "solvable", "solve_many"]
