"""Sentences that say why a move is good or bad."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.match import AnyGame
from engine.search.explain import MoveReason
from firmware_host.i18n.messages import Message, count, fill, say

_SENTENCES: Final[Mapping[str, Message]] = {
    "wins": say("It wins at once."),
    "pushes-off": say("It pushes the {piece} on {place} off the board."),
    "takes-for-nothing": say("It wins the {piece} on {place}: nothing can take back."),
    "takes-protected": say(
        "It wins the {piece} on {place}: if a piece takes back, you can take again."
    ),
    "brings-home": say("It brings the {piece} home to your camp."),
    "forks": say(
        "It attacks two pieces at once: the {second} on {to} and the {third} on {third_place}."
    ),
    "saves": say("It saves the {piece} on {place}, which could be taken."),
    "saves-push": say("Your opponent can no longer push the {piece} on {place} off the board."),
    "saves-carry": say("Your opponent can no longer take the {piece} on {place} home."),
    "promotes": say("The {piece} is promoted. It is now: {second}."),
    "checks": say("It attacks the {second} on {to}: check!"),
    "threatens": say("It attacks the {second} on {to}."),
    "threatens-push": say("It threatens to push the {piece} on {place} off the board."),
    "threatens-carry": say("It threatens to bring the {piece} on {place} home."),
    "misses-win": say("Another move wins at once."),
    "lets-win": say("Then your opponent wins at once."),
    "lets-push-off": say("Then your opponent pushes the {piece} on {place} off the board."),
    "lets-carry-off": say("Then your opponent can take the {piece} on {place} home."),
    "walks-into": say("On {place} the {second} on {to} can take the {piece}."),
    "leaves": say("Then the {second} on {to} can take the {piece} on {place}."),
    "still-attacked": say("The {second} on {to} can still take the {piece} on {place}."),
    "lets-fork": say(
        "Then your opponent's {piece} on {place} attacks the {second} on {to} and the {third} on "
        "{third_place}."
    ),
    "lets-attack": say(
        "Then your opponent's {second} on {to} attacks the {piece} on {place}, which is lost."
    ),
    "soon-push-off": say("Your opponent will soon push one of your marbles off the board."),
    "lets-threaten-carry": say(
        "Then your opponent can get ready to take the {piece} on {place} home."
    ),
    "loses-later": say("Your opponent will soon take the {piece} on {place}."),
    "misses-capture": say("You can take the {piece} on {place} instead."),
    "misses-fork": say(
        "You can attack two pieces at once instead: the {second} on {to} and the {third} on "
        "{third_place}."
    ),
    "misses-push": say("You can push the {piece} on {place} off the board instead."),
    "misses-carry": say("You can bring the {piece} home instead."),
    "misses-threat": say("You can attack the {second} on {to} instead."),
    "misses-threat-carry": say("You can get ready to bring the {piece} on {place} home instead."),
    "goes-outwards": say("It goes away from the middle, towards the edge."),
}
_MOVED: Final = say("The {piece} on {to} could be taken; on {place} it is safe.")
"""The sentence of `saves` for a piece that moves."""
_TAKEN: Final = say("The {piece} on {place} can be taken.")
"""The sentence of a loss if it is not clear where the other piece comes from."""
_PUSHED: Final = say("Your opponent will soon push the {piece} on {place} off the board.")
"""The sentence of `soon-push-off` if the piece stands on its cell already."""
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
_MISSES_WIN: Final[Mapping[str, Message]] = {
    "lion-captured": say("You can take the lion instead, and win."),
    "try": say("You can bring your lion safely to the last row instead, and win."),
    "mate": say("You can give checkmate instead, and win."),
    "king-captured": say("You can take the king instead, and win."),
    "no-move": say("You can leave your opponent no move instead, and win."),
    "energy": say("You can end the game instead, with more robots in your camp, and win."),
    "six-ejected": say("You can push the sixth marble off instead, and win."),
    "raja-captured": say("You can take the raja instead, and win."),
}
"""How another move wins, by the reason of the outcome."""
_LETS_WIN: Final[Mapping[str, Message]] = {
    "lion-captured": say("Then the {piece} on {to} takes your lion on {place} and wins."),
    "try": say("Then your opponent's lion reaches the last row on {place} and wins."),
    "mate": say("Then your opponent's {piece} comes to {place}: checkmate."),
    "king-captured": say("Then the {piece} on {to} takes your king on {place} and wins."),
    "no-move": say("Then you have no move left, and your opponent wins."),
    "energy": say("Then your opponent ends the game with more robots at home, and wins."),
    "six-ejected": say("Then your opponent pushes your sixth marble off, on {place}, and wins."),
    "raja-captured": say("Then the {piece} on {to} takes your raja on {place} and wins."),
}
"""How the opponent's answer wins, by the reason of the outcome."""
_LETS_TAKE: Final[Mapping[str, Message]] = {
    "lion-captured": say("Then your opponent takes your lion and wins."),
    "king-captured": say("Then your opponent takes your king and wins."),
    "raja-captured": say("Then your opponent takes your raja and wins."),
}
"""The same if it is not clear which piece takes."""
_NAMED_BY: Final = {
    "lion-captured": 2,
    "king-captured": 2,
    "raja-captured": 2,
    "try": 1,
    "mate": 1,
    "six-ejected": 1,
}
"""The places that such a sentence names."""
_OF_THROWS: Final[Mapping[str, Message]] = {
    "takes-at-risk": say(
        "It takes the {piece} on {place}. Then the others can take the {second} there with {n} of "
        "{of} throws."
    ),
    "saves": say(
        "Now the others can take the {piece} on {place} with {n} of {of} throws; after this move, "
        "with {then}."
    ),
    "saves for certain": say(
        "Now the others can take the {piece} on {place} with {n} of {of} throws; after this move, "
        "with none."
    ),
    "hurt-by-throws": say(
        "Then the next player can take the {piece} on {place} with {n} of {of} throws."
    ),
}
"""The sentences of reasons that count throws."""


