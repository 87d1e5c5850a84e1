"""What the connection to a broker needs of the program that runs the board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from engine.match import AnyGame
from firmware_host.opponents.opponents import Opponents
from firmware_host.opponents.seating import Seating
from firmware_host.text.status import Status
from hardware.layout import Layout


class MqttHost(Protocol):
    """What the connection to a broker needs of the program that runs the board."""

    game: AnyGame
    layout: Layout
    opponents: Opponents
    seating: Seating

    @property
    def match_id(self) -> str:
        """The id of the match in play, which no other match has."""

    def status(self) -> Status:
        """Return the status of the session."""

    def games(self) -> Mapping[str, tuple[Layout, ...]]:
        """Return the games, each with the layouts that serve it, the best first."""

    def new_game(self, name: str, options: Mapping[str, str], layout: str) -> None:
        """Begin another game; ValueError says in one line why that is impossible."""

    def wake(self) -> None:
        """Let the loop look at what has come."""

    async def wait_change(self, since: int) -> int:
        """Wait until something has changed since a call that returned `since`, at first 0; return
        the number for the next call.
        """
