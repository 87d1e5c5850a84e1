"""What advice and company add to what a session shows by itself: plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from engine.game import Place
from firmware_host.i18n.messages import Message
from firmware_host.lights.signals import Light


@dataclass(frozen=True, slots=True)
class Advice:
    """What is to be seen of it now; nothing by itself."""

    grades: Mapping[str, str] = field(default_factory=dict)
    """By move text: how good the moves of the man in the hand are."""
    hint: tuple[tuple[Place, ...], tuple[Place, ...]] = ((), ())
    """Where the man stands that is to be moved, and where it goes; each empty before it is asked
    for."""
    errand: Mapping[Place, Light] | None = None
    """How hands make the machine's move; None if a person is to move."""
    says: tuple[Message, ...] = ()
    """What is said of all that."""


NOTHING: Final = Advice()


@dataclass(frozen=True, slots=True)
class OpponentsStatus:
    """Who plays, for readers."""

    sitters: tuple[str, ...]
    """By seat, as `sitters.sitter` reads it."""
    graded: tuple[int, ...]
    """By seat, of how many men a turn the moves are graded at most; 0: of all."""
    choices: Mapping[str, Message]
    """Who may sit there, with what people call them."""
    hands: bool | None
    """Whether simulated hands make the machine's moves; None where there are no such hands."""
