"""Rewrites a layout's file: the same board with another wiring."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from hardware.wiring.netlist import multiplexer_name

WIDTH: Final = 88
ITEMS_PER_LINE: Final = 8
"""The number of items of a long list in one line."""
BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
ADDRESSES: Final = ("address", "adc", "expander")
"""Keys whose numbers are addresses on I2C."""


def rewired(
    data: Mapping[str, Any],
    wires: Mapping[str, tuple[str, int]],
    pixels: Mapping[str, Sequence[int]],
    *,
    order: str,
    upside_down: bool = False,
) -> dict[str, Any]:
    """Return the data of a layout's file with another wiring: the chip and input of each sensor,
    the LEDs of each place, and the order of colours.

    `upside_down` Hall sensors see the other pole. A sensor of a serial device has the name of its
    place.
    """
    made = copy.deepcopy(dict(data))
    made["leds"]["order"] = order
    for section in ("cells", "slots", "edges"):
        for name, entry in made[section].items():
            entry["pixels"] = list(pixels[name])
    at = {pin: sensor for sensor, pin in wires.items()}
    _expanders(made, at)
    for number, chip in enumerate(made.get("multiplexers", ())):
        name = multiplexer_name(number)
        chip["inputs"] = [at.get((name, pin), "") for pin in range(len(chip["inputs"]))]
    for device in made.get("serial", ()):
        places = device.get("places", [])
        device["places"] = [at[device["port"], number] for number in range(len(places))]
    if upside_down:
        made["hall"]["millitesla_per_count"] *= -1
    return made


def _expanders(made: dict[str, Any], at: Mapping[tuple[str, int], str]) -> None:
    """Assign the sensors to expanders; an expander without any use is removed."""
    known = {f"{chip['address']:#04x}": chip for chip in made.get("expanders", ())}
    for name in sorted({chip for chip, _ in at if chip.startswith("0x")}):
        known.setdefault(name, {"address": int(name, 16)})
    pins = [*made["buttons"].values(), *made.get("dice", {}).values()]
    kept = []
    for name, chip in known.items():
        ports = {
            port: [at.get((name, 8 * half + bit), "") for bit in range(7)]
            for half, port in enumerate("AB")
        }
        wired = any(map(any, ports.values()))
        panel = any(pin.startswith(f"{name}.") for pin in pins)
        select = made.get("select", {}).get("expander") == chip["address"]
        if wired or panel or select:
            kept.append({"address": chip["address"], **(ports if wired else {})})
    if kept or "expanders" in made:
        made["expanders"] = kept


def layout_text(data: Mapping[str, Any]) -> str:
    """Return a layout's data as TOML."""
    lines = [f"{_key(key)} = {_value(key, value)}" for key, value in data.items() if _plain(value)]
    for key, value in data.items():
        if isinstance(value, dict):
            lines += _table(key, value)
        elif not _plain(value):
            for each in value:
                lines += ["", f"[[{_key(key)}]]"]
                lines += [f"{_key(name)} = {_value(name, one)}" for name, one in each.items()]
    return "\n".join(lines) + "\n"


def _plain(value: object) -> bool:
    """Return whether a value is no table and no list of tables."""
    return not isinstance(value, dict) and not (
        isinstance(value, list) and any(isinstance(each, dict) for each in value)
    )


def _table(name: str, table: Mapping[str, Any]) -> Iterator[str]:
    if name == "games":
        for game, entry in table.items():
            yield from ("", f"[games.{_key(game)}]")
            yield from (f"{_key(key)} = {_value(key, value)}" for key, value in entry.items())
        return
    yield from ("", f"[{_key(name)}]")
    yield from (f"{_key(key)} = {_value(key, value)}" for key, value in table.items())


def _key(name: str) -> str:
    return name if BARE.fullmatch(name) else json.dumps(name, ensure_ascii=False)


def _value(key: str, value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and key in ADDRESSES:
        return f"{value:#04x}"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        inside = ", ".join(f"{_key(name)} = {_value(name, each)}" for name, each in value.items())
        return f"{{ {inside} }}"
    assert isinstance(value, list)
    items = [_value(key, each) for each in value]
    line = f"[{', '.join(items)}]"
    if len(line) <= WIDTH:
        return line
    step = 1 if isinstance(value[0], dict) else ITEMS_PER_LINE
    rows = (", ".join(items[at : at + step]) for at in range(0, len(items), step))
    return "[\n" + "".join(f"  {row},\n" for row in rows) + "]"
