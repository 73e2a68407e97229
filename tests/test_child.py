"""A child is heard with a time limit, held to its limits, and ended with all that it started."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from mnkala.jobs.child import Child, Errors, NoLine
from tests.processes import needs_proc
from tests.waiting import wait_until

ECHO = "import sys\nfor line in sys.stdin: print(line.strip()[::-1], flush=True)\n"
AGES = "import time; time.sleep(1000)"
PARENT = "from mnkala.jobs.parent import Parent\nparent = Parent()\n"
children: list[Child] = []


def child(
    program: str, *, errors: Errors = "dropped", most: float = 1 << 20, memory: int = 0
) -> Child:
    children.append(
        Child(
            [sys.executable, "-c", program],
            errors=errors,
            most=most,
            memory=memory,
            environment={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
    )
    return children[-1]


@pytest.fixture(autouse=True)
def ended() -> Iterator[None]:
    yield
    while children:
        children.pop().end()


def reason_of(program: Child, seconds: float = 60.0) -> tuple[str, str, int]:
    with pytest.raises(NoLine) as refused:
        program.line(seconds)
    return refused.value.reason, str(refused.value), refused.value.status


def test_lines_go_in_and_come_out() -> None:
    program = child(ECHO)
    program.send("abc", "def")
    assert [program.line(60.0), program.line(60.0)] == ["cba", "fed"]


def test_a_line_ends_as_on_any_system_and_empty_ones_are_left_out() -> None:
    program = child(r"import os; os.write(1, b'a\rb\r\n\n  \nc\nd')")
    assert [program.line(60.0) for _ in range(4)] == ["a", "b", "c", "d"]


def test_a_child_that_says_nothing_holds_nobody_up() -> None:
    assert reason_of(child(AGES), 0.1) == ("silent", "gave no answer in its time", 0)


def test_a_child_that_does_not_listen_holds_nobody_up() -> None:
    program = child(AGES)
    program.send("x" * (1 << 22))
    assert program.end() < 0


def test_a_wait_ends_when_nobody_wants_the_line_any_more() -> None:
    leaving = threading.Event()
    threading.Timer(0.1, leaving.set).start()
    assert child(AGES).line(60.0, lambda: not leaving.is_set()) is None


@pytest.mark.parametrize("text", ["x", "x\\n"])
def test_a_flood_is_not_kept(text: str) -> None:
    program = child(f"import sys\nwhile True: sys.stdout.write('{text}' * 1000)", most=10_000)
    wait_until(lambda: program._flooded, "there was too much")
    assert reason_of(program) == ("flooded", "writes without end", 0)
    assert program._written < 200_000


def test_a_child_that_has_ended_says_how_to_everyone_who_asks() -> None:
    program = child("print('last'); raise SystemExit(7)")
    assert program.line(60.0) == "last"
    assert reason_of(program) == reason_of(program) == ("ended", "has ended (status 7)", 7)
    assert not program.is_running


@needs_proc
def test_a_child_that_holds_too_much_memory_is_ended() -> None:
    program = child(
        "held = [bytes([1]) * (1 << 20) for _ in range(200)]\n" + AGES, memory=100 << 20
    )
    assert reason_of(program)[:2] == ("greedy", "holds more than 100 megabytes")


def test_what_goes_to_standard_error_is_counted_and_its_beginning_kept() -> None:
    program = child("import sys; sys.stderr.write('begins' + 'x' * 100_000)", errors="counted")
    assert reason_of(program)[0] == "ended"
    assert program.error_bytes == 100_006
    assert program.errors.startswith(b"beginsx")
    assert len(program.errors) < 10_000


def test_a_child_may_leave_by_itself_when_nothing_more_is_said() -> None:
    program = child(ECHO)
    program.close_input()
    assert program.end(60.0) == 0


def test_messages_are_heard_until_the_child_breaks_off_in_the_middle_of_one() -> None:
    program = child(
        PARENT
        + "print('no message')\nparent.tell({'a': [1, None]})\nparent.tell(2)\nimport os; os.write(parent._answers, b'{\"brok')"
    )
    assert [*program.messages()] == [{"a": [1, None]}, 2]


def test_a_module_of_ours_hears_messages_and_what_it_prints_is_none() -> None:
    program = child(
        PARENT
        + "for message in parent.messages():\n    print('thinking')\n    parent.tell(message + 1)\n"
    )
    for number in (1, 2):
        program.tell(number)
        assert program.message(60.0) == number + 1


def test_a_busy_child_ends_with_its_parent_and_may_put_things_right_before() -> None:
    busy = "import os, time\njobs = parent.follow(60.0)\ntry:\n    parent.tell(jobs.get())\n    while True: time.sleep(0.01)\nfinally:\n    parent.tell('tidied')\n    os._exit(5)\n"
    program = child(PARENT + busy)
    program.tell("begin")
    assert program.message(60.0) == "begin"
    started = time.monotonic()
    program.close_input()
    assert program.message(60.0) == "tidied"
    assert program.end(60.0) == 5
    assert time.monotonic() - started < 30
