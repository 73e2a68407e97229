"""The border of the command line: what help costs, how numbers are read, and that nothing that is
typed ends in a traceback.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cyclopts import App

from mnkala import Limit, Position, parse_engine
from mnkala.cli import run
from mnkala.cli.arguments import read_record
from mnkala.cli.commands import all_commands as listed_commands
from mnkala.cli.commands import command_line, read_value
from mnkala.cli.solve_batch import opened
from mnkala.errors import BadEngine, BadPosition, IllegalMove, MnkalaError
from mnkala.listening import listen
from mnkala.numbers import LARGEST, read_decimal, read_digits, read_whole

MANY_DIGITS = "9" * 5000
"""More than Python's int() takes."""


def refused(*arguments: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A command that ends with the status of bad input and says why."""
    assert run(arguments) == 2
    said = " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert told in said, said


app = command_line()


def all_commands(group: App = app) -> Iterator[App]:
    for name in group:
        if not name.startswith("-"):
            yield from all_commands(group[name])
    if group.default_command is not None:
        yield group


# ---- Help ----


@pytest.mark.parametrize("arguments", [[], ["-h"], ["--help"], ["help"]])
def test_help_loads_no_more_than_it_shows(arguments: list[str]) -> None:
    code = (
        f"import sys; sys.argv[1:] = {arguments!r}; import mnkala.cli\ntry: mnkala.cli.main()\n"
        "finally: print(sorted({name.partition('.')[0] for name in sys.modules} | set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Usage: mnkala COMMAND" in done.stdout
    for module in (
        "numpy",
        "numba",
        "markdown_it",
        "pygments",
        "textual",
        "starlette",
        "asyncio",
        "mnkala.core",
        "mnkala.search",
        "mnkala.cli.play",
    ):
        assert f"'{module}'" not in done.stderr, module


def test_the_front_page_has_the_first_sentence_of_every_command() -> None:
    for name, command in listed_commands().items():
        first = " ".join((app[name].help or "").partition("\n\n")[0].split())
        assert first == command.summary, name


def test_every_command_is_found_where_the_table_says() -> None:
    assert {name for name in app if not name.startswith("-")} == set(listed_commands())
    assert len(list(all_commands())) >= 25


FAMILY_WITH_COMMANDS = '''
"""A game, whose import is never quick."""
raise RuntimeError("nobody needs the rules for a list of commands")
'''


def listed(folder: Path, commands: str, plugins: str = "") -> subprocess.CompletedProcess[str]:
    """`mnkala --help` where a plug-in is installed whose family has commands."""
    package = folder / "oware"
    (package / "data").mkdir(parents=True)
    (package / "__init__.py").write_text(FAMILY_WITH_COMMANDS)
    (package / "data" / "commands.json").write_text(commands)
    if not plugins:
        (folder / "oware-1.0.dist-info").mkdir()
        (folder / "oware-1.0.dist-info" / "entry_points.txt").write_text(
            "[console_scripts]\nx = y:z\n\n[mnkala.games]\noware = oware\n"
        )
    code = "import sys; sys.argv[1:] = ['--help']; import mnkala.cli; mnkala.cli.main()"
    path = (
        os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
        if not plugins
        else os.environ.get("PYTHONPATH", "")
    )
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path, "MNKALA_PLUGINS": plugins},
    )


@pytest.mark.parametrize("plugins", ["", "oware"])
def test_commands_of_a_plug_ins_family_are_listed_without_importing_it(
    plugins: str, tmp_path: Path
) -> None:
    told = listed(
        tmp_path,
        '{"oware": {"where": "oware.commands:oware", "summary": "Houses in a ring."}, '
        '"play": {"where": "oware.commands:oware", "summary": "In place of mnkala\'s own."}}',
        plugins,
    )
    assert "Houses in a ring." in told.stdout
    assert "In place of" not in told.stdout
    assert told.stderr == ""


@pytest.mark.parametrize(
    ("commands", "why"),
    [
        ("{", "JSONDecodeError"),
        ('{"oware": {}}', "KeyError"),
        ("[1]", "TypeError"),
        ('{"--play": {"where": "a:b", "summary": ""}}', "--play"),
    ],
)
def test_a_plug_ins_broken_list_of_commands_costs_a_warning(
    commands: str, why: str, tmp_path: Path
) -> None:
    told = listed(tmp_path, commands)
    assert "Play a game" in told.stdout
    assert "the commands of oware were left out" in told.stderr
    assert why in told.stderr


# ---- Numbers ----


@pytest.mark.parametrize(
    "text", ["0.5", "1_0", "0x10", "1e3", "", " 1", "٣", "ten", "--1", "1.0", "²"]
)
def test_whole_numbers_are_plain_digits(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="not a whole number in plain digits"):
        read_whole(text)
    refused(
        "web",
        f"--port={text}",
        told="is not a whole number in plain digits" if text else "",
        capsys=capsys,
    )


@pytest.mark.parametrize("text", ["1_0", "nan", "inf", "0x1", "", ".", "٣", "1e9999"])
def test_numbers_are_plain_decimals(text: str) -> None:
    with pytest.raises(ValueError, match="not a number in plain digits"):
        read_decimal(text)
    assert (
        read_decimal("-0.5"),
        read_decimal(".5"),
        read_decimal("3."),
        read_decimal(str(1e-05)),
    ) == (-0.5, 0.5, 3.0, 1e-05)


def test_numbers_fit_into_64_bits() -> None:
    assert read_whole("-9223372036854775806") == 1 - LARGEST
    for text in (MANY_DIGITS, "9223372036854775808", "-9223372036854775808"):
        with pytest.raises(ValueError, match="too large"):
            read_whole(text)
    assert (
        read_digits(MANY_DIGITS),
        read_digits("0" * 5000 + "7"),
        read_digits("-7"),
        read_digits("٣"),
    ) == (LARGEST, 7, None, None)


def test_every_parameter_of_every_command_is_read_so() -> None:
    for command in all_commands():
        for argument in command.assemble_argument_collection(
            default_parameter=app.default_parameter
        ):
            assert argument.parameter.converter is read_value, (command.name, argument.name)


@pytest.mark.parametrize(
    "arguments",
    [
        ["analyse", "connect4", "--nodes", "9223372036854775808"],
        ["analyse", "connect4", "--depth", MANY_DIGITS],
        ["review", "connect4", "44", "--nodes", "9223372036854775808"],
        ["class", "grade", ".", "--memory", MANY_DIGITS],
        ["book", "check", "-n", "99999999999999999999"],
        ["analyse", "connect4", "--engine", "mcts:seed=99999999999999999999"],
        ["analyse", "connect4", "--engine", f"deepening:nodes={MANY_DIGITS}"],
    ],
)
def test_a_number_that_no_search_can_count_to_is_refused(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    refused(*arguments, told="is too large; whole numbers are smaller than", capsys=capsys)


def test_limits_and_engines_are_bounded_for_programs_too() -> None:
    with pytest.raises(BadEngine, match="1 to 9223372036854775807"):
        Limit(nodes=2**63)
    for engine in (
        "alphabeta:depth=1_0",
        "deepening:time=1_0",
        "deepening:time=inf",
        "deepening:threads=٢",
        "deepening:candidates=near:²",
    ):
        with pytest.raises(MnkalaError):
            parse_engine(engine).search.check(Position("gomoku").rules)


@pytest.mark.parametrize("game", ["connect4", "connect4:10x11", "kalah", "tictactoe", "gomoku"])
def test_a_move_or_a_literal_of_5000_digits_is_refused_in_a_short_sentence(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(IllegalMove) as error:
        Position(game).rules.parse_move(MANY_DIGITS)
    assert len(str(error.value)) < 200
    rows = getattr(Position(game).rules, "rows", 1)
    for literal in (MANY_DIGITS, "/".join([MANY_DIGITS] * rows)):
        with pytest.raises(BadPosition):
            Position(game, literal=literal)
    assert run(["analyse", game, MANY_DIGITS, "--depth", "1"]) == 2
    assert run(["analyse", game, "--position", MANY_DIGITS, "--depth", "1"]) == 2
    assert len(capsys.readouterr().err) < 1000


# ---- Files ----


def test_a_long_record_may_be_typed_as_one_argument() -> None:
    cells = [f"{column}{row}" for row in range(1, 10) for column in "abcdefghijklmnopqrst"]
    record = read_record((f"mnk:20x20x20 {''.join(cells)} *",))
    assert len(record.position.history) == len(cells) == 180


def test_a_record_in_a_file_with_a_blank_in_its_name_is_still_found(tmp_path: Path) -> None:
    (tmp_path / "my game.txt").write_text("connect4 44352 *\n")
    assert len(read_record((str(tmp_path / "my game.txt"),)).position.history) == 5


@pytest.mark.parametrize(
    "arguments",
    [
        ["lab", "run", "x" * 300 + ".toml"],
        ["lab", "run", "x" * 300],
        ["lab", "new", "x" * 300 + ".toml"],
        ["review", "x" * 5000],
        ["play", "--resume", "x" * 300],
        ["analyse", "connect4", "--batch", "x" * 300],
        ["class", "grade", "x" * 300],
        ["class", "new", "x" * 300],
    ],
)
def test_a_name_that_is_too_long_is_no_file(
    arguments: list[str],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    refused(*arguments, told="xxx", capsys=capsys)


def test_a_study_needs_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("", ".", "mine.txt"):
        refused("lab", "new", name, told="it ends in .toml, such as mine.toml", capsys=capsys)


def test_bytes_that_are_no_text_are_told_so(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refused("lab", "new", "\udcff.toml", told="this is not text in UTF-8", capsys=capsys)


def test_the_answers_of_a_batch_go_into_a_folder_that_is_made_and_never_into_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with opened(tmp_path / "new" / "folder" / "answers.jsonl") as answers:
        answers.write("{}\n")
    (tmp_path / "positions.txt").write_text("44\n")
    refused(
        "solve",
        "connect4",
        "--batch",
        str(tmp_path / "positions.txt"),
        "--out",
        str(tmp_path / "positions.txt" / "answers.jsonl"),
        told="answers.jsonl cannot be written",
        capsys=capsys,
    )


@pytest.mark.parametrize("host", ["", "x" * 300, "a..b", "[::1]"])
def test_what_is_no_address_cannot_be_listened_on(
    host: str, capsys: pytest.CaptureFixture[str]
) -> None:
    refused(
        "web",
        "--no-browser",
        "--port",
        "0",
        "--host",
        host,
        told="cannot listen on" if host else "--host is empty",
        capsys=capsys,
    )
    with pytest.raises(MnkalaError, match="cannot listen on"):
        listen("\udcff", [0])


# ---- Ctrl-C ----

SAVING = """
import signal, sys, time
from mnkala.cli import interrupts
interrupts.PATIENCE_SECONDS = float(sys.argv[2])
interrupts.watch_interrupts()
try:
    print("ready", flush=True)
    time.sleep(600)
except KeyboardInterrupt:
    print("saving", flush=True)
    time.sleep(float(sys.argv[1]))
    print("saved", flush=True)
    sys.exit(130)
"""


@pytest.mark.skipif(os.name == "nt", reason="sends a POSIX signal")
def test_a_second_ctrl_c_at_once_does_not_disturb_what_is_being_saved() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", SAVING, "0.3", "600"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "saving\n"
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, output, errors) == (130, "saved\n", "")


@pytest.mark.skipif(os.name == "nt", reason="sends a POSIX signal")
def test_a_later_ctrl_c_ends_what_does_not_end_by_itself() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", SAVING, "600", "0.1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "saving\n"
    assert process.stderr.readline() == "\n"
    assert (
        process.stderr.readline()
        == "mnkala: still at work in code that cannot be interrupted; press Ctrl-C again to end it at once\n"
    )
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, output) == (130, "")
    assert errors == "\nmnkala: ended without waiting for what was at work\n"


@pytest.mark.skipif(os.name == "nt", reason="sends a POSIX signal")
def test_ctrl_c_in_a_destructor_is_not_lost() -> None:
    code = """
import os, signal, time
from mnkala.cli.interrupts import watch_interrupts

class Dropped:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)

