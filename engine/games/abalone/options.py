"""The options of Abalone, and how it may end."""

from __future__ import annotations

from typing import Final

from engine.game import Option
from engine.games.abalone.layouts import LAYOUTS

OPTIONS: Final = (
    Option("layout", tuple(LAYOUTS), "How the marbles lie at the start.", label="start layout"),
    Option(
        "clock",
        ("none", "10", "15"),
        "The minutes that each player has for all moves, on a clock beside the board; whose flag "
        "has fallen says so.",
        label="minutes on a clock beside the board",
    ),
    Option(
        "flag_rule",
        ("loses", "ejections"),
        "What a fallen flag does: it loses, or whoever has ejected more marbles wins and "
        "equal numbers are a draw.",
        label="when the time is up",
        values_said=("it loses", "more ejected marbles win"),
    ),
    Option(
        "repetition",
        ("3", "off"),
        "How often the same marbles and side to move come up until it is a draw.",
        label="same position until it is a draw",
    ),
)

ENDINGS: Final = {
    "six-ejected": "Six marbles of the other side left the board.",
    "no-move": "The other side had no move left.",
    "resign": "The other side resigned.",
    "flag": "The other side's flag fell.",
    "flag-ejections": "Time is up, and more marbles of the other side left the board.",
    "flag-equal": "Time is up, and as many marbles of both sides left the board: a draw.",
    "repetition": "The same position came up too often: a draw.",
}