def why_message(game: AnyGame, why: MoveReason, counted: bool = False) -> Message:
    """Return the sentence of a reason; without the number of moves if it is `counted` elsewhere."""
    names = [say(game.kinds[kind]) for kind in why.kinds]
    values: dict[str, Message | str | int] = dict(
        zip(("piece", "second", "third"), names, strict=False)
    )
    values |= dict(zip(("place", "to", "third_place"), why.places, strict=False))
    match why.code:
        case "wins-by-force" | "loses-by-force":
            return _forced(why.code == "wins-by-force", 0 if counted else why.n)
        case "wins-exchange":
            return say(
                "You win {won}, but lose {lost}.",
                won=_all(game, why.won, why.places[0]),
                lost=_all(game, why.lost),
            )
        case "promotes" if why.kinds[-1] in game.promotions:
            return say(game.promotions[why.kinds[-1]])
        case "lets-promote":
            how = why_message(game, MoveReason("promotes", why.places, why.kinds))
            sentence = say("Then your opponent promotes on {place}. {how}")
            values["how"] = how
        case "saves" if why.of:
            sentence = _OF_THROWS["saves" if why.then else "saves for certain"]
            now = why.places[-1]  # the present place of a piece that moves
            values |= {"n": why.n, "of": why.of, "then": why.then, "place": now}
        case code if why.of and code in _OF_THROWS:
            sentence = _OF_THROWS[code]
            values |= {"n": why.n, "of": why.of}
        case "saves" if len(why.places) > 1:
            sentence = _MOVED
        case "walks-into" | "leaves" | "still-attacked" if len(why.places) < 2:
            sentence = _TAKEN
        case "lets-win" if len(why.places) < _NAMED_BY.get(why.ending, 0):
            sentence = _LETS_TAKE.get(why.ending, _SENTENCES["lets-win"])
        case "soon-push-off" if why.places:
            sentence = _PUSHED
        case code:
            by_ending = {"wins": _WINS, "lets-win": _LETS_WIN, "misses-win": _MISSES_WIN}
            sentence = by_ending.get(code, {}).get(why.ending, _SENTENCES[code])
    return fill(sentence, **values)


def _forced(wins: bool, n: int) -> Message:
    """Return that a move wins or loses by force, in `n` moves if that is known."""
    if wins and not n:
        return say("It wins, whatever your opponent does.")
    if not n:
        return say("Then your opponent wins, whatever you do.")
    if wins:
        return count(
            "It wins in {n} move, whatever your opponent does.",
            "It wins in {n} moves, whatever your opponent does.",
            n,
        )
    return count(
        "Then your opponent wins in {n} move, whatever you do.",
        "Then your opponent wins in {n} moves, whatever you do.",
        n,
    )


def _all(game: AnyGame, kinds: tuple[str, ...], place: str = "") -> Message:
    """Return pieces that somebody wins or loses; `place` is that of the first one."""
    names = [say("the {piece}", piece=say(game.kinds[kind])) for kind in kinds]
    if place:
        names[0] = say("{piece} on {place}", piece=names[0], place=place)
    if len(names) == 1:
        return names[0]
    return say("{pieces} and {piece}", pieces=tuple(names[:-1]), piece=names[-1])