watch_interrupts()
try:
    Dropped()
    time.sleep(600)
except KeyboardInterrupt:
    print("heard")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (done.stdout, done.stderr) == ("heard\n", "")


@pytest.mark.skipif(os.name == "nt", reason="sends a POSIX signal")
def test_ctrl_c_while_the_command_is_loaded_ends_it_without_a_word() -> None:
    code = (
        "import os, signal, sys\n"
        "class Pressed:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        os.kill(os.getpid(), signal.SIGINT) if name == 'mnkala.cli' else None\n"
        "sys.meta_path.insert(0, Pressed())\n"
        "import mnkala.__main__"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")


# ---- Standard streams ----


def in_shell(command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """A command with the redirections of a shell; `mnkala` is ours."""
    line = command.replace("mnkala", f"'{sys.executable}' -m mnkala", 1)
    return subprocess.run(
        ["/bin/sh", "-c", line],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, **variables},
    )


needs_shell = pytest.mark.skipif(os.name == "nt", reason="uses a shell's redirections")


@needs_shell
@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("mnkala games >&-", 0),
        ("mnkala rules kalah <&- >&- 2>&-", 0),
        ("mnkala nonsense <&- 2>&-", 2),
        ("mnkala play connect4 --plain <&-", 0),
        ("mnkala games >/dev/full", 2),
        ("mnkala nonsense 2>/dev/full", 2),
    ],
)
def test_a_closed_or_full_stream_is_no_traceback(command: str, status: int, tmp_path: Path) -> None:
    if "/dev/full" in command and not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    done = in_shell(command, MNKALA_DATA_DIR=str(tmp_path))
    assert done.returncode == status
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="pipes break otherwise there")
@pytest.mark.parametrize("arguments", [["--help"], ["games", "--help"], ["games"]])
def test_a_reader_that_goes_away_is_no_failure(arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "mnkala", *arguments],
        stdout=writing,
        stderr=subprocess.PIPE,
        timeout=120,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@needs_shell
def test_what_an_encoding_does_not_have_is_printed_as_its_number() -> None:
    done = in_shell("mnkala rules kalah --language pt", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\xe1" in done.stdout


@needs_shell
def test_an_input_that_cannot_be_read_is_named_by_its_encoding(tmp_path: Path) -> None:
    done = in_shell(
        "printf '\\303\\244' | mnkala play connect4 --plain",
        PYTHONIOENCODING="ascii",
        MNKALA_DATA_DIR=str(tmp_path),
    )
    assert done.returncode == 2
    assert "mnkala: this is not text in ASCII: " in done.stderr


def test_what_a_command_prints_goes_out_line_by_line_into_a_file(tmp_path: Path) -> None:
    code = "import os, sys; from mnkala.cli import prepare_streams; prepare_streams(); print('at http://localhost/'); os._exit(0)"
    file = tmp_path / "log"
    with file.open("w") as out:
        subprocess.run(
            [sys.executable, "-c", code],
            stdout=out,
            timeout=120,
            env={key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"},
        )
    assert file.read_text() == "at http://localhost/\n"
