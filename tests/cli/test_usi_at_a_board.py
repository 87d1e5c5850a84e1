"""`lampion usi --board` as other programs start it: through pipes, with hands on its page."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from firmware_host.opponents.usi_board import UsiBoard
from tests.support.real_board import Standing
from tests.support.stories import at_a_real_board

SOON_S = 60


def play(page: ClientConnection, number: int, move: str) -> None:
    """Let hands make a move at the board of a page, as soon as they are free."""
    state: dict[str, Any] = {}
    while True:
        while state.get("type") != "state":
            told = page.recv(SOON_S)
            state = json.loads(told) if isinstance(told, str) else {}
        command = {"type": "play", "n": number, "rev": state["rev"], "move": move}
        page.send(json.dumps(command))
        while state.get("n") != number:
            told = page.recv(SOON_S)
            state = json.loads(told) if isinstance(told, str) else {}
        if state["type"] == "answer":
            return
        state = {}


def test_a_program_plays_against_the_person_at_the_board(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "firmware_host", "usi", "--board", "--port", "0"]
    with subprocess.Popen(
        [*command, "--state", str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        bufsize=1,
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        assert program.stderr is not None

        def tell(*lines: str) -> None:
            for line in lines:
                print(line, file=program.stdin, flush=True)

        def answer(word: str) -> str:
            while not (line := program.stdout.readline()).startswith(word):  # type: ignore[union-attr]
                assert line, "the program has ended"
            return line.strip()

        found = re.search(r"http://localhost:(\d+)/", program.stderr.readline())
        assert found is not None
        tell("usi", "isready")
        assert "localhost" in answer("info string")  # where the page is
        assert answer("readyok")
        tell("usinewgame", "position startpos", "go btime 0 wtime 0 byoyomi 30000")
        with connect(f"ws://127.0.0.1:{found[1]}/ws") as page:
            page.recv(SOON_S)
            play(page, 1, "7g7f")
            assert answer("bestmove") == "bestmove 7g7f"
            tell("position startpos moves 7g7f 3c3d", "go btime 0 wtime 0 byoyomi 30000")
            play(page, 2, "3c3d")  # the hands of the person make the move of the program
            play(page, 3, "2g2f")
            assert answer("bestmove") == "bestmove 2g2f"
        tell("quit")
        assert program.wait(SOON_S) == 0
        assert program.stdout.read() == ""


@at_a_real_board(layout="square-reed", game="shogi")
async def test_the_person_at_a_real_board_plays(at: Standing) -> None:
    await at.ready()
    said: list[str] = []
    opponents = at.host.opponents
    usi = UsiBoard(
        said.append,
        at.host.wake,
        at.host.begin_at,
        opponents.follower(),
        opponents.machine.hands_off,
    )
    opponents.elsewhere = usi
    for line in ("usi", "usinewgame", "position startpos moves 7g7f", "go"):
        usi.take(line)
    await at.until(lambda: at.host.status().request == "7g7f")
    await at.move("7g", "7f")
    await at.until(lambda: at.moves == ["7g7f"])
    await at.move("3c", "3d")
    await at.until(lambda: said[-1] == "bestmove 3c3d")
