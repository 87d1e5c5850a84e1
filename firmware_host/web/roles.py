"""What a page may do: the host all, a player what concerns the own seat, a watcher only look.

The board asks here before it does anything that a page wants; what the page itself hides is a
courtesy. A kind of message that is missing in the table is the host's.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from engine.game import CHANCE, GameError, IllegalMoveError, Seat
from firmware_host.i18n.messages import Message, say
from firmware_host.text.status import Status
from firmware_host.web import protocol as ask
from firmware_host.web.host_api import HostApi
from firmware_host.web.virtual_table import BOX, RefusedError

MOST_SEATS: Final = 8
"""No game has more; each has a link of its own."""


@dataclass(frozen=True, slots=True)
class Role:
    """What the user of a page is."""

    name: str
    """`host`, `player` or `watcher`."""
    seat: Seat = -1
    """The seat of a player."""

    @property
    def plain(self) -> str:
        """The role as one word, for keys and cookies: `host`, `watcher`, `player-0`."""
        return f"{self.name}-{self.seat}" if self.name == "player" else self.name

    def among(self, seats: int) -> Role:
        """Return what it is in a game of that number of seats: without a seat one watches."""
        return WATCHER if self.name == "player" and self.seat >= seats else self


HOST: Final = Role("host")
WATCHER: Final = Role("watcher")
PLAYERS: Final = tuple(Role("player", seat) for seat in range(MOST_SEATS))
ROLES: Final = (HOST, *PLAYERS, WATCHER)

FOR_ALL: Final = frozenset(
    {
        "/",
        "/ws",
        "/static/",
        "/api/state",
        "/api/games",
        "/api/lessons",
        "/api/rules",
        "/api/recording",
        "/api/game",
    }
)
"""The paths that every role may ask for, those that end in a stroke with all below them; others are
the host's.
"""


def may_ask(role: Role, path: str, for_all: Collection[str] = FOR_ALL) -> bool:
    """Return whether a role may ask for a path."""
    if role == HOST or path in for_all:
        return True
    return any(path.startswith(each) for each in for_all if each.endswith("/") and each != "/")


class Seated:
    """A player at a match: which seats the player acts for, and what concerns them now."""

    def __init__(self, seat: Seat, page: str, host: HostApi) -> None:
        """`page` is the name of the page, as which its hand holds pieces."""
        self.seat = seat
        self.page = page
        self.host = host
        self.status: Status = host.status()
        opponents = self.status.opponents
        sitters = () if opponents is None else opponents.sitters
        self.seats = {seat} | {each for each, who in enumerate(sitters) if who != "person"}
        """The own one and those where a machine sits, which has no hands."""

    @property
    def on_turn(self) -> bool:
        """Whether it is their turn, even if only to throw the dice."""
        game, position = self.host.game, self.host.position()
        if self.status.outcome is not None:
            return False
        turn = game.turn(position)
        if turn == CHANCE and (throws := list(game.legal(position))):
            turn = game.turn(game.play(position, throws[0]))  # the seat that throws plays it
        return turn in self.seats

    @property
    def moved_last(self) -> bool:
        """Whether the last move is theirs, and all that was said since."""
        plies = self.status.plies
        return (
            bool(plies)
            and {ply.seat for ply in plies if ply.number == plies[-1].number} <= self.seats
        )

    @property
    def may_undo(self) -> bool:
        """Whether all is theirs that *Take back* undoes: the last move, and a throw since then."""
        thrown = {self.status.turn} if self.status.dice else set()
        first = bool(thrown) and not self.status.plies
        return thrown <= self.seats and (first or self.moved_last)

    @property
    def asked(self) -> bool:
        """Whether what is asked concerns them: one of their moves, or the last one."""
        about = {ply.seat for ply in self.status.plies if ply.candidates}
        return bool(about & self.seats) if about else self.on_turn or self.moved_last

    def piece(self, number: int) -> dict[str, Any]:
        """Return a piece by its number; an empty one if it is not there: that is refused later."""
        return next((each for each in self.host.pieces.men() if each["id"] == number), {})

    def owns(self, piece: Mapping[str, Any]) -> bool:
        """Whether a piece is theirs."""
        return piece.get("owner") in {self.host.game.seats[seat] for seat in self.seats}


May: TypeAlias = Callable[[Any, Seated], bool]


def _every_page(command: ask.AnyCommand, who: Seated) -> bool:
    return True


def _no_player(command: ask.AnyCommand, who: Seated) -> bool:
    return False


def _own_seat(command: Any, who: Seated) -> bool:
    return bool(command.seat == who.seat)


def _on_turn(command: ask.AnyCommand, who: Seated) -> bool:
    return who.on_turn


def _asked(command: ask.AnyCommand, who: Seated) -> bool:
    return who.asked


def _touch(command: ask.LiftCommand | ask.FlipCommand | ask.TurnCommand, who: Seated) -> bool:
    """Out of turn only what finishes the own move or takes it back: own pieces, what the own hand
    holds, and what lies in the box.
    """
    piece = who.piece(command.man)
    mine = who.owns(piece) or piece.get("held") == who.page or piece.get("place") == BOX
    return mine or who.on_turn


def _put(command: ask.PutCommand, who: Seated) -> bool:
    """Out of turn the own piece on a free cell, others beside the cells or back."""
    piece = who.piece(command.man)
    if command.place not in who.host.layout.cells or command.place == piece.get("from"):
        return True
    others = [each for each in who.host.pieces.men() if each["place"] == command.place]
    return who.on_turn or (who.owns(piece) and all(map(who.owns, others)))


def _press(command: ask.PressCommand, who: Seated) -> bool:
    match command.button:
        case "yes" | "no":
            # With nothing asked `yes` says that the board is right, or begins another match.
            return who.status.outcome is None and who.asked
        case "back" | "wrong":
            return who.may_undo
        case "hint":
            return who.on_turn
    return command.button in {who.host.game.seats[seat] for seat in who.seats}


def _name(command: ask.NameCommand, who: Seated) -> bool:
    """A move that can be made now is that of the side to move, another one was made before."""
    try:
        who.host.game.parse_move(who.host.position(), command.move)
    except IllegalMoveError:
        return who.moved_last
    except GameError:  # no move at all: that is refused later
        return who.on_turn or who.moved_last
    return who.on_turn


def _throw(command: ask.ThrowCommand, who: Seated) -> bool:
    """How dice fell with which nothing could be moved is for the seat that has lost its turn."""
    lost = command.instead and not who.status.dice
    return who.moved_last if lost else who.on_turn


PLAYER_MAY: Final[Mapping[type[ask.Command], May]] = {
    ask.CalmCommand: _every_page,
    ask.LanguageCommand: _every_page,
    ask.LiftCommand: _touch,
    ask.FlipCommand: _touch,
    ask.TurnCommand: _touch,
    ask.PutCommand: _put,
    ask.BackCommand: _every_page,  # only what the own hand holds
    ask.PressCommand: _press,
    ask.ChooseCommand: _asked,
    ask.NameCommand: _name,
    ask.ClaimCommand: _own_seat,
    ask.ThrowCommand: _throw,
    ask.PlayCommand: _on_turn,
    ask.SetupCommand: _on_turn,
    ask.AssistCommand: _own_seat,
    ask.PlayerCommand: _own_seat,
    ask.SeatCommand: _own_seat,
    ask.GradedCommand: _own_seat,
    ask.HandsCommand: _no_player,
    ask.MatchCommand: _no_player,
    ask.GameCommand: _no_player,
    ask.ResumeCommand: _no_player,
    ask.LessonCommand: _no_player,
    ask.FaultCommand: _no_player,
}
"""What a player may send, and when; what is missing only the host may."""

WATCHER_MAY: Final = frozenset({ask.CalmCommand, ask.LanguageCommand})
"""What a watcher may send: how this page shows the board."""


def check(role: Role, command: ask.AnyCommand, page: str, host: HostApi) -> None:
    """RefusedError if a role may not send that command now."""
    seats = host.game.seats
    role = role.among(len(seats))
    if role == HOST:
        return
    if role == WATCHER:
        if type(command) not in WATCHER_MAY:
            raise RefusedError(say("You are watching: only players and the host may do that."))
        return
    may = PLAYER_MAY.get(type(command), _no_player)
    if may is _no_player:
        raise RefusedError(say("Only the host may do that."))
    if not may(command, Seated(role.seat, page, host)):
        raise RefusedError(
            say("You play {seat}: that is for another seat now.", seat=say(seats[role.seat]))
        )


OFFERED: Final[Mapping[str, ask.AnyCommand]] = {
    **{
        each: ask.PressCommand(n=0, rev=0, button=each)
        for each in ("yes", "no", "back", "wrong", "hint")
    },
    "choose": ask.ChooseCommand(n=0, rev=0, move=""),
    "name": ask.NameCommand(n=0, rev=0, move=""),
    "play": ask.PlayCommand(n=0, rev=0, move=""),
    "setup": ask.SetupCommand(n=0, rev=0),
    "throw": ask.ThrowCommand(n=0, rev=0),
    "instead": ask.ThrowCommand(n=0, rev=0, instead=True),
}
"""The buttons of a page that are not for every role at any time, each with what it sends."""


def offered(role: Role, page: str, host: HostApi) -> list[str]:
    """Return which of these buttons a page of that role may press now."""
    return [name for name, command in OFFERED.items() if _may(role, command, page, host)]


def _may(role: Role, command: ask.AnyCommand, page: str, host: HostApi) -> bool:
    try:
        check(role, command, page, host)
    except RefusedError:
        return False
    return True


def told(role: Role, seats: tuple[str, ...]) -> Message | None:
    """Return what the user of a page is, in a sentence; None of the host."""
    role = role.among(len(seats))
    if role == HOST:
        return None
    if role == WATCHER:
        return say("You are watching.")
    return say("You play {seat}.", seat=say(seats[role.seat]))
