"""The process that compiles in the background, so that neither a page nor a game waits: `python -m
mnkala.play.compile_process`.

It runs at low priority and is told on standard input, a JSON line each, what is wanted next:
{"game": …, "engine": …}. With the argument `everything` it works through the whole plan of `warmup`
as well, the most likely first, and without it through what plug-ins bring. What is wanted comes
before that, and `skip:COMBINATION` leaves one out. On standard output it tells, a JSON line each,
how much there is to do ({"total": …, "done": …}), what it begins ({"begins": kernel_key, "label":
…}) and what it has finished ({"ends": kernel_key, "seconds": …, "problem": …}, with the reason, in
words, if it cannot be compiled). It ends when nothing is left to do, or when its standard input is
closed: whoever started it is gone.
"""

from __future__ import annotations

import contextlib
import sys
import time

from mnkala.jobs.parent import Parent

EVERYTHING, SKIP = "everything", "skip:"
"""The arguments that ask for the whole plan, and that leave a combination out."""
NICENESS = 5


def main() -> None:
    """Compile until nothing is left to do."""
    parent, arguments = Parent(NICENESS), sys.argv[1:]
    requests = parent.follow()
    from mnkala.core import parse_game
    from mnkala.core.plugins import failure
    from mnkala.errors import MnkalaError
    from mnkala.play.warmup import CompileStep, plugin_steps, step_for, warmup_steps
    from mnkala.search import parse_engine

    def tell(**message: object) -> None:
        parent.tell(message)

    def wanted() -> CompileStep | None:
        """The next valid request; an invalid one is refused where it has to be answered."""
        while not requests.empty():
            request = requests.get()
            with contextlib.suppress(MnkalaError):
                return step_for(parse_engine(request["engine"]).search, parse_game(request["game"]))
        return None

    plan = warmup_steps(everything=True) if EVERYTHING in arguments else plugin_steps()
    left = [step for step in plan if not step.is_done and SKIP + step.kernel_key not in arguments]
    tell(total=len(plan), done=len(plan) - len(left))
    while (step := wanted() or (left.pop(0) if left else None)) is not None:
        if step.is_done:
            tell(ends=step.kernel_key, seconds=0.0, problem="")
            continue
        tell(begins=step.kernel_key, label=step.label)
        started = time.perf_counter()
        problem = ""
        try:
            step.compile()
        except (
            Exception
        ) as error:  # A plug-in may raise anything, and it is reported to whoever waits.
            problem = str(failure(error))
        tell(ends=step.kernel_key, seconds=time.perf_counter() - started, problem=problem)
