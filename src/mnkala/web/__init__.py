"""The web page and its server: play, analysis, review, and the tree of a search, for people in a
browser and for programs.
"""
