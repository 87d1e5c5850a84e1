"""A recording gives the same result in every run: nothing depends on the order of a set."""

from __future__ import annotations

import os
import subprocess
import sys

READS = """
import sys
from random import Random

from engine.reading.footprints import Sight
from engine.games import make
from firmware_host.session.events import Frame, Tick
from tests.support.random_games import play_random
from tests.support.session_parts import reader_of
from firmware_host.session.session import Session

name, sensing, seed = sys.argv[1:]
game = make(name)
recorded = play_random(game, Random(int(seed)), sensing, plies=11)
session, readings = Session(game, Sight(game, sensing)), {}
for line in recorded.lines:
    at = line["t"]
    if "places" in line:
        readings = {p: v for p, v in (readings | line["places"]).items() if v}
        session.handle(Frame(at, readings))
    else:
        session.handle(Tick(at))
    line, cost = reader_of(session).likeliest
    print(at, line.match.plies, line.match.text, repr(cost), session.deadline)
print([entry.texts for entry in session.record if entry.kind == "move"])
"""


def _read(hash_seed: str, *what: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", READS, *what],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_what_is_read_does_not_hang_on_the_hashes_of_strings() -> None:
    first = _read("0", "robotory", "presence", "3")
    assert first.count("\n") > 55
    assert _read("1", "robotory", "presence", "3") == first
