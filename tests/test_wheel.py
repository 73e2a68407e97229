"""The built wheel, installed into an empty environment, plays a game. Also: the README's commands exist."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import httpx
import pytest

ROOT = Path(__file__).resolve().parent.parent


def run(*command: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | variables
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=600, env=environment)


def test_the_wheel_alone_plays_a_game(tmp_path: Path) -> None:
    built = run(sys.executable, "-m", "build", "--wheel", "--outdir", tmp_path, ROOT)
    if built.returncode != 0 and "No matching distribution" in built.stdout + built.stderr:
        pytest.skip("the build tools cannot be downloaded here")
    assert built.returncode == 0, built.stdout + built.stderr
    (wheel,) = tmp_path.glob("mnkala-*.whl")
    venv.create(tmp_path / "empty", with_pip=True)
    scripts = tmp_path / "empty" / ("Scripts" if os.name == "nt" else "bin")
    installed = run(scripts / "python", "-m", "pip", "install", "--quiet", "--constraint", ROOT / "constraints.txt", wheel)
    assert installed.returncode == 0, installed.stderr
    played = run(scripts / "mnkala", "play", "connect4", "--first", "alphabeta:depth=3", "--second", "random:seed=2",
                 MNKALA_CACHE_DIR=str(tmp_path / "cache"))
    assert played.returncode == 0, played.stderr
    assert "x (alphabeta:depth=3) wins." in played.stdout
    assert page_of(scripts / "mnkala", tmp_path).startswith("<!doctype html>")


def page_of(program: Path, folder: Path) -> str:
    """The page and its words as the installed program serves them."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"MNKALA_DATA_DIR": str(folder), "PYTHONUNBUFFERED": "1"}
    server = subprocess.Popen([str(program), "web", "--no-browser", "--no-compile-ahead", "--port", "0"], stdout=subprocess.PIPE, text=True, env=environment)
    try:
        assert server.stdout is not None
        address = "http://" + server.stdout.readline().split("http://")[1].split("/")[0]
        assert "play.hint" in httpx.get(f"{address}/api/v1/words/it").json()
        assert httpx.get(f"{address}/app.js").status_code == 200
        return httpx.get(address).text.lower()
    finally:
        server.terminate()
        server.communicate(timeout=120)
