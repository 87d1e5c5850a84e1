"""People do anything in any order, on a disk that fails: nothing that was played is lost."""

from __future__ import annotations

import asyncio
import errno
import logging
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from engine.game import Throw
from engine.games import NAMES, make
from firmware_host.host.simulated import SimulatedHost
from firmware_host.host.start import Start
from firmware_host.i18n.messages import LANGUAGES, RefusedError, render
from firmware_host.lessons.loader import lessons_of
from firmware_host.lessons.puzzles import puzzles_of
from firmware_host.session.record import Record
from firmware_host.storage import files
from firmware_host.storage.journal import Resumed
from firmware_host.web import protocol as ask
from firmware_host.web import view
from firmware_host.web.commands import CommandHandler
from firmware_host.web.messages import AnyMessage
from firmware_host.web.roles import HOST, PLAYERS, WATCHER, check
from tests.conftest import SelfPassingTime
from tests.support.advisers import AtOnce
from tests.support.look_backs import KnownLookBack

PAGES = ("page-1", "page-2")
TEXTS = ("", "Ania", "Zoë 🎲", "{why}", "x" * 31, "\u202e")
CLOCKS = ("none", "1m", "5m+3s", "10m+30s*3", "30s/move", "nonsense")
FAULTS = ("none", "none", "stuck_on", "bounce", "missing", "back", "wire", "chain", "nonsense")
OFTEN = {"play": 30, "press": 14, "throw": 10, "choose": 10, "put": 8, "lift": 6, "review": 5}
"""How often some commands are given; the others once."""
MOST_SAID = 12
"""The last commands that a failure tells."""
COMMON = ("n", "rev", "heartbeat")
"""The fields of every command."""


