"""The terminal: a game on the full screen, or in plain lines for people and for pipes. Importing
the package loads nothing.
"""
