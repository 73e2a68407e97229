"""What the solvers of Connect and Kalah share: a table of bounds, threads that share it, and the Python side of both.

Each of these solvers answers one question, "is the score above x?", by a search with a window of no width.
"""
