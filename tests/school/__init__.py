"""Reference solutions of the exercise sheet, for the tests only: not shipped, and not beside the
students' templates.
"""
