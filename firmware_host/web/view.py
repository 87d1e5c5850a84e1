"""What a page is sent: the board once for each match, the state whenever something has changed.

Plain dictionaries, ready for JSON, with every sentence in the language of the connection. Places
have the board's own names; their labels are beside them. Coordinates are in millimetres, x to the
right and y down, with the middle of the playing area at 0, 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from functools import cache, lru_cache, partial
from typing import Any, Final

from engine.game import CHANCE, Game, GameError, Place, Seat, Throw
from engine.reading.fewest_moves import Movement
from firmware_host.games import DRAWINGS, game_file
from firmware_host.i18n.messages import (
    LANGUAGES,
    Message,
    heading,
    render,
    say,
    sentence,
    translations,
)
from firmware_host.lights.scene import seat_light
from firmware_host.lights.signals import Light
from firmware_host.players.names import called
from firmware_host.text.announcements import movement_message
from firmware_host.text.claims import claim_label
from firmware_host.text.labels import place_message, tray_for
from firmware_host.text.moves import brief_move, move_message, with_notation
from firmware_host.text.outcomes import winner_message
from firmware_host.text.status import Brief, OfferedMove, Ply
from firmware_host.web.application import STATIC
from firmware_host.web.host_api import HostApi
from firmware_host.web.protocol import PROTOCOL
from firmware_host.web.roles import HOST, Role, allowed_buttons, role_message
from hardware.layout import Layout

FACING_DEGREES: Final[Mapping[str, int]] = {"south": 0, "west": 90, "north": 180, "east": 270}
"""How far a player's pieces are rotated, by the side that the player sits at."""


def board(host: HostApi, language: str, role: Role = HOST) -> dict[str, Any]:
    """Return what stays the same during a match, for a page of that role."""
    drawn = game_on_board(host.game, host.layout, language)
    seat = role.among(len(host.game.seats)).seat
    return drawn | {
        "type": "board",
        "rotation": -drawn["seats"][max(seat, 0)]["facing"],  # a player's own pieces are near
        "protocol": PROTOCOL,
        "role": _role(role, host.game, language),
        "simulated": host.pieces.simulated,
        "chips": host.pieces.chips(),
        "may_switch_off": role == HOST and host.builders.power is not None,
        "language": language,
        "languages": dict(LANGUAGES),
        "strings": strings(language),
    }


def game_on_board(game: Game[Any, Any], layout: Layout, language: str) -> dict[str, Any]:
    """Return what a page needs to draw a game on a board, whoever plays it."""
    names = layout.game(game.name).inverse
    seats: list[dict[str, Any]] = []
    sides = layout.game(game.name).sides
    for index, (name, side) in enumerate(zip(game.seats, sides, strict=True)):
        seats.append(
            {
                "index": index,
                "name": name,
                "label": render(say(name), language),
                "facing": FACING_DEGREES[side.button],
                "light": side.light,
                "colour": seat_colour(game, index),
            }
        )
    facing = {seat["name"]: seat["facing"] for seat in seats}
    tones = game.tones()
    drawn = geometry(layout)
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
            "in_game": bool(name),
            "caption": _caption(game, name, language),
            "expected_kind": kind,
            "facing": facing.get(owner, 0),
            "tone": tones.get(name, ""),
        }
    return drawn | {
        "game": game.name,
        "title": render(say(game.title), language),
        "rotation": -seats[0]["facing"],
        "upright_pieces": game.upright,
        "has_drawings": has_drawings(game),
        "seats": seats,
        "kinds": {kind: render(say(name), language) for kind, name in game.kinds.items()},
        "single_owner_kinds": _single_owner_kinds(game),
        "options": dict(game.options),
        "goal": game.goal,
        "has_dice": game.turn(game.start()) == CHANCE,
        "is_handicap": game.is_handicap,
    }


def has_drawings(game: Game[Any, Any]) -> bool:
    """Whether there are drawings of a game's pieces."""
    return game_file(game.name, DRAWINGS).is_file()


