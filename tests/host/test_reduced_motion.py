"""Calm lights: what a page with reduced motion shows."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from firmware_host.web.server import Hub, PageServer
from tests.support.stories import at_a_board


class Socket:
    """A connection whose page gives commands, and stores the light that it gets."""

    def __init__(self) -> None:
        self.query_params: dict[str, str] = {}
        self.said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.frames: list[bytes] = []

    def say(self, kind: str, **fields: Any) -> None:
        text = json.dumps({"type": kind, "n": 1, "rev": 0, **fields})
        self.said.put_nowait({"type": "websocket.receive", "text": text})

    async def receive(self) -> dict[str, Any]:
        return await self.said.get()

    async def send_text(self, text: str) -> None:
        pass

    async def send_bytes(self, frame: bytes) -> None:
        if frame[0] == 1:  # light, not a heartbeat
            self.frames.append(frame[5:])


@at_a_board()
async def test_blinking_lights_stand_still_on_a_page_with_reduced_motion(board: Any) -> None:
    host = board.host
    hub = Hub(host)
    sockets = Socket(), Socket()
    pages = [PageServer(hub, socket, f"page-{n}", "en") for n, socket in enumerate(sockets)]  # type: ignore[arg-type]
    hub.pages |= {page.name: page for page in pages}
    running = [asyncio.create_task(each) for each in (hub.watch(), *(p.run() for p in pages))]
    calm, other = sockets
    calm.say("motion", reduced=True)
    await board.hands("C4- C2+")
    await asyncio.sleep(3)  # the repair plan is lit: a light runs from one place to the other
    calm.frames.clear()
    other.frames.clear()
    await asyncio.sleep(3)
    assert len(set(other.frames)) > 2
    assert calm.frames == []
    still = host.still_pixels()
    names = host.layout.game("robot-duel").places
    lit = {p: still[3 * host.layout.places[names[p]].pixels[0] :][:3] for p in ("C2", "C4")}
    red, green, blue = lit["C2"]
    assert red > green == blue == 0
    assert lit["C4"][0] == lit["C4"][1] == lit["C4"][2] > red
    await board.hands("C2- C4+")
    await asyncio.sleep(3)
    assert len(calm.frames) >= 1  # events are shown there as well
    assert calm.frames[-1] == host.still_pixels() == host.pixels()
    for each in running:
        each.cancel()


@at_a_board()
async def test_still_lights_leave_the_strip_alone_and_share_its_faults(board: Any) -> None:
    host = board.host
    await board.hands("C4-")
    await asyncio.sleep(1)
    before = host.board.strip.transfers
    lit = host.still_pixels()
    assert lit == host.pixels()  # nothing moves in these lights
    assert host.board.strip.transfers == before
    host.board.strip.cut(0)
    await board.hands("C4+")
    await asyncio.sleep(1)
    assert host.still_pixels() == host.pixels() == lit
    host.board.strip.cut(None)
    await asyncio.sleep(2)
    assert host.still_pixels() == host.pixels() != lit
