"""Options as people call them."""

from __future__ import annotations

from engine.game import Option, OptionError
from firmware_host.i18n.messages import Message, listed, say


def value_message(option: Option, value: str) -> Message:
    """Return what people call a value of an option; several words between commas one by one."""
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
