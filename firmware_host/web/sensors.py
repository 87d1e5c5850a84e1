"""The sensors of a board as the page shows them to builders: chip by chip, and their log."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from firmware_host.controller.sensor_log import LogEntry
from firmware_host.web.answers import json_answer
from firmware_host.web.host_api import HostApi
from hardware.wiring.netlist import multiplexer_name, port_pin

MOST_NEWS: Final = 200
"""The newest entries that one answer carries; the file has all that are kept."""


def routes(host: HostApi) -> list[Route]:
    """Return the routes: `/api/sensors` as JSON, `/api/sensors/log` as a file of JSON lines."""

    async def sensors(request: Request) -> Response:
        since = request.query_params.get("since", "")
        number = int(since) if since.isascii() and since.isdigit() and len(since) < 16 else 0
        return json_answer(state(host, number))

    async def log(_: Request) -> Response:
        headers = {"Content-Disposition": f'attachment; filename="{host.layout.name}-log.jsonl"'}
        entries = list(host.builders.log.since(0, host.now()))  # here: the loop adds to the log
        lines = await asyncio.to_thread(log_lines, host.layout.name, entries)
        return Response(lines, headers=headers, media_type="application/jsonl")

    return [Route("/api/sensors", sensors), Route("/api/sensors/log", log)]


def state(host: HostApi, since: int) -> dict[str, Any]:
    """Return every sensor, chip by chip, with its raw level and the reading of its place that
    counts, and the log's entries from number `since` on.
    """
    now, log = host.now(), host.builders.log
    levels, ports = host.builders.levels(), {device.port for device in host.layout.serial}
    entries = list(log.since(since, now))[-MOST_NEWS:]
    return {
        "now": now,
        "chips": [
            {
                "name": chip,
                "inputs": [
                    {
                        "pin": pin,
                        "sensor": sensor,
                        "place": sensor.partition("/")[0],
                        "raw": log.raw(sensor) if chip in ports else levels.get(sensor),
                        "rest": log.rested(sensor.partition("/")[0], now),
                    }
                    for pin, sensor in inputs
                ],
            }
            for chip, inputs in _chips(host)
        ],
        "log": [asdict(entry) for entry in entries],
        "next": log.count,
    }


def log_lines(board: str, entries: Sequence[LogEntry]) -> bytes:
    """Return entries as JSON lines, after a line that names the board."""
    lines: list[object] = [{"board": board, "entries": len(entries)}, *entries]
    return b"".join(msgspec.json.encode(each) + b"\n" for each in lines)


def _chips(host: HostApi) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield each chip or device with sensors, and the pin and the name of each of its sensors."""
    layout = host.layout
    for chip in layout.expanders:
        if chip.sensors:
            pins = [(port_pin(pin), sensor) for pin, sensor in chip.sensors.items()]
            yield f"MCP23017 {chip.address:#04x}", pins
    for number, mux in enumerate(layout.multiplexers):
        pins = [(f"I{pin}", sensor) for pin, sensor in enumerate(mux.inputs) if sensor]
        yield f"CD74HC4067 {multiplexer_name(number)}", pins
    for device in layout.serial:
        if device.places:
            yield device.port, [(str(at), place) for at, place in enumerate(device.places)]
