"""The runner: nothing is lost, nothing is counted twice, whatever dies."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from mnkala.errors import MnkalaError
from mnkala.jobs import Job, Outcome, PlainProgress, Progress, Store, run_jobs
from mnkala.jobs.run import in_words
from mnkala.jobs.store import BadJob, BadStore
from tests.processes import is_running, needs_proc
from tests.waiting import wait_until

TOY = '''
import os, pathlib, random, signal, time
from mnkala.errors import MnkalaError

def work(number, seed, pause=0.0, log=None):
    """A result that depends on its seed; `log` counts the calls."""
    if log:
        with open(log, "a") as file:
            file.write(f"{number}\\n")
    time.sleep(pause)
    print("a print must not disturb the talk between worker and parent")
    return {"square": number * number, "drawn": random.Random(seed).random(), "pid": None}

def pid(pause):
    time.sleep(pause)
    return os.getpid()

def refuse(number):
    raise MnkalaError(f"{number} is refused")

def break_down():
    return {}["nothing"]

def leave():
    raise SystemExit(3)

def not_json():
    return {"value": float("nan")}

def from_numpy():
    import numpy
    return {"count": numpy.int64(3), "list": numpy.arange(2)}

def die_once(marker):
    """Kills its worker the first time."""
    path = pathlib.Path(marker)
    if not path.exists():
        path.write_text(str(os.getpid()))
        os.kill(os.getpid(), signal.SIGKILL) if hasattr(signal, "SIGKILL") else os._exit(9)
    return "alive"

def clean_up(folder):
    """Goes on for ever; leaves a note when it is interrupted."""
    pathlib.Path(folder, "begun").touch()
    try:
        while True:
            time.sleep(0.01)
    finally:
        pathlib.Path(folder, "cleaned up").touch()

def see_begun(folder):
    while not pathlib.Path(folder, "begun").exists():
        time.sleep(0.01)

def die_always():
    os._exit(7)
'''
SCRIPT = """
import sys
sys.path.insert(0, {folder!r})
from mnkala.jobs import Job, PlainProgress, Store, run_jobs
jobs = [Job(f"job {{n}}", "toy:work", {{"number": n, "seed": n, "pause": 0.1, "log": {log!r}}}) for n in range({count})]
with Store({store!r}) as store:
    run_jobs(jobs, store, workers=2, progress=PlainProgress("toy", period=0))
