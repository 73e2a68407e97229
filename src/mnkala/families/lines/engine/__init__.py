"""The engine of (m,n,k)-games and Gomoku: patterns on lines, threats, victories by fours, and a search over them.

From the bottom up: `patterns` says what a mark makes on one line, `combinations` what that means on four, `board` keeps both in step with
the moves, `fours` finds victories in which every answer is forced, `candidates` and `search` do the rest, and `engine` is what others call.
"""
