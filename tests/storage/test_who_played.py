"""A journal says who played, and a match that is resumed has its players again."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from firmware_host.host.simulated import SimulatedHost
from firmware_host.host.start import Start
from firmware_host.lessons.loader import lessons_of
from firmware_host.players.kinds import PERSON, player_kind
from firmware_host.session.events import Claimed, NewMatch
from firmware_host.storage.journal import Journal, Player, Resumed
from firmware_host.storage.match_files import saved_journals
from tests.support.journals import played

MACHINE = "level:first-steps"


def test_names_and_kinds_of_players_are_in_the_journal(sit: Any, tmp_path: Path) -> None:
    async def ania_and_ola(board: Any) -> None:
        board.host.seating.rename(0, "Ania")
        await board.play("C4C3")
        board.host.seating.rename(1, "Ola")

    async def ania_and_the_machine(board: Any) -> None:
        host = board.host
        assert Resumed(tmp_path / "match.jsonl").players == (
            Player("Ania", "person"),
            Player("Ola", "person"),
        )
        host.post(NewMatch(host.now()))
        host.seating.set_hands_move(False)
        host.seating.rename(1, "")
        host.seating.set_kind(1, player_kind(MACHINE))
        await asyncio.sleep(1)
        await board.play("C4C3")
        assert Resumed(tmp_path / "match.jsonl").players == (
            Player("Ania", "person"),
            Player("", MACHINE),
        )

    async def the_first_goes_on(board: Any) -> None:
        host = board.host
        (first,) = saved_journals(tmp_path)
        host.resume(first.name)
        assert host.status().players == ("Ania", "Ola")
        assert host.seating.kind(1) == PERSON
        (second,) = saved_journals(tmp_path)
        host.resume(second.name)
        assert host.status().players == ("Ania", "")
        assert host.seating.kind(1) == player_kind(MACHINE)

    sit(ania_and_ola)
    sit(ania_and_the_machine)
    sit(the_first_goes_on)


def test_a_player_whose_engine_is_gone_keeps_the_name(sit: Any, tmp_path: Path) -> None:
    async def story(board: Any) -> None:
        host = board.host
        journal = Journal.begin(tmp_path / "match-1.jsonl", host.game, host.layout.name)
        journal.players = Player("Ania", "person"), Player("Ola", "usi:/nowhere/engine")
        journal.write(played(host.game, ["C4C3"]))
        journal.close()
        assert host.status().players == ("", "")
        host.resume("match-1.jsonl")
        assert host.status().players == ("Ania", "Ola")
        assert host.seating.kind(1) == PERSON
        assert [each.name for each in Resumed(tmp_path / "match.jsonl").players] == ["Ania", "Ola"]

    sit(story)


def test_another_match_on_the_board_has_the_same_players(sit: Any, tmp_path: Path) -> None:
    async def story(board: Any) -> None:
        host = board.host
        host.seating.rename(0, "Ania")
        await board.play("C4C3")
        host.controller.handle(NewMatch(host.now()))  # as on a real board
        await board.hands("C3- C4+ 2")
        await board.play("C4C3")

    sit(story)
    assert [Resumed(path).players[0].name for path in saved_journals(tmp_path)] == ["Ania"]
    assert Resumed(tmp_path / "match.jsonl").players[0].name == "Ania"


def test_a_lesson_does_not_rename_the_players_of_the_match(sit: Any, tmp_path: Path) -> None:
    async def story(board: Any) -> None:
        host = board.host
        host.seating.rename(0, "Ania")
        await board.play("C4C3")
        lesson = host.lesson_mode
        names = [each.name for each in lessons_of("shogi")]
        lesson.learn(names[0])
        host.seating.rename(0, "Tomek")
        assert Resumed(tmp_path / "match.jsonl").players[0].name == "Ania"
        lesson.learn("")
        assert Resumed(tmp_path / "match.jsonl").players[0].name == "Tomek"

    sit(story)


def test_who_sits_down_after_a_match_did_not_play_it(sit: Any, tmp_path: Path) -> None:
    async def story(board: Any) -> None:
        host = board.host
        host.seating.rename(0, "Ania")
        await board.play("C4C3")
        host.post(Claimed(host.now(), "resign", 1))
        await asyncio.sleep(1)
        assert host.status().outcome is not None
        host.seating.rename(0, "Tomek")
        host.seating.rename(1, "Ola")
        host.seating.set_kind(0, player_kind(MACHINE))
        host.post(NewMatch(host.now()))
        await asyncio.sleep(1)
        host.seating.set_kind(0, PERSON)
        await board.play("C4C3")

    sit(story)
    (first,) = saved_journals(tmp_path)
    assert Resumed(first).players == (Player("Ania", "person"), Player("Ola", "person"))
    second = Resumed(tmp_path / "match.jsonl")
    assert second.players == (Player("Tomek", "person"), Player("Ola", "person"))


def test_a_match_that_is_chosen_at_the_start_has_its_players(sit: Any, tmp_path: Path) -> None:
    async def ania_and_the_machine(board: Any) -> None:
        host = board.host
        host.seating.rename(0, "Ania")
        await board.play("C4C3")
        host.seating.set_hands_move(False)
        host.seating.set_kind(1, player_kind(MACHINE))

    async def others(board: Any) -> None:
        host = board.host
        host.post(NewMatch(host.now()))
        host.seating.rename(0, "Tomek")
        host.seating.set_kind(1, PERSON)
        await asyncio.sleep(1)

    sit(ania_and_the_machine)
    sit(others)
    (first,) = saved_journals(tmp_path)
    host = SimulatedHost(tmp_path)
    host.open(Start(match=first.name))
    assert host.status().players == ("Ania", "")
    assert host.seating.kind(1) == player_kind(MACHINE)
    host.close()
    players = Resumed(tmp_path / "match.jsonl").players
    assert players == (Player("Ania", "person"), Player("", MACHINE))
