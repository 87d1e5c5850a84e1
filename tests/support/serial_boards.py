"""Boards whose places hang on co-processors: layouts that come with the program, rewired."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from typing import Any

from hardware import layout
from hardware.layout import Layout, SerialDevice
from hardware.machine import Machine
from hardware.simulated.board import SimulatedBoard

PORT = "/dev/ttyACM0"


def serial_text(name: str, port: str = PORT, extra: str = "") -> str:
    """A layout that comes with the program, its places on a co-processor instead of chips."""
    text = (layout.SHIPPED / f"{name}.toml").read_text(encoding="utf-8")
    text = re.sub(r"\[\[(expanders|multiplexers)\]\].*?(?=\n\[)", "", text, flags=re.DOTALL)
    text = re.sub(r"\[(select|hall)\].*?(?=\n\[)", "", text, flags=re.DOTALL)
    text = re.sub(r'"0x27\.B(\d)"', lambda pin: f'"GPIO{(5, 6, 13, 19)[int(pin[1])]}"', text)
    places = [each for each, place in layout.load(name).places.items() if place.sensors]
    wired = f'[[serial]]\nport = "{port}"\nkind = "board"\nplaces = {json.dumps(places)}\n{extra}'
    return text.replace("[cells]", f"{wired}\n[cells]", 1).replace(f'"{name}"', f'"{name}-serial"')


@cache
def serial_layout(name: str, port: str = PORT, extra: str = "") -> Layout:
    return layout.parse(serial_text(name, port, extra), f"{name}-serial.toml")


def bench(lines: dict[str, Any], *wired: SerialDevice) -> Machine:
    """A machine whose ports are these objects."""
    made = replace(serial_layout("square-reed"), serial=wired)
    return Machine(made, SimulatedBoard(made).bus, Nowhere(), open_port=lambda d: lines[d.port])


class Nowhere:
    def transfer(self, data: bytes) -> None:
        pass
