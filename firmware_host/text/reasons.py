"""Sentences that say why a move is good or bad."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.match import AnyGame
from engine.search.explain import MoveReason
from firmware_host.i18n.messages import Message, count, fill, say

_SENTENCES: Final[Mapping[str, Message]] = {
    "wins": say("It wins at once."),
    "pushes-off": say("It pushes a marble off the board."),
    "takes-for-nothing": say("It wins the {piece} on {place}."),
    "wins-exchange": say(
        "It takes the {piece} on {place}, which is worth more than the piece you lose."
    ),
    "brings-home": say("It brings the {piece} home to your camp."),
    "forks": say(
        "It attacks two pieces at once: the {second} on {to} and the {third} on {third_place}."
    ),
    "saves": say("It saves the {piece} on {place}."),
    "promotes": say("The {piece} is promoted to a better piece."),
    "checks": say("It gives check."),
    "threatens": say("It attacks the {second} on {to}."),
    "threatens-push": say("It threatens to push a marble off the board."),
    "threatens-carry": say("It threatens to bring the {piece} on {place} home."),
    "misses-win": say("Another move wins at once."),
    "lets-win": say("Then your opponent wins at once."),
    "lets-push-off": say("Then one of your marbles can be pushed off the board."),
    "lets-carry-off": say("Then your opponent can take the {piece} on {place} home."),
    "walks-into": say("The {piece} can be taken on {place}."),
    "leaves": say("It leaves the {piece} on {place} unprotected."),
    "still-attacked": say("The {piece} on {place} is still attacked."),
    "lets-fork": say(
        "Then the {piece} on {place} attacks two pieces at once: {second} and {third}."
    ),
    "lets-attack": say("Then the {piece} on {place} is attacked and lost."),
    "lets-promote": say("Then your opponent's {piece} is promoted to a better piece."),
    "soon-push-off": say("Soon one of your marbles is pushed off the board."),
    "soon-carry-off": say("Soon your opponent takes the {piece} on {place} home."),
    "loses-later": say("Soon the {piece} on {place} is lost."),
    "misses-capture": say("You can take the {piece} on {place} instead."),
    "misses-fork": say("You can attack two pieces at once instead."),
    "misses-push": say("You can push a marble off the board instead."),
    "misses-carry": say("You can bring the {piece} home instead."),
    "misses-threat": say("You can attack the {second} on {to} instead."),
    "misses-threat-carry": say("You can get ready to bring the {piece} on {place} home instead."),
    "goes-outwards": say("It goes away from the middle, towards the edge."),
}
_WINS: Final[Mapping[str, Message]] = {
    "lion-captured": say("It takes the lion and wins."),
    "try": say("It brings your lion safely to the last row and wins."),
    "mate": say("It is checkmate and wins."),
    "king-captured": say("It takes the king and wins."),
    "no-move": say("It leaves your opponent no move and wins."),
    "energy": say("It ends the game while you have more robots in your camp: you win."),
    "six-ejected": say("It pushes the sixth marble off and wins."),
    "raja-captured": say("It takes the raja and wins."),
}
"""How a move wins, by the reason of the outcome."""
_LETS_WIN: Final[Mapping[str, Message]] = {
    "lion-captured": say("Then your opponent takes your lion and wins."),
    "try": say("Then your opponent's lion reaches the last row and wins."),
    "mate": say("Then your opponent checkmates you and wins."),
    "king-captured": say("Then your opponent takes your king and wins."),
    "no-move": say("Then you have no move left, and your opponent wins."),
    "energy": say("Then your opponent ends the game with more robots at home, and wins."),
    "six-ejected": say("Then your opponent pushes your sixth marble off and wins."),
    "raja-captured": say("Then your opponent takes your raja and wins."),
}
"""How the opponent's answer wins, by the reason of the outcome."""
_OF_THROWS: Final[Mapping[str, Message]] = {
    "takes-at-risk": count(
        "It takes the {piece} on {place}; {n} of {of} throws lets the others recapture.",
        "It takes the {piece} on {place}; {n} of {of} throws let the others recapture.",
        1,
    ),
    "saves": count(
        "{n} of the others' {of} throws takes the {piece} on {place} now; after this, {then}.",
        "{n} of the others' {of} throws take the {piece} on {place} now; after this, {then}.",
        1,
    ),
    "saves for certain": count(
        "{n} of the others' {of} throws takes the {piece} on {place} now; after this, none.",
        "{n} of the others' {of} throws take the {piece} on {place} now; after this, none.",
        1,
    ),
    "hurt-by-throws": count(
        "{n} of the others' {of} throws takes the {piece} on {place}.",
        "{n} of the others' {of} throws take the {piece} on {place}.",
        1,
    ),
}
"""The sentences of reasons that count throws."""


def why_message(game: AnyGame, why: MoveReason, counted: bool = False) -> Message:
    """Return the sentence of a reason; without the number of moves if it is `counted` elsewhere."""
    if why.of and why.code in _OF_THROWS:
        code = "saves for certain" if why.code == "saves" and not why.then else why.code
        piece, place = say(game.kinds[why.kinds[0]]), why.places[-1]  # the present place
        return fill(_OF_THROWS[code], n=why.n, of=why.of, piece=piece, place=place, then=why.then)
    if why.code == "wins" and why.ending in _WINS:
        return _WINS[why.ending]
    if why.code == "lets-win" and why.ending in _LETS_WIN:
        return _LETS_WIN[why.ending]
    if why.code == "wins-by-force" and (counted or not why.n):
        return say("It wins by force.")
    if why.code == "wins-by-force":
        return count("It wins by force in {n} move.", "It wins by force in {n} moves.", why.n)
    if why.code == "loses-by-force" and not why.n:
        return say("Then your opponent wins by force.")
    if why.code == "loses-by-force":
        return count(
            "Then your opponent wins by force in {n} move.",
            "Then your opponent wins by force in {n} moves.",
            why.n,
        )
    names = [say(game.kinds[kind]) for kind in why.kinds]
    values: dict[str, Message | str] = dict(zip(("piece", "second", "third"), names, strict=False))
    values |= dict(zip(("place", "to", "third_place"), why.places, strict=False))
    return fill(_SENTENCES[why.code], **values)
