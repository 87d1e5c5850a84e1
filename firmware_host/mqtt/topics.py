"""What a board publishes on a broker: topics and JSON. docs/mqtt.md lists both.

All topics of a board begin with `lampion/` and its name. What is true now is retained, so that a
reader that comes later gets it at once; `event` says what happens.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final, NamedTuple

from engine.game import CHANCE, Seat
from firmware_host.i18n.messages import heading, render, say, sentence
from firmware_host.mqtt.host import MqttHost
from firmware_host.players.names import called
from firmware_host.text.outcomes import winner_message
from firmware_host.text.status import Ply, Status

ROOT: Final = "lampion"
ONLINE, STATE, MOVES, FAULTS, EVENT, MATCH = "online", "state", "moves", "faults", "event", "match"
LONGEST_STATE: Final = 255
"""Home Assistant takes no longer state of a sensor."""


def topic(board: str, part: str) -> str:
    """Return a topic of the board of that name."""
    return f"{ROOT}/{board}/{part}"


def state(host: MqttHost, language: str) -> dict[str, Any]:
    """Return what may be said of the match now."""
    status = host.status()
    over = status.outcome is not None
    last = status.plies[-1] if status.plies else None
    return {
        "game": status.game,
        "title": render(say(host.game.title), language),
        "turn": None if over else host.game.seats[status.acting],
        "player": "" if over else _name(host, status.acting, language),
        "throws": status.turn == CHANCE and not over,
        "text": heading(status.turn_line, language),
        "next": [sentence(each, language) for each in status.next_step],
        "moves": last.number if last else 0,
        "last_move": last.text if last else "",
        "last_move_text": _words(last, language) if last else "",
        "question": bool(status.question),
        "outcome": _outcome(host, status, language),
        "faults": len(status.faults),
        "lesson": status.lesson is not None,
        "review": status.review is not None,
    }


def moves(host: MqttHost, language: str) -> dict[str, Any]:
    """Return the whole match."""
    status = host.status()
    return {
        "match": host.match_id,
        "game": status.game,
        "options": dict(status.options),
        "players": [_name(host, seat, language) for seat in range(len(host.game.seats))],
        "moves": [_ply(host, each, language) for each in settled(status)],
    }


def faults(host: MqttHost, language: str) -> list[str]:
    """Return what does not work, a sentence each."""
    return [sentence(each, language) for each in host.status().faults]


class Played(NamedTuple):
    """A match as far as its events were published."""

    match: str
    plies: tuple[Ply, ...]


def settled(status: Status) -> tuple[Ply, ...]:
    """Return the plies up to the first about which people are still asked."""
    number = next((n for n, ply in enumerate(status.plies) if ply.candidates), len(status.plies))
    return status.plies[:number]


def events(before: Played, now: Played, host: MqttHost, language: str) -> Iterator[dict[str, Any]]:
    """Yield what happened since `before`: matches that begin, moves, and moves taken back."""
    old: tuple[Ply, ...] = ()
    if before.match != now.match:
        yield {"event": "match", "match": now.match, "game": host.game.name}
    else:
        old = before.plies
    same = 0
    for one, other in zip(old, now.plies, strict=False):
        if _key(one) != _key(other):
            break
        same += 1
    for ply in reversed(old[same:]):
        yield {"event": "takeback"} | _ply(host, ply, language)
    for ply in now.plies[same:]:
        yield {"event": "move"} | _ply(host, ply, language)


def discovery(host: MqttHost, board: str, version: str) -> tuple[str, dict[str, Any]]:
    """Return the topic and the message by which Home Assistant finds a board."""
    where = partial(topic, board)

    def sensor(name: str, label: str, template: str, **more: Any) -> dict[str, Any]:
        return {
            "platform": "sensor",
            "name": label,
            "unique_id": f"lampion_{board}_{name}",
            "state_topic": where(STATE),
            "value_template": f"{{{{ {template} }}}}",
        } | more

    cut = f"[:{LONGEST_STATE}]"
    return f"homeassistant/device/lampion-{board}/config", {
        "device": {
            "identifiers": [f"lampion-{board}"],
            "name": f"Lampion {board}",
            "model": host.layout.name,
            "sw_version": version,
        },
        "origin": {"name": "lampion", "sw_version": version},
        "availability_topic": where(ONLINE),
        "components": {
            "turn": sensor("turn", "Turn", f"value_json.text{cut}", icon="mdi:account-clock"),
            "move": sensor(
                "move", "Last move", f"value_json.last_move_text{cut}", icon="mdi:chess-pawn"
            ),
            "moves": sensor("moves", "Moves", "value_json.moves", icon="mdi:counter"),
            "faults": {
                "platform": "binary_sensor",
                "name": "Fault",
                "unique_id": f"lampion_{board}_faults",
                "device_class": "problem",
                "state_topic": where(FAULTS),
                "value_template": "{{ 'ON' if value_json else 'OFF' }}",
            },
        },
    }


def _key(ply: Ply) -> tuple[object, ...]:
    return ply.seat, ply.text, ply.dice


def _ply(host: MqttHost, ply: Ply, language: str) -> dict[str, Any]:
    return {
        "number": ply.number,
        "seat": host.game.seats[ply.seat],
        "move": ply.text,
        "dice": ply.dice,
        "text": _words(ply, language),
    }


def _words(ply: Ply, language: str) -> str:
    return ply.text if ply.words is None else render(ply.words, language)


def _name(host: MqttHost, seat: Seat, language: str) -> str:
    return render(called(host.game, host.status().players, seat), language)


def _outcome(host: MqttHost, status: Status, language: str) -> dict[str, Any] | None:
    if status.outcome is None:
        return None
    result = winner_message(status.outcome, partial(called, host.game, status.players))
    return {
        "winners": [host.game.seats[seat] for seat in sorted(status.outcome.winners)],
        "reason": status.outcome.reason,
        "text": sentence(result, language),
    }
