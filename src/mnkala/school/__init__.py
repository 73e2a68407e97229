"""For teachers: students' own searches and heuristics, each in a process of its own, tested, placed on a ladder and explained."""
