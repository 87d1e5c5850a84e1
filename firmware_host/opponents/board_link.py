"""One match at several boards: each board has the whole match, and follows its newest version.

A version is the whole list of moves, so a board that was away can follow from any earlier state.
Each change that people make at a board is a new version. Hands play only for the seats of their own
board: moves for other seats are taken back.

The caller carries the versions between boards with `take` and `message`; they may arrive late or
twice.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final

import msgspec

from engine.game import Seat
from engine.match import AnyGame
from firmware_host.controller.controller import BoardController
from firmware_host.i18n.messages import Message, say, warn
from firmware_host.lights.advice import Advice
from firmware_host.opponents.match_follower import (
    MOST_ENTRIES,
    MatchFollower,
    PlayedEntry,
    in_common,
    played,
)
from firmware_host.opponents.seating import Seating
from firmware_host.players.kinds import BOARD_NAME, PlayerKind, name_message, player_called
from firmware_host.session.record import Record
from firmware_host.session.view import SessionView
from firmware_host.storage.files import DeferredFile, load

LARGEST_BYTES: Final = 1 << 20
"""A longer message or file is not read."""
MOST_AHEAD: Final = 1_000_000
"""A match or version that is further ahead is not followed: no board could number the next one."""
MOST_BOARDS: Final = 32
"""The messages of at most this many boards are kept."""

log = logging.getLogger(__name__)

Text = Annotated[str, msgspec.Meta(max_length=200)]
Number = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]


class SharedMatch(msgspec.Struct, frozen=True):
    """A version of a match that several boards play."""

    match: Text
    """The id of the match, the same at all boards."""
    number: Number
    """A later match has a higher number."""
    version: Number
    """A later version of the match has a higher number."""
    board: Annotated[str, msgspec.Meta(pattern=f"^{BOARD_NAME}$")]
    """The board at which this version was made."""
    game: Text
    options: Annotated[dict[Text, Text], msgspec.Meta(max_length=40)]
    entries: Annotated[tuple[PlayedEntry, ...], msgspec.Meta(max_length=MOST_ENTRIES)] = ()
    """All moves, throws and claims."""

    def is_newer(self, other: SharedMatch) -> bool:
        """Return whether boards follow this version and not the other. A match without moves gives
        way to another one of its number.
        """
        if self.match == other.match:
            return (self.version, self.board) > (other.version, other.board)
        mine = self.number, bool(self.entries), self.match
        return mine > (other.number, bool(other.entries), other.match)

    def is_credible(self, other: SharedMatch) -> bool:
        """Return whether this version can follow from the other one."""
        version = other.version if self.match == other.match else 0
        return max(self.number - other.number, self.version - version) <= MOST_AHEAD


class _Kept(msgspec.Struct, frozen=True):
    """The content of the file of a board."""

    here: str
    """The id of the match in the board's own journal."""
    shared: SharedMatch


_shared: Final = msgspec.json.Decoder(SharedMatch)
_kept: Final = msgspec.json.Decoder(_Kept)

Begin = Callable[[str, Mapping[str, str]], None]


