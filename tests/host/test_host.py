"""The whole path on simulated hardware: magnets, chips, frames, the session, lights, files.

The program's own loop runs, in a time that passes only while it waits: a minute takes no time.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from firmware_host.cli import replay
from firmware_host.controller.controller import CONFIRM_S
from firmware_host.controller.polling import BUSY_S, POLL_S
from firmware_host.i18n.messages import say
from firmware_host.session.events import Press, Tick
from firmware_host.storage import recording
from hardware.machine import REFRESH_S
from tests.support.journals import moves_in
from tests.support.session_parts import reader_of
from tests.support.stories import at_a_board

LAYOUTS = ("square-reed", "square-hall")


# ---- a whole game


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_whole_game_from_magnets_to_lights_and_again_from_its_recording(
    sit: Any, layout: str, tmp_path: Path, whole_game: tuple[str, ...]
) -> None:
    texts = whole_game
    file = tmp_path / "mine.jsonl"
    position = ""

    async def story(board: Any) -> None:
        nonlocal position
        for number, text in enumerate(texts):
            await board.play(text)
            if board.host.status().question:
                assert layout == "square-reed"
                (lit,) = [c for c in board.host.status().question if c.move == text]
                assert await board.seen(lit.place or "") >= {"yellow"}
                if text.endswith("+"):
                    await board.hands(f"{lit.place}- {lit.place}+ 0.3 {lit.place}- {lit.place}+ 1")
                else:
                    await board.push("no")
            assert board.moves == list(texts[: number + 1])
        assert board.host.status().outcome is not None
        assert "wins" in board.says
        winner = "edge.south" if len(texts) % 2 else "edge.north"
        assert board.colour(winner) == "teal"
        position = board.host.game.position_text(board.host.position())

    sit(story, layout, record=file)
    again = recording.read(file)
    session = replay.begin(again)
    over = [note for note in replay.replay(again, session) if note.event == "over"]
    ending = replay.ending(session)
    assert ending["moves"] == list(texts)
    assert ending["position"] == position
    assert over[-1].details["outcome"]["reason"] == "try"
    assert moves_in(tmp_path / "match.jsonl") == list(texts)


@pytest.mark.parametrize("layout", LAYOUTS)
@at_a_board()
async def test_lights_follow_the_hand(board: Any, layout: str) -> None:
    assert board.colours() == {}
    assert board.colour("edge.south") == "white"
    assert board.colour("edge.north") == "dark"
    await board.hands("B3- 0.2")
    assert board.colours() == {"B3": "white", "B2": "red"}
    await board.hands("B2- 0.2")
    assert board.colours()["B2"] == "blue"  # it is free now
    await board.hands("B2+ hand.A.C+ 0.2")
    assert board.colours() == {"B3": "white", "B2": "teal", "B1": "yellow"}  # it is check
    assert board.colour("edge.north") == "white"
    await asyncio.sleep(1.0)
    assert board.colours() == {"B3": "white", "B2": "white", "B1": "yellow"}
    await board.hands("B1- 0.2")
    assert board.colours()["B1"] == "white"
    assert board.colours()["B2"] == "red"
    await board.hands("B1+ 1")
    assert board.moves == ["B3B2"]


@pytest.mark.parametrize("layout", LAYOUTS)
@at_a_board()
async def test_an_illegal_move_is_said_and_guided_back(board: Any, layout: str) -> None:
    await board.hands("A4- A3+ 2")
    assert "An elephant goes one step diagonally" in board.says
    assert "Move the elephant from A3 to A4." in board.says
    assert await board.seen("A4") == {"white", "dark"}  # blinks
    assert await board.seen("A3") == {"red", "dark"}
    await board.hands("A3- A4+ 1")
    assert board.colours() == {}
    assert board.wrong == ((), ())


# ---- parts that fail


@pytest.mark.parametrize(
    ("layout", "chips"), [("square-reed", (0x22, 0x26)), ("square-hall", (0x48, 0x49))]
)
@at_a_board()
async def test_two_chips_pulled_off_during_play_and_put_back(
    board: Any, layout: str, chips: tuple[int, ...]
) -> None:
    await board.play("C4C3")
    await board.hands("A1- 0.2")  # with a piece in the hand, too
    for chip in chips:
        board.host.board.unplug(chip)
    await asyncio.sleep(1.0)
    status = board.host.status()
    assert len(status.faults) == 2
    for chip in chips:
        assert f"{chip:#04x}" in board.says
    assert set(status.masked) & {"A2", "B2", "C2"}
    assert await board.seen("C2") == {"yellow"}
    await asyncio.sleep(60.0)
    for chip in chips:
        board.host.board.plug_in(chip)
    await asyncio.sleep(3.0)
    status = board.host.status()
    assert (status.faults, status.masked) == ((), ())
    await board.hands("A2+ 1.5")
    assert board.moves == ["C4C3", "A1A2"]
    await board.play("B3B2", "B1B2", "B4A3")
    assert board.moves == ["C4C3", "A1A2", "B3B2", "B1B2", "B4A3"]
    assert board.host.status().to_fill == ()


@at_a_board()
async def test_a_move_made_while_chips_are_gone_is_read_when_they_are_back(board: Any) -> None:
    for chip in (0x22, 0x21):
        board.host.board.unplug(chip)
    await asyncio.sleep(1.0)
    await board.hands("C4- C3+ 2")
    for chip in (0x22, 0x21):
        board.host.board.plug_in(chip)
    await asyncio.sleep(4.0)
    assert board.moves == ["C4C3"]


@pytest.mark.parametrize("layout", LAYOUTS)
@at_a_board()
async def test_a_chip_that_was_reset_is_set_up_again(board: Any, layout: str) -> None:
    await board.play("C4C3")
    for chip in board.host.board.bus.chips:
        board.host.board.reset(chip)
    await asyncio.sleep(2.0)
    await board.play("A1A2")
    assert board.moves == ["C4C3", "A1A2"]
    assert board.host.status().to_fill == ()


@at_a_board(layout="square-hall")
async def test_a_short_lift_is_seen_on_an_idle_board_that_cannot_call(board: Any) -> None:
    world, session = board.host.board, board.host.controller.session
    place = board.host.layout.game("robot-duel").places["C4"]
    for number in range(6):
        await asyncio.sleep(BUSY_S + 0.2 + 0.013 * number)
        assert not reader_of(session).touched("C4")
        world.lift(place)
        await asyncio.sleep(0.08)
        world.put(place)
        await asyncio.sleep(0.1)
        assert reader_of(session).touched("C4")
    assert board.moves == []


@at_a_board()
async def test_a_missed_interrupt_is_made_good_by_the_slow_look(board: Any) -> None:
    world = board.host.board
    await asyncio.sleep(5.0)
    seen = len(board.host.controller.session.view.levels)
    world.miss_interrupts(1)
    world.lift("F3")
    await asyncio.sleep(0.01)
    assert len(board.host.controller.session.view.levels) == seen
    await asyncio.sleep(POLL_S + 0.1)
    assert len(board.host.controller.session.view.levels) == seen - 1
    world.miss_interrupts(1)
    world.put("F4")
    await asyncio.sleep(1.0)
    assert board.moves == ["C4C3"]


@at_a_board()
async def test_nothing_settles_that_was_not_just_read_again(board: Any) -> None:
    """No call is missing as far as anybody knows; the levels are read all the same."""
    host, world = board.host, board.host.board
    handle, read = host.controller.handle, host.controller.machine.read
    looked, ticks = [0.0], []

    def noting(event: Any) -> Any:
        if isinstance(event, Tick):
            ticks.append(event.at - looked[-1])
        return handle(event)

    def looking(now: float) -> Any:
        looked.append(now)
        return read(now)

    host.controller.handle, host.controller.machine.read = noting, looking
    world.miss_interrupts(10)
    world.lift("F3")
    await asyncio.sleep(0.6)
    world.put("F4")
    await asyncio.sleep(1.0)
    assert board.moves == ["C4C3"]
    assert len(ticks) > 1
    assert max(ticks) < CONFIRM_S + 0.001


@at_a_board()
async def test_an_interrupt_wakes_the_board_at_once(board: Any) -> None:
    await asyncio.sleep(5.0)
    board.host.board.lift("F3")
    await asyncio.sleep(0.06)
    assert "C4" not in board.host.controller.session.view.levels


@pytest.mark.parametrize("layout", LAYOUTS)
@at_a_board()
async def test_a_swap_of_a_few_milliseconds_is_seen(board: Any, layout: str) -> None:
    await board.hands("B3- 0.4 B2- 0.006 B2+ 0.4 hand.A.C+ 1")
    assert board.moves == ["B3B2"]
    assert "ask" not in board.says


@at_a_board()
async def test_a_light_chain_that_is_cut_and_mended(board: Any) -> None:
    world = board.host.board
    names = board.host.layout.game("robot-duel").places
    first = min(board.host.layout.places[names[cell]].pixels[0] for cell in ("C4", "C3"))
    world.cut_chain(first)
    await board.hands("C4- 0.3")
    assert board.colours() == {}
    await board.hands("C3+ 1.5")
    assert board.moves == ["C4C3"]  # it goes on in the dark
    world.repair()
    await asyncio.sleep(REFRESH_S + POLL_S + 0.1)
    assert board.colours() == {"C4": "white", "C3": "white"}


@at_a_board()
async def test_lights_that_cannot_be_sent_to_are_said(board: Any) -> None:
    world = board.host.board
    world.strip.broken = "No such device"
    await board.play("C4C3")
    assert "reaches the lights" in board.says
    world.strip.broken = ""
    await board.play("A1A2")
    assert "reaches the lights" not in board.says
    assert board.moves == ["C4C3", "A1A2"]


# ---- buttons


@pytest.mark.parametrize("layout", LAYOUTS)
def test_buttons_of_the_board(sit: Any, layout: str) -> None:
    async def push(board: Any, button: str) -> None:
        world = board.host.board
        for _ in range(3):  # it bounces
            world.press(button)
            await asyncio.sleep(0.01)
            world.release(button)
            await asyncio.sleep(0.01)
        world.press(button)
        await asyncio.sleep(0.3)
        world.release(button)
        await asyncio.sleep(1.0)

    async def story(board: Any) -> None:
        await push(board, "hint")
        assert board.host.status().buttons["hint"] == say("where to")
        await push(board, "hint")
        assert board.host.status().buttons["hint"] == say("why")
        await board.play("C4C3", "A1A2")
        await push(board, "back")
        assert board.moves == ["C4C3"]
        assert board.host.status().to_fill == ("A1",)
        for other in ("west", "dice", "shutdown", "yes", "south"):  # say nothing here
            await push(board, other)
        assert board.moves == ["C4C3"]
        saved = recording.parse(b"".join(board.host.record_as_test()))
        pressed = [event.button for event in saved.events() if isinstance(event, Press)]
        assert pressed == ["hint", "hint", "back", "yes", "A"]

    sit(story, layout)


@at_a_board(game="chaturaji")
async def test_the_dice_button_throws(board: Any) -> None:
    await board.push("dice", 0.5)
    first = next(e for e in board.host.controller.session.record if e.kind == "throw")
    assert first.texts[0] in {"2", "3", "4", "5"}
    assert board.host.status().dice or board.moves[0] == "--"
