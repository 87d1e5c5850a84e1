"""Why a move is good or bad, as a person says it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.match import AnyGame
from engine.search.why import Why
from firmware_host.words import Message, count, say

_SENTENCES: Final[Mapping[str, Message]] = {
    "wins": say("It wins at once. {ending}"),
    "pushes-off": say("It pushes a marble off the board."),
    "takes-for-nothing": say("It takes the {man} on {place} for nothing."),
    "wins-exchange": say("It takes the {man} on {place}, which is worth more than what is lost."),
    "brings-home": say("It brings the {man} home."),
    "forks": say("It attacks two at once: the {second} on {to} and the {third} on {third_place}."),
    "saves": say("It saves the {man} on {place}."),
    "promotes": say("The {man} becomes a better piece."),
    "checks": say("It gives check."),
    "threatens": say("It attacks the {second} on {to}."),
    "threatens-push": say("It threatens to push a marble off the board."),
    "threatens-carry": say("It threatens to bring home the {man} on {place}."),
    "misses-win": say("There is a move that wins at once."),
    "lets-win": say("Then the other side wins at once. {ending}"),
    "lets-push-off": say("Then a marble of yours can be pushed off the board."),
    "lets-carry-off": say("Then the {man} on {place} can be carried off."),
    "walks-into": say("The {man} can be taken on {place}."),
    "leaves": say("It leaves the {man} on {place} unprotected."),
    "still-attacked": say("The {man} on {place} is still attacked."),
    "lets-fork": say("Then the {man} on {place} attacks two at once: {second} and {third}."),
    "lets-attack": say("Then the {man} on {place} is attacked, and lost."),
    "lets-promote": say("Then the other side's {man} becomes a better piece."),
    "soon-push-off": say("Soon a marble of yours is pushed off the board."),
    "soon-carry-off": say("Soon the {man} on {place} is carried off."),
    "loses-later": say("Soon the {man} on {place} is lost."),
    "misses-capture": say("The {man} on {place} could be taken."),
    "misses-fork": say("Two could be attacked at once."),
    "misses-push": say("A marble could be pushed off the board."),
    "misses-carry": say("The {man} could be brought home."),
    "misses-threat": say("The {second} on {to} could be attacked."),
    "misses-threat-carry": say("You could get ready to bring home the {man} on {place}."),
    "goes-outwards": say("It goes away from the middle, towards the edge."),
}


def why_message(game: AnyGame, why: Why, counted: bool = False) -> Message:
    """Return the sentence of a reason; `counted`: in how many plies it wins is said."""
    if why.code == "hurt-by-throws":
        return count(
            "{n} throw of {of} takes the {man} on {place}.",
            "{n} throws of {of} take the {man} on {place}.",
            why.n,
            of=why.of,
            man=say(game.kinds[why.kinds[0]]),
            place=why.places[0],
        )
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
    values: dict[str, Message | str] = dict(zip(("man", "second", "third"), names, strict=False))
    values |= dict(zip(("place", "to", "third_place"), why.places, strict=False))
    if why.ending:
        values["ending"] = say(game.endings[why.ending])
    return say(_SENTENCES[why.code].text, **values)
