"""Doors to packages of others: our games and engines inside PettingZoo, OpenSpiel and Kaggle's ConnectX.

Each module needs the package that it is named after, and says how to get it. The other direction, bots and agents of others as players
here, is `mnkala.programs`.
"""
