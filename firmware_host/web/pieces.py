"""What lies on a board, as a page is told of it, and what a page may do there with its hands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias

from engine.game import Place
from firmware_host.i18n.messages import Message
from firmware_host.web.protocol import AnyCommand
from firmware_host.web.virtual_table import RefusedError

Ended: TypeAlias = Callable[[RefusedError | None], None]


class PieceAccess(Protocol):
    """The men of one match. Another match has others."""

    hands: bool
    """Whether a page has hands here, and may break things: the board is simulated."""

    @property
    def rev(self) -> int:
        """A number that grows whenever `men` or `dots` change."""

    @property
    def moving(self) -> bool:
        """Whether hands are making a move for a page."""

    def men(self) -> Sequence[dict[str, Any]]:
        """Return the men as the page draws them: `id`, what it `shows`, its `kind` and `back`, its
        `owner`, its `place` or in whose hand it is `held` and `from` where; `missing` if no sensor
        sees it there.
        """

    def dots(self) -> Sequence[Place]:
        """Return the places of the board where something lies of which nobody knows what it is."""

    def chips(self) -> Sequence[int]:
        """Return the addresses of the chips that may be broken on purpose."""

    def broken(self) -> Sequence[Message]:
        """Say what is broken on purpose."""

    def take(self, command: AnyCommand, page: str) -> None:
        """Do what a page's hand is to do; RefusedError says why not."""

    def bring(self, position: Any, page: str, said: str, ended: Ended) -> None:
        """Send hands to bring the men to where a position has them, and let them say which move
        that was, if it was one. RefusedError says why not; `ended` is called when they have done,
        and with the reason if they could not finish.
        """

    def release(self, page: str) -> None:
        """Empty the hand of a page that is gone."""
