"""The page of the API: its schema is that of the program, and its examples work."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from pathlib import Path

from firmware_host.__main__ import COMMANDS
from firmware_host.web.roles import PLAYERS, WATCHER
from tests.docs.test_docs import DOCS, ROOT, script, text
from tests.support.program import Program

PAGE = DOCS / "api.md"


def test_the_schema_is_that_of_the_program() -> None:
    assert script("api_schema").written() == text(DOCS / "api.schema.json"), (
        "python docs/api_schema.py writes it"
    )


def test_the_page_names_what_is_there() -> None:
    named = set(re.findall(r"`(?:GET )?(/[a-z/]+)`", text(PAGE)))
    assert {"/ws", "/api/events", "/api/state", "/metrics"} <= named
    for example in re.findall(r"\(\.\./(examples/\w+\.py)\)", text(PAGE)):
        assert (ROOT / example).exists()
    assert "links" in COMMANDS


def test_the_examples_play_and_watch(tmp_path: Path) -> None:
    with Program(tmp_path / "state", "--lan", "--game", "robot-duel") as program:
        watching = subprocess.Popen(
            [sys.executable, ROOT / "examples" / "watch_board.py", program.link(WATCHER)],
            stdout=subprocess.PIPE,
            text=True,
        )
        late = threading.Timer(60, watching.kill)
        late.start()
        try:
            assert watching.stdout is not None
            assert watching.stdout.readline() == "Robot Duel on square-reed\n"
            asking = subprocess.Popen(
                [
                    *(sys.executable, ROOT / "examples" / "request_move.py"),
                    *(program.link(PLAYERS[0]), "C4C3"),
                ],
                stderr=subprocess.PIPE,
                text=True,
            )
            play = [sys.executable, "-c", HANDS, program.link(PLAYERS[0])]
            subprocess.run(play, check=True, timeout=60)
            _, said = asking.communicate(timeout=60)
            assert (asking.returncode, said) == (0, "")
            assert watching.stdout.readline() == "1. C4C3: giraffe from C4 to C3\n"
        finally:
            late.cancel()
            watching.kill()
            watching.communicate()
        refused = subprocess.run(
            [
                *(sys.executable, ROOT / "examples" / "request_move.py"),
                *(program.link(WATCHER), "A1A2"),
            ],
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert refused.returncode == 1
        assert refused.stderr == "You are watching: only players and the host may do that.\n"


HANDS = """
import json, sys
from urllib.parse import urlsplit
from websockets.sync.client import connect
parts = urlsplit(sys.argv[1])
with connect(f"ws://{parts.netloc}/ws?{parts.query}") as board:
    for text in board:
        told = json.loads(text) if isinstance(text, str) else {}
        if told.get("type") == "state" and told["request"]:
            play = {"type": "play", "n": 1, "rev": told["rev"], "move": told["request"]["move"]}
            board.send(json.dumps(play))
        elif told.get("type") == "answer":
            break
"""
"""Lets simulated hands make the move that is requested."""
