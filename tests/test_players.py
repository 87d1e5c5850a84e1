"""What players call themselves: kept beside the match, and said in sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.games import make
from firmware_host.players import LONGEST, Players, called, problem
from firmware_host.simulation import SimulatedHost
from firmware_host.words import render

SEATS = 2


def test_names_survive_a_restart_a_new_match_and_another_game(tmp_path: Path) -> None:
    def says(host: SimulatedHost) -> list[str]:
        return [render(each) for each in host.status().says]

    host = SimulatedHost(tmp_path)
    host.open("robot-duel", {}, None)
    host.sitting.look(0.0)
    rev = host.status().rev
    host.call(0, "Anna")
    assert host.status().rev > rev
    assert host.status().players == ("Anna", "")
    resigns = [render(claims["resign"]) for claims in host.status().claims.values()]
    assert resigns == ["Anna resigns: B wins.", "B resigns: Anna wins."]
    host.close()
    again = SimulatedHost(tmp_path)
    again.open(None, {}, None)
    again.sitting.look(0.0)
    assert "It is Anna's turn." in says(again)
    again.new_game("chaturaji", {}, "square-reed")
    again.sitting.look(0.0)
    assert again.status().players == ("Anna", "", "", "")
    assert "Anna throws the die." in says(again)
    again.call(0, "")
    assert "black throws the die." in says(again)
    again.close()


def test_who_has_said_no_name_goes_by_the_seat() -> None:
    game = make("abalone")
    assert render(called(game, ("", "Jan {n}"), 0), "pl") == "czarny"
    assert render(called(game, ("", "Jan {n}"), 1), "pl") == "Jan {n}"
    assert render(called(game, (), 1)) == "white"


@pytest.mark.parametrize("name", ["", "Anna", "Łucja Żak", "O'Neil <3", "光", "A" * LONGEST])
def test_somebody_may_be_called_so(name: str) -> None:
    assert problem(name) is None


@pytest.mark.parametrize(
    "name", ["A" * (LONGEST + 1), "A\nB", "A\tB", "\x1b[31m", "a\u202eb", "\u2028"]
)
def test_nobody_can_be_called_so(name: str) -> None:
    assert problem(name) is not None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"A": 1}', "not a list of names"),
        ("[1]", "not a list of names"),
        ("[", "players.json: "),
        ("\udcff", "players.json: "),
    ],
)
def test_a_broken_file_is_said_and_nobody_has_a_name(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, text: str, said: str
) -> None:
    file = tmp_path / "players.json"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert Players(file).of(SEATS) == ("", "")
    assert said in caplog.text


def test_an_impossible_name_in_the_file_is_left_out(tmp_path: Path) -> None:
    file = tmp_path / "players.json"
    file.write_text('["A\\nB", "Anna"]', encoding="utf-8")
    players = Players(file)
    assert players.of(SEATS) == ("", "Anna")
    players.rename(0, "Bob")
    assert Players(file).of(SEATS) == ("Bob", "Anna")
    assert Players(file).of(1) == ("Bob",)
