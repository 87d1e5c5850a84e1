"""However long hands dither, no call does much, nothing piles up, and nobody sees how a search was
cut into parts.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from benchmarks import frames
from engine.games import NAMES, make
from engine.match import Match
from engine.reading.evidence import ANSWERS_KEPT, EDGES_KEPT, WIDTH
from engine.reading.footprints import Sight
from engine.reading.history import History
from engine.reading.reader import Reader
from firmware_host.session.events import Event, Frame, NewMatch, Tick
from firmware_host.session.outbox import Note
from firmware_host.session.session import Session
from firmware_host.storage import recording
from tests import soak
from tests.support.random_games import play_random
from tests.support.sampling import EACH_GAME, all_but
from tests.support.session_parts import reader_of

LINES_AT_ONCE = 10  # that one call may make
LINES_ALIVE = 1000
LINES_SWEPT = 200  # that are made when all pieces are set up at once


def restless(session: Session, rng: Random, times: int) -> Iterator[Event]:
    readings = session.sight.readings(session.game.start())
    return frames.restless(session.game, readings, rng, times)


def begun(name: str, sensing: str = "presence") -> Session:
    game = make(name)
    return Session(game, Sight(game, sensing), [Match.begin(game)])


def driven(session: Session, events: Iterator[Event]) -> Iterator[list[Note]]:
    """Feed events as the loop does: every deadline is a call of its own."""
    for event in events:
        while (due := session.deadline) is not None and due < event.at:
            yield session.handle(Tick(due))
        yield session.handle(event)


def lines_alive() -> int:
    gc.collect()
    return sum(isinstance(each, History) for each in gc.get_objects())


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """One entry for every line that is made."""
    found: list[None] = []
    begin = History.__init__

    def counted(line: History, *arguments: Any) -> None:
        found.append(None)
        begin(line, *arguments)

    monkeypatch.setattr(History, "__init__", counted)
    return found


@pytest.mark.deep
@pytest.mark.parametrize("name", NAMES)
def test_no_call_tries_many_lines(name: str, made: list[None]) -> None:
    most = 0
    session, in_all = begun(name), 0
    for _ in driven(session, restless(session, Random(name), 300)):
        most, in_all = max(most, len(made)), in_all + len(made)
        made.clear()
    assert most <= LINES_AT_ONCE
    assert in_all > 4 * LINES_AT_ONCE or name == "chaturaji"  # there was something to cut


def test_pieces_that_are_all_set_up_at_once_are_no_play(made: list[None]) -> None:
    header, events = recorded("shogi", "presence", 3, 25)
    session = Session(header.game, header.sight(), [Match.begin(header.game, header.position)])
    for _ in driven(session, iter(events)):
        pass
    for _ in driven(session, iter([Tick(session.now + 3.0)])):
        pass
    made.clear()
    start = session.sight.readings(header.game.start())
    again = [Frame(session.now + 1.0, start), Tick(session.now + 4.0)]
    for _ in driven(session, iter(again)):
        pass
    assert len(made) <= LINES_SWEPT
    assert session.view.match.moves() == []  # all is taken back


@pytest.mark.parametrize("times", [60, pytest.param(1000, marks=pytest.mark.deep)])
@pytest.mark.parametrize("name", NAMES)
def test_dithering_hands_leave_nothing_behind(name: str, times: int) -> None:
    before = lines_alive()
    session = begun(name)
    for _ in driven(session, restless(session, Random(name), times)):
        pass
    reader = reader_of(session)
    assert lines_alive() - before <= LINES_ALIVE
    decoder = reader.decoder
    assert len(decoder.edges.order) <= EDGES_KEPT
    assert len(decoder.hypotheses) <= WIDTH
    for line in (*reader.shown, *reader.confirmed):
        assert len(line.possible._answers) <= ANSWERS_KEPT


@pytest.mark.parametrize("name", all_but(NAMES, ["chaturaji", "robotory", "abalone"]))
def test_nothing_waits_for_the_garbage_collector(name: str) -> None:
    header, events = recorded(name, "presence", 5, 12)
    gc.collect()
    gc.disable()
    try:
        session = Session(header.game, header.sight(), [Match.begin(header.game, header.position)])
        for event in events:
            session.handle(event)
        for _ in driven(session, restless(session, Random(name), 20)):
            pass
        session.handle(NewMatch(session.now + 3.0))
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        assert not [each for each in gc.garbage if isinstance(each, History | Reader)]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


def recorded(name: str, sensing: str, seed: int, plies: int) -> tuple[Any, list[Event]]:
    lines = play_random(make(name), Random(seed), sensing, plies=plies, takebacks=0.1)
    text = "".join(json.dumps(line) + "\n" for line in (lines.header, *lines.lines))
    heard = recording.parse(text.encode())
    return heard.header, list(heard.events())


@pytest.mark.parametrize(("name", "sensing"), EACH_GAME)
def test_when_it_is_called_does_not_matter(name: str, sensing: str) -> None:
    header, events = recorded(name, sensing, 3, 16)

    def played(calls: Iterator[float]) -> list[dict[str, Any]]:
        session = Session(header.game, header.sight(), [Match.begin(header.game, header.position)])
        notes = []
        for event in events:
            at = session.now + next(calls)
            while at < event.at:
                notes += session.handle(Tick(at))
                at += next(calls)
            notes += session.handle(event)
        notes += session.handle(Tick(session.now + 10.0))
        return [note.plain() for note in notes]

    rng = Random(7)
    seldom = played(iter(lambda: 1e9, None))
    often = played(iter(lambda: rng.choice((0.0004, 0.003, 0.05, 0.5)), None))
    assert often == seldom


@pytest.mark.deep
def test_a_soak_is_flat_unless_something_piles_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soak, "DITHERS", 8)
    monkeypatch.setattr(soak, "NUDGES", 50)
    monkeypatch.setattr(soak, "PLIES", 10)
    monkeypatch.setattr(soak, "COUNTS", 8)
    gc.unfreeze()  # objects that tests share are frozen: without them a few more would be many
    try:
        counts = list(soak.soak(600, names=("robot-duel",)))
    finally:
        gc.freeze()
    assert len(counts) == soak.COUNTS
    assert [each.histories for each in counts] == [1] * len(counts)
    assert soak.is_flat(counts)

    leaked: list[list[object]] = []
    handle = Session.handle

    def leaking(session: Session, event: Event) -> list[Note]:
        leaked.extend([event] for _ in range(200))
        return handle(session, event)

    monkeypatch.setattr(Session, "handle", leaking)
    assert not soak.is_flat(list(soak.soak(600, names=("robot-duel",))))


def test_a_soak_tells_which_figure_grows() -> None:
    begun = soak.MemoryCount(1, 1000, 9000, 5, 100, 1000, 1000)
    assert soak.is_flat([begun] * 10 + [replace(begun, cached=200)] * 10)
    for figure in ("objects", "blocks", "histories", "rss", "peak"):
        grown = replace(begun, **{figure: getattr(begun, figure) * 11 // 10 + 1})
        assert not soak.is_flat([begun] * 10 + [grown] * 10)
