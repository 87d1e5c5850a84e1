"""`lampion replay`: a session that is fed by a recording, on the recording's time."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from engine.games import make
from firmware_host.__main__ import main
from tests.support.random_games import play_random

RECORDINGS = Path(__file__).parents[1] / "recordings"
KEYS = {
    "move": {"seat", "move"},
    "revise": {"seat", "move"},
    "retract": {"seat", "move"},
    "takeback": {"plies"},
    "ask": {"seat", "moves"},
    "answer": {"seat", "move"},
    "astray": {"put", "take"},
    "refused": {"reason", "places", "seat"},
    "fault": {"fault"},
    "over": {"outcome"},
}
"""The keys of each kind of event."""


class Replayed:
    """The output of `lampion replay FILE --json`."""

    def __init__(self, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["replay", str(file), "--json"]) == 0
        printed, self.err = capsys.readouterr()
        *self.lines, self.end = [json.loads(line) for line in printed.splitlines()]
        self.events = [(line["event"], line.get("move")) for line in self.lines]

    def one(self, kind: str) -> Any:
        (line,) = [line for line in self.lines if line["event"] == kind]
        return line


@pytest.fixture
def replay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Replay lines of places, written `0.5 B4- A3+`, or as objects; the board is set up at 0."""

    def run(*lines: str | dict[str, Any], tail: str = "", **header: Any) -> Replayed:
        head = {
            "lampion": "recording",
            "version": 1,
            "game": "robot-duel",
            "options": {},
            "sensing": "presence",
            "position": None,
        } | header
        game = make(head["game"], head["options"])
        start = game.start() if not head["position"] else game.parse_position(head["position"])
        polarity = head["sensing"] == "polarity"
        reads = {
            place: min(piece.count, 4) * (piece.pole if place in game.cells() else 1)
            if polarity
            else 1
            for place, piece in game.pieces(start).items()
            if not place.startswith(tuple(head.get("unsensed", ["no tray"])))
        }
        objects: list[dict[str, Any]] = [head, {"t": 0.0, "places": reads}]
        for line in lines:
            if isinstance(line, str):
                at, *acts = line.split()
                signs = {"+": 1, "-": 0, "/": -1}
                line = {"t": float(at), "places": {act[:-1]: signs[act[-1]] for act in acts}}
            objects.append(line)
        file = tmp_path / "match.jsonl"
        file.write_text("".join(json.dumps(each) + "\n" for each in objects) + tail)
        return Replayed(file, capsys)

    return run


def test_a_move_and_the_last_line(replay: Any) -> None:
    done = replay("1.0 C4-", "1.6 C3+")
    assert done.events == [("move", "C4C3")]
    assert done.lines[0]["seat"] == 0
    assert 1.6 < done.lines[0]["t"] < 1.7
    game = make("robot-duel")
    after = game.play(game.start(), game.parse_move(game.start(), "C4C3"))
    assert done.end == {
        "event": "end",
        "moves": ["C4C3"],
        "open": [],
        "outcome": None,
        "position": game.position_text(after),
    }


def test_nothing_but_a_header(replay: Any, tmp_path: Path, capsys: Any) -> None:
    head = '{"lampion": "recording", "version": 1, "game": "shogi", "options": {}, '
    head += '"sensing": "presence", "position": null}\n'
    (tmp_path / "head.jsonl").write_text(head)
    done = Replayed(tmp_path / "head.jsonl", capsys)
    assert done.lines == []
    assert done.end["moves"] == []


def test_deadlines_fire_between_lines_and_after_the_last(replay: Any) -> None:
    done = replay("1.0 B4-", "1.5 A3+", "9.0 A3-", "9.5 C3+")
    assert done.events == [("move", "B4A3"), ("revise", "B4C3")]
    moved, revised = done.lines
    assert 1.5 < moved["t"] < 2.5  # long before the line that follows
    assert 9.5 < revised["t"] < 10.5  # after the last line


def test_a_retracted_move_and_an_illegal_one(replay: Any) -> None:
    done = replay("1 C4-", "1.5 C3+", "3 C3-", "3.5 C4+", "5 A4-", "5.5 A3+")
    assert done.events[:2] == [("move", "C4C3"), ("retract", "C4C3")]
    assert done.one("refused")["reason"] == "way-E"
    assert done.one("astray")["put"] == ["A4"]
    assert done.one("astray")["take"] == ["A3"]
    assert done.end["moves"] == []


def test_a_takeback_says_how_many_plies(replay: Any) -> None:
    done = replay("1 C4-", "1.5 C3+", "3 A1-", "3.5 A2+", "5 A2-", "5.5 A1+", "7 C3-", "7.5 C4+")
    assert done.events[2:] == [("retract", "A1A2"), ("takeback", None)]
    assert done.one("takeback")["plies"] == 1
    assert done.end["moves"] == []


PROMOTING = "g1l/1C1/2L/E1G b Ce 1"


