"""Pictures of games as files: readable, of bounded size, for every style of board."""

from __future__ import annotations

import io
import random
from typing import Any

import pytest
from PIL import Image, ImageChops

from mnkala.core import Position, Record
from mnkala.core.picture import SVG_COLOURS
from mnkala.errors import MnkalaError
from mnkala.play import export
from mnkala.play.export import LARGEST_GIF, LARGEST_PNG, MOST_FRAMES, Raster, picture_bytes, render

GAMES = {
    "drop": ("connect4", "4435261"),
    "squares": ("tictactoe", "b2a1c1a3"),
    "stones": ("gomoku", "h8h9i9g7j10"),
    "houses": ("kalah", "361254"),
}


def opened(data: bytes) -> Any:
    return Image.open(io.BytesIO(data))


def rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


@pytest.mark.parametrize("style", GAMES)
def test_a_png_shows_both_players_colours(style: str) -> None:
    game, moves = GAMES[style]
    data, media, name = picture_bytes(Position(game).play(moves), "png")
    picture = opened(data).convert("RGB")
    assert (media, name) == ("image/png", f"mnkala-{game}.png")
    colours = {colour for _, colour in picture.getcolors(1 << 24) or []}
    assert {rgb(colour) for colour in SVG_COLOURS[1:]} <= colours
    assert max(picture.size) <= LARGEST_PNG


def test_a_disc_lies_where_it_fell() -> None:
    picture = opened(picture_bytes(Position("connect4").play("1"), "png")[0]).convert("RGB")
    cell = picture.width // 7
    corner = picture.crop((0, picture.height - 2 * cell, cell, picture.height))
    elsewhere = picture.crop((cell * 5 // 4, 0, picture.width, picture.height))
    disc = rgb(SVG_COLOURS[1])
    assert disc in {colour for _, colour in corner.getcolors(1 << 24) or []}
    assert disc not in {colour for _, colour in elsewhere.getcolors(1 << 24) or []}


@pytest.mark.parametrize("style", GAMES)
def test_a_gif_has_a_frame_a_move_and_rests_on_the_last(style: str) -> None:
    game, moves = GAMES[style]
    position = Position(game).play(moves)
    data, media, _ = picture_bytes(position, "gif")
    film = opened(data)
    assert media == "image/gif"
    assert film.n_frames == len(position.history) + 1
    times = []
    for frame in range(film.n_frames):
        film.seek(frame)
        times.append(film.info["duration"])
    assert times[-1] > 2 * times[1]
    assert max(film.size) <= LARGEST_GIF


def test_frames_differ_by_the_move() -> None:
    film = opened(picture_bytes(Position("connect4").play("4435261"), "gif")[0])
    frames = []
    for frame in range(film.n_frames):
        film.seek(frame)
        frames.append(film.convert("RGB").tobytes())
    assert len(set(frames)) == film.n_frames


@pytest.mark.parametrize("style", GAMES)
def test_the_pixels_are_those_of_the_svg(style: str) -> None:
    """Also where each frame was drawn on the one before."""
    game, moves = GAMES[style]
    position = Position(game).play(moves)
    raster = Raster(position.rules.picture(position.state()), style, 400)
    for ply in reversed(range(len(position.history) + 1)):
        there = position.back(ply)
        drawn = raster.draw(there.rules.picture(there.state()), there.last_cells())
    whole = render(0, 0, *drawn.size, raster.scale, position.svg()).convert("RGB")
    different = (
        ImageChops.difference(drawn, whole)
        .convert("L")
        .point(lambda value: 255 if value > 24 else 0)
    )
    assert different.getbbox() is None


def test_a_game_without_moves_is_one_frame() -> None:
    assert opened(picture_bytes(Position("connect4"), "gif")[0]).n_frames == 1


def test_of_a_long_game_only_the_moves_that_are_shown_are_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(export, "MOST_FRAMES", 5)
    position = Position("connect4").play("444333121222177766")
    drawn: list[object] = []
    picture = type(position.rules).picture

    def noting(rules: Any, state: Any) -> Any:
        drawn.append(state)
        return picture(rules, state)

    monkeypatch.setattr(type(position.rules), "picture", noting)
    film = opened(picture_bytes(position, "gif")[0])
    assert len(drawn) == film.n_frames == 5


def test_a_long_game_on_the_largest_board_stays_small() -> None:
    rng = random.Random(1)
    position = Position("mnk:90x90x9")
    cells = list(range(8100))
    rng.shuffle(cells)
    position = position.play_codes(cells[: MOST_FRAMES + 100])
    data, _, _ = picture_bytes(position, "gif")
    film = opened(data)
    assert film.n_frames <= MOST_FRAMES
    assert max(film.size) <= LARGEST_GIF
    assert len(data) < 8_000_000
    assert max(opened(picture_bytes(position, "png")[0]).size) <= LARGEST_PNG


def test_svg_and_record_are_those_of_the_position() -> None:
    position = Position("connect4:10x11").play("4,4,3")
    data, media, name = picture_bytes(position, "svg")
    assert (data.decode(), media, name) == (
        position.svg(),
        "image/svg+xml",
        "mnkala-connect4-10x11.svg",
    )
    data, media, name = picture_bytes(position, "record")
    assert Record.parse(data.decode()).position == position
    assert name.endswith(".txt")


def test_the_title_is_in_the_language_that_was_asked_for() -> None:
    assert (
        opened(picture_bytes(Position("connect4").play("44"), "png", "it")[0]).info["Title"]
        == "connect4, 2 mosse giocate"
    )


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(MnkalaError, match="formats are svg, png, gif, record"):
        picture_bytes(Position("connect4"), "bmp")
