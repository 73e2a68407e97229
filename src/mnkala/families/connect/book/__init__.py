"""Opening books of Connect: an array over all positions with a certain number of plies. Their
bounds are kept in a small file (`layers`), which `build` makes and checks.

If the package `bitbully-databases` is installed, its book of 12 plies is read too (`books`).
"""