def geometry(layout: Layout) -> dict[str, Any]:
    """Return the geometry of a board. An LED is its x, its y and the place that it belongs to, `""`
    if it belongs to none.
    """
    cells = [layout.places[name] for name in layout.cells]
    xs, ys = [cell.x for cell in cells], [cell.y for cell in cells]
    middle_x, middle_y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    owners = {pixel: place.name for place in layout.places.values() for pixel in place.pixels}
    return {
        "layout": layout.name,
        "shape": layout.shape,
        "sensing": layout.sensing,
        "pitch": layout.pitch,
        "slot_size": layout.slot_size,
        "places": [
            {
                "id": place.name,
                "kind": place.kind,
                "x": round(place.x - middle_x, 1),
                "y": round(middle_y - place.y, 1),
            }
            for place in layout.places.values()
        ],
        "leds": [
            (round(x - middle_x, 1), round(middle_y - y, 1), owners.get(pixel, ""))
            for pixel, (x, y) in enumerate(layout.led_positions)
        ],
    }


def _role(role: Role, game: Game[Any, Any], language: str) -> dict[str, Any]:
    """Return the role of the page's user: its name, a player's seat, and a sentence."""
    here, message = role.among(len(game.seats)), role_message(role, game.seats)
    return {
        "name": here.name,
        "seat": here.seat if here.name == "player" else None,
        "text": render(message, language) if message else "",
    }


def seat_colour(game: Game[Any, Any], seat: int) -> str:
    """Return the colour of a seat's pieces, which the players choose in some games."""
    chosen = game.options.get("seats", "").split(",")
    return chosen[seat] if len(chosen) == len(game.seats) else game.seats[seat]


def _single_owner_kinds(game: Game[Any, Any]) -> list[str]:
    """Return the kinds that only one seat has. Their names say whose they are: black marbles."""
    owners: dict[str, set[int | None]] = {}
    even = type(game)()  # in a handicap game a side may yet take a piece that it began without
    for piece in even.pieces(even.start()).values():
        owners.setdefault(piece.kind, set()).add(piece.owner)
    return sorted(kind for kind, whose in owners.items() if len(whose) == 1)


def _caption(game: Game[Any, Any], place: Place, language: str) -> str:
    """Return the caption of a slot that its drawing does not explain: whose stock it is."""
    head, _, rest = place.partition(".")
    if head == "pool":
        return render(say("pool"), language)
    owner = rest.partition(".")[0]
    if head in ("stock", "out") and owner in game.seats:
        return render(say(owner), language)
    return ""


# ---- the page's own sentences

_ESCAPES: Final = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


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


@cache
def page_sentences() -> dict[str, str]:
    """Return the sentences in the page's source files, each with its plural (or `""`)."""
    found: dict[str, str] = {}
    for source in sorted(STATIC.glob("*")):
        if source.suffix in {".js", ".html"}:
            for text, plural in _sentences_in(source.read_text(encoding="utf-8")):
                found[text] = plural or found.get(text, "")
    found.pop("", None)
    return found


def _sentences_in(source: str) -> Iterator[tuple[str, str]]:
    """Yield the sentences in `t("…")`, `tn("…", "…", n)`, and `data-t` in HTML."""
    text = r'"((?:[^"\\]|\\.)*)"'
    for match in re.finditer(rf"\btn\(\s*{text},\s*{text}", source):
        yield _unescaped(match[1]), _unescaped(match[2])
    for match in re.finditer(rf"\bt\(\s*{text}", source):
        yield _unescaped(match[1]), ""
    for match in re.finditer(r"<[^>]*\sdata-t(?=[\s>])[^>]*>([^<]*)<", source):
        yield " ".join(match[1].split()), ""
    for match in re.finditer(rf"\bdata-t-(?:label|title)={text}", source):
        yield match[1], ""


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[1]), text)


# ---- the state


def state(host: HostApi, language: str, page: str = "", role: Role = HOST) -> dict[str, Any]:
    """Return what may change at any moment, for a page of that name and role."""
    return _StateWriter(host, language).state(page, role)


