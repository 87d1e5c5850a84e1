"""The whole path on simulated hardware: magnets, chips, frames, the session, lights, files.

The program's own loop runs, in a time that passes only while it waits: a minute takes no time.
"""

from __future__ import annotations

import asyncio
import json
import selectors
from collections.abc import Awaitable, Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.games import make
from engine.match import Match
from firmware_host import demo, recording, replay
from firmware_host.events import NewMatch, Press
from firmware_host.journal import resume
from firmware_host.loop import BUSY, POLL, Host
from firmware_host.twin.table import Man
from firmware_host.words import render
from hardware.machine import REFRESH_S

LAYOUTS = ("square-reed", "square-hall")


class SelfPassingTime(asyncio.SelectorEventLoop):
    """An event loop whose clock jumps to the next thing that is to happen."""

    def __init__(self) -> None:
        self._now = 0.0
        super().__init__(_Jumping(self))

    def time(self) -> float:
        return self._now

    def jump(self, seconds: float) -> None:
        self._now += seconds


class _Jumping(selectors.DefaultSelector):  # type: ignore[misc, valid-type]
    def __init__(self, loop: SelfPassingTime) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> Any:
        assert timeout is not None, "nothing will ever happen again"
        self._loop.jump(max(1e-6, timeout))  # nothing takes no time at all
        return super().select(0)


