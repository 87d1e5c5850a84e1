"""Sentences for people: kept as data until somebody's language is known.

A Message holds an English sentence, which is also the key of its translations, and the values that
fill it. `render` looks the sentence up in the catalogue of a language (GNU gettext, compiled by
`python -m tools.catalogues`) and fills it in.

A language may bend what is filled in: where a translation says `{piece:accusative}`, the value is
looked up in that case (`msgctxt "accusative"`), and stays as it is where the catalogue knows no
such form. English writes `{piece}`. `PIECE_CASES` and `SEAT_CASES` say which language has which.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, Final, TypeAlias

Value: TypeAlias = "str | int | Message | tuple[Message, ...]"

LANGUAGES: Final[Mapping[str, str]] = {
    "en": "English",
    "pl": "polski",
    "cs": "čeština",
    "fr": "français",
}
"""The languages there are, each with its own name for itself."""

PIECE_CASES: Final[Mapping[str, str]] = {
    "pl": "accusative",
    "cs": "accusative",
    "fr": "definite",
}
"""The form, beside the plain one, in which a language has the names of pieces: `słonia` to `słoń`,
`l'éléphant` to `éléphant`."""
SEAT_CASES: Final[Mapping[str, str]] = {"fr": "dative"}
"""The form in which a language has the names of seats: `aux Blancs` to `blanc`. `{name}` in this
form says how it bends a player's own name: `à Ania`."""

LOCALE: Final = Path(__file__).parent / "locale"
DOMAIN: Final = "lampion"


@dataclass(frozen=True, slots=True)
class Message:
    """An English sentence with `{names}` to fill in; it is the key of its translations."""

    text: str
    values: tuple[tuple[str, Value], ...] = ()
    plural: str = ""
    """The sentence for another number than one; its value `n` is the number."""
    urgent: bool = False
    """A screen reader interrupts itself for it: check, a move that the rules forbid."""


class RefusedError(Exception):
    """Something cannot be done; the message tells people why."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.text)
        self.message = message


def say(text: str, **values: Value) -> Message:
    """Return `text` with its values as a Message. Values named `0`, `1` … fill `{0}`, `{1}` …"""
    return Message(text, tuple(values.items()))


def warn(text: str, **values: Value) -> Message:
    """Return an urgent Message."""
    return Message(text, tuple(values.items()), urgent=True)


def fill(message: Message, **values: Value) -> Message:
    """Return a message with those of `values` that its sentence names."""
    names = [name for _, name, _, _ in Formatter().parse(message.text) if name]
    return replace(message, values=tuple((name, values[name]) for name in names))


def count(one: str, many: str, n: int, **values: Value) -> Message:
    """Return a Message that speaks of `n` things, in the form that each language has for `n`."""
    return Message(one, (("n", n), *values.items()), many)


def several(name: str, n: int) -> Message:
    """Return `n` pieces of that name, as the object of a move: `2 white tokens`."""
    return count(f"{{n}} {name}", f"{{n}} {name}s", n)


def listed(messages: tuple[Message, ...]) -> Message:
    """Return messages one after the other, with commas between them."""
    return messages[0] if len(messages) == 1 else say("{all}", all=messages)


def render(message: Message, language: str = "en", case: str = "") -> str:
    """Return the sentence in `language`; English where no translation is known. A `case` asks for
    one of its other forms, if there is such a one.
    """
    catalogue = translations(language)
    values = dict(message.values)
    if message.plural:
        n = values["n"]
        assert isinstance(n, int)
        text = catalogue.ngettext(message.text, message.plural, n)
    else:
        # gettext answers the empty text with the catalogue's header.
        text = message.text and catalogue.gettext(message.text)
        if case:
            bent = catalogue.pgettext(case, message.text)
            text = text if bent == message.text else bent
    in_order = [values[str(index)] for index in range(len(values)) if str(index) in values]
    return _Filler(language).vformat(text, in_order, values)


def sentence(message: Message, language: str = "en") -> str:
    """Return a message that stands by itself: a sentence that a name begins has its capital, too.
    The names of moves and places stay as they are written.
    """
    text = render(message, language)
    # French has a no-break space before the colon.
    begins_with_word = re.split("[ \N{NO-BREAK SPACE}]", text)[0].rstrip(",:").isalpha()
    if begins_with_word and text.endswith((".", "!", "?", ":", "…")):
        return text[0].upper() + text[1:]
    return text


def heading(message: Message, language: str = "en") -> str:
    """Return a message as a title: it has a capital and no full stop."""
    text = render(message, language).rstrip(".")
    return text[:1].upper() + text[1:]


class _Filler(Formatter):
    """Fills values in, each in the case that its field asks for."""

    def __init__(self, language: str) -> None:
        self._language = language

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, tuple):
            return ", ".join(render(each, self._language, format_spec) for each in value)
        if isinstance(value, Message):
            return render(value, self._language, format_spec)
        return str(value)


@cache
def translations(language: str) -> gettext.NullTranslations:
    """Return the catalogue of a language; one that leaves all as it is where there is none."""
    if language not in LANGUAGES:
        return gettext.NullTranslations()
    return gettext.translation(DOMAIN, LOCALE, [language], fallback=True)


def negotiate(wanted: str | None, accepted: str = "") -> str:
    """Return the language to speak: `wanted` (`pl`, `fr-CA`) if there is such a one, else the
    best of an Accept-Language header, else English.
    """
    ranked: list[tuple[float, int, str]] = []
    for index, item in enumerate(accepted.split(",")):
        tag, _, weight = item.partition(";q=")
        try:
            share = float(weight) if weight else 1.0
        except ValueError:
            continue
        ranked.append((-share, index, tag))
    for tag in (wanted or "", *(tag for share, _, tag in sorted(ranked) if share < 0)):
        language = tag.strip().lower().replace("_", "-").partition("-")[0]
        if language in LANGUAGES:
            return language
    return "en"
