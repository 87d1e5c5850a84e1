"""The live match waits while the board is used for a lesson or shows a past match."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.match import AnyGame, Match
from firmware_host.controller.controller import BoardController
from hardware.layout import Layout


class BoardHost(Protocol):
    """What a lesson or a past match needs of its host."""

    game: AnyGame
    layout: Layout
    controller: BoardController

    def assemble(
        self,
        game: AnyGame,
        layout: Layout,
        matches: Sequence[Match],
        *,
        as_it_lies: bool,
        assist: Sequence[int] | None = None,
        board: Callable[..., BoardController] = BoardController,
    ) -> None:
        """Start a match, with the pieces at its position or, with `as_it_lies`, where they were
        left.
        """

    def games(self) -> Mapping[str, tuple[Layout, ...]]:
        """Return the games, each with the layouts that serve it, the best first."""

    def save_table(self) -> None:
        """Save where the pieces are, for `assemble` with `as_it_lies`."""


@dataclass(frozen=True, slots=True)
class _WaitingMatch:
    """A match that waits until the board is free again."""

    game: AnyGame
    layout: Layout
    matches: list[Match]
    assist: tuple[int, ...]


class SetAside:
    """The current use of a board, and the match that waits for its end."""

    def __init__(self, host: BoardHost) -> None:
        self.use: object | None = None
        """The lesson or the past match that uses the board; None while the match is in play."""
        self._host = host
        self._match: _WaitingMatch | None = None

    def begin(self, use: object) -> None:
        """Use the board for something else. An earlier use is dropped; a match waits until
        `bring_back`.
        """
        if self._match is None:
            host, view = self._host, self._host.controller.session.view
            host.save_table()
            matches = [line.match for line in view.shown]
            self._match = _WaitingMatch(host.game, host.layout, matches, view.assist)
        self.use = use

    def forget(self) -> None:
        """Forget the waiting match, because another one starts."""
        self.use = self._match = None

    def bring_back(self) -> None:
        """Resume the waiting match, if there is one."""
        waiting = self._match
        if waiting is None:
            return
        self.forget()
        self._host.assemble(
            waiting.game, waiting.layout, waiting.matches, as_it_lies=True, assist=waiting.assist
        )
        # Changes of the board meanwhile are no unseen moves of the match.
        self._host.controller.resumed = False
