"""Faults of the hardware, in sentences for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from engine.game import Place
from firmware_host.i18n.messages import Message, count, fill, say, warn
from hardware.sensing import Fault
from hardware.simulated.board import Breakage

NAMED = 6
"""At most this many places are named one by one."""
CAUSED: Final = ("denied", "lights", "taken")
"""Faults for which the system gives a reason in its own words, which goes to the log."""

_FAULTS: Final[Mapping[str, Message]] = {
    "all silent": warn(
        "No chip answers: check the board's supply and its cable. Not seen now: {places}."
    ),
    "silent": warn(
        "The chip at {chip} does not answer: check its plug, its supply and its address "
        "pins. Not seen now: {places}."
    ),
    "busy": warn(
        "A driver of the system uses the chip at {chip}: remove its dtoverlay line from "
        "config.txt and restart. Not seen now: {places}."
    ),
    "hung": warn(
        "The bus to the chips hangs: switch the board off and on, and check its cables. "
        "Not seen now: {places}."
    ),
    "wrong": warn(
        "Something else answers where the chip at {chip} belongs, or two chips have this "
        "address. Not seen now: {places}."
    ),
    "reset": warn("The chip at {chip} lost its supply for a moment; it works again."),
    "sensor": warn(
        "The chip at {chip} gets no usable voltage from these Hall sensors: {places}. "
        "Check their supply and their wires."
    ),
    "slow": warn(
        "The board is read too slowly to be reliable: stop other programs on this "
        "computer, and check that I2C runs at 400 kHz."
    ),
    "unheard at": warn(
        "At the chip at {chip}, the wire INT does not report when a piece moves: check "
        "its solder joint."
    ),
    "unheard": warn("The wire INT does not report when a piece moves: check its plug."),
    "held": warn(
        "The wire INT stays low though no chip reports anything: look for a short "
        "circuit, and for a broken chip."
    ),
    "taken by an overlay": warn(
        "The pin {pin} is used by {holder}: remove that line from config.txt and "
        "restart, or choose another pin."
    ),
    "taken by a program": warn(
        "The pin {pin} is used by {holder}: stop that program, or choose another pin."
    ),
    "taken": warn("Another program uses the pin {pin}: stop it, or choose another pin."),
    "lights": warn("Nothing reaches the lights: check their cable."),
    "unplugged": warn("Nothing is plugged in at {port}: check the cable."),
    "denied": warn(
        "The device at {port} cannot be used: another program uses it, or this program "
        "has no permission. The log says more."
    ),
    "quiet": warn("The device at {port} says nothing: check that it runs."),
    "garbled": warn("The data from the device at {port} arrive damaged: check the cable."),
    "version": warn("The device at {port} has another version than this program: update both."),
    "stranger": warn("The wrong device is at {port}: check which is plugged in where."),
    "unknown": warn(
        "The device at {port} does not know these places: {places}. Check their sensors."
    ),
}
"""The sentences of faults by their kind; some kinds have several."""
_BREAKAGES: Final[Mapping[str, Message]] = {
    "missing": say("The chip at {chip} is unplugged."),
    "silent": say("The chip at {chip} does not answer."),
    "stuck on": say("{place}: the sensor is stuck and always sees a piece."),
    "stuck off": say("{place}: the sensor is stuck and never sees a piece."),
    "bouncing": say("{place}: the sensor bounces."),
    "wire": say("{place}: the wire of the sensor is cut."),
    "chain": say("The chain of lights is cut before light {number}."),
    "lights": say("Nothing reaches the lights: check their cable."),
}


def fault_message(fault: Fault, names: Mapping[str, Place]) -> Message:
    """Return the sentence of a fault; `names` has the game's names of the board's places.

    Places that the game does not use are only counted: the board's name of one may be the game's
    name of another.
    """
    used = [names[place] for place in fault.places if place in names]
    places = _listed(used, len(fault.places) - len(used))
    where, kind = fault.address, str(fault.kind)
    if kind == "silent" and where is None:
        kind = "all silent"
    elif kind == "unheard" and where is not None:
        kind = "unheard at"
    elif kind == "taken" and fault.holder:
        is_overlay = fault.holder.startswith("dtoverlay=")
        kind = "taken by an overlay" if is_overlay else "taken by a program"
    chip = f"{where:#04x}" if isinstance(where, int) else where or ""
    return fill(_FAULTS[kind], chip=chip, pin=chip, port=chip, places=places, holder=fault.holder)


def blind_message(places: Iterable[Place]) -> Message:
    """Return the sentence for places whose chips do not answer."""
    return warn("No chip answers for these places: {places}.", places=_listed(sorted(places)))


def breakage_message(breakage: Breakage, names: Mapping[Place, Message]) -> Message:
    """Return the sentence of a part of the simulated board that was broken on purpose; `names` are
    the names of its places for people.
    """
    part = names.get(breakage.part, breakage.part)
    return fill(_BREAKAGES[breakage.kind], chip=part, place=part, number=part)


def _listed(names: Sequence[str], others: int = 0) -> str | Message:
    """Name places, and count those that are too many or have no names."""
    if others and not names:
        return count("{n} place that is not played on", "{n} places that are not played on", others)
    if not others and len(names) <= NAMED:
        return ", ".join(names)
    first = names[: NAMED - 1] if len(names) > NAMED else names
    more = len(names) - len(first) + others
    return say("{places} and {n} more", places=", ".join(first), n=more)
