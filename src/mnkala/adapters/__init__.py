"""Adapters to other packages: mnkala's games and engines inside PettingZoo and OpenSpiel.

Each module needs the package that it is named after and says how to install it. The other
direction, external bots and agents as players, is in `mnkala.programs`. Adapters to packages that
play the games of one family only are part of the family, in both directions: Kaggle's ConnectX is
`mnkala.families.connect.kaggle`.
"""
