"""What a page is told: the board once a match, the state whenever something changed.

Plain dictionaries, ready for JSON, every sentence in the language of the connection. Places go by
the board's own names; beside them stands what people call them. Positions are in millimetres, x to
the right and y down, the middle of the playing area at 0, 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from engine.game import CHANCE, Game, Place, Throw
from engine.games import make
from firmware_host.i18n.messages import LANGUAGES, Message, render, say, sentence, translations
from firmware_host.lights.scene import seat_light
from firmware_host.players.names import called
from firmware_host.text.announcements import mending_message
from firmware_host.text.boards import board_message, caution_message, sensing_message
from firmware_host.text.claims import claim_label
from firmware_host.text.options import value_message
from firmware_host.text.places import place_message, tray_for
from firmware_host.text.status import Ply, Status
from firmware_host.web.board_geometry import picture
from firmware_host.web.host_api import HostApi
from firmware_host.web.lessons import lesson_now
from firmware_host.web.roles import HOST, Role, offered, told
from firmware_host.web.sentences import page_sentences

SIDES: Final[Mapping[str, int]] = {"south": 0, "west": 90, "north": 180, "east": 270}
"""By the button in front of him: how far a player's men are turned, in degrees."""


def board(host: HostApi, language: str, role: Role = HOST) -> dict[str, Any]:
    """Return what does not change during a match, for a page of that role."""
    game, layout = host.game, host.layout
    names = layout.game(game.name).inverse
    seats: list[dict[str, Any]] = []
    sides = layout.game(game.name).sides
    for index, (name, side) in enumerate(zip(game.seats, sides, strict=True)):
        seats.append(
            {
                "index": index,
                "name": name,
                "label": render(say(name), language),
                "facing": SIDES[side.button],
                "light": side.light,
                "colour": _colour(game, index),
            }
        )
    facing = {seat["name"]: seat["facing"] for seat in seats}
    tones = _tones(game)
    drawn = picture(layout)
    for place in drawn["places"]:
        name = names.get(place["id"], "")
        if place["kind"] == "edge":
            label = ""
        elif name:
            label = render(place_message(game, name), language)
        else:
            label = render(say("outside the game: {place}", place=place["id"]), language)
        owner, kind = tray_for(game, name)
        place |= {
            "name": name or place["id"],
            "label": label,
            "game": bool(name),
            "caption": _caption(game, name, language),
            "expects": kind,
            "facing": facing.get(owner, 0),
            "tone": tones.get(name, ""),
        }
    return drawn | {
        "type": "board",
        "game": game.name,
        "title": render(say(game.title), language),
        "turn": -seats[0]["facing"],
        "upright": game.name == "chaturaji",
        "seats": seats,
        "role": _role(role, game, language),
        "hands": host.pieces.hands,
        "chips": host.pieces.chips(),
        "kinds": {kind: render(say(name), language) for kind, name in game.kinds.items()},
        "sole": _sole(game),
        "options": dict(game.options),
        "goal": game.goal,
        "language": language,
        "languages": dict(LANGUAGES),
        "strings": strings(language),
    }


def _role(role: Role, game: Game[Any, Any], language: str) -> dict[str, Any]:
    """Return what the page's user is: by a word, with the seat of a player, and in a sentence."""
    here, said = role.among(len(game.seats)), told(role, game.seats)
    seat = here.seat if here.name == "player" else None
    return {"name": here.name, "seat": seat, "says": render(said, language) if said else ""}


def _colour(game: Game[Any, Any], seat: int) -> str:
    """Return the colour of a seat's men: some games let the players choose it."""
    chosen = game.options.get("seats", "").split(",")
    return chosen[seat] if len(chosen) == len(game.seats) else game.seats[seat]


def _sole(game: Game[Any, Any]) -> list[str]:
    """Return the kinds that only one seat has, whose names tell whose they are: black marbles."""
    owners: dict[str, set[int | None]] = {}
    for piece in game.pieces(game.start()).values():
        owners.setdefault(piece.kind, set()).add(piece.owner)
    return sorted(kind for kind, whose in owners.items() if len(whose) == 1)


def _caption(game: Game[Any, Any], place: Place, language: str) -> str:
    """Return what is written on a slot that its drawing does not explain: whose stock it is."""
    head, _, rest = place.partition(".")
    if head == "pool":
        return render(say("pool"), language)
    owner = rest.partition(".")[0]
    if head in ("stock", "out") and owner in game.seats:
        return render(say(owner), language)
    return ""


def _tones(game: Game[Any, Any]) -> dict[Place, str]:
    """Return how cells are painted beyond their wood: the dark camp, the thrones."""
    if isinstance(camps := getattr(game, "camps", None), tuple):
        return dict.fromkeys(camps[1], "dark")
    if game.name == "chaturaji":
        start = game.pieces(game.start())
        return {place: "throne" for place, piece in start.items() if piece.kind == "K"}
    return {}


def games(host: HostApi, language: str) -> list[dict[str, Any]]:
    """Return the games there are with their options; imports them all, so only when asked."""
    found = []
    for name, layouts in host.games().items():
        game = host.game if name == host.game.name else make(name)
        found.append(
            {
                "name": name,
                "title": render(say(game.title), language),
                "layouts": [
                    {
                        "name": layout.name,
                        "said": render(board_message(layout), language),
                        "feels": render(sensing_message(layout), language),
                        "caution": render(caution_message(layout, name), language),
                    }
                    for layout in layouts
                ],
                "options": [
                    {
                        "name": option.name,
                        "label": render(say(option.title), language),
                        "values": option.values,
                        "said": [
                            render(value_message(option, value), language)
                            for value in option.values
                        ],
                        "about": render(say(option.about), language),
                    }
                    for option in game.known_options
                ],
            }
        )
    return found


