"""The numbers of a board in the text format of Prometheus; docs/api.md lists them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Final

from firmware_host.controller.counters import BOUNDS_S
from firmware_host.web.host_api import HostApi

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


def metrics(host: HostApi, pages: int, streams: int) -> str:
    """Return all numbers; `pages` and `streams` are connected now."""
    return "\n".join(_lines(host, pages, streams)) + "\n"


def _lines(host: HostApi, pages: int, streams: int) -> Iterator[str]:
    counters, status = host.counters, host.status()
    yield from _one(
        "frames_total", "counter", "Frames of sensors that were taken.", counters.frames
    )
    yield from _named(
        "events_total",
        "counter",
        "What the board has read and asked: move, ask, answer, takeback and others.",
        "event",
        counters.events,
    )
    yield from _named(
        "faults_total", "counter", "Parts that began to fail.", "kind", counters.faults
    )
    yield from _one("faults", "gauge", "Faults that last.", len(status.faults))
    yield from _readings(host)
    yield from _one("plies", "gauge", "Moves of the match in play.", len(status.plies))
    yield from _one("question_open", "gauge", "Whether people are asked.", bool(status.question))
    yield from _one("pages", "gauge", "Pages that are connected.", pages)
    yield from _one("event_streams", "gauge", "Readers of /api/events.", streams)
    yield from _one("uptime_seconds", "gauge", "Time since the board began.", host.now())
    yield from _one(
        "cpu_seconds_total", "counter", "Processor time of the program.", time.process_time()
    )


def _readings(host: HostApi) -> Iterator[str]:
    readings = host.counters.readings
    name = "lampion_reading_seconds"
    yield f"# HELP {name} Time from the last touch of a move until it was read."
    yield f"# TYPE {name} histogram"
    sums = list(accumulate(readings.counts))
    for bound, number in zip((*BOUNDS_S, "+Inf"), sums, strict=True):
        yield f'{name}_bucket{{le="{bound}"}} {number}'
    yield f"{name}_sum {readings.total:.6f}"
    yield f"{name}_count {sums[-1]}"


def _one(name: str, kind: str, about: str, value: float) -> Iterator[str]:
    yield from _head(name, kind, about)
    yield f"lampion_{name} {_number(value)}"


def _named(
    name: str, kind: str, about: str, label: str, values: Mapping[str, int]
) -> Iterator[str]:
    """Yield a number for each name, which is one of the program's own."""
    yield from _head(name, kind, about)
    for each, value in sorted(values.items()):
        yield f'lampion_{name}{{{label}="{each}"}} {value}'


def _head(name: str, kind: str, about: str) -> Iterator[str]:
    yield f"# HELP lampion_{name} {about}"
    yield f"# TYPE lampion_{name} {kind}"


def _number(value: float) -> str:
    return f"{value:.6f}" if isinstance(value, float) else str(int(value))
