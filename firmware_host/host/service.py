"""A real board as its configuration describes it: what `lampion run` and the service do."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from engine.games import NAMES, make
from firmware_host.config.board import board_of, devices_of
from firmware_host.config.config import Config, read
from firmware_host.console import logs
from firmware_host.console.tasks import work_together
from firmware_host.controller.power_off import PowerSwitch
from firmware_host.host import speech
from firmware_host.host.conversation import Conversation, print_note, work_of
from firmware_host.host.host import Host
from firmware_host.host.process import collect_rarely
from firmware_host.host.real import OpenWires, RealBackend
from firmware_host.host.sd_notify import Watchdog
from firmware_host.host.start import Start
from firmware_host.i18n.messages import render
from firmware_host.players.kinds import player_kind
from firmware_host.players.time_control import time_control
from firmware_host.storage.state_lock import lock
from firmware_host.text.clock import clock_text
from hardware import hall_zeros
from hardware.layout import Layout
from hardware.pi.raspberry_pi import RaspberryPi

REPORT_S: Final = 10.0
"""Time between two reports to the service manager, which stops the service after 30 s without."""
FIRST_REPORT_S: Final = 0.2
"""The same until the board has been read for the first time."""


class PiWires:
    """The wires of a Raspberry Pi that a configuration describes."""

    def __init__(self, config: Config, layout: Layout, on_change: Callable[[], None]) -> None:
        """Open the wires; RaspberryPiError says in one line what is missing, ValueError which zeros
        of Hall sensors cannot be read.
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
        """Release the wires."""
        self._pi.close()


def play_until_interrupted(
    path: Path, start: Start, *, speak: bool = False, conversation: Conversation | None = None
) -> None:
    """Play on the board of a configuration file until interrupted; ValueError or OSError say in one
    line why that is impossible. The board ends when its `conversation` ends.
    """
    logs.begin()
    config = read(path)
    layout = board_of(config, str(path))
    held = lock(Path(config.state), f"`state` in {path}")
    try:
        collect_rarely()
        wires = partial(PiWires, config, layout)
        asyncio.run(play(config, layout, wires, start, speak, conversation))
    finally:
        held.close()


async def play(
    config: Config,
    layout: Layout,
    open_wires: OpenWires,
    start: Start,
    speak: bool = False,
    conversation: Conversation | None = None,
) -> None:
    """Play on a board until interrupted. What `start` does not say comes from `config`."""
    backend = RealBackend(layout, open_wires)
    with contextlib.ExitStack() as opened:
        opened.callback(backend.close)
        state = Path(config.state)
        player_kinds = {seat: player_kind(kind) for seat, kind in config.seats.items()}
        host = Host(
            backend,
            state,
            assist=config.assist,
            player_kinds=player_kinds,
            control=time_control(start.clock or config.clock.control),
            flag_ends=config.clock.flag == "ends",
        )
        host.builders.power = PowerSwitch.of_service()
        opened.callback(host.close)
        default = make(config.game, config.options) if config.game else None
        host.open(_completed(start, config, layout), otherwise=default)
        work = work_of(host, config, conversation)
        watchdog = opened.enter_context(contextlib.closing(Watchdog()))
        if os.environ.get("NOTIFY_SOCKET"):
            work.append(report(host, backend, watchdog, config.language))
        note = print_note if conversation is None else conversation.note
        if speak or config.sound.speech:
            if program := speech.installed():
                work.append(speech.Speaker(program, config.language).run(host.status))
            else:
                note(f"{speech.PROGRAM} is not installed, so the board is silent")
        title = f"{host.game.title} on {layout.name}"
        if config.page == "off":
            note(f"{title}: without a page")
        else:
            work.append(_page(host, state, config, title, note))
        try:
            await work_together(*work)
        finally:
            watchdog.stopping()


def _completed(start: Start, config: Config, layout: Layout) -> Start:
    """Return the start on a board, with the options that a configuration has for its game."""
    game, options = start.game, start.options
    if options and game is None:
        game = config.game or next(name for name in NAMES if name in layout.games)
    if game and game == config.game:
        options = {**config.options, **options}
    return replace(start, game=game, options=options, layout=layout.name)


async def _page(
    host: Host, state: Path, config: Config, title: str, note: Callable[[str], None]
) -> None:
    """Serve the page. A board without a page does without what this imports."""
    from firmware_host.web.keys import Keys, links_hint
    from firmware_host.web.server import serve

    address, port = config.address
    keys = None if address.startswith("127.") else Keys.stored_in(state)

    def ready(url: str) -> None:
        note(f"{title}: open {url}")
        if keys is not None:
            note(links_hint(str(state), port))

    await serve(host, port, keys, ready, address=address, language=config.language)


async def report(host: Host, backend: RealBackend, watchdog: Watchdog, language: str) -> None:
    """Report to the service manager: READY once the board has been read, WATCHDOG while it answers,
    and the first line of its status.
    """
    looks = 0
    while True:
        if backend.looks > looks:
            if not looks:
                watchdog.ready()
            looks = backend.looks
            watchdog.looked(host.now())
        says = host.status().says
        if says:
            clock = host.controller.clock.shown
            times = "" if clock is None else f" ({clock_text(clock, host.now())})"
            watchdog.status(f"{host.game.title}: {render(says[0], language)}{times}")
        await asyncio.sleep(REPORT_S if looks else FIRST_REPORT_S)
