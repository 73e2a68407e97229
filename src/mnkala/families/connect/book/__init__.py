"""Books of Connect: an array over all positions of their plies of which bounds are known and kept in a small
file (`layers`), built and checked by `build`. Where the package `bitbully-databases` is installed, its 12 plies are read
too (`books`).
"""