class Board:
    """A board that runs, and people at it."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.held: list[Man] = []

    # ---- hands

    async def hands(self, acts: str) -> None:
        """`C4- 0.5 C3+`: lift, wait, put the man that was lifted first; `/` turns it over."""
        table, waited = self.host.table, True
        for act in acts.split():
            if act[-1] not in "+-/":
                await asyncio.sleep(float(act))
                waited = True
                continue
            if not waited:
                await asyncio.sleep(0.3)
            waited = False
            place = table.place(act[:-1])
            if act[-1] == "-":
                man = table.at(place)[-1]
                self.held.append(table.lift(man.number, f"hand {man.number}"))
            else:
                man = self.held.pop(0)
                if act[-1] == "/":
                    table.flip(man.number, man.hand)
                table.put(man.number, place, man.hand)

    async def play(self, *texts: str, rest: float = 1.5) -> None:
        """Make moves as people do: off with the enemy, then the man, then the tray."""
        for text in texts:
            origin, target = (text[:2], text[2:4]) if "*" not in text else ("", text[2:])
            seat = self.host.game.seats[self.host.game.turn(self.host.position())]
            acts = f"hand.{seat}.{text[0]}- {target}+"
            if origin:
                acts = f"{origin}- {target}{'/' if text.endswith('+') else '+'}"
                taken = self.host.table.at(self.host.table.place(target))
                if taken:
                    acts = f"{origin}- {target}- {acts.split()[1]} hand.{seat}.{taken[0].kind}+"
            await self.hands(acts)
            await asyncio.sleep(rest)

    # ---- what is to be seen

    @property
    def moves(self) -> list[str]:
        return [ply.text for ply in self.host.status().plies]

    @property
    def says(self) -> str:
        return " ".join(render(each) for each in self.host.status().says)

    def colour(self, place: str) -> str:
        """What the LEDs of a place show, as the chips on the strip decoded it: a word, dim or not,
        or `dark`.
        """
        names = self.host.layout.game(self.host.game.name).places
        pixels = self.host.layout.places[names.get(place, place)].pixels
        (red, green, blue), *others = [self.host.board.strip.pixels[pixel] for pixel in pixels]
        assert all(other == (red, green, blue) for other in others)
        lit = (red > 0, green > 0, blue > 0)
        if lit == (True, True, True):
            return "white" if red == green == blue else f"{red},{green},{blue}"
        return {
            (False, False, False): "dark",
            (False, False, True): "blue",
            (True, False, False): "red",
            (True, True, False): "yellow",
            (False, True, True): "teal",
        }[lit]

    def colours(self) -> dict[str, str]:
        cells = {cell: self.colour(cell) for cell in self.host.game.cells()}
        return {cell: colour for cell, colour in cells.items() if colour != "dark"}

    async def seen(self, place: str, seconds: float = 1.5) -> set[str]:
        """All that a place shows within some seconds."""
        shown = set()
        for _ in range(int(seconds / 0.02)):
            shown.add(self.colour(place))
            await asyncio.sleep(0.02)
        return shown


Story = Callable[[Board], Awaitable[None]]


@pytest.fixture
def sit(tmp_path: Path) -> Iterator[Callable[..., None]]:
    """Run a story at a board; what it leaves in the state directory is there for the next one."""
    hosts: list[Host] = []

    def sit(
        story: Story,
        layout: str = "square-reed",
        game: str | None = "robot-duel",
        record: Path | None = None,
        kill: bool = False,
        **options: str,
    ) -> None:
        async def run() -> None:
            loop = asyncio.get_running_loop()
            host = Host(tmp_path, record, clock=loop.time)
            hosts.append(host)
            host.open(game, options, layout)
            running = asyncio.create_task(host.run())
            await asyncio.sleep(0.5)
            told = asyncio.ensure_future(story(Board(host)))
            await asyncio.wait([running, told], return_when=asyncio.FIRST_COMPLETED)
            if running.done():
                running.result()
            running.cancel()
            told.result()
            if not kill:
                host.close()

        with asyncio.Runner(loop_factory=SelfPassingTime) as runner:
            runner.run(run())

    yield sit
    for host in hosts:
        host.close()


# ---- a whole game


@cache
def whole_game() -> tuple[str, ...]:
    """Return a game with a capture, a drop, a promotion and a win by a safe try."""
    game = make("robot-duel")
    rng = Random(5)
    while True:
        match = Match.begin(game)
        while match.outcome is None and match.plies < 40:
            trying = [
                m for m in match.legal if (end := match.play(m).outcome) and end.reason == "try"
            ]
            match = match.play(rng.choice(trying or match.legal))
        texts = match.moves()
        if (
            match.outcome is not None
            and match.outcome.reason == "try"
            and any("*" in text for text in texts)
            and any(text.endswith("+") for text in texts)
        ):
            return tuple(texts)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_whole_game_from_magnets_to_lights_and_again_from_its_recording(
    sit: Any, layout: str, tmp_path: Path
) -> None:
    texts = whole_game()
    file = tmp_path / "mine.jsonl"
    position = ""

    async def story(board: Board) -> None:
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
                    board.host.board.press("no")
                    await asyncio.sleep(0.2)
                    board.host.board.release("no")
                    await asyncio.sleep(1.0)
            assert board.moves == list(texts[: number + 1])
        assert board.host.status().outcome is not None
        assert "won" in board.says
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
    kept = resume(tmp_path / "match.jsonl")
    assert kept is not None
    assert kept.matches[0].moves() == list(texts)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_lights_follow_the_hand(sit: Any, layout: str) -> None:
    async def story(board: Board) -> None:
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

    sit(story, layout)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_an_illegal_move_is_said_and_guided_back(sit: Any, layout: str) -> None:
    async def story(board: Board) -> None:
        await board.hands("A4- A3+ 2")
        assert "An elephant goes one step diagonally" in board.says
        assert "Move the elephant from A3 to A4." in board.says
        assert await board.seen("A4") == {"white", "dark"}  # blinks
        assert await board.seen("A3") == {"red", "dark"}
        await board.hands("A3- A4+ 1")
        assert board.colours() == {}
        assert board.host.status().put == board.host.status().take == ()

    sit(story, layout)


# ---- parts that fail


@pytest.mark.parametrize(
    ("layout", "chips"), [("square-reed", (0x22, 0x26)), ("square-hall", (0x48, 0x49))]
)
def test_two_chips_pulled_off_during_play_and_put_back(
    sit: Any, layout: str, chips: tuple[int, ...]
) -> None:
    async def story(board: Board) -> None:
        await board.play("C4C3")
        await board.hands("A1- 0.2")  # with a man in the hand, too
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
        assert board.host.status().put == ()

    sit(story, layout)


def test_a_move_made_while_chips_are_gone_is_read_when_they_are_back(sit: Any) -> None:
    async def story(board: Board) -> None:
        for chip in (0x22, 0x21):
            board.host.board.unplug(chip)
        await asyncio.sleep(1.0)
        await board.hands("C4- C3+ 2")
        for chip in (0x22, 0x21):
            board.host.board.plug_in(chip)
        await asyncio.sleep(4.0)
        assert board.moves == ["C4C3"]

    sit(story)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_chip_that_was_reset_is_set_up_again(sit: Any, layout: str) -> None:
    async def story(board: Board) -> None:
        await board.play("C4C3")
        for chip in board.host.board.bus.chips:
            board.host.board.reset(chip)
        await asyncio.sleep(2.0)
        await board.play("A1A2")
        assert board.moves == ["C4C3", "A1A2"]
        assert board.host.status().put == ()

    sit(story, layout)


def test_a_short_lift_is_seen_on_an_idle_board_that_cannot_call(sit: Any) -> None:
    async def story(board: Board) -> None:
        world, session = board.host.board, board.host.sitting.session
        place = board.host.layout.game("robot-duel").places["C4"]
        for number in range(6):
            await asyncio.sleep(BUSY + 0.2 + 0.013 * number)
            assert not session.play.reader.touched("C4")
            world.lift(place)
            await asyncio.sleep(0.08)
            world.put(place)
            await asyncio.sleep(0.1)
            assert session.play.reader.touched("C4")
        assert board.moves == []

    sit(story, "square-hall")


def test_a_missed_interrupt_is_made_good_by_the_slow_look(sit: Any) -> None:
    async def story(board: Board) -> None:
        world = board.host.board
        await asyncio.sleep(5.0)
        seen = len(board.host.sitting.session.play.reader.levels)
        world.miss_interrupts(1)
        world.lift("F3")
        await asyncio.sleep(0.01)
        assert len(board.host.sitting.session.play.reader.levels) == seen
        await asyncio.sleep(POLL + 0.1)
        assert len(board.host.sitting.session.play.reader.levels) == seen - 1
        world.miss_interrupts(1)
        world.put("F4")
        await asyncio.sleep(1.0)
        assert board.moves == ["C4C3"]

    sit(story)


def test_an_interrupt_wakes_the_board_at_once(sit: Any) -> None:
    async def story(board: Board) -> None:
        await asyncio.sleep(5.0)
        board.host.board.lift("F3")
        await asyncio.sleep(0.06)
        assert "C4" not in board.host.sitting.session.play.reader.levels

    sit(story)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_swap_of_a_few_milliseconds_is_seen(sit: Any, layout: str) -> None:
    async def story(board: Board) -> None:
        await board.hands("B3- 0.4 B2- 0.006 B2+ 0.4 hand.A.C+ 1")
        assert board.moves == ["B3B2"]
        assert "ask" not in board.says

    sit(story, layout)


def test_a_light_chain_that_is_cut_and_mended(sit: Any) -> None:
    async def story(board: Board) -> None:
        world = board.host.board
        names = board.host.layout.game("robot-duel").places
        first = min(board.host.layout.places[names[cell]].pixels[0] for cell in ("C4", "C3"))
        world.cut_chain(first)
        await board.hands("C4- 0.3")
        assert board.colours() == {}
        await board.hands("C3+ 1.5")
        assert board.moves == ["C4C3"]  # it goes on in the dark
        world.mend()
        await asyncio.sleep(REFRESH_S + POLL + 0.1)
        assert board.colours() == {"C4": "white", "C3": "white"}

    sit(story)


def test_lights_that_cannot_be_sent_to_are_said(sit: Any) -> None:
    async def story(board: Board) -> None:
        world = board.host.board
        world.strip.broken = "No such device"
        await board.play("C4C3")
        assert "reaches the lights" in board.says
        world.strip.broken = ""
        await board.play("A1A2")
        assert "reaches the lights" not in board.says
        assert board.moves == ["C4C3", "A1A2"]

    sit(story)


# ---- buttons


@pytest.mark.parametrize("layout", LAYOUTS)
def test_buttons_of_the_board(sit: Any, layout: str) -> None:
    async def push(board: Board, button: str) -> None:
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

    async def story(board: Board) -> None:
        await push(board, "hint")
        assert board.colours() == dict.fromkeys(("B3", "B4", "C4"), "teal")
        await push(board, "hint")
        assert board.colours() == {}
        await board.play("C4C3", "A1A2")
        await push(board, "back")
        assert board.moves == ["C4C3"]
        assert board.host.status().put == ("A1",)
        for other in ("west", "dice", "shutdown", "yes", "south"):  # say nothing here
            await push(board, other)
        assert board.moves == ["C4C3"]
        saved = recording.parse(board.host.record_as_test().encode())
        pressed = [event.button for event in saved.events() if isinstance(event, Press)]
        assert pressed == ["hint", "hint", "back", "yes", "A"]

    sit(story, layout)


def test_the_dice_button_throws(sit: Any) -> None:
    async def story(board: Board) -> None:
        board.host.board.press("dice")
        await asyncio.sleep(0.2)
        board.host.board.release("dice")
        await asyncio.sleep(0.5)
        first = next(e for e in board.host.sitting.session.record if e.kind == "throw")
        assert first.texts[0] in {"2", "3", "4", "5"}
        assert board.host.status().dice or board.moves[0] == "--"

    sit(story, game="chaturaji")


# ---- ended, killed, begun again


def test_a_match_goes_on_after_the_program_ended(sit: Any, tmp_path: Path) -> None:
    async def first(board: Board) -> None:
        await board.play("C4C3", "A1A2", "B3B2")

    async def second(board: Board) -> None:
        assert board.moves == ["C4C3", "A1A2", "B3B2"]
        assert board.host.status().put == board.host.status().take == ()
        await board.play("B1B2")
        assert board.moves[-1] == "B1B2"

    sit(first, kill=True)
    sit(second, layout=None, game=None)
    assert not list(tmp_path.glob("match-*"))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_table_disturbed_meanwhile_is_put_right_place_by_place(
    sit: Any, layout: str, tmp_path: Path
) -> None:
    async def first(board: Board) -> None:
        await board.play("C4C3", "A1A2")

    async def second(board: Board) -> None:
        assert board.moves == ["C4C3", "A1A2"]
        status = board.host.status()
        assert (status.put, status.take) == (("A4", "B1", "C3"), ("A3", "C2"))
        assert "Set the pieces up as the lights show." in board.says
        assert "3 movements put the board right: Move the" in board.says
        assert await board.seen("C2") == {"red", "dark"}  # this one first …
        assert await board.seen("C3") == {"white", "dark"}
        assert await board.seen("A3") == {"red"}  # … the others wait
        await board.hands("A3- A4+ 1.5")
        status = board.host.status()
        assert (status.put, status.take) == (("B1", "C3"), ("C2",))
        await board.hands("C2- C3+ 1.5")
        assert board.host.status().put == ("B1",)
        await board.hands("box- B1+ 1.5")
        assert board.host.status().put == board.host.status().take == ()
        await board.play("B3B2")
        assert board.moves == ["C4C3", "A1A2", "B3B2"]

    sit(first, layout, kill=True)
    file = tmp_path / "table.json"
    table = json.loads(file.read_text())
    moved = {"A4": "A3", "C3": "C2", "B1": "box"}
    for man in table["men"]:
        man["place"] = moved.get(man["place"], man["place"])
    file.write_text(json.dumps(table))
    sit(second, layout)


@pytest.mark.parametrize("data", ["", "{}", "[1, 2", '{"lampion": "table", "version": 9}'])
def test_a_table_that_cannot_be_read_is_set_up_anew(
    sit: Any, tmp_path: Path, data: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def first(board: Board) -> None:
        await board.play("C4C3")

    async def second(board: Board) -> None:
        assert board.moves == ["C4C3"]
        assert board.host.status().put == ()

    sit(first, kill=True)
    (tmp_path / "table.json").write_text(data)
    sit(second)
    assert "the men are set up anew" in caplog.text


def test_one_man_that_was_moved_meanwhile_is_no_broken_sensor(sit: Any, tmp_path: Path) -> None:
    async def first(board: Board) -> None:
        await board.play("C4C3")

    async def second(board: Board) -> None:
        assert (board.host.status().put, board.host.status().take) == (("A4",), ("C2",))
        assert board.host.status().masked == ()
        await board.hands("C2- A4+ 1.5")
        await board.play("A1A2")
        assert board.moves == ["C4C3", "A1A2"]

    sit(first, kill=True)
    file = tmp_path / "table.json"
    file.write_text(file.read_text().replace('"A4"', '"C2"'))
    sit(second)


def test_killed_with_a_man_in_the_hand(sit: Any) -> None:
    async def first(board: Board) -> None:
        await board.play("C4C3")
        await board.hands("A1- 0.5")

    async def second(board: Board) -> None:
        await board.play("A1A2")
        assert board.moves == ["C4C3", "A1A2"]

    sit(first, kill=True)
    sit(second)


def test_an_open_question_is_open_again(sit: Any) -> None:
    texts = whole_game()
    asked = next(number for number, text in enumerate(texts) if text.endswith("+"))

    async def first(board: Board) -> None:
        for number, text in enumerate(texts[: asked + 1]):
            await board.play(text)
            if number < asked:
                choice = [c for c in board.host.status().question if c.move == text]
                if choice:
                    board.host.board.press("no")
                    await asyncio.sleep(0.2)
                    board.host.board.release("no")
                    await asyncio.sleep(1)
        assert board.moves[-1] == "?"

    async def second(board: Board) -> None:
        assert board.moves == [*texts[:asked], "?"]
        assert {choice.move for choice in board.host.status().question} >= {texts[asked]}
        board.host.board.press("yes")
        await asyncio.sleep(0.5)
        assert board.moves == list(texts[: asked + 1])

    sit(first, kill=True)
    sit(second)


def test_another_game_or_other_rules_begin_anew_and_keep_the_old_match(
    sit: Any, tmp_path: Path
) -> None:
    async def moves(board: Board) -> None:
        await board.play("C4C3")

    async def nothing_yet(board: Board) -> None:
        assert board.moves == []

    sit(moves)
    sit(nothing_yet, promotion="mandatory")
    sit(moves, promotion="mandatory")
    sit(nothing_yet, game="shogi")
    kept = [resume(file) for file in sorted(tmp_path.glob("match-*.jsonl"))]
    assert [match.matches[0].moves() for match in kept if match] == [["C4C3"], ["C4C3"]]


def test_a_new_match_set_up_by_hand_begins_files_of_its_own(sit: Any, tmp_path: Path) -> None:
    async def story(board: Board) -> None:
        await board.play("C4C3", "B2B3", "A4B3", "A1A2", "B3A2", "C1B2", "B4B3", "B2A3")
        board.host.sitting.handle(NewMatch(board.host.now()))  # as a board without men to command
        assert board.moves == []
        table = board.host.table
        for step in table.steps_to(board.host.game.pieces(board.host.game.start())):
            man = table.lift(step.man, "tidy")
            await asyncio.sleep(0.3)
            if man.front_up != step.front_up:
                table.flip(step.man, "tidy")
            table.put(step.man, step.place, "tidy")
            await asyncio.sleep(0.3)
        await asyncio.sleep(2)
        await board.play("C4C3")
        assert board.moves == ["C4C3"]
        (earlier,) = tmp_path.glob("match-*.jsonl")
        kept = resume(earlier)
        assert kept is not None
        assert len(kept.matches[0].moves()) == 8
        saved = recording.parse(board.host.record_as_test().encode())
        session = replay.begin(saved)
        assert [note.event for note in replay.replay(saved, session)] == ["move"]

    sit(story)


def test_a_new_match_that_is_asked_for_sets_itself_up(sit: Any, tmp_path: Path) -> None:
    async def story(board: Board) -> None:
        await board.play("C4C3", "A1A2")
        rev = board.host.status().rev
        board.host.post(NewMatch(board.host.now()))
        await asyncio.sleep(1)
        assert board.moves == []
        assert board.host.status().rev > rev
        await board.play("B3B2")
        assert board.moves == ["B3B2"]

    sit(story)
    (earlier,) = tmp_path.glob("match-*.jsonl")
    kept = resume(earlier)
    assert kept is not None
    assert kept.matches[0].moves() == ["C4C3", "A1A2"]


# ---- the demonstration


@pytest.mark.parametrize(
    ("game", "layout"),
    [
        ("robot-duel", "square-reed"),
        ("robot-duel", "square-hall"),
        ("chaturaji", "square-reed"),
        ("shogi", "square-hall"),
        ("abalone", "hex-reed"),
    ],
)
def test_hands_demonstrate_a_game(sit: Any, game: str, layout: str) -> None:
    async def story(board: Board) -> None:
        playing = asyncio.create_task(demo.play(board.host, 7))
        await asyncio.sleep(60)
        assert not playing.done()
        assert len(board.moves) >= 8 or board.host.status().outcome is not None
        playing.cancel()
        await asyncio.sleep(5)
        assert not [man for man in board.host.table.men if man.hand]  # it put down what it held
        saved = recording.parse(board.host.record_as_test().encode())
        session = replay.begin(saved)
        for _ in replay.replay(saved, session):
            pass
        assert session.record == board.host.sitting.session.record

    sit(story, layout, game)


def test_the_demonstration_goes_from_match_to_match(sit: Any, tmp_path: Path) -> None:
    async def story(board: Board) -> None:
        playing = asyncio.create_task(demo.play(board.host, 3))
        await asyncio.sleep(900)
        assert not playing.done()
        playing.cancel()

    sit(story)
    ended = [resume(file) for file in tmp_path.glob("match-*.jsonl")]
    assert len(ended) >= 2
    assert all(kept is not None and kept.matches[0].outcome is not None for kept in ended)


def test_the_demonstration_waits_while_people_move_men(sit: Any) -> None:
    async def story(board: Board) -> None:
        playing = asyncio.create_task(demo.play(board.host, 3))
        await asyncio.sleep(10)
        table = board.host.table
        man = next(man for man in table.men if not man.hand)
        place = man.place
        table.lift(man.number, "somebody")
        await asyncio.sleep(1)
        before = table.rev
        await asyncio.sleep(30)
        assert table.rev == before  # as long as somebody holds a man
        assert [each.hand for each in table.men if each.hand] == ["somebody"]
        table.put(man.number, place, "somebody")
        before = list(board.moves)
        await asyncio.sleep(30)
        assert not playing.done()
        assert board.moves != before  # it plays on, or has begun another game
        playing.cancel()

    sit(story)
