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
        "The minutes that each player has for all moves, on a clock beside the board; "
        "players say when time is up.",
        label="minutes on a clock beside the board",
    ),
    Option(
        "flag_rule",
        ("loses", "ejections"),
        "What happens when time is up: that side loses, or the side that pushed off more "
        "marbles wins and equal numbers are a draw.",
        label="when the time is up",
        values_said=("it loses", "the side that pushed off more marbles wins"),
    ),
    Option(
        "repetition",
        ("3", "off"),
        "How many times the same position, with the same turn, makes a draw.",
        label="same position until it is a draw",
    ),
)

ENDINGS: Final = {
    "six-ejected": "six marbles of the opponent are off the board.",
    "no-move": "the opponent has no move left.",
    "resign": "the opponent resigns.",
    "flag": "the opponent's flag falls.",
    "flag-ejections": "time is up, and the opponent has lost more marbles.",
    "flag-equal": "time is up, and both sides have lost equally many marbles, a draw.",
    "repetition": "the same position comes up too often, a draw.",
}
