"""A minimal program on the wires of a real board: `python host.py LAYOUT GAME POSITION STATE`.

It prints lines of JSON: each new frame, its messages to people, and at the end, after SIGTERM, the
moves that it has read.
"""

from __future__ import annotations

import json
import signal
import sys
import time
from pathlib import Path
from typing import Any

from engine.games import make
from engine.match import Match
from engine.reading.footprints import Sight
from firmware_host.controller.controller import BoardController, header_of, pockets_of
from firmware_host.i18n.messages import render
from firmware_host.session.events import Tick
from firmware_host.session.session import Session
from firmware_host.storage.match_files import MatchFiles
from hardware import layout as layouts
from hardware.machine import SensorFrame
from hardware.pi.errors import RaspberryPiError
from hardware.pi.raspberry_pi import RaspberryPi

SCAN = 0.02


def say(**line: Any) -> None:
    print(json.dumps(line), flush=True)


def main(name: str, game_name: str, position: str, state: str) -> int:
    ended: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: ended.append(number))
    board, game = layouts.load(name), make(game_name, {})
    try:
        pi = RaspberryPi(board)
    except RaspberryPiError as error:
        print(error, file=sys.stderr)
        return 1
    with pi:
        machine = pi.machine()
        start = game.parse_position(position) if position else game.start()
        Path(state).mkdir(exist_ok=True)
        files = MatchFiles(Path(state))
        files.begin(game, name, header_of(game, board, start))
        places = board.game(game.name).places
        unsensed = [tray for tray in game.trays() if tray not in places]
        sight = Sight(game, board.sensing, unsensed, pockets_of(game, board))
        controller = BoardController(
            machine, Session(game, sight, [Match.begin(game, start)]), files
        )
        read, last = machine.read, SensorFrame(-1.0, {})

        def believed(now: float) -> SensorFrame:
            nonlocal last
            frame = read(now)
            if (frame.readings, frame.blind, frame.faults) != (
                last.readings,
                last.blind,
                last.faults,
            ):
                faults = [fault.kind for fault in frame.faults]
                say(readings=dict(frame.readings), blind=sorted(frame.blind), faults=faults)
            last = frame
            return frame

        machine.read = believed  # type: ignore[method-assign]
        begun, told = time.monotonic(), set()
        while not ended:
            now = time.monotonic() - begun
            controller.look(now)
            deadline = controller.session.deadline
            if deadline is not None and deadline <= now:
                controller.handle(Tick(deadline))
            controller.draw(now)
            for fault in controller.session.view.faults:
                if render(fault) not in told:
                    told.add(render(fault))
                    say(fault=render(fault))
            time.sleep(max(0.0, begun + now + SCAN - time.monotonic()))
        match = controller.session.view.match
        questions = [entry.texts for entry in controller.session.view.question.open]
        say(moves=match.moves(), position=game.position_text(match.position), open=questions)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
