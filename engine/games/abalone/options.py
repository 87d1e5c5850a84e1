"""The options of Abalone, its start layouts, and how it may end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.game import Option, Preset

LAYOUTS: Final[Mapping[str, str]] = {
    "standard": "sssss/ssssss/2sss2/8/9/8/2SSS2/SSSSSS/SSSSS",
    "belgian_daisy": "ss1SS/sssSSS/1ss1SS1/8/9/8/1SS1ss1/SSSsss/SS1ss",
    "german_daisy": "5/ss2SS/sss1SSS/1ss2SS1/9/1SS2ss1/SSS1sss/SS2ss/5",
    "dutch_daisy": "ss1SS/sSsSsS/1ss1SS1/8/9/8/1SS1ss1/SsSsSs/SS1ss",
    "swiss_daisy": "5/ss2SS/sSs1SsS/1ss2SS1/9/1SS2ss1/SsS1sSs/SS2ss/5",
    "the_wall": "2s2/6/1sssss1/ssssssss/9/SSSSSSSS/1SSSSS1/6/2S2",
    "snakes": "SSSSS/S5/S6/S1sssss1/1S5s1/1SSSSS1s/6s/5s/sssss",
    "alien_attack": "S1S1S/1SssS1/1SsSsS1/3SS3/9/3ss3/1sSsSs1/1sSSs1/s1s1s",
    "star": "S3s/1s2S1/s1S1s1S/3sS3/sSsS1sSsS/3sS3/s1S1s1S/1s2S1/S3s",
    "checkerboard": "5/SsSsSs/7/sSsSsSsS/9/SsSsSsSs/7/sSsSsS/5",
    "duel": "1s1S1/sssSSS/2s1S2/S6s/SS5ss/S6s/2s1S2/sssSSS/1s1S1",
}
"""Each start layout: rows i to a, S a black marble, s a white one, digits empty cells.

The picture of the rule sheet is lost. The standard layout is the same in every other source; the
tournament community and the PlayStrategy server use the others.
"""

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
        only_if={"clock": ("10", "15")},
    ),
    Option(
        "repetition",
        ("3", "off"),
        "How many times the same position, with the same turn, makes a draw.",
        label="same position until it is a draw",
    ),
    Option(
        "handicap",
        ("0", "1", "2", "3", "4"),
        "How many marbles white, the stronger player, begins without, so that black needs to push "
        "off fewer.",
        label="marbles that white begins without",
    ),
)

PRESETS: Final = (
    Preset("Usual rules", "The marbles of each side lie in its own three rows."),
    Preset(
        "Belgian daisy",
        "Each side begins with two flowers of seven marbles, close to those of the other.",
        {"layout": "belgian_daisy"},
    ),
    Preset(
        "German daisy",
        "Two flowers of seven marbles each, a row away from the edge.",
        {"layout": "german_daisy"},
    ),
)

ENDINGS: Final = {
    "six-ejected": "six marbles of the opponent are off the board.",
    "no-move": "the opponent has no move left.",
    "resign": "the opponent resigns.",
    "flag": "the opponent's flag falls.",
    "flag-ejections": "time is up, and the opponent has lost more marbles.",
    "flag-equal": "time is up, and both sides have lost the same number of marbles, a draw.",
    "repetition": "the same position comes up too often, a draw.",
}
