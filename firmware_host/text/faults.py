"""What does not work, in sentences for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from engine.game import Place
from firmware_host.i18n.messages import Message, count, say, warn
from hardware.sensing import Fault
from hardware.simulated.board import Breakage

NAMED = 6
"""At most this many places are named one by one."""
CAUSED: Final = ("denied", "lights", "taken")
"""Faults of which the system has said why, in its own words: that is for the log."""


def fault_message(fault: Fault, names: Mapping[str, Place]) -> Message:
    """Return the sentence of a fault of the machine; `names` is what the game calls a place of the
    board, where it has a name for it. Places that it does not use are counted only: they may have
    the names of others that it does.
    """
    chip = _chip(fault.address)
    used = [names[place] for place in fault.places if place in names]
    places = _listed(used, len(fault.places) - len(used))
    match fault.kind:
        case "silent" if fault.address is None:
            return warn(
                "No chip answers: check the board's supply and its cable. Not seen now: {places}.",
                places=places,
            )
        case "silent":
            return warn(
                "The chip at {chip} does not answer: check its plug, its supply and its "
                "address pins. Not seen now: {places}.",
                chip=chip,
                places=places,
            )
        case "busy":
            return warn(
                "A driver of the system uses the chip at {chip}: remove its dtoverlay "
                "line from config.txt and restart. Not seen now: {places}.",
                chip=chip,
                places=places,
            )
        case "hung":
            return warn(
                "The bus to the chips hangs: switch the board off and on, and check its "
                "cables. Not seen now: {places}.",
                places=places,
            )
        case "wrong":
            return warn(
                "Something else answers where the chip at {chip} belongs, or two chips have this "
                "address. Not seen now: {places}.",
                chip=chip,
                places=places,
            )
        case "reset":
            return warn(
                "The chip at {chip} lost its supply for a moment; it works again.", chip=chip
            )
        case "sensor":
            return warn(
                "The chip at {chip} gets no usable voltage from these Hall sensors: {places}. "
                "Check their supply and their wires.",
                chip=chip,
                places=places,
            )
        case "slow":
            return warn(
                "The board is read too slowly to be reliable: stop other programs on this "
                "computer, and check that I2C runs at 400 kHz."
            )
        case "unheard" if fault.address is not None:
            return warn(
                "At the chip at {chip}, the wire INT does not report when a piece moves: check "
                "its solder joint.",
                chip=chip,
            )
        case "unheard":
            return warn("The wire INT does not report when a piece moves: check its plug.")
        case "held":
            return warn(
                "The wire INT stays low though no chip reports anything: look for a short"
                " circuit, and for a broken chip."
            )
        case "taken" if fault.holder.startswith("dtoverlay="):
            return warn(
                "The pin {pin} is used by {holder}: remove that line from config.txt and "
                "restart, or choose another pin.",
                pin=chip,
                holder=fault.holder,
            )
        case "taken" if fault.holder:
            return warn(
                "The pin {pin} is used by {holder}: stop that program, or choose another pin.",
                pin=chip,
                holder=fault.holder,
            )
        case "taken":
            return warn(
                "Another program uses the pin {pin}: stop it, or choose another pin.",
                pin=chip,
            )
        case "lights":
            return warn("Nothing reaches the lights: check their cable.")
        case "unplugged":
            return warn("Nothing is plugged in at {port}: check the cable.", port=chip)
        case "denied":
            return warn(
                "The device at {port} cannot be used: another program uses it, or this "
                "program has no permission. The log says more.",
                port=chip,
            )
        case "quiet":
            return warn("The device at {port} says nothing: check that it runs.", port=chip)
        case "garbled":
            return warn(
                "The data from the device at {port} arrive damaged: check the cable.", port=chip
            )
        case "version":
            return warn(
                "The device at {port} has another version than this program: update both.",
                port=chip,
            )
        case "stranger":
            return warn(
                "The wrong device is at {port}: check which is plugged in where.",
                port=chip,
            )
        case "unknown":
            return warn(
                "The device at {port} does not know these places: {places}. Check their sensors.",
                port=chip,
                places=places,
            )


def blind_message(places: Iterable[Place]) -> Message:
    """Return the sentence of chips that do not answer, of which only the places are known."""
    return warn("No chip answers for these places: {places}.", places=_listed(sorted(places)))


def injury_message(injury: Breakage, names: Mapping[Place, Message]) -> Message:
    """Return the sentence of something that was broken on purpose on the simulated board; `names`
    are what people call its places.
    """
    part = names.get(injury.part, injury.part)
    match injury.kind:
        case "missing":
            return say("The chip at {chip} is pulled off.", chip=part)
        case "silent":
            return say("The chip at {chip} does not answer.", chip=part)
        case "stuck on":
            return say("{place}: the sensor is stuck and always sees a piece.", place=part)
        case "stuck off":
            return say("{place}: the sensor is stuck and never sees a piece.", place=part)
        case "bouncing":
            return say("{place}: the sensor bounces.", place=part)
        case "wire":
            return say("{place}: the wire of the sensor is cut.", place=part)
        case "chain":
            return say("The chain of lights is cut before light {number}.", number=part)
        case "lights":
            return say("Nothing reaches the lights: check their cable.")


def _chip(address: int | str | None) -> str:
    return f"{address:#04x}" if isinstance(address, int) else address or ""


def _listed(names: Sequence[str], others: int = 0) -> str | Message:
    """Name places, and count those that are too many or have no names."""
    if others and not names:
        return count("{n} place that is not played on", "{n} places that are not played on", others)
    if not others and len(names) <= NAMED:
        return ", ".join(names)
    first = names[: NAMED - 1] if len(names) > NAMED else names
    more = len(names) - len(first) + others
    return say("{places} and {n} more", places=", ".join(first), n=more)
