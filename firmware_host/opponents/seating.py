"""The players at the seats: their names and kinds.

Both belong to the people at the table, not to a match: they stay until somebody changes them, also
in the next match and in another game.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from engine.game import Outcome, Seat
from engine.match import AnyGame
from firmware_host.i18n.messages import Message
from firmware_host.opponents.fitting_levels import FittingLevels
from firmware_host.opponents.settings import OpponentSettings
from firmware_host.players.kinds import (
    FITS_YOU,
    PERSON,
    PlayerKind,
    available,
    kind_message,
    player_called,
    seated_again,
    suits,
)
from firmware_host.storage.files import DeferredFile
from firmware_host.storage.journal import Player, Players
from firmware_host.storage.player_names import PlayerNames


class Seating:
    """The players at the seats of a board, over all its matches."""

    def __init__(
        self,
        state: Path,
        usual: Mapping[str, PlayerKind],
        changed: Callable[[Seat | None], None],
        write: Callable[[], None],
    ) -> None:
        """`state` is the directory of the files; `usual` has the player kinds of seats, by name,
        until others are chosen. `changed` is called after a change: with the seat that a player of
        another kind has taken, else with None. `write` writes to the journal who plays.
        """
        self.game: AnyGame
        """The game at the board."""
        self.settings = OpponentSettings(state / "opponents.json")
        self.fitting = FittingLevels(state / "fitting-levels.json")
        self.only_people = False
        """Whether people play at all seats, whatever was chosen."""
        self._names = PlayerNames(state / "players.json")
        self._boards: Sequence[str] = ()
        self._usual = usual
        self._changed = changed
        self._write = write

    def begin(self, game: AnyGame) -> None:
        """Start with another match."""
        self.game = game
        self.fitting.begin()

    # ---- who plays

    def names(self, game: AnyGame) -> tuple[str, ...]:
        """Return the name of each seat's player in a game; empty for a player without a name."""
        return self._names.of(len(game.seats))

    def called(self, seat: Seat) -> Message:
        """Return what the player of a seat is called."""
        return player_called(self.game, seat, self.names(self.game)[seat], self.kind(seat))

    def kinds(self, game: AnyGame) -> tuple[PlayerKind, ...]:
        """Return the player kind of each seat in a game that begins now."""
        if self.only_people:
            return (PERSON,) * len(game.seats)
        chosen = (
            self.settings.player(seat) or self._usual.get(name, PERSON)
            for seat, name in enumerate(game.seats)
        )
        return tuple(each if suits(each, game) else PERSON for each in chosen)

    def kind(self, seat: Seat) -> PlayerKind:
        """Return the player kind of a seat."""
        return self.kinds(self.game)[seat]

    def players(self, game: AnyGame) -> Players:
        """Return the players of a game that begins now: everybody keeps their seat."""
        kinds = (kind.text for kind in self.kinds(game))
        return tuple(map(Player, self.names(game), kinds))

    def as_written(self) -> Players:
        """Return the players as the journal names them: with the level that fits now."""
        level = self.fitting_level(self.game)
        kinds = (
            replace(kind, fitting=level) if kind.level == FITS_YOU else kind
            for kind in self.kinds(self.game)
        )
        return tuple(map(Player, self.names(self.game), (kind.written for kind in kinds)))

    def choices(self, game: AnyGame) -> dict[str, Message]:
        """Return the names of the player kinds that may be chosen for a game, by their texts."""
        boards = (PlayerKind(board=name) for name in self._boards)
        found = dict.fromkeys((*available(game), *boards, *self.kinds(game)))
        level = self.fitting_level(game)
        return {kind.text: kind_message(kind, level) for kind in found}

    def fitting_level(self, game: AnyGame) -> str:
        """Return the level that fits the people at the table in a game."""
        players = zip(self.names(game), self.kinds(game), strict=True)
        return self.fitting.level(game.name, [name for name, kind in players if kind.is_person])

    def count(self, outcome: Outcome | None) -> bool:
        """Let the levels that fit follow the result of the match, if the machine plays at one;
        return whether that changed anything.
        """
        if outcome is None:
            return self.fitting.follow(self.game.name, None)
        kinds, won = self.kinds(self.game), dict[str, bool]()
        if outcome.winners and any(kind.level == FITS_YOU for kind in kinds):
            names = map(str.casefold, self.names(self.game))
            for seat, (name, kind) in enumerate(zip(names, kinds, strict=True)):
                if kind.is_person:  # several may have the same name, or none
                    won[name] = won.get(name, False) or seat in outcome.winners
        return self.fitting.follow(self.game.name, won)

    @property
    def files(self) -> list[DeferredFile]:
        """The files that keep the choices."""
        return [self._names.file, self.settings.file, self.fitting.file]

    # ---- changes

    def rename(self, seat: Seat, name: str) -> None:
        """Name the player of a seat; an empty name stands for that of the seat."""
        self._names.rename(seat, name)
        self._write()
        self._changed(None)

    def set_kind(self, seat: Seat, kind: PlayerKind) -> None:
        """Let another kind of player play at a seat; ValueError if it does not know the game."""
        if not suits(kind, self.game):
            raise ValueError(f"{kind.text}: no such engine plays {self.game.title}")
        self.settings.set_player(seat, kind)
        self._write()
        self._changed(seat)

    def swap(self) -> None:
        """Let everybody play from the next seat in the next match. The journal of the last one
        keeps them where they were. With a handicap everybody stays: the stronger player goes on
        giving it. So do the players of several boards: no board knows that another one has changed
        its seats.
        """
        names, kinds = self.names(self.game), self.kinds(self.game)
        if self.game.is_handicap or any(kind.board for kind in kinds):
            return
        for seat in range(len(names)):
            self._names.rename(seat, names[seat - 1])
            self.settings.set_player(seat, kinds[seat - 1])
            self._changed(seat)

    def seat(self, players: Players) -> None:
        """Give the seats to the players of a saved match, where they are known."""
        for seat, (name, kind) in enumerate(players):
            self.rename(seat, name)
            with contextlib.suppress(ValueError):  # such a player is not installed any more
                self.set_kind(seat, seated_again(kind))

    def set_grading(self, seat: Seat, graded: int) -> None:
        """Grade the moves of at most `graded` pieces a turn for a seat; 0: of all."""
        self.settings.set_limit(seat, graded)
        self._changed(None)

    def set_hands_move(self, on: bool) -> None:
        """Choose whether simulated hands make the machine's moves."""
        self.settings.set_hands_move(on)
        self._changed(None)

    def offer_boards(self, names: Sequence[str]) -> None:
        """Let people choose these other boards as players."""
        if self._boards != names:
            self._boards = names
            self._changed(None)
