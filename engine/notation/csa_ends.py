"""How games in CSA end: the word after the last move, and what servers write in comments.

The words are those of the format's versions up to 3.0, of the server protocol 1.2.1 (floodgate),
and of Shogi Wars.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from engine.game import Outcome, Seat
from engine.games.shogi import Shogi
from engine.games.shogi.pieces import SEATS
from engine.notation.shogi_record import won_by

ENDINGS: Final = {
    "resign": "%TORYO",
    "flag": "%TIME_UP",
    "repetition": "%SENNICHITE",
    "jishogi": "%JISHOGI",
    "declare": "%KACHI",
    "agreement": "%HIKIWAKE",
    "mate": "%TSUMI",
    "no-move": "%TSUMI",
}
_LOSSES: Final = {
    "resign": "%TORYO #RESIGN",
    "flag": "%TIME_UP #TIME_UP",
    "illegal-move": "%ILLEGAL_MOVE #ILLEGAL_MOVE",
    "mate": "%TSUMI",
}
"""The words by which the side to move loses, by what they mean: those of files begin with %, those
of the server protocol (1.2.1) with #, which some clients write down.
"""
_WINS: Final = {"declare": "%KACHI #JISHOGI"}
"""The words by which the side to move wins."""
_DRAWS: Final = {
    "repetition": "%SENNICHITE #SENNICHITE %DRAW_SENNICHI",
    "jishogi": "%JISHOGI",
    "agreement": "%HIKIWAKE #DRAW %DRAW_PLY_LIMIT",
}
_BY_NAME: Final = {
    "resign": "TORYO",
    "flag": "TIMEOUT",
    "mate": "CHECKMATE",
    "declare": "ENTERINGKING",
    "perpetual-check": "OUTE_SENNICHI",
}
"""What stands in words such as %SENTE_WIN_TORYO, as Shogi Wars has them."""
_MEANINGS: Final[Mapping[str, tuple[str, str]]] = {
    **{
        word: (reason, who)
        for who, table in (("other", _LOSSES), ("turn", _WINS), ("", _DRAWS))
        for reason, words in table.items()
        for word in words.split()
    },
    **{
        f"%{seat.upper()}_WIN_{word}": (reason, seat)
        for seat in SEATS
        for reason, word in (*_BY_NAME.items(), ("resign", "DISCONNECT"))
    },
    "%+ILLEGAL_ACTION": ("illegal-move", SEATS[1]),
    "%-ILLEGAL_ACTION": ("illegal-move", SEATS[0]),
}
"""By word: the reason, and who wins: the side to move, the other one, a seat, or nobody."""
UNDECIDED: Final = (
    *("%CHUDAN", "%MATTA", "%FUZUMI", "%ERROR", "%MAX_MOVES", "%DRAW_INVALID"),
    *("#CHUDAN", "#CENSORED", "#MAX_MOVES", "#OUTE_SENNICHITE", "#ILLEGAL_ACTION"),
    *("#WIN", "#LOSE"),
)
"""Words after which nobody has won, or the moves or a summary say who has."""
SERVER_SAYS: Final = frozenset(word for word in (*_MEANINGS, *UNDECIDED) if word[0] == "#")
"""The words of the protocol: several of them may follow the end."""
_SUMMED_UP: Final = {
    "toryo": "resign",
    "abnormal": "resign",
    "time up": "flag",
    "kachi": "declare",
    "illegal kachi": "illegal-move",
    "illegal move": "illegal-move",
    "uchifuzume": "illegal-move",
    "oute_kaihimore": "illegal-move",
    "oute_sennichite": "perpetual-check",
    "sennichite": "repetition",
    "jishogi": "jishogi",
    "max_moves": "agreement",
}
"""What servers such as floodgate call the reason in their summary, a comment; ours calls it as the
outcome does.
"""
_RESULTS: Final = {("win", "lose"): 0, ("lose", "win"): 1, ("draw", "draw"): None}
"""By what the summary says of its first and its second player: which of them won."""
_SUMMARY: Final = re.compile(
    r"'summary:([^:]{1,40}):(.{0,200}) (win|lose|draw):(.{0,200}) (win|lose|draw)"
)
ILLEGAL_MOVE: Final = "'ILLEGAL_MOVE("
"""How servers begin the comment that has the illegal move."""


def ending(word: str, turn: Seat) -> Outcome | None:
    """Return what a word after the last move means when it is a seat's turn; None if nobody has
    won, or if it is not known.
    """
    if word not in _MEANINGS:
        return None
    reason, who = _MEANINGS[word]
    winners = {"turn": turn, "other": 1 - turn, SEATS[0]: 0, SEATS[1]: 1}
    return won_by(reason, winners.get(who))


def summed_up(comment: str, said: Outcome | None) -> Outcome | None:
    """Return how a game ended of which a comment may be the summary; what was `said` before where
    it is not, or does not say why.
    """
    found = _SUMMARY.fullmatch(comment)
    if found is None or (found[3], found[5]) not in _RESULTS:
        return said
    reason = _SUMMED_UP.get(found[1], found[1])
    if reason not in Shogi.endings:
        if said is None:
            return None
        reason = said.reason
    winner = _RESULTS[found[3], found[5]]
    if winner is not None and found[2] in SEATS and found[4] in SEATS:
        winner = SEATS.index(found[2 + 2 * winner])  # ours names the winner first
    return won_by(reason, winner)
