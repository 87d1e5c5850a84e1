"""Names for people: of the places and options of a game, and of boards."""

from __future__ import annotations

from typing import Final

from engine.game import Option, OptionError, Place
from engine.match import AnyGame
from firmware_host.i18n.messages import Message, listed, say
from hardware.layout import Layout


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
    """Return the name of a place of the game, in words if it is a tray."""
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


def value_message(option: Option, value: str) -> Message:
    """Return the name of a value of an option; words between commas are translated one by one."""
    words = value.split(",")
    if len(words) > 1:
        return listed(tuple(say(word) for word in words))
    return say(option.said(value))


def option_message(error: OptionError) -> Message:
    """Return what is wrong with the options that were chosen."""
    option = error.option
    if option is None:
        return say("This game has no option “{option}”.", option=error.value)
    values = tuple(value_message(option, value) for value in option.values)
    return say(
        "{option}: “{value}” cannot be chosen, only: {values}.",
        option=say(option.title),
        value=error.value,
        values=values,
    )


_SENSORS: Final = {"presence": say("reed switches"), "polarity": say("Hall sensors")}
_FEELING: Final = {
    "presence": say("Reed switches see that a piece is there."),
    "polarity": say("Hall sensors see which side is up."),
}


def board_message(layout: Layout) -> Message:
    """Return the name of a board: its shape and its sensors."""
    shape = say("square board") if layout.shape == "square" else say("hexagonal board")
    return say("{board}, {sensors}", board=shape, sensors=_SENSORS[layout.sensing])


def sensing_message(layout: Layout) -> Message:
    """Return what kind of sensors a board has, and what they feel."""
    return _FEELING[layout.sensing]


def caution_message(layout: Layout, game: str) -> Message:
    """Return what people should know before they choose this board for a game; often nothing."""
    return say(layout.game(game).caution)
