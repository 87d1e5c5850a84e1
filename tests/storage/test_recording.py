"""Recordings: written and read back, and every line that is no line of one said in one line."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games import NAMES, make
from engine.reading.footprints import Sight
from firmware_host.cli.replay import begin, replay
from firmware_host.controller.controller import header_of, pockets_of
from firmware_host.i18n.messages import say
from firmware_host.session.events import Assist, Choose, Claimed, Dice, Event, Frame, Press, Tick
from firmware_host.session.session import Session
from firmware_host.storage.recording import (
    LARGEST_LINE,
    Recorder,
    Recording,
    RecordingError,
    RecordingHeader,
    parse,
    read,
)
from firmware_host.text.faults import blind_message
from hardware.layout import NAMES as LAYOUTS
from hardware.layout import load
from tests.support.random_games import play_random

HEADER = {
    "lampion": "recording",
    "version": 1,
    "game": "robot-duel",
    "options": {},
    "sensing": "presence",
    "position": None,
}


def text(*lines: object, header: object = HEADER) -> bytes:
    """A recording of these lines; bytes go in as they are."""
    data = b""
    for line in (header, *lines):
        data += (line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n"
    return data


def why(data: bytes) -> str:
    with pytest.raises(RecordingError) as caught:
        parse(data, "file.jsonl")
    message = str(caught.value)
    assert "\n" not in message
    return message


def events(data: bytes) -> list[Event]:
    return list(parse(data).events())


# ---- what is read


def test_every_kind_of_line() -> None:
    found = events(
        text(
            {"t": 0, "places": {"A4": 1, "C4": 1}},
            {"t": 1.5, "places": {"C4": 0, "C3": 1}},
            {"t": 1.5},
            {"t": 2, "places": {}},
            {"t": 2.5, "dice": [3]},
            {"t": 2.5, "dice": [2, 5]},
            {"t": 2.5, "dice": [4], "instead": True},
            {"t": 3, "press": "yes"},
            {"t": 3, "press": "B"},
            {"t": 3, "choose": "C4C3"},
            {"t": 3, "name": "C4C3"},
            {"t": 4, "claim": "resign", "seat": 1},
            {"t": 5, "blind": ["A3", "A4"]},
            {"t": 6, "places": {"C3": 0}, "blind": ["A3"]},
            {"t": 7, "blind": []},
        )
    )
    assert found == [
        Frame(0.0, {"A4": 1, "C4": 1}),
        Frame(1.5, {"A4": 1, "C3": 1}),
        Frame(1.5, {"A4": 1, "C3": 1}),
        Frame(2.0, {"A4": 1, "C3": 1}),
        Dice(2.5, (3,)),
        Dice(2.5, (2, 5)),
        Dice(2.5, (4,), instead=True),
        Press(3.0, "yes"),
        Press(3.0, "B"),
        Choose(3.0, "C4C3"),
        Choose(3.0, "C4C3"),
        Claimed(4.0, "resign", 1),
        Frame(5.0, {"C3": 1}, frozenset({"A3", "A4"}), (blind_message(["A3", "A4"]),)),
        Frame(6.0, {"A4": 1}, frozenset({"A3"}), (blind_message(["A3"]),)),
        Frame(7.0, {"A4": 1}),
    ]


def test_events_can_be_had_again_and_keep_what_they_said() -> None:
    recording = parse(text({"t": 0, "places": {"A4": 1}}, {"t": 1, "places": {"A4": 0}}))
    first = list(recording.events())
    assert first == list(recording.events()) == [Frame(0.0, {"A4": 1}), Frame(1.0, {})]


def test_polarity_reads_poles_and_pockets() -> None:
    lines = ({"t": 0, "places": {"B2": -1, "hand.A.C": 4}},)
    assert events(text(*lines, header=HEADER | {"sensing": "polarity"})) == [
        Frame(0.0, {"B2": -1, "hand.A.C": 4})
    ]


def test_the_header_says_what_is_played_and_seen() -> None:
    position = "gl1/1c1/1C1/ELG b E 1"
    header = HEADER | {
        "options": {"promotion": "mandatory"},
        "position": position,
        "unsensed": ["hand.A"],
    }
    found = parse(text(header=header)).header
    assert found.game == make("robot-duel", {"promotion": "mandatory"})
    assert found.game.position_text(found.position) == position
    assert found.sight().trays == {"hand.B.C", "hand.B.E", "hand.B.G"}
    assert found.plain() == header


def test_the_header_says_how_many_pockets_a_tray_has() -> None:
    header = HEADER | {"game": "abalone", "sensing": "polarity", "pockets": {"out.black": 1}}
    found = parse(text({"t": 0, "places": {"out.black": 1}}, header=header)).header
    assert found.sight().pockets == {"out.black": 1, "out.white": 4}
    assert found.plain() == header
    full = text({"t": 0, "places": {"out.black": 2}}, header=header)
    assert "out.black: 2 is no reading" in why(full)


def test_a_presence_board_may_count_the_pieces_of_a_tray() -> None:
    header = HEADER | {"game": "robotory", "sensing": "presence", "pockets": {"stock.light.w": 4}}
    found = parse(text({"t": 0, "places": {"stock.light.w": 4}}, header=header))
    (event,) = found.events()
    assert isinstance(event, Frame)
    assert event.readings == {"stock.light.w": 4}
    for place in ("stock.light.b", "pool.w", "c3"):
        two = text({"t": 0, "places": {place: 2}}, header=header)
        assert f"{place}: 2 is no reading" in why(two)
    five = HEADER | {"game": "robotory", "pockets": {"stock.light.w": 5}}
    assert "5 is not from 1 to 4" in why(text(header=five))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_board_records_the_pockets_that_its_trays_have(layout: str) -> None:
    board = load(layout)
    for name in board.games:
        header = header_of(make(name), board, make(name).start())
        found = parse(text(header=header.plain())).header
        trays = found.sight().trays
        had = pockets_of(found.game, board)
        assert {tray: found.sight().pockets[tray] for tray in trays} == {
            tray: had[tray] for tray in trays
        }


# ---- a line that is none


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"", "not a JSON object"),
        (b"{", "not a JSON object"),
        (b"[1]", "not a JSON object"),
        (b"17", "not a JSON object"),
        (b"\xff\xfe{}", "not a JSON object"),
        (b"[" * 5000 + b"]" * 5000, "not a JSON object"),
        (b'{"t": 1, "places": {"A4": ' + b"9" * 5000 + b"}}", "not a JSON object"),
        (b" " * LARGEST_LINE + b"{}", "longer than"),
        ({}, "t must be"),
        ({"t": "1"}, "t must be"),
        ({"t": True}, "t must be"),
        ({"t": None, "places": {}}, "t must be"),
        ({"t": -0.1}, "t must be"),
        (b'{"t": NaN}', "t must be"),
        (b'{"t": Infinity}', "t must be"),
        (b'{"t": 1e400}', "t must be"),
        ({"t": 0.5}, "time goes back: 0.5 after 1"),
        ({"t": 1, "places": {"Z9": 1}}, "'Z9' is no place of robot-duel"),
        ({"t": 1, "places": {"": 1}}, "'' is no place"),
        ({"t": 1, "places": {"A4": 2}}, "A4: 2 is no reading of a presence board"),
        ({"t": 1, "places": {"A4": -1}}, "A4: -1 is no reading"),
        ({"t": 1, "places": {"hand.A.C": 2}}, "hand.A.C: 2 is no reading"),
        ({"t": 1, "places": {"A4": True}}, "A4: True is no reading"),
        ({"t": 1, "places": {"A4": 1.0}}, "A4: 1.0 is no reading"),
        ({"t": 1, "places": {"A4": None}}, "A4: None is no reading"),
        ({"t": 1, "places": ["A4"]}, "places: not"),
        ({"t": 1, "dice": []}, "one or two whole numbers"),
        ({"t": 1, "dice": [1, 2, 3]}, "one or two whole numbers"),
        ({"t": 1, "dice": ["3"]}, "one or two whole numbers"),
        ({"t": 1, "dice": [True]}, "one or two whole numbers"),
        ({"t": 1, "dice": [1.0]}, "one or two whole numbers"),
        ({"t": 1, "dice": [-3, 2]}, "one or two whole numbers"),
        ({"t": 1, "dice": [100]}, "one or two whole numbers from 0 to 99"),
        ({"t": 1, "dice": [10**3999]}, "one or two whole numbers"),
        ({"t": 1, "choose": "x", "number": True}, "number True: must be"),
        ({"t": 1, "choose": "x", "number": 1.0}, "number 1.0: must be"),
        ({"t": 1, "choose": "x", "number": 10**7}, "number 10000000: must be"),
        ({"t": 1, "dice": 3}, "dice: not"),
        ({"t": 1, "dice": [3], "instead": 1}, "instead 1: must be true or false"),
        (
            {"t": 1, "press": "maybe"},
            "button 'maybe' is not one of yes, no, hint",
        ),
        ({"t": 1, "press": "sente"}, "button 'sente'"),
        ({"t": 1, "press": 1}, "press: not"),
        ({"t": 1, "choose": None}, "choose: not"),
        ({"t": 1, "name": 3}, "name: not"),
        ({"t": 1, "claim": "resign"}, "claim: not"),
        ({"t": 1, "claim": "resign", "seat": 2}, "seat 2: there is no such seat"),
        ({"t": 1, "claim": "resign", "seat": -1}, "seat -1"),
        ({"t": 1, "claim": "resign", "seat": False}, "seat False"),
        ({"t": 1, "claim": "resign", "seat": "A"}, "claim, seat: not"),
        ({"t": 1, "places": {}, "dice": [3]}, "dice, places: not"),
        ({"t": 1, "colour": "red"}, "colour: not"),
        ({"t": 1, "blind": ["A4", "Z9"]}, "blind 'Z9': is no place of robot-duel"),
        ({"t": 1, "blind": [["A4"]]}, "blind ['A4']: is no place"),
        ({"t": 1, "blind": "A4"}, "blind: not"),
        ({"t": 1, "blind": None}, "blind: not"),
        ({"t": 1, "blind": ["A4"], "dice": [3]}, "blind, dice: not"),
        ({"t": 1, "blind": ["A4"], "places": ["A4"]}, "blind, places: not"),
    ],
)
def test_a_bad_line_is_named(line: object, said: str) -> None:
    message = why(text({"t": 1, "places": {"A4": 1}}, line, {"t": 2}))
    assert message.startswith("file.jsonl: line 3: ")
    assert said in message
    assert len(message) < 300


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"lampion": "journal"}, "not a recording"),
        ({"version": 2}, "version 2 is not known"),
        ({"version": "1"}, "version '1' is not known"),
        ({"version": True}, "version True is not known"),
        ({"version": 1.0}, "version 1.0 is not known"),
        ({"colour": 1}, "unknown key 'colour'"),
        ({"sensing": "smell"}, "sensing 'smell'"),
        ({"sensing": ["presence"]}, "sensing"),
        ({"game": "chess"}, "no game 'chess'; there are: robot-duel"),
        ({"game": None}, "game must be a name"),
        ({"options": []}, "options must be an object"),
        ({"options": {"speed": 1}}, "no option 'speed'"),
        ({"options": {"promotion": "never"}}, "option promotion: 'never'"),
        ({"options": {"promotion": {"deep": [1]}}}, "option promotion"),
        ({"position": 7}, "position must be"),
        ({"position": "nonsense"}, "nonsense"),
        ({"unsensed": "hand"}, "unsensed 'hand'"),
        ({"unsensed": ["pool"]}, "unsensed ['pool']"),
        ({"unsensed": [1]}, "unsensed [1]"),
        ({"pockets": [4]}, "pockets must be an object"),
        ({"pockets": {"hand": 1}}, "pockets: 'hand' is no tray of robot-duel"),
        ({"pockets": {"hand.A.C": 5}}, "pockets of hand.A.C: 5 is not from 1 to 4"),
        ({"sensing": "polarity", "pockets": {"hand.A.C": 5}}, "5 is not from 1 to 4"),
        ({"pockets": {"hand.A.C": True}}, "True is not from 1"),
    ],
)
def test_a_bad_header_is_named(change: dict[str, object], said: str) -> None:
    message = why(text({"t": 0}, header=HEADER | change))
    assert message.startswith("file.jsonl: line 1: ")
    assert said in message


@pytest.mark.parametrize("data", [b"", b"\n", b'{"t": 0}\n', b"\0\0\0", b"PK\x03\x04" * 99])
def test_another_file_is_no_recording(data: bytes) -> None:
    assert why(data).startswith("file.jsonl: line 1: ")


# ---- the end that broke off


def test_a_torn_last_line_is_dropped_and_said() -> None:
    whole = text({"t": 0, "places": {"A4": 1}}, {"t": 1, "places": {"A4": 0}})
    last = whole.rstrip(b"\n").rindex(b"\n") + 1
    for end in range(last + 1, len(whole) - 1):
        recording = parse(whole[:end])
        assert recording.torn
        assert list(recording.events()) == [Frame(0.0, {"A4": 1})]
    for end in (last, len(whole) - 1, len(whole)):  # only the line's end is missing, or nothing
        assert not parse(whole[:end]).torn


def test_only_a_torn_line_is_dropped() -> None:
    good = text({"t": 1, "places": {"A4": 1}})
    assert "line 3: time goes back" in why(good + b'{"t": 0}')  # whole, but wrong
    assert "line 3: not a JSON object" in why(good + b'{"t": 1, "pla\n')  # it has its end
    assert "line 2: not a JSON object" in why(text(b'{"t": 1, "pla', {"t": 2}))


@given(st.integers(0, 2000))
def test_wherever_it_breaks_off_it_is_read_to_there(cut: int) -> None:
    whole = b"".join(
        [text({"t": 0, "places": {"A4": 1}}), *(b'{"t": %d}\n' % t for t in range(1, 60))]
    )
    data = whole[: len(text()) + cut]
    recording = parse(data)
    assert len(list(recording.events())) in (data.count(b"\n") - 1, data.count(b"\n"))


# ---- files


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="No such file"):
        read(tmp_path / "missing.jsonl")
    with pytest.raises(RecordingError, match="Is a directory"):
        read(tmp_path)


def test_a_file_without_end_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("firmware_host.storage.recording.LARGEST_FILE", 1000)
    with pytest.raises(RecordingError, match="/dev/zero: Not a regular file"):
        read("/dev/zero")
    file = tmp_path / "long.jsonl"
    file.write_bytes(text() + b'{"t": 1}\n' * 200)
    with pytest.raises(RecordingError, match="longer than 1000 bytes"):
        read(file)


# ---- writing


def written(header: RecordingHeader, *happened: Event) -> Recording:
    recorder = Recorder(header)
    lines = [recorder.header(), *(line for event in happened for line in recorder.lines(event))]
    return parse("".join(lines).encode())


DUEL = RecordingHeader(make("robot-duel"), "presence", make("robot-duel").start(), ())


def test_what_is_written_reads_as_it_happened_from_the_first_frame_on() -> None:
    recording = written(
        DUEL,
        Press(4.0, "hint"),  # before anything is known of the board
        Frame(5.0, {"A4": 1, "B4": 1}),
        Frame(5.5, {"A4": 1, "B4": 1}),
        Tick(5.6),
        Frame(6.0, {"B4": 1, "C3": 1}),
        Dice(6.5, (3,)),
        Dice(6.75, (4,), instead=True),
        Press(7.0, "yes"),
        Assist(7.0, 1, 0),
        Choose(7.5, "C4C3"),
        Choose(7.75, "A1A2", 3),
        Claimed(8.0, "resign", 1),
    )
    assert list(recording.events()) == [
        Frame(0.0, {"A4": 1, "B4": 1}),
        Frame(1.0, {"B4": 1, "C3": 1}),
        Dice(1.5, (3,)),
        Dice(1.75, (4,), instead=True),
        Press(2.0, "yes"),
        Choose(2.5, "C4C3"),
        Choose(2.75, "A1A2", 3),
        Claimed(3.0, "resign", 1),
    ]


def test_time_never_goes_back_in_what_is_written() -> None:
    recording = written(DUEL, Frame(5.0, {}), Press(6.0, "yes"), Press(5.5, "no"))
    assert [event.at for event in recording.events()] == [0.0, 1.0, 1.0]


def test_places_that_nothing_is_known_of_are_named_and_seen_again() -> None:
    gone = frozenset({"A4", "B4", "C3"})
    recording = written(
        DUEL,
        Frame(0.0, {"A4": 1, "B4": 1, "C4": 1}),
        Frame(1.0, {"C4": 1}, gone, (say("A chip is gone."),)),
        Frame(1.5, {}, gone),
        Frame(2.0, {"B4": 1, "C3": 1}),
    )
    said = (blind_message(gone),)
    assert list(recording.events()) == [
        Frame(0.0, {"A4": 1, "B4": 1, "C4": 1}),
        Frame(1.0, {"C4": 1}, gone, said),
        Frame(1.5, {}, gone, said),
        Frame(2.0, {"B4": 1, "C3": 1}),
    ]
    again = written(DUEL, *recording.events())
    assert again.lines == recording.lines


def test_a_board_blind_from_the_start_is_recorded_so() -> None:
    gone = frozenset({"A4", "B4"})
    (first,) = written(DUEL, Frame(3.0, {"C4": 1}, gone)).events()
    assert (first.at, first.readings, first.blind) == (0.0, {"C4": 1}, gone)  # type: ignore[union-attr]


def test_a_chip_that_is_gone_replays_as_it_was() -> None:
    gone = frozenset({"C4", "C3", "B4"})
    start = Sight(DUEL.game).readings(DUEL.position)
    shown = {place: 1 for place in start if place not in gone}
    happened: list[Event] = [
        Frame(0.0, start),
        Frame(1.0, shown, gone),
        Frame(3.0, {p: 1 for p in shown if p != "B3"}, gone),
        Frame(3.3, {p: 1 for p in shown if p not in ("B3", "B2")}, gone),
        Frame(3.6, {p: 1 for p in shown if p != "B3"}, gone),
        Frame(3.9, {**{p: 1 for p in shown if p != "B3"}, "hand.A.C": 1}, gone),
        Frame(9.0, {**{p: 1 for p in start if p != "B3"}, "hand.A.C": 1}),
    ]
    live = Session(DUEL.game, Sight(DUEL.game))
    told = [note for event in happened for note in live.handle(event)]
    session = begin(recording := written(DUEL, *happened))
    replayed = list(replay(recording, session))
    assert [n.plain() for n in replayed if n.event != "fault"] == [n.plain() for n in told]
    assert [n.details for n in replayed if n.event == "fault"] == [
        {"fault": "No chip answers for these places: B4, C3, C4."}
    ]
    assert [entry.texts for entry in session.record] == [("B3B2",)]
    assert not session.view.masked
    assert not session.view.repair.guiding


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("sensing", ["presence", "polarity"])
def test_an_evening_written_again_is_the_same(name: str, sensing: str, tmp_path: Path) -> None:
    file = tmp_path / "evening.jsonl"
    play_random(make(name), Random(f"{name} again"), sensing, plies=6).write(file)
    recording = read(file)
    again = written(recording.header, *recording.events())
    assert list(again.events()) == _without_ticks(list(recording.events()))


def _without_ticks(happened: list[Event]) -> list[Event]:
    kept: list[Event] = []
    last: Frame | None = None
    for event in happened:
        if isinstance(event, Frame):
            if last is not None and event.readings == last.readings:
                continue
            last = event
        kept.append(event)
    return kept
