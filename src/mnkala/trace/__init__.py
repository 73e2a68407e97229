"""See a search think: the tree that minimax, alpha-beta or Monte-Carlo search walks, step by step,
from the code that really runs.
"""

from mnkala.trace.files import FORMATS, export
from mnkala.trace.model import Choice, Count, Diagram, Node, Proof, Trace, TraceStep
from mnkala.trace.watch import MOST_DEPTH, MOST_ITERATIONS, MOST_NODES, check_trace, trace

__all__ = [
    "FORMATS",
    "MOST_DEPTH",
    "MOST_ITERATIONS",
    "MOST_NODES",
    "Choice",
    "Count",
    "Diagram",
    "Node",
    "Proof",
    "Trace",
    "TraceStep",
    "check_trace",
    "export",
    "trace",
]