"""


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "toy.py").write_text(TOY)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def squares(count: int, **more: object) -> list[Job]:
    return [
        Job(f"job {number}", "toy:work", {"number": number, "seed": number, **more})
        for number in range(count)
    ]


def rows(path: Path) -> dict[str, object]:
    with Store(path) as store:
        return {
            outcome.key: outcome.value if not outcome.failed else outcome.error
            for outcome in store.all()
        }


def start_script(folder: Path, count: int) -> tuple[subprocess.Popen[str], Path, Path]:
    """The same work in a program of its own, that can be killed."""
    store, log = folder / "killed.sqlite", folder / "log.txt"
    script = SCRIPT.format(folder=str(folder), store=str(store), log=str(log), count=count)
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        start_new_session=True,
    )
    return process, store, log


def wait_for_rows(store: Path, least: int) -> None:
    def there() -> bool:
        with (
            contextlib.suppress(sqlite3.Error),
            contextlib.closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as base,
        ):
            return bool(base.execute("SELECT COUNT(*) FROM jobs").fetchone()[0] >= least)
        return False

    wait_until(there, f"{least} rows")


def test_one_process_many_processes_and_the_callers_own_give_the_same_results(toy: Path) -> None:
    for name, workers in (("own", 0), ("one", 1), ("many", 3)):
        with Store(toy / name) as store:
            summary = run_jobs(squares(12), store, workers=workers)
        assert (summary.total, summary.done, summary.failed) == (12, 12, 0)
    assert rows(toy / "own") == rows(toy / "one") == rows(toy / "many")
    assert rows(toy / "own")["job 3"] == {
        "square": 9,
        "drawn": pytest.approx(0.23796462709189137),
        "pid": None,
    }


def test_a_dask_cluster_gives_the_same_results_as_one_process_and_its_loss_costs_no_result(
    toy: Path,
) -> None:
    if importlib.util.find_spec("distributed") is None:
        pytest.skip("the cluster test needs the package distributed, which is not installed")
    script = (
        "import sys, warnings; warnings.simplefilter('ignore')\n"
        f"sys.path.insert(0, {str(toy)!r})\n"
        "from mnkala.errors import MnkalaError\n"
        "from mnkala.jobs import *\n"
        "if __name__ == '__main__':\n"
        "    from distributed import LocalCluster\n"
        "    jobs = [Job(f'job {n}', 'toy:work', {'number': n, 'seed': n}) for n in range(12)]\n"
        "    jobs += [Job('refused', 'toy:refuse', {'number': 5})]\n"
        "    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:\n"
        f"        with Store({str(toy / 'cluster')!r}) as store:\n"
        "            print(run_jobs(jobs, store, cluster=cluster.scheduler_address))\n"
        "            print(run_jobs(jobs, store, cluster=cluster.scheduler_address))\n"
        f"        with Store({str(toy / 'lost')!r}) as store:\n"
        "            class Closing(Progress):\n"
        "                def done(self, outcome): cluster.close()\n"
        "            try: run_jobs(jobs, store, cluster=cluster.scheduler_address, progress=Closing())\n"
        "            except MnkalaError as error: print('told:', error)\n"
    )
    program = toy / "on_cluster.py"
    program.write_text(script)
    done = subprocess.run(
        [sys.executable, str(program)],
        capture_output=True,
        text=True,
        timeout=100,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(toy), *sys.path])},
    )
    assert done.returncode == 0, done.stderr
    assert "done=13, failed=1" in done.stdout
    assert "kept=13, done=0" in done.stdout
    assert "told: the Dask scheduler at tcp://127.0.0.1" in done.stdout
    assert "was lost; what came back is kept" in done.stdout
    assert 1 <= len(rows(toy / "lost")) < 13
    with Store(toy / "own") as store:
        run_jobs([*squares(12), Job("refused", "toy:refuse", {"number": 5})], store, workers=0)
    assert rows(toy / "cluster") == rows(toy / "own")


@pytest.mark.parametrize("address", ["nonsense", "tcp://here", "tcp://a b:3", ""])
def test_what_is_no_address_of_a_cluster_is_refused_at_once(toy: Path, address: str) -> None:
    pytest.importorskip("distributed")
    with (
        Store(toy / "none.sqlite") as store,
        pytest.raises(
            MnkalaError, match=r"is no address of a Dask scheduler; it reads tcp://HOST:PORT"
        ),
    ):
        run_jobs([Job("a", "math:sqrt", {})], store, cluster=address)


def test_a_cluster_that_does_not_answer_is_told_in_words(
    toy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("mnkala.jobs.pool.PATIENCE", 1)
    with (
        Store(toy / "s") as store,
        pytest.raises(MnkalaError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"),
    ):
        run_jobs(squares(1), store, cluster="tcp://127.0.0.1:9")


def test_what_is_in_the_store_is_not_done_again_and_equal_keys_are_done_once(toy: Path) -> None:
    log = toy / "log.txt"
    jobs = squares(6, log=str(log))
    with Store(toy / "s") as store:
        first = run_jobs([*jobs[:4], *jobs[:4]], store, workers=2)
        second = run_jobs(jobs, store, workers=2)
        third = run_jobs(jobs, store, workers=2)
    assert (first.total, first.done) == (4, 4)
    assert (second.kept, second.done) == (4, 2)
    assert (third.kept, third.done) == (6, 0)
    assert sorted(log.read_text().split()) == [str(number) for number in range(6)]


def test_a_failed_job_is_kept_with_its_reason_and_stops_nothing(toy: Path) -> None:
    jobs = [
        Job("refused", "toy:refuse", {"number": 5}),
        Job("broken", "toy:break_down", {}),
        Job("left", "toy:leave", {}),
        Job("not json", "toy:not_json", {}),
        Job("nowhere", "toy:nothing", {}),
        Job("numpy", "toy:from_numpy", {}),
        *squares(3),
    ]
    with Store(toy / "s") as store:
        summary = run_jobs(jobs, store, workers=2)
        assert (summary.done, summary.failed) == (9, 5)
        again = run_jobs(jobs, store, workers=2)
        assert (again.done, again.kept, again.old_failures) == (0, 9, 5)
        assert run_jobs(jobs, store, workers=2, retry=True).done == 5
    found = rows(toy / "s")
    assert found["refused"] == "5 is refused"
    assert str(found["broken"]).startswith("KeyError: 'nothing' (toy.py, line ")
    assert str(found["left"]).startswith("SystemExit: 3")
    assert "not JSON" in str(found["not json"])
    assert "there is no function toy:nothing" in str(found["nowhere"])
    assert found["numpy"] == {"count": 3, "list": [0, 1]}
    assert found["job 2"]["square"] == 4  # type: ignore[index]


def test_a_retry_that_works_replaces_the_failure_and_a_result_is_never_replaced(toy: Path) -> None:
    job = Job("key", "toy:refuse", {"number": 1})
    with Store(toy / "s") as store:
        run_jobs([job], store, workers=0)
        assert store.add(job, Outcome("key", "1", None, 0.0, "here"))
        assert not store.add(job, Outcome("key", "2", None, 0.0, "there"))
        assert not store.add(job, Outcome("key", None, "an error", 0.0, "there"))
        assert store.outcomes(["key"])["key"].value == 1


def test_a_worker_that_dies_is_replaced_and_its_job_done_once(toy: Path) -> None:
    jobs = [
        *squares(4),
        Job("dies once", "toy:die_once", {"marker": str(toy / "marker")}),
        *squares(8)[4:],
    ]
    with Store(toy / "s") as store:
        summary = run_jobs(jobs, store, workers=2)
    assert (summary.done, summary.failed, summary.replaced) == (9, 0, 1)
    found = rows(toy / "s")
    assert found["dies once"] == "alive"
    assert len(found) == 9


@pytest.mark.skipif(os.name == "nt", reason="kills by signal")
def test_a_worker_killed_from_outside_is_replaced(toy: Path) -> None:
    class Killer(Progress):
        killed = 0

        def done(self, outcome: Outcome) -> None:
            if not self.killed:
                self.killed = outcome.value
                os.kill(self.killed, signal.SIGKILL)

    killer = Killer()
    with Store(toy / "s") as store:
        summary = run_jobs(
            [Job(f"job {number}", "toy:pid", {"pause": 0.1}) for number in range(8)],
            store,
            workers=2,
            progress=killer,
        )
    assert (summary.done, summary.failed, summary.replaced) == (8, 0, 1)
    workers = list(rows(toy / "s").values())
    assert workers.count(killer.killed) == 1
    assert len(set(workers)) == 3


def test_a_job_that_kills_two_workers_has_failed_and_the_others_are_done(toy: Path) -> None:
    with Store(toy / "s") as store:
        summary = run_jobs([Job("deadly", "toy:die_always", {}), *squares(4)], store, workers=2)
    assert (summary.done, summary.failed, summary.replaced) == (5, 1, 2)
    assert (
        rows(toy / "s")["deadly"]
        == "left alone until it is asked for again: its worker died 2 times, the last time with exit status 7"
    )


@needs_proc
def test_after_sigkill_of_the_parent_a_second_run_gives_the_same_rows_and_repeats_nothing_that_was_kept(
    toy: Path,
) -> None:
    from mnkala.jobs.supervisor import descendants

    count = 100
    process, path, log = start_script(toy, count)
    wait_for_rows(path, 4)
    workers = descendants(process.pid)
    process.kill()
    process.wait()
    kept = rows(path)
    assert 4 <= len(kept) < count
    wait_until(lambda: not any(is_running(worker) for worker in workers), "the workers have ended")
    assert len(log.read_text().split()) < count, "orphaned workers go on working"
    with Store(path) as store:
        summary = run_jobs(squares(count, log=str(log)), store, workers=2)
    assert summary.kept == len(kept)
    assert summary.done == count - len(kept)
    with Store(toy / "whole") as store:
        run_jobs(squares(count), store, workers=2)
    assert rows(path) == rows(toy / "whole")
    assert all(rows(path)[key] == value for key, value in kept.items())
    calls = log.read_text().split()
    assert all(calls.count(key.removeprefix("job ")) == 1 for key in kept)


@needs_proc
def test_ctrl_c_keeps_what_is_done_and_leaves_no_worker(toy: Path) -> None:
    from mnkala.jobs.supervisor import descendants

    process, path, _ = start_script(toy, 200)
    wait_for_rows(path, 3)
    workers = descendants(process.pid)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert "KeyboardInterrupt" in errors
    assert 3 <= len(rows(path)) < 200
    assert len(workers) == 4, "two, and their supervisors"
    assert not any(is_running(worker) for worker in workers)


def test_a_job_that_is_interrupted_can_end_what_it_has_started(toy: Path) -> None:
    class Leaving(Progress):
        def done(self, outcome: Outcome) -> None:
            raise KeyboardInterrupt

    jobs = [Job(name, f"toy:{name}", {"folder": str(toy)}) for name in ("clean_up", "see_begun")]
    with Store(toy / "kept") as store, pytest.raises(KeyboardInterrupt):
        run_jobs(jobs, store, workers=2, progress=Leaving())
    assert (toy / "cleaned up").exists()
    assert set(rows(toy / "kept")) == {"see_begun"}


def test_progress_tells_done_total_and_time_left(
    toy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Store(toy / "s") as store:
        run_jobs(squares(2), store, workers=0, progress=PlainProgress("first"))
        run_jobs(squares(5), store, workers=0, progress=PlainProgress("second", period=0))
    told = capsys.readouterr().err.splitlines()
    assert told[0] == "first: 2 jobs"
    assert "second: 5 jobs, 2 already done" in told
    assert any(
        line.startswith("second: 4 of 5 done, about ") and line.endswith(" left") for line in told
    )
    assert told[-1].startswith("second: 5 of 5 done, in ")
    assert [in_words(seconds) for seconds in (3.21, 61, 600, 7500)] == [
        "3.2 s",
        "61 s",
        "10 min",
        "2 h 5 min",
    ]


def test_a_store_says_what_is_wrong_with_it(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("this is no database, but it is long enough to look at" * 20)
    with pytest.raises(BadStore, match=r"cannot use .*text for results"):
        Store(tmp_path / "text")
    newer = sqlite3.connect(tmp_path / "newer")
    newer.execute("PRAGMA user_version = 99")
    newer.close()
    with pytest.raises(BadStore, match="newer mnkala"):
        Store(tmp_path / "newer")


def test_a_file_of_the_first_format_is_taken_over_and_its_rows_say_nothing_of_their_code(
    tmp_path: Path,
) -> None:
    older = sqlite3.connect(tmp_path / "older")
    older.execute(
        "CREATE TABLE jobs (key TEXT PRIMARY KEY, function TEXT NOT NULL, arguments TEXT NOT NULL, result TEXT, error TEXT,"
        " seconds REAL NOT NULL, machine TEXT NOT NULL, finished TEXT NOT NULL) WITHOUT ROWID"
    )
    older.execute("INSERT INTO jobs VALUES ('old', 'toy:square', '{}', '1', NULL, 0, 'here', '')")
    older.execute("PRAGMA user_version = 1")
    older.commit()
    older.close()
    for _ in range(2):
        with Store(tmp_path / "older") as store:
            store.add(
                Job("new", "toy:square", {}, "abc 123"), Outcome("new", "2", None, 0.0, "here")
            )
            assert {outcome.key: (outcome.value, outcome.code) for outcome in store.all()} == {
                "old": (1, ""),
                "new": (2, "abc 123"),
            }


def test_jobs_must_be_json_and_name_a_function() -> None:
    with pytest.raises(BadJob, match="module:name"):
        Job("key", "function", {})
    with pytest.raises(BadJob, match="not JSON"):
        Job("key", "module:function", {"value": object()})


def test_a_row_tells_arguments_seconds_and_machine(toy: Path) -> None:
    with Store(toy / "s") as store:
        run_jobs(squares(1, pause=0.05), store, workers=1)
    base = sqlite3.connect(toy / "s")
    arguments, seconds, machine = base.execute(
        "SELECT arguments, seconds, machine FROM jobs"
    ).fetchone()
    base.close()
    assert json.loads(arguments) == {"number": 0, "seed": 0, "pause": 0.05}
    assert seconds >= 0.05
    assert "cores" in machine
    assert "mnkala" in machine