def test_an_open_question_is_in_the_last_line_and_not_in_the_moves(replay: Any) -> None:
    done = replay("1 B2-", "1.5 B1+", "4 A1-", "4.5 A2+", position=PROMOTING)
    assert sorted(done.one("ask")["moves"]) == ["B2B1", "B2B1+"]
    assert done.end["moves"] == ["A1A2"]
    assert sorted(done.end["open"]) == ["B2B1", "B2B1+"]


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ({"choose": "B2B1"}, "B2B1"),
        ({"press": "yes"}, "B2B1+"),
    ],
)
def test_an_answer_by_name_or_button(replay: Any, answer: dict[str, Any], text: str) -> None:
    done = replay("1 B2-", "1.5 B1+", {"t": 4, **answer}, position=PROMOTING)
    assert done.events[-1] == ("answer", text)
    assert done.end["moves"] == [text]
    assert done.end["open"] == []


def test_an_answer_when_nothing_is_asked_changes_nothing(replay: Any) -> None:
    plain = replay("1 C4-", "1.6 C3+")
    lines = ("1 C4-", {"t": 1.2, "choose": "B3B2"}, "1.6 C3+", {"t": 3, "choose": "what?"})
    chosen = replay({"t": 0.5, "choose": "C4C3"}, *lines)
    # A move that was named before it was made is accepted as soon as the readings allow it.
    assert [line | {"t": 0} for line in chosen.lines] == [line | {"t": 0} for line in plain.lines]
    assert chosen.lines[0]["t"] <= plain.lines[0]["t"]
    assert chosen.end == plain.end


def test_dice_passes_and_claims(replay: Any) -> None:
    dice = {"t": 0.5, "dice": [4]}, {"t": 1, "dice": [3]}
    done = replay(*dice, "2 a7-", "2.5 c6+", game="chaturaji")
    assert done.events == [("move", "--"), ("move", "a7c6")]
    assert done.end["moves"] == ["--", "a7c6"]
    ended = replay({"t": 2, "claim": "resign", "seat": 1})
    assert ended.lines == [
        {"t": 2, "event": "over", "outcome": {"winners": ["A"], "reason": "resign"}}
    ]
    assert ended.end["outcome"] == {"winners": ["A"], "reason": "resign"}
    assert ended.end["moves"] == []


def test_trays_without_sensors_are_left_out(replay: Any) -> None:
    drop = replay("1 A3+", position="gl1/1c1/1C1/1LG b Ee 1", unsensed=["hand"])
    assert drop.end["moves"] == ["E*A3"]


def test_a_torn_last_line_is_reported_and_dropped(replay: Any) -> None:
    done = replay("1 C4-", "1.6 C3+", tail='{"t": 9, "plac')
    assert done.end["moves"] == ["C4C3"]
    assert "last line" in done.err
    assert done.err.count("\n") == 1


def test_people_read_lines_of_text(replay: Any, tmp_path: Path, capsys: Any) -> None:
    replay("1 C4-", "1.6 C3+")
    assert main(["replay", str(tmp_path / "match.jsonl")]) == 0
    first, last = capsys.readouterr().out.splitlines()
    assert first.split()[:5] == ["1.665", "s", "move", "A", "C4C3:"]
    assert last.split()[:3] == ["end", "moves", "C4C3"]


def test_at_the_speed_of_the_game(replay: Any, tmp_path: Path, capsys: Any) -> None:
    done = replay("1 C4-", "1.6 C3+")
    slept: list[float] = []
    with pytest.MonkeyPatch.context() as patch:
        clock = SimpleNamespace(monotonic=lambda: 7.0, sleep=slept.append)
        patch.setattr("firmware_host.cli.replay.time", clock)
        file = str(tmp_path / "match.jsonl")
        assert main(["replay", file, "--json", "--speed", "10"]) == 0
    assert slept == [pytest.approx(0.1665)]
    assert json.loads(capsys.readouterr().out.splitlines()[0]) == done.lines[0]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["robot-duel", "chaturaji"])
def test_every_line_keeps_the_form(
    name: str, seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded = play_random(make(name), Random(seed), plies=12, takebacks=0.2)
    recorded.write(tmp_path / "game.jsonl")
    done = Replayed(tmp_path / "game.jsonl", capsys)
    for line in done.lines:
        assert line.keys() >= {"t", "event"} | KEYS[line["event"]]
    assert [line["t"] for line in done.lines] == sorted(line["t"] for line in done.lines)
    assert done.end.keys() == {"event", "moves", "open", "outcome", "position"}
    make(name).parse_position(done.end["position"])


def test_the_output_for_people_names_the_seat_and_the_move_in_words(
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = RECORDINGS / "page-robot-duel-first-steps.jsonl"
    assert main(["replay", str(file)]) == 0
    *_, last, over, end = capsys.readouterr().out.splitlines()
    assert last == "   22.399 s  move      B C3B2: lion from C3 takes lion on B2"
    assert over == "   22.399 s  over      lion-captured B won"
    assert end.split()[:3] == ["end", "moves", "B4A3"]
