"""Exact solvers: scores that are proved, not estimated.

`solver` is the contract, which families of games implement for their own games; `full_search`
solves any small game; `oracle` asks them.
"""

from mnkala.solve.books import Book, open_book
from mnkala.solve.counting import PositionCount, count_positions
from mnkala.solve.full_search import FullSearch
from mnkala.solve.oracle import Exact, prove
from mnkala.solve.solver import (
    Cost,
    NoSolver,
    Solver,
    Step,
    find_solver,
    register_solver,
    solver_for,
)
from mnkala.solve.table_solver import solve_many

__all__ = [
    "Book",
    "Cost",
    "Exact",
    "FullSearch",
    "NoSolver",
    "PositionCount",
    "Solver",
    "Step",
    "count_positions",
    "find_solver",
    "open_book",
    "prove",
    "register_solver",
    "solve_many",
    "solver_for",
]
