"""`lampion replay --why`: what speaks against what was read, and against the next best."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from engine.reading import evidence
from firmware_host.__main__ import main
from firmware_host.cli.replay import READINGS, begin, replay
from firmware_host.storage import recording
from firmware_host.text.why_read import COSTS, reasons

ROOT = Path(__file__).parents[2]
RECORDINGS = ROOT / "tests" / "recordings"
NUMBER = r"-?\d+\.\d\d"


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert main(["replay", *arguments]) == 0
    return capsys.readouterr().out.splitlines()


def test_each_move_is_explained_with_the_next_best(capsys: Any) -> None:
    lines = printed(capsys, str(RECORDINGS / "robot-duel-presence-taken-back.jsonl"), "--why")
    moved = next(number for number, line in enumerate(lines) if "C3B4" in line)
    back = next(number for number, line in enumerate(lines) if "retract" in line)
    assert "likeliest 0.00: C3B4 (a piece was put down)" in lines[moved + 1]
    assert "next best" in lines[moved + 2]
    assert "0.30 taken back" in lines[back + 1]
    assert "what differs now" in lines[back + 2]


@pytest.mark.parametrize("name", ["shogi-presence-clumsy", "robotory-polarity-slider"])
def test_it_reads_the_same_and_the_reasons_add_up(capsys: Any, name: str) -> None:
    file = str(RECORDINGS / f"{name}.jsonl")
    plain = printed(capsys, file)
    lines = printed(capsys, file, "--why")
    why = [line.strip() for line in lines if re.match(r" +(likeliest|next best) ", line)]
    assert [line for line in lines if line.strip() not in why] == plain
    assert len(why) > len(plain) / 2
    for line in why:
        total, *parts = map(float, re.findall(rf"(?<![\w.]){NUMBER}(?= |:)", line))
        assert sum(parts) == pytest.approx(total, abs=0.03), line


def test_a_reason_is_given_at_the_time_of_the_move() -> None:
    record = recording.read(RECORDINGS / "robotory-presence-careful-no-trays.jsonl")
    session = begin(record)
    asked = next(note for note in replay(record, session) if note.event == "ask")
    assert asked.at == pytest.approx(session.now)
    assert asked.event in READINGS
    first, second = reasons(session.compared())
    assert first.split(":")[0].split()[-1] == second.split(":")[0].split()[-1]


def test_every_cost_has_words() -> None:
    files = (ROOT / "engine" / "reading").glob("*.py")
    paid = {name for file in files for name in re.findall(r'pay\(\w+, "(\w+)"', file.read_text())}
    assert paid - {"refund"} <= COSTS.keys()
    not_tuned = {"said", "refund", "masked"}
    assert all(hasattr(evidence, name.upper()) for name in COSTS.keys() - not_tuned)


def test_json_has_no_reasons(capsys: Any) -> None:
    with pytest.raises(SystemExit):
        main(["replay", "--json", "--why", "FILE"])
    assert "not allowed with" in capsys.readouterr().err
