"""The sentences of the page of a browser tab before the board is there, or if it cannot be."""

from __future__ import annotations

from typing import Final

from firmware_host.i18n.messages import LANGUAGES, Message, render, say

SENTENCES: Final[dict[str, Message]] = {
    "loading": say("Loading the board: {percent} %"),
    "starting": say("The board is starting …"),
    "first": say(
        "The first time takes longest. After that the board also opens without a network."
    ),
    "elsewhere": say(
        "The board is open in another tab of this browser. Close that tab, and it goes on here."
    ),
    "old": say("This browser is too old for the board. Open the page in a newer one."),
    "failed": say("The board could not be loaded. Load the page again."),
    "ended": say("The board has stopped. Load the page again: the match goes on where it was."),
    "unsaved": say("This browser does not keep the match. It is lost when you close the tab."),
}


def sentences() -> dict[str, dict[str, str]]:
    """Return the sentences of each language, by their names; `{percent}` stays."""
    return {
        language: {name: _unfilled(message, language) for name, message in SENTENCES.items()}
        for language in LANGUAGES
    }


def _unfilled(message: Message, language: str) -> str:
    return render(say(message.text, percent="{percent}"), language)
