"""How people call the places of a game: cells by their own names, trays by what they are for."""

from __future__ import annotations

from engine.game import Place
from engine.match import AnyGame
from firmware_host.i18n.messages import Message, say


def tray_for(game: AnyGame, place: Place) -> tuple[str, str]:
    """Return the seat and the kind that a slot of a tray is meant for, empty if it says neither:
    `hand.A.C`, `stock.light.w`, `pool.w`, `out.black`.
    """
    parts = place.split(".")
    if len(parts) < 2:
        return "", ""
    owner = parts[1] if parts[1] in game.seats else ""
    kind = parts[-1] if parts[-1] in game.kinds else ""
    return owner, kind


def place_message(game: AnyGame, place: Place) -> Message:
    """Return what a place of the game is called, in words where it has no name on the board."""
    parts = place.split(".")
    if len(parts) == 1:
        return say(place)
    owner, kind = tray_for(game, place)
    what = say(game.kinds[kind]) if kind else say(parts[-1])
    if parts[0] == "pool":
        return say("pool, {what}", what=what)
    if parts[0] == "out":
        return say("pushed off: {what}", what=what)
    if parts[0] == "stock":
        return say("stock of {seat}, {what}", seat=say(owner), what=what)
    return say("hand of {seat}, {what}", seat=say(owner), what=what)
