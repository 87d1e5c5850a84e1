"""What a page may do: the host everything, a player what concerns their seat, a watcher nothing.

The board checks this before it does anything for a page; what the page itself hides is a courtesy.
A command that is missing in the table is the host's.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from engine.game import CHANCE, GameError, IllegalMoveError, Seat
from firmware_host.i18n.messages import Message, RefusedError, say
from firmware_host.simulation.virtual_table import BOX
from firmware_host.text.status import Status
from firmware_host.web import protocol as ask
from firmware_host.web.host_api import HostApi

MOST_SEATS: Final = 8
"""No game has more; each seat has its own link."""


@dataclass(frozen=True, slots=True)
class Role:
    """The role of a page's user."""

    name: str
    """`host`, `player` or `watcher`."""
    seat: Seat = -1
    """The seat of a player."""

    @property
    def plain(self) -> str:
        """The role as one word, for keys and cookies: `host`, `watcher`, `player-0`."""
        return f"{self.name}-{self.seat}" if self.name == "player" else self.name

    def among(self, seats: int) -> Role:
        """Return the role in a game of that number of seats: a player without a seat watches."""
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
        "/api/events",
        "/api/games",
        "/api/lessons",
        "/api/rules",
        "/api/moves",
        "/api/recording",
        "/api/game",
        "/api/matches",
        "/api/matches/",
    }
)
"""The paths that every role may request; those that end in a slash, with all below them. All other
paths are the host's.
"""


def may_ask(role: Role, path: str, for_all: Collection[str] = FOR_ALL) -> bool:
    """Whether a role may request a path."""
    if role == HOST or path in for_all:
        return True
    return any(path.startswith(each) for each in for_all if each.endswith("/") and each != "/")


class PlayerAtMatch:
    """A player at a match: the seats that the player acts for, and what concerns them now."""

    def __init__(self, seat: Seat, page: str, host: HostApi) -> None:
        """`page` is the name of the page, which is also the name of its hand."""
        self.seat = seat
        self.page = page
        self.host = host
        self.status: Status = host.status()
        opponents = self.status.opponents
        kinds = () if opponents is None else opponents.player_kinds
        self.seats = {seat} | {each for each, kind in enumerate(kinds) if kind != "person"}
        """The player's seat and those of machines, which have no hands."""

    @property
    def on_turn(self) -> bool:
        """Whether one of the seats is to move, even if only to throw the dice."""
        game, position = self.host.game, self.host.position()
        if self.status.outcome is not None:
            return False
        turn = game.turn(position)
        if turn == CHANCE and (throws := list(game.legal(position))):
            turn = game.turn(game.play(position, throws[0]))  # the seat that throws plays it
        return turn in self.seats

    @property
    def moved_last(self) -> bool:
        """Whether the last move is theirs, with all claims since then."""
        plies = self.status.plies
        return (
            bool(plies)
            and {ply.seat for ply in plies if ply.number == plies[-1].number} <= self.seats
        )

    @property
    def may_undo(self) -> bool:
        """Whether all that *Take back* undoes is theirs: the last move, and a throw since then."""
        thrown = {self.status.turn} if self.status.dice else set()
        first = bool(thrown) and not self.status.plies
        return thrown <= self.seats and (first or self.moved_last)

    @property
    def may_go_back(self) -> bool:
        """Whether that holds also for a step back to a person's turn, which hands make: the last
        move of a person is theirs.
        """
        opponents = self.status.opponents
        if opponents is None or not opponents.hands_move:
            return self.may_undo
        moved = [ply.seat for ply in self.status.plies if ply.seat not in opponents.machines]
        return self.may_undo and (not moved or moved[-1] in self.seats)

    @property
    def asked(self) -> bool:
        """Whether the open question concerns them: one of their moves, or the last one."""
        about = {ply.seat for ply in self.status.plies if ply.candidates}
        return bool(about & self.seats) if about else self.on_turn or self.moved_last

    def piece(self, number: int) -> dict[str, Any]:
        """Return a piece by its number; an empty one if there is none, which is refused later."""
        return next((each for each in self.host.pieces.all() if each["id"] == number), {})

    def owns(self, piece: Mapping[str, Any]) -> bool:
        """Whether a piece is theirs."""
        return piece.get("owner") in {self.host.game.seats[seat] for seat in self.seats}


May: TypeAlias = Callable[[Any, PlayerAtMatch], bool]


def _every_page(command: ask.AnyCommand, player: PlayerAtMatch) -> bool:
    return True


def _no_player(command: ask.AnyCommand, player: PlayerAtMatch) -> bool:
    return False


def _own_seat(command: Any, player: PlayerAtMatch) -> bool:
    return bool(command.seat == player.seat)


def _on_turn(command: ask.AnyCommand, player: PlayerAtMatch) -> bool:
    return player.on_turn


def _asked(command: ask.AnyCommand, player: PlayerAtMatch) -> bool:
    return player.asked


def _touch(
    command: ask.LiftCommand | ask.FlipCommand | ask.TurnCommand, player: PlayerAtMatch
) -> bool:
    """Out of turn only what completes the player's move or takes it back: their own pieces, what
    their hand holds, and what lies in the box.
    """
    piece = player.piece(command.piece)
    mine = player.owns(piece) or piece.get("held_by") == player.page or piece.get("place") == BOX
    return mine or player.on_turn