class FailingDisk:
    """A disk on which writes fail now and then, with half of the data or after all of it."""

    def __init__(self, rng: Random, monkeypatch: pytest.MonkeyPatch) -> None:
        self.share = 0.0
        """The share of calls that fail."""
        self._rng = rng
        for name in ("_write", "sync_directory"):
            monkeypatch.setattr(files, name, self._failing(getattr(files, name)))

    def _failing(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(where: Any, *data: Any) -> None:
            fails = self._rng.random() < self.share
            if fails and data:
                real(where, data[0][: len(data[0]) // 2])
            elif not fails or self._rng.random() < 0.5:
                real(where, *data)
            if fails:
                raise OSError(errno.ENOSPC, "No space left on device")

        return call


class Walk:
    """A program, the people at its pages and at its board, and what they have played so far."""

    def __init__(self, game: str, rng: Random, state: Path, disk: FailingDisk) -> None:
        self.game, self.rng, self.state, self.disk = game, rng, state, disk
        self.played: dict[str, Record] = {}
        """What was written last of each match, by its id."""
        self.said: list[str] = []
        """The last commands, with the refusals."""
        self.done: Counter[str] = Counter()

    # ---- the program

    async def run(self, steps: int) -> None:
        """Start the program, do something in it, and end or kill it."""
        loop, rng = asyncio.get_running_loop(), self.rng
        errors: list[str] = []
        loop.set_exception_handler(lambda _, what: errors.append(str(what)))
        self.host = host = SimulatedHost(self.state, clock=loop.time)
        host.look_backs = KnownLookBack()  # type: ignore[assignment]
        host.opponents.analysis = AtOnce(host.opponents._changed)
        host.open(Start() if self.played else Start(self.game))
        self._follow_writes(host)
        self.handler = CommandHandler(host, lambda page, error: None, lambda: None)
        running = asyncio.create_task(host.run())
        await asyncio.sleep(0.5)
        for _ in range(steps):
            if rng.random() < 0.1:
                self.disk.share = rng.choice((0.0, 0.0, 0.1, 0.5, 1.0))
            self.step()
            await asyncio.sleep(rng.choice((0, 0.02, 0.2, 1, 1, 2, 4, 30)))
            assert not running.done(), (running.result(), self.said)
            assert not errors, (errors, self.said)
            self.check()
        self.disk.share = 0.0
        await asyncio.sleep(3.0)
        assert host.status().faults == host.controller.session.view.faults, "all is saved again"
        killed = self.state.with_name("killed")
        # A thread may be writing a file under another name, which is gone a moment later.
        shutil.copytree(self.state, killed, ignore=shutil.ignore_patterns("*.new"))
        running.cancel()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        host.close()
        if rng.random() < 0.5:
            shutil.rmtree(self.state)
            shutil.copytree(killed, self.state)
        shutil.rmtree(killed)
        self.check_files()

    def _follow_writes(self, host: Any) -> None:
        written, resumed = host._files.write, host._files.resume

        def write(record: Record, *more: Any) -> None:
            self.played[host.match_id] = record
            written(record, *more)

        def resume(saved: Resumed, *more: Any) -> None:
            resumed(saved, *more)
            if host.match_id != saved.head.id:  # it goes on under another id
                self.played.pop(saved.head.id, None)
            self.played[host.match_id] = saved.record

        host._files.write, host._files.resume = write, resume

    # ---- what people do

    def step(self) -> None:
        """Do something: a command of a page, or a button of the board."""
        rng, host, page = self.rng, self.host, self.rng.choice(PAGES)
        if rng.random() < 0.05:
            button = rng.choice([each.name for each in host.layout.switches])
            host.board.press(button)
            asyncio.get_running_loop().call_later(0.2, release, host.board, button)
            return
        if rng.random() < 0.01:
            host.pieces.release(page)
            return
        given = self.command(page)
        command = ask.decode(msgspec.json.encode(given))
        role = rng.choice((PLAYERS[0], PLAYERS[3], WATCHER)) if rng.random() < 0.1 else HOST
        answer = ""
        try:
            check(role, command, page, host)
            if not isinstance(command, ask.MotionCommand | ask.LanguageCommand):
                self.handler.take(command, page)
            self.done[given["type"]] += 1
        except RefusedError as error:
            answer = render(error.message, rng.choice(tuple(LANGUAGES)))
            assert answer, given
        self.said = [*self.said[1 - MOST_SAID :], f"{given} {answer}"]

    def command(self, page: str) -> dict[str, Any]:
        """Return a command of a page, which may be nonsense."""
        rng, host = self.rng, self.host
        name = rng.choices(KINDS, [OFTEN.get(each, 1) for each in KINDS])[0]
        fields = {field: rng.choice(self.values(name, field, page)) for field in FIELDS[name]}
        rev = host.pieces.rev if name in ("lift", "flip", "turn", "setup") else host.status().rev
        return {"type": name, "n": 1, "rev": rev if rng.random() < 0.95 else 0, **fields}

    def values(self, command: str, field: str, page: str) -> list[Any]:
        """Return values for a field of a command."""
        rng, host, status = self.rng, self.host, self.host.status()
        game, layout = host.game, host.layout
        match command, field:
            case _, "move" if command == "choose":
                return [*(each.move for each in status.question), "nonsense"]
            case _, "move":
                return [*self.moves(), rng.choice(("", "nonsense", "resign"))]
            case _, "match":
                return ["match", "", "nonsense", *(m.id for m in host.library.page().matches)]
            case _, "piece":
                pieces = host.pieces.all()
                held = [each["id"] for each in pieces if each["held_by"] == page]
                return held or [each["id"] for each in pieces]
            case "light" | "put" | "fault", "place":
                return [*layout.cells, *layout.slots, "box", "nonsense"]
            case _, "button":
                return ["yes", "no", "hint", "back", "wrong", "nonsense", *game.seats]
            case "claim", "claim":
                return ["resign", *(text for each in status.claims.values() for text in each)]
            case _, "player_kind":
                offered = [] if status.opponents is None else [*status.opponents.choices]
                return [*offered, "person", "level:nonsense", "usi:/bin/ls"]
            case _, "lesson":
                known = [*lessons_of(game.name), *puzzles_of(game.name)]
                return ["", "nonsense", *(each.name for each in known)][: rng.choice((2, 99))]
            case "game", "game":
                return [self.game, self.game, *NAMES, "nonsense"]
            case "game", "layout":
                return [*(each.name for each in host.games()[self.game]), "nonsense"]
            case "game", "options":
                chosen = rng.choice(make(self.game).known_options)
                return [{}, {chosen.name: rng.choice(chosen.values or ("x",))}, {"x": "y"}]
        return CHOICES[field]

    def moves(self) -> list[str]:
        """Return the moves that can be made now, and what was requested."""
        host, match = self.host, self.host.controller.session.view.match
        legal = [] if match.outcome else [m for m in match.legal if not isinstance(m, Throw)]
        return [host.game.move_text(match.position, move) for move in legal]

    # ---- what must be so

    def check(self) -> None:
        """Every page gets its state, and the journal has what was played."""
        rng, host = self.rng, self.host
        role, language = rng.choice((HOST, PLAYERS[1], WATCHER)), rng.choice(tuple(LANGUAGES))
        state = msgspec.json.encode(view.state(host, language, "page-1", role))
        msgspec.json.decode(state, type=AnyMessage)
        played = self.played.get(host.match_id, ())
        if played and host._files.status.safe is None:
            kept = Resumed(self.state / "match.jsonl")
            assert (kept.head.id, kept.record) == (host.match_id, played), self.said
            if host.aside.use is None:
                positions = [match.position for match in kept.matches]
                assert host.controller.session.view.match.position in positions, self.said

    def check_files(self) -> None:
        """All that was played is there, each match once."""
        paths = [*self.state.glob("match*.jsonl"), *self.state.glob("deleted/match*.jsonl")]
        found = [Resumed(path) for path in paths]
        kept = {each.head.id: each.record for each in found}
        assert len(kept) == len(found)
        for name, record in self.played.items():
            assert not record or kept.get(name) == record, (name, self.said)


def release(board: Any, button: str) -> None:
    """Release a button, if the board has not been replaced by one without it."""
    if button in board.held():
        board.release(button)


FIELDS: dict[str, tuple[str, ...]] = {}
"""The fields of each command."""
CHOICES: dict[str, list[Any]] = {
    "seat": list(range(5)),
    "dice": [[], [], [], [1], [6, 6], [99]],
    "level": list(range(5)),
    "name": list(TEXTS),
    "learner": list(TEXTS),
    "names": [None, None, ["Ola"] * 2, ["Ola"] * 4],
    "player_kinds": [None, None, ["person"] * 2, ["level:newcomer"] * 2, ["person"] * 4],
    "clock": [None, *CLOCKS],
    "control": list(CLOCKS),
    "pieces": list(range(7)),
    "ply": list(range(8)),
    "at": [None, *range(8)],
    "fault": list(FAULTS),
    "chip": [0, 32, 33],
    "count": [0, 1, 3],
    "language": ["pl", "nonsense"],
    "place": [""],
}
"""Values for fields, where they do not follow from the match; further ones for those that are
yes or no.
"""
for kind in ask.AnyCommand.__args__:
    own = [each for each in msgspec.structs.fields(kind) if each.name not in COMMON]
    FIELDS[kind.__struct_config__.tag] = tuple(each.name for each in own)
    CHOICES |= {each.name: [False, True] for each in own if each.type is bool}
KINDS = tuple(FIELDS)


def walk(game: str, seed: int, steps: int, state: Path, monkeypatch: pytest.MonkeyPatch) -> Walk:
    rng = Random(seed)
    state.mkdir()
    monkeypatch.setattr("random.choice", rng.choice)
    made = Walk(game, rng, state, FailingDisk(rng, monkeypatch))
    for _ in range(3):
        with asyncio.Runner(loop_factory=SelfPassingTime) as runner:
            runner.run(made.run(steps))
    return made


def test_a_short_walk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert walk("robot-duel", 1, 15, tmp_path / "state", monkeypatch).done["play"]


@pytest.mark.deep
@pytest.mark.parametrize("game", NAMES)
def test_whatever_people_do_nothing_is_lost(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for seed in range(4):
        walk(game, seed, 120, tmp_path / f"{seed}", monkeypatch)
    assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []
