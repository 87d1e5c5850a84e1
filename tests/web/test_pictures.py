"""A page can draw a small board of each game from what it is told of the games."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from engine.games import FINISHED, make
from firmware_host.web.pictures import board_picture
from hardware.layout import serving


@pytest.mark.parametrize("name", FINISHED)
def test_a_picture_shows_the_first_position(name: str) -> None:
    game, layout = make(name), serving(name)[0]
    picture = board_picture(game, layout)
    assert {cell["id"] for cell in picture["cells"]} == set(game.cells())
    assert picture["shape"] == layout.shape
    assert [seat["name"] for seat in picture["seats"]] == list(game.seats)
    drawn = {each["place"]: (each["face"], each["owner"]) for each in picture["pieces"]}
    cells = set(game.cells())
    assert drawn == {
        place: (piece.kind, "" if piece.owner is None else game.seats[piece.owner])
        for place, piece in game.pieces(game.start()).items()
        if place in cells
    }


def test_a_list_of_games_says_how_many_play_and_how_long(client: TestClient) -> None:
    told = {each["name"]: each for each in client.get("/api/games").json()}["robot-duel"]
    assert (told["players"], told["minutes"]) == ("2", 10)
    assert told["picture"] == board_picture(make("robot-duel"), serving("robot-duel")[0])
