"""Sentences for people: kept as data until somebody's language is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Value: TypeAlias = "str | int | Message | tuple[Message, ...]"


@dataclass(frozen=True, slots=True)
class Message:
    """An English sentence with `{names}` to fill in; the sentence is the key of its translations."""

    text: str
    values: tuple[tuple[str, Value], ...] = ()


def say(text: str, **values: Value) -> Message:
    """Return `text` with its values as a Message."""
    return Message(text, tuple(values.items()))


def render(message: Message, language: str = "en") -> str:
    """Return the sentence in `language`; English where no translation is known."""
    filled = {
        name: render(value, language)
        if isinstance(value, Message)
        else ", ".join(render(each, language) for each in value)
        if isinstance(value, tuple)
        else value
        for name, value in message.values
    }
    return message.text.format(**filled)
