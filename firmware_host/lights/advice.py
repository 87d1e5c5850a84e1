"""What hints and opponents add to the scene of a session, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from engine.game import Place, Seat
from firmware_host.i18n.messages import Message
from firmware_host.lights.signals import Light
from firmware_host.players.kinds import kind_written


@dataclass(frozen=True, slots=True)
class Advice:
    """The advice to show now; empty by default."""

    grades: Mapping[str, str] = field(default_factory=dict)
    """The grades of the moves of the piece in hand, by move text."""
    hint: tuple[tuple[Place, ...], tuple[Place, ...]] = ((), ())
    """The place of the piece to move, and its targets; each empty until people ask for it."""
    requested_move: Mapping[Place, Light] | None = None
    """The lights of the move that hands make for the machine, or for a player who is not at the
    board; None if a person is to move.
    """
    says: tuple[Message, ...] = ()
    """The sentences that go with it."""
    chosen: bool = False
    """Whether that move is known, and hands are to make it."""
    request: str = ""
    """The move that a player has requested as text, also while it waits and is not lit yet."""


NOTHING: Final = Advice()


@dataclass(frozen=True, slots=True)
class OpponentsStatus:
    """The players of the seats, for readers."""

    player_kinds: tuple[str, ...]
    """By seat, as `players.kinds.player_kind` reads it."""
    graded_pieces: tuple[int, ...]
    """By seat: the most pieces a turn whose moves are graded; 0 for all pieces."""
    choices: Mapping[str, Message]
    """The player kinds that can be chosen, with their names for people."""
    hands_move: bool | None
    """Whether simulated hands make the machine's moves; None if there are no simulated hands."""

    @property
    def machines(self) -> frozenset[Seat]:
        """The seats at which a machine plays, and no person here or at another board."""
        kinds = enumerate(map(kind_written, self.player_kinds))
        return frozenset(seat for seat, kind in kinds if not (kind.is_person or kind.board))
