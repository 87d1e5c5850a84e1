"""The short rules of the game in play, as a page is told them."""

from __future__ import annotations

from typing import Any

from engine.match import AnyGame
from firmware_host.i18n.messages import Message, render, say, sentence
from firmware_host.lights.signals import Light
from firmware_host.rules_card.rules import Picture, rules_of
from firmware_host.text.options import value_message


def short_rules(game: AnyGame, language: str) -> dict[str, Any]:
    """Return them in a language, with the options in force and how such a game may end; only what
    holds under those options.
    """
    rules = rules_of(game.name)

    def told(messages: tuple[Message, ...]) -> list[str]:
        held = [each for each in messages if rules.hold("says", each.text, game.options)]
        return [render(each, language) for each in held]

    endings = [
        text for name, text in game.endings.items() if rules.hold("endings", name, game.options)
    ]

    return {
        "title": render(say(game.title), language),
        "aim": told(rules.aim),
        "notes": told(rules.notes),
        "pictures": [_picture(each, game, language) for each in rules.pictures],
        "endings": [sentence(say(each), language) for each in dict.fromkeys(endings)],
        "options": [
            {
                "label": render(say(option.title), language),
                "value": render(value_message(option, game.options[option.name]), language),
            }
            for option in game.known_options
            if rules.hold("options", option.name, game.options)
        ],
    }


def _picture(picture: Picture, game: AnyGame, language: str) -> dict[str, Any]:
    return {
        "title": render(picture.title, language),
        "kinds": picture.kinds,
        "men": [
            {
                "place": place,
                "shows": piece.kind,
                "owner": "" if piece.owner is None else game.seats[piece.owner],
            }
            for place, piece in picture.men.items()
        ],
        "lights": {place: _light(light) for place, light in picture.lights.items()},
        "says": " ".join(render(each, language) for each in picture.says),
    }


def _light(light: Light) -> dict[str, Any]:
    return {
        "word": light.word.name,
        "then": light.then.name if light.then else "",
        "level": light.level,
        "role": light.role.value,
    }
