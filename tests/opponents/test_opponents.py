"""The players that may sit at a seat, as the page and the file of the seats choose them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from firmware_host.i18n.messages import RefusedError
from firmware_host.opponents.settings import OpponentSettings
from firmware_host.players.kinds import PERSON, PlayerKind
from firmware_host.web import protocol as ask
from firmware_host.web.commands import CommandHandler
from firmware_host.web.view import state
from tests.support.advisers import at
from tests.support.stories import at_a_board


@at_a_board(layout="hex-reed", game="abalone")
async def test_an_engine_that_does_not_know_the_game_cannot_sit_there(board: Any) -> None:
    with pytest.raises(ValueError, match="no such engine plays Abalone"):
        board.host.seating.set_kind(1, PlayerKind(engine="/usr/games/engine"))
    opponents = board.host.status().opponents
    assert opponents.player_kinds == ("person", "person")
    assert list(opponents.choices)[:2] == ["person", "level:newcomer"]


@at_a_board()
async def test_a_page_chooses_among_those_offered_and_no_others(board: Any) -> None:
    host = at(board)
    desk = CommandHandler(host, lambda page, error: None, lambda: None)

    def take(kind: Any, **fields: Any) -> None:
        desk.take(kind(n=1, rev=host.status().rev, **fields), "page")

    take(ask.SeatCommand, seat=1, player_kind="level:plans")
    take(ask.GradingCommand, seat=0, pieces=2)
    take(ask.HandsCommand, on=False)
    told = state(host, "fr")["opponents"]
    assert told["player_kinds"] == ("person", "level:plans")
    assert told["graded_pieces"] == (2, 0)
    assert told["hands_move"] is False
    assert told["choices"]["level:plans"] == "la machine\u00a0: prévoit"
    for who in ("usi:/bin/sh", "level:none", "nobody"):
        with pytest.raises(RefusedError, match="No player of that name"):
            take(ask.SeatCommand, seat=1, player_kind=who)
    with pytest.raises(RefusedError, match="There is no seat"):
        take(ask.SeatCommand, seat=5, player_kind="person")


@pytest.mark.parametrize("text", ["[]", "{", '{"seats": {"0": "level:none"}}', '{"seats": 1}'])
def test_people_play_where_the_file_of_the_seats_cannot_be_read(
    tmp_path: Path, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "opponents.json"
    file.write_text(text)
    assert OpponentSettings(file).player(0) is None
    assert len(caplog.records) == 1


def test_the_file_of_an_older_version_is_read_until_there_is_a_new_one(tmp_path: Path) -> None:
    old = tmp_path / "company.json"
    text = '{"seats": {"0": "level:plans"}, "graded": {"1": 2}, "hands": false}'
    old.write_text(text)
    settings = OpponentSettings(tmp_path / "opponents.json")
    assert settings.player(0) == PlayerKind(level="plans")
    assert settings.limit(1) == 2
    assert not settings.hands_move
    settings.set_player(0, PERSON)
    settings.file.close()
    assert OpponentSettings(tmp_path / "opponents.json").player(0) == PERSON
    assert old.read_text() == text
