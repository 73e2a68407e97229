"""The engine of (m,n,k)-games and Gomoku: patterns on lines, threats, victories by fours, and a
search over them.

From the bottom up: `patterns` describes what a mark makes on one line and on the four lines through
a cell, `board` updates both with each move, `vcf` and `vct` find victories in which every answer is
forced, `candidates` and `search` do the rest, and `threat_search` is the engine that others call.
"""
