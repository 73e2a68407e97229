"""Kalah solved: the exact margin of any position within reach, under both rules of capture, for any
number of houses.
"""