def _put(command: ask.PutCommand, player: PlayerAtMatch) -> bool:
    """Out of turn an own piece on a free cell, other pieces beside the cells or back."""
    piece = player.piece(command.piece)
    if command.place not in player.host.layout.cells or command.place == piece.get("from"):
        return True
    others = [each for each in player.host.pieces.all() if each["place"] == command.place]
    return player.on_turn or (player.owns(piece) and all(map(player.owns, others)))


def _press(command: ask.PressCommand, player: PlayerAtMatch) -> bool:
    if player.status.review is not None:
        return False  # the buttons step through a past match
    match command.button:
        case "yes" | "no":
            # With nothing asked `yes` says that the board is right, or begins another match.
            return player.status.outcome is None and player.asked
        case "back" if command.to_own_turn:
            return player.may_go_back
        case "back" | "wrong":
            return player.may_undo
        case "hint":
            return player.on_turn
    return command.button in {player.host.game.seats[seat] for seat in player.seats}


def _report(command: ask.ReportCommand, player: PlayerAtMatch) -> bool:
    """A move that can be made now belongs to the side to move, another one was made before."""
    try:
        player.host.game.parse_move(player.host.position(), command.move)
    except IllegalMoveError:
        return player.moved_last
    except GameError:  # no move at all, which is refused later
        return player.on_turn or player.moved_last
    return player.on_turn


def _throw(command: ask.ThrowCommand, player: PlayerAtMatch) -> bool:
    """A throw that allowed no move is corrected by the seat that lost its turn with it."""
    lost = command.correction and not player.status.dice
    return player.moved_last if lost else player.on_turn


PLAYER_MAY: Final[Mapping[type[ask.Command], May]] = {
    ask.MotionCommand: _every_page,
    ask.LanguageCommand: _every_page,
    ask.LiftCommand: _touch,
    ask.FlipCommand: _touch,
    ask.TurnCommand: _touch,
    ask.PutCommand: _put,
    ask.BackCommand: _every_page,  # only what their hand holds
    ask.PressCommand: _press,
    ask.ChooseCommand: _asked,
    ask.ReportCommand: _report,
    ask.ClaimCommand: _own_seat,
    ask.ThrowCommand: _throw,
    ask.PlayCommand: _on_turn,
    ask.RequestCommand: _on_turn,
    ask.SetupCommand: _on_turn,
    ask.AssistCommand: _own_seat,
    ask.PlayerCommand: _own_seat,
    ask.SeatCommand: _own_seat,
    ask.GradingCommand: _own_seat,
    ask.HandsCommand: _no_player,
    ask.MatchCommand: _no_player,
    ask.ClockCommand: _no_player,
    ask.PauseCommand: _every_page,
    ask.GameCommand: _no_player,
    ask.ResumeCommand: _no_player,
    ask.ContinueCommand: _no_player,
    ask.ReviewCommand: _no_player,
    ask.DeleteCommand: _no_player,
    ask.RestoreCommand: _no_player,
    ask.LessonCommand: _no_player,
    ask.FaultCommand: _no_player,
    ask.LightCommand: _no_player,
    ask.OffCommand: _no_player,
}
"""What a player may send, and when; the rest only the host may."""

WATCHER_MAY: Final = frozenset({ask.MotionCommand, ask.LanguageCommand})
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
    if not may(command, PlayerAtMatch(role.seat, page, host)):
        raise RefusedError(
            say("You play {seat}: only another player may do that now.", seat=say(seats[role.seat]))
        )


BUTTONS: Final[Mapping[str, ask.AnyCommand]] = {
    **{
        each: ask.PressCommand(n=0, rev=0, button=each, to_own_turn=each == "back")
        for each in ("yes", "no", "back", "wrong", "hint")
    },
    "choose": ask.ChooseCommand(n=0, rev=0, move=""),
    "report": ask.ReportCommand(n=0, rev=0, move=""),
    "play": ask.PlayCommand(n=0, rev=0, move=""),
    "request": ask.RequestCommand(n=0, rev=0, move=""),
    "setup": ask.SetupCommand(n=0, rev=0),
    "throw": ask.ThrowCommand(n=0, rev=0),
    "correction": ask.ThrowCommand(n=0, rev=0, correction=True),
}
"""The buttons of a page that not every role may press at any time, each with its command."""


def allowed_buttons(role: Role, page: str, host: HostApi) -> list[str]:
    """Return the buttons that a page of that role may press now."""
    return [name for name, command in BUTTONS.items() if _may(role, command, page, host)]


def _may(role: Role, command: ask.AnyCommand, page: str, host: HostApi) -> bool:
    try:
        check(role, command, page, host)
    except RefusedError:
        return False
    return True


def role_message(role: Role, seats: tuple[str, ...]) -> Message | None:
    """Return the sentence that says the role of a page's user; None for the host."""
    role = role.among(len(seats))
    if role == HOST:
        return None
    if role == WATCHER:
        return say("You are watching.")
    return say("You play {seat}.", seat=say(seats[role.seat]))
