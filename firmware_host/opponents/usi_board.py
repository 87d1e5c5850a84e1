"""The person at the board as the engine of another program, which speaks USI.

The other program has the match: the board follows its `position` at each `go`. It lights the moves
of the other side until hands have made them. The next move that hands make is the `bestmove`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Any, Final

from engine.game import Seat
from engine.match import AnyGame, Match
from engine.notation.usi import move_word
from firmware_host.controller.controller import BoardController
from firmware_host.i18n.messages import Message, say
from firmware_host.lights.advice import Advice
from firmware_host.opponents.engine_protocols import DECLARES, RESIGNS
from firmware_host.opponents.hands_off import HandsOff
from firmware_host.opponents.match_follower import (
    MatchFollower,
    PlayedEntry,
    in_common,
    played,
)
from firmware_host.opponents.usi_position import UsiPosition
from firmware_host.session.record import Record
from firmware_host.session.view import SessionView

LOOK_S: Final = 0.1
"""A move that hands have made is looked at this often, until it is certain."""
_CLAIMS: Final = {RESIGNS: "resign", DECLARES: "win"}
"""By our claim: the word in place of a move."""
_ENDS: Final = {
    "win": say("The other program says that the game is over: the person at the board wins."),
    "lose": say("The other program says that the game is over: the person at the board loses."),
    "draw": say("The other program says that the game is over: a draw."),
}

log = logging.getLogger(__name__)

Begin = Callable[[AnyGame, Any], None]


class UsiBoard:
    """One conversation with a program, at one board."""

    def __init__(
        self,
        say_line: Callable[[str], None],
        changed: Callable[[], None],
        begin: Begin,
        follower: MatchFollower,
        hands_off: HandsOff,
    ) -> None:
        """`say_line` sends a line, `changed` wakes the loop, and `begin` begins a match of a game
        from a position; ValueError or OSError say why that is impossible.
        """
        self.ended = asyncio.Event()
        """Set by `quit`."""
        self.notes: list[str] = []
        """What the other program is told before a game, such as the address of the page."""
        self._say = say_line
        self._changed = changed
        self._begin = begin
        self._follower = follower
        self._hands_off = hands_off
        self._position = UsiPosition("Lampion board", say_line)
        self._wanted: Match | None = None  # what the board follows
        self._entries: tuple[PlayedEntry, ...] = ()  # its moves, and the one that was answered
        self._start: Any = None
        self._in_order = False  # whether the board has nothing that is to be taken back
        self._asked = False  # whether a move is awaited
        self._holds_back = False  # whether it is not to be sent before `ponderhit` or `stop`
        self._over: Message | None = None  # how the other program says that it ended
        self._fresh = False  # whether another game begins, which is to have a match of its own
        self._tried: Match | None = None  # for which a match was begun
        self._match: tuple[BoardController, int] | None = None  # the one at the board
        self._record: Record | None = None
        self._here: tuple[PlayedEntry, ...] = ()
        self._here_start: Any = None

    # ---- what the other program says

    def take(self, line: str) -> None:
        """Take a line of the other program."""
        words = line.split()
        if not self._position.take(words):
            self._take(words)
        self._changed()

    def _take(self, words: Sequence[str]) -> None:
        match words:
            case ["isready"]:
                for note in self.notes:
                    self._position.tell(note)
                self._say("readyok")
            case ["usinewgame"]:
                self._over, self._fresh = None, True
            case ["go", *rest]:
                self._go(rest)
            case ["ponderhit"]:
                self._ponderhit()
            case ["stop"]:
                self._stop()
            case ["gameover", *rest]:
                self._asked = False
                self._over = _ENDS.get("".join(rest), _ENDS["draw"])
            case ["quit"]:
                self.ended.set()

    def _go(self, words: Sequence[str]) -> None:
        if self._position.fault or self._position.match.outcome is not None:
            self._say("bestmove resign")
            return
        self._asked = True
        self._holds_back = "infinite" in words or "ponder" in words
        self._over = None
        if "ponder" not in words:  # else its last move is only expected
            self._follow_position()

    def _ponderhit(self) -> None:
        if self._asked:
            self._holds_back = False
            self._follow_position()

    def _stop(self) -> None:
        """Answer now: with what hands have made so far, or with any move where that is not played,
        or by giving up, because nobody may move for the person.
        """
        if not self._asked:
            return
        own = self._own()
        if own is not None:
            self._answer(own)
        elif self._holds_back:
            match = self._position.match
            self._send(move_word(match.game, match.position, match.legal[0]))
        else:
            self._send("resign")

    def _follow_position(self) -> None:
        wanted = self._position.match
        self._start = wanted.game, wanted.first.position
        self._wanted = wanted
        self._entries = tuple(PlayedEntry("move", step.seat, step.text) for step in wanted.steps())
        self._in_order = in_common(self._here, self._entries) == len(self._here)

    # ---- what the board does

    def follow(self, board: BoardController, now: float) -> float | None:
        """Bring the board to the match of the other program, and answer with what hands make."""
        view = board.session.view
        if (board, board.match_rev) != self._match or view.record is not self._record:
            self._match = board, board.match_rev
            self._record, self._here = view.record, played(view.record)
            self._here_start = view.game, view.match.first.position
        if self._wanted is None:
            return None
        if self._here_start != self._start or (self._fresh and view.record):
            self._begin_soon(self._wanted)
            return None
        self._tried, self._fresh = None, False
        self._in_order = self._in_order or self._here == self._entries
        own = self._own() if self._asked else None
        if own is None or len(self._here) < len(view.record):
            return self._follower.follow(board, self._entries, self._called, now)
        self._follower.withdraw()
        certain = own.kind == "claim" or self._hands_off.lasts(view, now)
        if certain and not self._holds_back:
            self._answer(own)
        return now + LOOK_S

    def _own(self) -> PlayedEntry | None:
        """Return what the person has played in the position that the other program asks about."""
        wanted, number = self._wanted, len(self._entries)
        if wanted is None or not self._in_order or in_common(self._here, self._entries) < number:
            return None
        for each in self._here[number : number + 1]:
            if each.seat == wanted.turn:
                return each
        return None

    def _answer(self, own: PlayedEntry) -> None:
        match = self._wanted
        assert match is not None
        self._entries = (*self._entries, own)
        if own.kind == "claim":
            self._send(_CLAIMS.get(own.text, "resign"))
            return
        move = match.game.parse_move(match.position, own.text)
        self._send(move_word(match.game, match.position, move))

    def _send(self, word: str) -> None:
        self._asked = False
        self._say(f"bestmove {word}")

    def _begin_soon(self, wanted: Match) -> None:
        """Begin a match where that of the other program has begun, once."""
        if self._tried is not wanted:
            self._tried = wanted
            asyncio.get_running_loop().call_soon(self._begin_now)

    def _begin_now(self) -> None:
        try:
            self._begin(*self._start)
        except (ValueError, OSError) as error:
            self._position.tell(str(error))
            log.warning("%s", error)
            if self._asked:
                self._send("resign")

    def _called(self, seat: Seat) -> Message:
        return say("the other program")

    # ---- what people are told

    def advice(self, view: SessionView) -> Advice | None:
        """Return what to show beside the match; None while the person is to move."""
        if self._over is not None:
            return Advice(requested_move={}, says=(self._over,))
        if self._wanted is None:
            waits = say("Begin a game in the other program.")
            return Advice(requested_move={}, says=(waits,))
        if self._follower.trouble is not None:
            return Advice(requested_move={}, says=(self._follower.trouble,))
        if self._follower.differs_at is not None and not view.repair.guiding:
            back = say("The other program has other moves. The extra moves here are taken back.")
            return Advice(requested_move={}, says=(back,))
        if self._asked or view.question.open or view.repair.guiding:
            return None
        waits = say("Waiting for the move from {who}.", who=say("the other program"))
        return Advice(requested_move={}, says=(waits,))
