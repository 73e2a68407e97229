"""For teachers: students' own searches and heuristics, each run in a process of its own, tested,
ranked on a ladder and given feedback."""