class BoardLink:
    """The part of one board in a match with other boards."""

    def __init__(
        self,
        name: str,
        file: Path,
        follower: MatchFollower,
        seating: Seating,
        begin: Begin,
    ) -> None:
        """`name` is this board's. `file` keeps its version. `begin` begins a match of a game with
        options; ValueError says why that is impossible here.
        """
        self.name = name
        self.connected = False
        """Whether the board is connected with the others."""
        self.published: Callable[[], None] = lambda: None
        """Called when `message` has changed."""
        self.file = DeferredFile(file, warn("The match with the other board is not saved: {why}."))
        self._follower = follower
        self._seating = seating
        self._begin = begin
        self._received: dict[str, SharedMatch] = {}  # the latest message of each board
        self._here = ""
        self._shared: SharedMatch | None = None
        self._in_step = False  # whether this board has had all of `_shared`
        self._trouble: Message | None = None
        self._tried: SharedMatch | None = None  # the match that was begun last, or could not be
        self._game: AnyGame
        self._players: Sequence[PlayerKind] = ()
        self._record: Record = ()
        self._entries: tuple[PlayedEntry, ...] = ()  # of that record
        self._load(file)

    # ---- messages

    @property
    def message(self) -> bytes:
        """The message for the other boards; empty if no seat is theirs."""
        linked = self._shared is not None and any(each.board for each in self._players)
        return msgspec.json.encode(self._shared) if linked else b""

    def take(self, board: str, message: bytes) -> None:
        """Take the message of a board, or an own one from before a restart."""
        try:
            if len(message) > LARGEST_BYTES:
                raise ValueError(f"{len(message)} bytes")
            found = _shared.decode(message)
        except (ValueError, RecursionError) as error:  # also msgspec.DecodeError
            log.warning("a message of the board %s cannot be read: %s", board, error)
            return
        self._received.pop(board, None)
        self._received[board] = found
        if len(self._received) > MOST_BOARDS:
            strangers = (each for each in self._received if each not in self._peers)
            del self._received[next(strangers, board)]  # the one that was silent longest

    # ---- following

    def follow(self, board: BoardController, now: float) -> float | None:
        """Bring the board and the match together; return when to call again."""
        view = board.session.view
        self._game, self._players = view.game, self._seating.kinds(view.game)
        if not any(each.board for each in self._players):
            self._follower.withdraw()
            return None
        before = self._shared
        if view.record is not self._record:
            self._record, self._entries = view.record, played(view.record)
        entries = self._entries
        if len(entries) == len(view.record):  # else people are asked, and it may become the same
            self._take_local(view.game, board.files.match_id, entries)
        self._take_newest(view, board.files.match_id, entries)
        shared = self._shared
        if shared is None:
            return None
        self._in_step = self._in_step or in_common(entries, shared.entries) == len(shared.entries)
        if shared != before:
            self._save()
            self.published()
        if shared.game != view.game.name or self._here != board.files.match_id:
            return None
        return self._follower.follow(board, shared.entries, self._called, now)

    def _take_local(self, game: AnyGame, here: str, entries: tuple[PlayedEntry, ...]) -> None:
        """Make a new version if people have changed the match at this board."""
        shared = self._shared
        options = dict(game.options)
        if shared is None or here != self._here:
            if shared is not None and self._invitation(shared) is not None:
                return  # it has begun to join the match of another board
            number = 1 if shared is None else shared.number + 1
            self._here, self._in_step = here, True
            self._shared = SharedMatch(
                here, number, len(entries), self.name, game.name, options, entries
            )
            return
        changed = changed_here(shared.entries, entries, self._in_step, self._is_here)
        if changed is not None:
            self._shared = msgspec.structs.replace(
                shared, version=shared.version + 1, board=self.name, entries=changed
            )

    def _take_newest(self, view: SessionView, here: str, entries: tuple[PlayedEntry, ...]) -> None:
        """Follow the newest version of the other boards, if this board can."""
        self._trouble = None
        if self._shared is None:
            return
        newest = self._invitation(self._shared)
        if newest is None or not self._may_join(view, newest, entries):
            newest = self._newest_of(self._shared)
        if newest is not None:
            self._here, self._shared, self._in_step = here, newest, False

    def _newest_of(self, shared: SharedMatch) -> SharedMatch | None:
        """Return the newest version of the match in play, if it is newer than this board's."""
        return self._newest(shared, lambda each: each.match == shared.match)

    def _invitation(self, shared: SharedMatch) -> SharedMatch | None:
        """Return another match that boards want to play instead of this one."""
        return self._newest(shared, lambda each: each.match != shared.match)

    def _newest(
        self, shared: SharedMatch, suits: Callable[[SharedMatch], bool]
    ) -> SharedMatch | None:
        found = None
        for board, each in self._received.items():
            if board in self._peers and suits(each) and each.is_credible(shared):
                found = each if each.is_newer(found or shared) else found
        return found

    @property
    def _peers(self) -> set[str]:
        """The boards of this match, this one among them."""
        return {each.board for each in self._players} - {""} | {self.name}

    def _may_join(
        self, view: SessionView, newest: SharedMatch, entries: tuple[PlayedEntry, ...]
    ) -> bool:
        """Return whether this board may join another match now: no move was made here, or the match
        is over. If not, report why.
        """
        game = view.game
        same = (game.name, dict(game.options)) == (newest.game, dict(newest.options))
        if same and not entries:
            return True
        if entries and view.outcome is None:
            self._trouble = warn(
                "The board {name} plays another match. To join it, begin a new match here.",
                name=newest.board,
            )
        elif self._tried is None or self._tried.match != newest.match:
            self._tried = newest
            asyncio.get_running_loop().call_soon(self._begin_like, newest)
        return False

    def _begin_like(self, newest: SharedMatch) -> None:
        """Begin a match of the game that another board plays."""
        try:
            self._begin(newest.game, newest.options)
        except ValueError as error:
            log.warning("the board %s plays a match that cannot begin: %s", newest.board, error)

    def _is_here(self, seat: Seat) -> bool:
        return seat >= len(self._players) or not self._players[seat].board

    def _called(self, seat: Seat) -> Message:
        if seat >= len(self._players):  # a message may name a seat that this game has not
            return say("the board {name}", name=self._shared.board if self._shared else "")
        name = self._seating.names(self._game)[seat]
        return player_called(self._game, seat, name, self._players[seat])

    # ---- what people are told

    def advice(self, view: SessionView) -> Advice | None:
        """Return what to show beside the match; None for what is shown anyway."""
        if not any(each.board for each in self._players):
            return None
        troubles = [each for each in (self._trouble, self._follower.trouble) if each is not None]
        number = self._follower.differs_at
        if number is not None and not view.repair.guiding:
            troubles.append(
                warn(
                    "The boards differ from move {n} on. The extra moves here are taken back.",
                    n=number,
                )
            )
        awaited = self._players[view.acting].board
        if not self.connected:
            troubles.append(
                warn("There is no connection to the other board. Moves are sent when it is back.")
            )
        elif awaited and not (troubles or view.question.open):
            who = name_message(self._players[view.acting])
            troubles.append(say("Waiting for the move from {who}.", who=who))
        if not awaited and not troubles:
            return None
        return Advice(requested_move={} if awaited else None, says=tuple(troubles))

    # ---- its file

    def _save(self) -> None:
        if self._shared is not None:
            self.file.put(msgspec.json.encode(_Kept(self._here, self._shared)) + b"\n")

    def _load(self, file: Path) -> None:
        otherwise = "the match with the other board is taken from the journal"
        if (kept := load(file, LARGEST_BYTES, _kept.decode, otherwise)) is not None:
            self._here, self._shared = kept.here, kept.shared


def changed_here(
    shared: tuple[PlayedEntry, ...],
    entries: tuple[PlayedEntry, ...],
    in_step: bool,
    is_here: Callable[[Seat], bool],
) -> tuple[PlayedEntry, ...] | None:
    """Return the match with the changes of people at this board; None if there are none. `shared`
    is the match that all boards follow, `entries` is what this board has; only changes for the
    seats that play here count. A board that has never reached the match (not `in_step`) is behind,
    and has taken nothing back.
    """
    common = in_common(shared, entries)
    gone, added = shared[common:], entries[common:]
    own = []
    for each in added:
        if not (each.is_pass or is_here(each.seat)):
            break
        own.append(each)
    if gone and not (in_step and any(is_here(each.seat) for each in gone if not each.is_pass)):
        return None
    if not gone and not own:
        return None
    return (*shared[:common], *own)
