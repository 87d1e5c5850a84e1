"""Why a move is good or bad, as a person says it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.match import AnyGame
from engine.search.explain import MoveReason
from firmware_host.i18n.messages import Message, count, say

_SENTENCES: Final[Mapping[str, Message]] = {
    "wins": say("It wins at once."),
    "pushes-off": say("It pushes a marble off the board."),
    "takes-for-nothing": say("It wins the {piece} on {place}."),
    "wins-exchange": say("It takes the {piece} on {place}, which is worth more than what is lost."),
    "brings-home": say("It brings the {piece} home."),
    "forks": say("It attacks two at once: the {second} on {to} and the {third} on {third_place}."),
    "saves": say("It saves the {piece} on {place}."),
    "promotes": say("The {piece} becomes a better piece."),
    "checks": say("It gives check."),
    "threatens": say("It attacks the {second} on {to}."),
    "threatens-push": say("It threatens to push a marble off the board."),
    "threatens-carry": say("It threatens to bring home the {piece} on {place}."),
    "misses-win": say("There is a move that wins at once."),
    "lets-win": say("Then the other side wins at once."),
    "lets-push-off": say("Then a marble of yours can be pushed off the board."),
    "lets-carry-off": say("Then the {piece} on {place} can be carried off."),
    "walks-into": say("The {piece} can be taken on {place}."),
    "leaves": say("It leaves the {piece} on {place} unprotected."),
    "still-attacked": say("The {piece} on {place} is still attacked."),
    "lets-fork": say("Then the {piece} on {place} attacks two at once: {second} and {third}."),
    "lets-attack": say("Then the {piece} on {place} is attacked, and lost."),
    "lets-promote": say("Then the other side's {piece} becomes a better piece."),
    "soon-push-off": say("Soon a marble of yours is pushed off the board."),
    "soon-carry-off": say("Soon the {piece} on {place} is carried off."),
    "loses-later": say("Soon the {piece} on {place} is lost."),
    "misses-capture": say("The {piece} on {place} could be taken."),
    "misses-fork": say("Two could be attacked at once."),
    "misses-push": say("A marble could be pushed off the board."),
    "misses-carry": say("The {piece} could be brought home."),
    "misses-threat": say("The {second} on {to} could be attacked."),
    "misses-threat-carry": say("You could get ready to bring home the {piece} on {place}."),
    "goes-outwards": say("It goes away from the middle, towards the edge."),
}
_WINS: Final[Mapping[str, Message]] = {
    "lion-captured": say("It takes the lion and wins."),
    "try": say("It brings your lion safely to the far row and wins."),
    "mate": say("It gives mate and wins."),
    "king-captured": say("It takes the king and wins."),
    "no-move": say("It leaves the other side no move and wins."),
    "energy": say("It ends the game while more robots stand in your camp: you win."),
    "six-ejected": say("It pushes off the sixth marble and wins."),
    "raja-captured": say("It takes the raja and wins."),
}
"""How a move wins, by the ending of the game."""
_LETS_WIN: Final[Mapping[str, Message]] = {
    "lion-captured": say("Then the other side takes your lion and wins."),
    "try": say("Then the other side's lion reaches the far row and wins."),
    "mate": say("Then the other side gives mate and wins."),
    "king-captured": say("Then the other side takes your king and wins."),
    "no-move": say("Then you have no move left, and the other side wins."),
    "energy": say(
        "Then the other side ends the game while more robots stand in its camp, and wins."
    ),
    "six-ejected": say("Then the other side pushes off your sixth marble and wins."),
    "raja-captured": say("Then the other side takes your raja and wins."),
}
"""How the answer wins. Nothing of that has happened yet, so the endings do not tell it."""
_OF_THROWS: Final = ("takes-at-risk", "saves", "hurt-by-throws")
"""Reasons that count throws."""


def why_message(game: AnyGame, why: MoveReason, counted: bool = False) -> Message:
    """Return the sentence of a reason; `counted`: in how many plies it wins is said."""
    if why.of and why.code in _OF_THROWS:
        return _of_throws(why, say(game.kinds[why.kinds[0]]))
    if why.code == "wins" and why.ending in _WINS:
        return _WINS[why.ending]
    if why.code == "lets-win" and why.ending in _LETS_WIN:
        return _LETS_WIN[why.ending]
    if why.code == "wins-by-force" and (counted or not why.n):
        return say("It wins by force.")
    if why.code == "wins-by-force":
        return count("It wins by force in {n} move.", "It wins by force in {n} moves.", why.n)
    if why.code == "loses-by-force" and not why.n:
        return say("Then the other side wins by force.")
    if why.code == "loses-by-force":
        return count(
            "Then the other side wins by force in {n} move.",
            "Then the other side wins by force in {n} moves.",
            why.n,
        )
    names = [say(game.kinds[kind]) for kind in why.kinds]
    values: dict[str, Message | str] = dict(zip(("piece", "second", "third"), names, strict=False))
    values |= dict(zip(("place", "to", "third_place"), why.places, strict=False))
    return say(_SENTENCES[why.code].text, **values)


def _of_throws(why: MoveReason, man: Message) -> Message:
    """Return the sentence of a reason that counts throws; it names where the piece stands now."""
    place = why.places[-1]
    if why.code == "takes-at-risk":
        return count(
            "It takes the {piece} on {place}; {n} of the others' {of} throws takes back.",
            "It takes the {piece} on {place}; {n} of the others' {of} throws take back.",
            why.n,
            of=why.of,
            piece=man,
            place=place,
        )
    if why.code == "saves" and why.then:
        return count(
            "{n} of the others' {of} throws takes the {piece} on {place} now, {then} after this.",
            "{n} of the others' {of} throws take the {piece} on {place} now, {then} after this.",
            why.n,
            of=why.of,
            piece=man,
            place=place,
            then=why.then,
        )
    if why.code == "saves":
        return count(
            "{n} of the others' {of} throws takes the {piece} on {place} now, none after this.",
            "{n} of the others' {of} throws take the {piece} on {place} now, none after this.",
            why.n,
            of=why.of,
            piece=man,
            place=place,
        )
    return count(
        "{n} throw of {of} takes the {piece} on {place}.",
        "{n} throws of {of} take the {piece} on {place}.",
        why.n,
        of=why.of,
        piece=man,
        place=place,
    )