class _StateWriter:
    """Writes the state of a host in a language, with the places of the board."""

    def __init__(self, host: HostApi, language: str) -> None:
        self._host = host
        self._language = language
        self._status = host.status()
        self._game = host.game
        self._position = host.position()
        on_layout = host.layout.game(host.game.name)
        self._here = dict(on_layout.places)
        self._here |= {seat_light(seat): side.light for seat, side in enumerate(on_layout.sides)}

    def state(self, page: str, role: Role) -> dict[str, Any]:
        """Return all parts of the state."""
        status, pieces = self._status, self._host.pieces
        requested = self._requested()
        own = self._own_request(requested, role)
        return {
            "type": "state",
            "rev": status.rev,
            "table_rev": pieces.rev,
            "page": page,
            "allowed": allowed_buttons(role, page, self._host),
            "hands_moving": pieces.moving,
            "turn": status.turn,
            "acting": status.acting,
            "dice": status.dice,
            "throws": self._throws(),
            "last_throw": status.last_throw,
            "corrections": self._corrections(),
            "messages": self._sentences((*own, *status.says)),
            "urgent": self._sentences(each for each in status.says if each.urgent),
            "turn_line": heading(status.turn_line, self._language),
            "next_step": self._sentences(own or status.next_step),
            "plies": [self._ply(ply) for ply in status.plies],
            "question": [self._answer(choice) for choice in status.question],
            "request": self._request(requested),
            "unsensed_moves": [
                {"move": choice.move, "sentence": self._move_sentence(choice)}
                for choice in status.unsensed_moves
            ],
            "to_fill": self._places(status.to_fill),
            "to_empty": self._places(status.to_empty),
            "repair_plan": [self._repair_step(step) for step in status.repair_plan],
            "set_up": [
                {
                    "face": each.kind,
                    "owner": self._seat_name(each.owner),
                    "count": each.count,
                    "in_place": each.in_place,
                }
                for each in status.set_up
            ],
            "lights": {self._place(p): _light(light) for p, light in status.lights.items()},
            "claims": [
                {
                    "seat": seat,
                    "claim": claim,
                    "label": self._render(claim_label(claim)),
                    "effect": sentence(effect, self._language),
                }
                for seat, claims in status.claims.items()
                for claim, effect in claims.items()
            ],
            "buttons": {name: self._render(effect) for name, effect in status.buttons.items()},
            "faults": [*map(self._render, status.faults)],
            "past_faults": [*map(self._render, status.past_faults)],
            "injected_faults": [*map(self._render, pieces.broken())],
            "masked": self._places(status.masked),
            "assist": status.assist,
            "player_names": status.players,
            "opponents": self._opponents(),
            "points": status.points,
            "seats_out": sorted(self._game.seats_out(self._position)),
            "clock": self._clock(),
            "saved_matches": [
                {
                    "name": match.name,
                    "title": self._render(say(match.title)),
                    "played": match.played,
                    "plies": match.plies,
                }
                for match in status.saved_matches
            ],
            "outcome": self._outcome(),
            "lesson": self._lesson(),
            "review": status.review and asdict(status.review),
            "pieces": pieces.all(),
            "unknown_pieces": pieces.unknown(),
            "out_of_place": pieces.out_of_place(self._position),
        }

    # ---- words and places

    def _render(self, message: Message) -> str:
        return render(message, self._language)

    def _sentences(self, messages: Iterable[Message]) -> list[str]:
        return [sentence(each, self._language) for each in messages]

    def _place(self, name: Place) -> Place:
        """Return the place of the board for a place of the game."""
        return self._here.get(name, name)

    def _places(self, names: Iterable[Place]) -> list[Place]:
        return [*map(self._place, names)]

    def _seat_name(self, owner: Seat | None) -> str:
        return "" if owner is None else self._game.seats[owner]

    # ---- moves

    def _ply(self, ply: Ply) -> dict[str, Any]:
        """Return a ply of the list; without a sentence while it is asked which move it was."""
        words = None if ply.candidates else ply.words or claim_label(ply.text)
        return {
            "number": ply.number,
            "seat": ply.seat,
            "text": ply.text,
            "sentence": "" if words is None else _rendered(words, self._language),
            "dice": ply.dice,
            "provisional": ply.provisional,
            "candidates": ply.candidates,
            "unsaved": ply.unsafe,
        } | self._brief(ply.brief)

    def _brief(self, brief: Brief | None) -> dict[str, Any]:
        """Return a move in brief: its two words, the places of the board, the piece to draw."""
        if brief is None:
            return {"brief": "", "from": None, "to": None, "takes": False, "piece": None}
        piece = {"face": brief.kind, "owner": self._seat_name(brief.owner)}
        return {
            "brief": _rendered(brief.words, self._language),
            "from": brief.start and self._place(brief.start),
            "to": brief.end and self._place(brief.end),
            "takes": brief.takes,
            "piece": piece if brief.kind else None,
        }

    def _answer(self, choice: OfferedMove) -> dict[str, Any]:
        """Return a possible answer to the question."""
        return {
            "move": choice.move,
            "place": choice.place and self._place(choice.place),
            "name": choice.place,
            "button": choice.button,
            "sentence": self._move_sentence(choice),
        } | self._brief(choice.brief)

    def _move_sentence(self, choice: OfferedMove) -> str:
        return _rendered(choice.words, self._language) if choice.words else ""

    def _repair_step(self, step: Movement) -> dict[str, Any]:
        return {
            "from": step.start and self._place(step.start),
            "to": step.end and self._place(step.end),
            "sentence": self._render(movement_message(self._game, step)),
        }

    def _requested(self) -> Any:
        """Return the move that a player has requested, until hands have made it; else None."""
        with suppress(GameError):  # it has just been made
            text = self._status.request
            return self._game.parse_move(self._position, text) if text else None
        return None

    def _own_request(self, move: Any, role: Role) -> tuple[Message, ...]:
        """Return the sentence for the player who has requested a move: others make it."""
        if move is None or role != Role("player", self._status.acting):
            return ()
        message = move_message(self._game, self._position, move)
        words = with_notation(message, self._status.request)
        return (say("Your move waits for hands at the board: {move}.", move=words),)

    def _request(self, move: Any) -> dict[str, Any] | None:
        if move is None:
            return None
        game, position = self._game, self._position
        brief = brief_move(game, position, move, game.play(position, move))
        words = _rendered(move_message(game, position, move), self._language)
        return {"move": self._status.request, "sentence": words} | self._brief(brief)

    # ---- dice, clock, players, outcome

    def _throws(self) -> list[tuple[int, ...]]:
        """Return the throws that are possible now, each once."""
        if self._status.turn != CHANCE:
            return []
        legal = self._game.legal(self._position)
        return self._without_order(move.dice for move in legal if isinstance(move, Throw))

    def _corrections(self) -> list[tuple[int, ...]]:
        """Return what the last throw can be corrected to, each once."""
        last = self._without_order([self._status.last_throw])
        found = self._without_order(self._status.corrections)
        return [dice for dice in found if dice not in last]

    def _without_order(self, throws: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """Return throws in order, those of the same numbers once if the order of dice is free."""
        in_order = self._game.dice_in_order
        return sorted({dice if in_order else tuple(sorted(dice)) for dice in throws})

    def _clock(self) -> dict[str, Any] | None:
        """Return the time that each seat has left now, whose time runs, and why none does."""
        if (clock := self._status.clock) is None:
            return None
        now = self._host.now()
        return {
            "control": clock.control,
            "seconds_left": clock.left(now),
            "periods_left": clock.periods_left(now),
            "running": clock.running,
            "paused": clock.is_paused,
            "stopped": clock.stopped.value if clock.stopped else "",
            "short": sorted(clock.short(now)),
            "flagged": sorted(clock.fallen(now)),
            "beside": clock.is_beside,
        }

    def _opponents(self) -> dict[str, Any] | None:
        opponents = self._status.opponents
        if opponents is None:
            return None
        return {
            "player_kinds": opponents.player_kinds,
            "graded_pieces": opponents.graded_pieces,
            "hands_move": opponents.hands_move,
            "choices": {kind: self._render(name) for kind, name in opponents.choices.items()},
        }

    def _lesson(self) -> dict[str, Any] | None:
        lesson = self._status.lesson
        if lesson is None:
            return None
        return {
            "name": lesson.name,
            "title": self._render(lesson.title),
            "task": self._render(lesson.task),
            "number": lesson.number,
            "count": lesson.count,
            "course": lesson.course,
            "seat": lesson.seat,
            "stage": lesson.stage,
            "reply": lesson.reply,
            "next": lesson.after,
        }

    def _outcome(self) -> dict[str, Any] | None:
        outcome = self._status.outcome
        if outcome is None:
            return None
        result = winner_message(outcome, partial(called, self._game, self._status.players))
        ending = self._game.endings.get(outcome.reason, outcome.reason)
        return {
            "result": sentence(result, self._language),
            "reason": sentence(say(ending), self._language),
            "points": outcome.points,
            "winners": sorted(outcome.winners),
        }


@lru_cache(4096)
def _rendered(words: Message, language: str) -> str:
    """Return a move in a language. Every state carries all moves, so they are rendered once."""
    return render(words, language)


def _light(light: Light) -> dict[str, Any]:
    return light_signals(light) | {"pattern": light.pattern.value, "grade": light.grade}


def light_signals(light: Light) -> dict[str, Any]:
    """Return what a light says, without how it moves."""
    return {
        "signal": light.signal.name,
        "second_signal": light.second.name if light.second else "",
        "level": light.level,
        "role": light.role.value,
    }
