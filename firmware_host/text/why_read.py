"""Why a move was read: what the likeliest explanation of the sensors pays, and what the next does.

For builders, who look for the cause of a wrong reading; so it is in English only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from types import MappingProxyType
from typing import Final

from engine.reading.hypothesis import End, Paid

LABELS: Final = ("likeliest", "next best")
COSTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "missed": "no sensor saw a piece that was lifted or put down",
        "too_quick": "a capture was too quick to be seen",
        "hidden": "a piece went where all sensors are ignored",
        "out_of_order": "sensors changed in another order than usual",
        "hurried": "the piece of the last move went on at once",
        "rushed": "it came from beside the board right after the last move",
        "taken_back": "taken back",
        "taken_back_too": "taken back after a later move",
        "unlikely": "people had named a move that is taken back",
        "nudged": "a bystander was touched",
        "hovered": "an empty cell was touched",
        "left_open": "a piece was out of place during two moves",
        "standing": "a piece was out of place while all rested",
        "tray_untouched": "a piece was dropped and its tray did not change",
        "tray_open": "a tray was wrong during two moves",
        "said": "people said something else, compared with the others",
        "refund": "refunded",
        "masked": "a sensor that spoke against it is ignored now",
    }
)
"""The reason for each cost, by its name."""
LEAST: Final = 0.005
"""A smaller cost is not printed."""


def reasons(ends: Sequence[End]) -> Iterator[str]:
    """Yield a line for each of the explanations, the likeliest first, with all it pays since they
    parted.
    """
    records = [list(end.hypothesis.ply.latest()) for end in ends]
    common = set(map(id, records[0])).intersection(*(set(map(id, each)) for each in records[1:]))
    for label, end, latest in zip(LABELS, ends, records, strict=False):
        own = list(takewhile(lambda record: id(record) not in common, latest))
        if len(ends) == 1:
            own = latest[:1]
        steps, costs = [], dict.fromkeys(COSTS, 0.0)
        for record in reversed(own):
            if record.line is not None:
                steps.append(f"{record.line.match.text} ({record.way.words})")
            _add(costs, record.paid, record.charged_before)
            if record.before is not None and not record.way.is_takeback:
                costs["refund"] -= record.before.refundable
        _add(costs, end.hypothesis.charged, {"standing": end.hypothesis.pauses})
        now = end.cost - end.hypothesis.cost - end.hypothesis.pauses
        parts = [*((COSTS[name], cost) for name, cost in costs.items()), ("what differs now", now)]
        parts.append(("before", end.cost - sum(cost for _, cost in parts)))
        text = ", ".join(f"{cost:.2f} {why}" for why, cost in parts if abs(cost) >= LEAST)
        moves = " ".join(steps) or "no move"
        yield f"{label} {end.cost:.2f}: {moves}" + (f": {text}" if text else "")


def _add(costs: Paid, *more: Mapping[str, float]) -> None:
    for paid in more:
        for name, cost in paid.items():
            costs[name] += cost
