"""The styles by name: the people who may sit at the table."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final

from firmware_host.simulation.styles import Style

MIXED: Final = "mixed"
"""No style of its own: another style is drawn for every move."""

PLAIN: Final = Style()
"""All the habits, none of them strong."""

CAREFUL: Final = Style(
    "careful", slide=0.0, enemy_first=0.7, swap=0.0, wobble=0.02, bump=0.0, hover=0.0, rest=0.0
)
"""Lifts, carries, puts; the captured piece first; the other habits as in `PLAIN`."""

BRISK: Final = Style(
    "brisk",
    think=(0.2, 1.5),
    in_hand=(0.1, 0.35),
    pause=(0.08, 0.3),
    slide=0.1,
    swap=0.4,
    empty=(0.08, 0.3),
    fast_reply=0.2,
    wobble=0.12,
)
"""A club player: quick, one grip for both pieces, often ready before the opponent lets go."""

SLIDER: Final = Style(
    "slider", slide=0.95, stops=0.25, cell=(0.06, 0.6), in_hand=(0.2, 0.9), rest=0.08, adjust=0.1
)
"""Rarely lifts what can be slid; stops on the way with a finger on the piece."""

TWO_HANDED: Final = Style(
    "two-handed", two_hands=0.7, together=0.8, reverse=0.5, stagger=(0.01, 0.3), bump=0.06
)
"""Both hands at once: takes and puts together, exchanges in one grip, moves rows as a whole."""

FIDGETY: Final = Style(
    "fidgety",
    nudge_own=0.3,
    nudge_other=0.2,
    adjust=0.3,
    lift_return=0.2,
    hover=0.1,
    rest=0.1,
    wobble=0.2,
    slide=0.3,
    stops=0.2,
)
"""Cannot leave the pieces alone."""

CLUMSY: Final = Style(
    "clumsy",
    in_hand=(0.3, 1.2),
    bump=0.3,
    wobble=0.5,
    adjust=0.2,
    roll=0.1,
    chatter=0.5,
    late=0.15,
    slide=0.3,
    on_board=0.6,
)
"""Brushes neighbours, puts pieces down on their edge, wavers at the threshold of a contact."""

BLITZ: Final = Style(
    "blitz",
    think=(0.05, 0.6),
    in_hand=(0.08, 0.2),
    pause=(0.05, 0.15),
    slide=0.4,
    cell=(0.06, 0.12),
    gap=(-0.015, 0.02),
    swap=0.7,
    swap_gap=(0.005, 0.08),
    empty=(0.04, 0.15),
    fast_reply=0.6,
    overlap=0.3,
    away={"at once": 0.1, "after": 0.6, "aside": 0.1, "late": 0.2},
    wobble=0.2,
    bump=0.05,
    chatter=0.25,
)
"""Seconds left on the clock: flicks, swaps, replies while the opponent puts a capture away."""

BEGINNER: Final = Style(
    "beginner",
    think=(1.0, 6.0),
    in_hand=(0.4, 0.9),
    pause=(0.3, 1.0),
    slide=0.4,
    stops=0.5,
    stop=(0.35, 2.5),
    lift_return=0.2,
    hover=0.25,
    rest=0.25,
    turned_after=0.7,
    away={"at once": 0.2, "after": 0.3, "aside": 0.3, "late": 0.2},
)
"""Tries moves out on the board, counts with the piece in hand, forgets captured pieces."""

MARBLE_ROLLER: Final = Style(
    "marble-roller",
    slide=0.8,
    together=0.8,
    row={"pushed": 0.8, "front first": 0.05, "leapfrog": 0.05, "chain": 0.1},
    stagger=(0.002, 0.06),
    roll=0.6,
    wobble=0.5,
    chatter=0.4,
    bump=0.08,
)
"""Pushes marbles and lets them bounce into their hollows."""

STYLES: Final[Mapping[str, Style]] = {
    style.name: style
    for style in (
        PLAIN,
        CAREFUL,
        BRISK,
        SLIDER,
        TWO_HANDED,
        FIDGETY,
        CLUMSY,
        BLITZ,
        BEGINNER,
        MARBLE_ROLLER,
    )
}
"""Every style by its name; `MIXED` is not one of them."""


def person(name: str, rng: Random) -> Style:
    """Return the style of that name, or a random one for `mixed`. ValueError lists the names."""
    if name == MIXED:
        return STYLES[rng.choice(list(STYLES))]
    if name not in STYLES:
        raise ValueError(f"no style {name!r}; there are: {', '.join(STYLES)}, {MIXED}")
    return STYLES[name]
