"""`lampion run`: a real board, as its configuration describes it."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Final

from engine.games import NAMES, make
from firmware_host.config.config import Config, read
from firmware_host.config.wiring import board_of, devices_of
from firmware_host.console import logs
from firmware_host.console.terminal import tell
from firmware_host.host.host import Host, collect_rarely, work_together
from firmware_host.host.real import OpenWires, RealBackend
from firmware_host.host.sd_notify import Watchdog
from firmware_host.i18n.messages import render
from firmware_host.players.kinds import player_kind
from firmware_host.storage.journal import lock
from hardware import hall_zeros
from hardware.layout import Layout
from hardware.pi.raspberry_pi import RaspberryPi

REPORT: Final = 10.0
"""Seconds between two reports to the service manager: it gives a board 30 to be read."""
WAITING: Final = 0.2
"""The same until the board has been read for the first time."""


class PiWires:
    """The wires of a Raspberry Pi, as a configuration has them."""

    def __init__(self, config: Config, layout: Layout, on_change: Callable[[], None]) -> None:
        """Open them; RaspberryPiError says in one line what is missing, ValueError which zeros of
        Hall sensors cannot be read.
        """
        devices = devices_of(config)
        zeros = hall_zeros.read(config.measured, layout)
        self._pi = RaspberryPi(
            layout,
            on_change,
            i2c=devices.i2c,
            spi=devices.spi,
            lights=devices.lights,
            symbol_bits=devices.symbol_bits,
            gpio_chip=devices.gpio_chip,
        )
        self.machine = self._pi.machine(
            brightness=devices.brightness, budget_ma=devices.limit_ma, zeros=zeros
        )

    @property
    def interrupt(self) -> bool:
        """Whether the interrupt line is low."""
        return self._pi.pins.interrupt

    def close(self) -> None:
        """Give them back."""
        self._pi.close()


def run(
    path: Path,
    *,
    game: str | None = None,
    options: Mapping[str, object] = MappingProxyType({}),
    new: bool = False,
    match: str | None = None,
) -> int:
    """Play on the board of a configuration until interrupted; ValueError or OSError say in one line
    why it cannot be.
    """
    logs.begin()
    config = read(path)
    layout = board_of(config, str(path))
    held = lock(Path(config.state), f"`state` in {path}")
    try:
        collect_rarely()
        wires = partial(PiWires, config, layout)
        asyncio.run(play(config, layout, wires, game, options, new, match))
    finally:
        held.close()
    return 0


async def play(
    config: Config,
    layout: Layout,
    open_wires: OpenWires,
    game: str | None = None,
    options: Mapping[str, object] = MappingProxyType({}),
    new: bool = False,
    match: str | None = None,
) -> None:
    """Play on a board until interrupted. `game` with its `options` is what was asked for at the
    start, if anything was, or the kept `match` of that file name.
    """
    backend = RealBackend(layout, open_wires)
    with contextlib.ExitStack() as opened:
        opened.callback(backend.close)
        state = Path(config.state)
        sitters = {seat: player_kind(who) for seat, who in config.seats.items()}
        host = Host(backend, state, assist=config.assist, sitters=sitters)
        opened.callback(host.close)
        if options and game is None:
            game = config.game or next(name for name in NAMES if name in layout.games)
        if game and game == config.game:
            options = {**config.options, **options}
        usual = make(config.game, config.options) if config.game else None
        host.open(game, options, layout.name, match=match, new=new, otherwise=usual)
        work: list[Awaitable[object]] = [host.run()]
        dog = opened.enter_context(contextlib.closing(Watchdog()))
        if os.environ.get("NOTIFY_SOCKET"):
            work.append(report(host, backend, dog, config.language))
        told = f"{host.game.title} on {layout.name}"
        if config.page == "off":
            _say(f"{told}: without a page")
        else:
            work.append(_page(host, state, config, told))
        try:
            await work_together(*work)
        finally:
            dog.stopping()


def _page(host: Host, state: Path, config: Config, told: str) -> Awaitable[None]:
    """Serve the page; who has none needs nothing of what this imports."""
    from firmware_host.web import invitations
    from firmware_host.web.keys import Keys
    from firmware_host.web.server import serve

    address, port = config.address
    keys = None if address.startswith("127.") else Keys.kept_in(state)

    def ready(url: str) -> None:
        _say(f"{told}: open {url}")
        if keys is not None:
            _say(invitations.hint(str(state), port))

    return serve(
        host,
        port,
        keys,
        ready,
        address=address,
        language=config.language,
    )


def _say(text: str) -> None:
    with contextlib.suppress(OSError):  # nobody need read it
        tell(text, flush=True)


async def report(host: Host, backend: RealBackend, dog: Watchdog, language: str) -> None:
    """Tell the service manager how things are: that the board is ready once it has been read, that
    it is looked at as long as it answers, and what it says.
    """
    looks = 0
    while True:
        if backend.looks > looks:
            if not looks:
                dog.ready()
            looks = backend.looks
            dog.looked(host.now())
        says = host.status().says
        if says:
            dog.status(f"{host.game.title}: {render(says[0], language)}")
        await asyncio.sleep(REPORT if looks else WAITING)