def strings(language: str) -> dict[str, str | list[str]]:
    """Return the page's own sentences in a language; those with plural forms as a list."""
    catalogue = translations(language)
    found: dict[str, str | list[str]] = {}
    for text, plural in page_sentences().items():
        if plural:
            forms = {catalogue.ngettext(text, plural, n): None for n in (1, 2, 5)}
            found[text] = list(forms)
        else:
            found[text] = catalogue.gettext(text)
    return found


def state(host: HostApi, language: str, hand: str = "", role: Role = HOST) -> dict[str, Any]:
    """Return what may change at any moment, for a page of that role; `hand` is the page's own."""
    status, pieces, game = host.status(), host.pieces, host.game

    sides = host.layout.game(game.name).sides
    here = dict(host.layout.game(game.name).places)
    here |= {seat_light(seat): side.light for seat, side in enumerate(sides)}
    return {
        "type": "state",
        "rev": status.rev,
        "table": pieces.rev,
        "you": hand,
        "may": offered(role, hand, host),
        "moving": pieces.moving,
        "turn": status.turn,
        "dice": status.dice,
        "throws": _throws(host, status),
        "fallen": status.fallen,
        "otherwise": sorted(status.otherwise),
        "says": [sentence(each, language) for each in status.says],
        "urgent": [sentence(each, language) for each in status.says if each.urgent],
        "plies": [
            {
                "number": ply.number,
                "seat": ply.seat,
                "text": ply.text,
                "words": _ply_words(ply, language),
                "dice": ply.dice,
                "provisional": ply.provisional,
                "candidates": ply.candidates,
                "unsafe": ply.unsafe,
            }
            for ply in status.plies
        ],
        "question": [
            {
                "move": choice.move,
                "place": here.get(choice.place or "", choice.place),
                "name": choice.place,
                "button": choice.button,
                "words": _told(choice.words, language) if choice.words else "",
            }
            for choice in status.question
        ],
        "unseen": [
            {"move": choice.move, "words": _told(choice.words, language) if choice.words else ""}
            for choice in status.unseen
        ],
        "put": [here.get(place, place) for place in status.put],
        "take": [here.get(place, place) for place in status.take],
        "mend": [
            {
                "from": here.get(step.start or "", step.start),
                "to": here.get(step.end or "", step.end),
                "text": render(mending_message(game, step), language),
            }
            for step in status.mend
        ],
        "lights": {
            here.get(place, place): {
                "word": light.word.name,
                "then": light.then.name if light.then else "",
                "pattern": light.pattern.value,
                "level": light.level,
                "role": light.role.value,
                "grade": light.grade,
            }
            for place, light in status.lights.items()
        },
        "claims": [
            {
                "seat": seat,
                "claim": claim,
                "label": render(claim_label(claim), language),
                "says": sentence(does, language),
            }
            for seat, claims in status.claims.items()
            for claim, does in claims.items()
        ],
        "buttons": {button: render(does, language) for button, does in status.buttons.items()},
        "faults": [render(each, language) for each in status.faults],
        "past_faults": [render(each, language) for each in status.past_faults],
        "broken": [render(each, language) for each in pieces.broken()],
        "masked": [here.get(place, place) for place in status.masked],
        "assist": status.assist,
        "players": status.players,
        "company": _opponents(status, language),
        "points": status.points,
        "clock": _clock(host, status),
        "kept": [
            {
                "name": match.name,
                "title": render(say(match.title), language),
                "played": match.played,
                "plies": match.plies,
            }
            for match in status.kept
        ],
        "outcome": _outcome(status, game, language),
        "lesson": lesson_now(status.lesson, language),
        "men": pieces.men(),
        "dots": pieces.dots(),
    }


def _clock(host: HostApi, status: Status) -> dict[str, Any] | None:
    """Return the seconds that each seat has left now, and whose time runs."""
    if status.clock is None:
        return None
    return {"left": status.clock.left(host.now()), "running": status.clock.running}


def _ply_words(ply: Ply, language: str) -> str:
    """Return what a line of the move list says, empty while it is asked which move it was."""
    if ply.candidates:
        return ""
    return _told(ply.words or claim_label(ply.text), language)


@lru_cache(4096)
def _told(words: Message, language: str) -> str:
    """Return a move in a language: each page is told all moves whenever anything changes, so what
    was rendered once is remembered.
    """
    return render(words, language)


def _throws(host: HostApi, status: Status) -> list[tuple[int, ...]]:
    """Return the throws that may fall now, each once."""
    if status.turn != CHANCE:
        return []
    legal = host.game.legal(host.position())
    return sorted({move.dice for move in legal if isinstance(move, Throw)})


def _opponents(status: Status, language: str) -> dict[str, Any] | None:
    opponents = status.opponents
    if opponents is None:
        return None
    return {
        "sitters": opponents.sitters,
        "graded": opponents.graded,
        "hands": opponents.hands,
        "choices": {who: render(said, language) for who, said in opponents.choices.items()},
    }


def _outcome(status: Status, game: Game[Any, Any], language: str) -> dict[str, Any] | None:
    if status.outcome is None:
        return None
    winners = [called(game, status.players, seat) for seat in sorted(status.outcome.winners)]
    if not winners:
        head = say("A draw.")
    elif len(winners) == 1:
        head = say("{winner} wins.", winner=winners[0])
    else:
        head = say("{winners} win.", winners=tuple(winners))
    ending = game.endings.get(status.outcome.reason, status.outcome.reason)
    return {
        "text": render(head, language),
        "why": render(say(ending), language),
        "points": status.outcome.points,
        "winners": sorted(status.outcome.winners),
    }
