"""Exact solvers: scores that are proved, not guessed.

`solver` is the contract, `connect` and `kalah` the solvers of these families, `small_lines` that of small (m,n,k)-games,
`full_search` the one for any small game; `oracle` asks them.
`solve_many` labels whole data sets. """

from mnkala.solve.book.family import register_books
from mnkala.solve.common.many import solve_many
from mnkala.solve.connect.book.books import ConnectBooks
from mnkala.solve.connect.solver import ConnectSolver
from mnkala.solve.full_search import FullSearch
from mnkala.solve.kalah.book.books import KalahBooks
from mnkala.solve.kalah.solver import KalahSolver
from mnkala.solve.oracle import Exact, MoveProof, prove
from mnkala.solve.small_lines import SmallLinesSolver
from mnkala.solve.solution import Solution
from mnkala.solve.solver import Cost, NoSolver, Solver, find_solver, register_solver, solver_for

__all__ = ["ConnectSolver", "Cost", "Exact", "FullSearch", "KalahSolver", "MoveProof", "NoSolver", "SmallLinesSolver",
           "Solution", "Solver", "find_solver", "prove", "register_solver", "solve_many", "solver_for"]

register_books(ConnectBooks())
register_books(KalahBooks())
