"""Opening books of Connect: bounds of all positions up to a certain number of plies, kept in a
small file (`layers`) that `build` makes and checks.

If the package `bitbully-databases` is installed, its book of 12 plies is read too (`books`).
"""
