"""Doors to packages of others: our games and engines inside PettingZoo and OpenSpiel.

Each module needs the package that it is named after, and says how to get it. The other direction, bots and agents of others as players
here, is `mnkala.programs`. Packages that play the games of one family alone are with the family, in both directions: Kaggle's ConnectX is
`mnkala.families.connect.kaggle`.
"""
