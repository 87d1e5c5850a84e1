"""Who plays at a board beside people, and what people are told who want to be told more.

Looked at in every round of the loop, it asks the adviser about the position, puts what is known by
then where scene and status find it, and tells the session what only a machine can say of its own
moves. It waits for nobody.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, Protocol

from engine.game import CHANCE, Pass, Place, Seat, Throw
from engine.match import AnyGame, Match
from engine.reading.history import History
from engine.reading.verdict import Still, Underway
from firmware_host.controller.controller import BoardController
from firmware_host.i18n.messages import Message, say
from firmware_host.lights.advice import NOTHING, Advice, OpponentsStatus
from firmware_host.lights.scene import pieces_in_hand
from firmware_host.lights.threats import ALL_DANGERS
from firmware_host.opponents.analysis import AnalysisClient
from firmware_host.opponents.bounds import FINE_AT
from firmware_host.opponents.move_arrows import ways, which
from firmware_host.opponents.protocol import Analysis, RatedMove
from firmware_host.opponents.requested_move import RequestedMove
from firmware_host.opponents.settings import OpponentSettings
from firmware_host.opponents.usi_engine import DECLARES, RESIGNS, UsiEngine
from firmware_host.players.kinds import (
    PERSON,
    PlayerKind,
    available,
    kind_message,
    name_message,
    suits,
)
from firmware_host.session.events import Choose, Claimed, Dice, Press
from firmware_host.session.hand_progress import filling
from firmware_host.session.pending_actions import ActionKind
from firmware_host.session.view import SessionView
from firmware_host.text.moves import move_message, with_notation
from firmware_host.text.outcomes import outcome_messages, perfect_message
from firmware_host.text.reasons import why_message

OFF_THE_BOARD: Final = 0.6
"""Seconds for which nobody may have touched anything before the machine begins."""
CAPTIVE: Final = 10.0
"""… and for so long if something has not reached its tray: it may be in a hand."""
THROWS_AFTER: Final = 1.2
"""Seconds after which the machine throws its dice."""
SECONDS: Final = {"strong": 2.0}
"""How long a level may think; the others:"""
USUAL: Final = 1.0
MOST_REASONS: Final = 3
"""Of so many moves of a lifted man it is said why they are bad."""

AGAIN: Final = 10.0
"""Seconds after which hands that were disturbed try again."""


class MakesMoves(Protocol):
    """The hands at a simulated board."""

    @property
    def hold(self) -> bool:
        """Whether any of them holds a piece, including a person's at a page, or is about a move."""

    def make(self, errand: RequestedMove) -> bool:
        """Let simulated hands make a move; False if they are not free."""


class Opponents:
    """The machine's share of one board after the other."""

    def __init__(
        self,
        settings: OpponentSettings,
        state: Path,
        changed: Callable[[], None],
        hands: MakesMoves | None = None,
        usual: Mapping[str, PlayerKind] = MappingProxyType({}),
    ) -> None:
        """`state` may hold tables of solved games; `changed` wakes the loop; `hands` is for boards
        whose hands are simulated; `usual` says by the names of seats who plays there until somebody
        else is chosen.
        """
        self.settings = settings
        self._state = str(state)
        self._usual = usual
        self.adviser = AnalysisClient(changed)
        self._changed = changed
        self._hands = hands
        self._engines: dict[PlayerKind, UsiEngine] = {}  # some take half a minute to load
        self._game: AnyGame | None = None
        self._errand: RequestedMove | None = None
        self._chose: dict[tuple[Seat, int], str] = {}  # the machine's moves, by the plies before
        self._chooses: tuple[object, int] = None, 0
        self._still_since: tuple[object, float] = None, 0.0
        self._known: tuple[object, Analysis | None] = None, None
        self._told: tuple[object, RatedMove | None] = None, None  # the hint, by where it was told
        self._graded: tuple[object, set[Place]] = None, set()
        self._reason: Message | None = None

    def sitter(self, seat: Seat) -> PlayerKind:
        """Return who plays at a seat."""
        who = self.settings.sitter(seat)
        if self._game is None:
            return who or PERSON
        if who is None:
            who = self._usual.get(self._game.seats[seat], PERSON)
        return who if suits(who, self._game) else PERSON

    def status(self) -> OpponentsStatus:
        """Return what a reader may show of it."""
        assert self._game is not None
        seats = range(len(self._game.seats))
        found = list(available(self._game))
        for seat in seats:
            if self.sitter(seat) not in found:
                found.append(self.sitter(seat))
        return OpponentsStatus(
            tuple(self.sitter(seat).text for seat in seats),
            tuple(self.settings.limit(seat) for seat in seats),
            {who.text: kind_message(who) for who in found},
            None if self._hands is None else self.settings.hands,
        )

    def begin(self, game: AnyGame) -> None:
        """Begin with another match."""
        self._game = game
        self._errand = None
        self._chose.clear()
        self._reason = None
        self._known = None, None
        self.adviser.begin()
        for engine in self._engines.values():
            engine.drop()

    def change(self, seat: Seat, who: PlayerKind) -> None:
        """Let somebody else play at a seat from now on."""
        self.settings.seat(seat, who)
        self._errand = None
        self._chose = {key: text for key, text in self._chose.items() if key[0] != seat}
        self._reason = None
        self._stop()
        self._changed()

    def close(self) -> None:
        """End the other processes."""
        self.adviser.close()
        for engine in self._engines.values():
            engine.close()

    # ---- in every round of the loop

    def look(self, board: BoardController, now: float) -> float | None:
        """Bring the board's advice up to date; return when to be called again though nothing
        happens.
        """
        self._end_unseated()
        self._follow(board, now)
        advice = self._advice(board, now)
        if advice != board.advice:
            board.advice = advice
            board.rev += 1
        times = [self.adviser.look(now), *(each.look(now) for each in self._engines.values())]
        seat = board.session.view.acting
        if not self.sitter(seat).is_person and board.session.view.outcome is None:
            times.append(now + OFF_THE_BOARD / 4)
        return min((time for time in times if time is not None), default=None)

    def _end_unseated(self) -> None:
        """End the engines that sit at no seat any more."""
        assert self._game is not None
        seated = [self.sitter(seat) for seat in range(len(self._game.seats))]
        for who in [who for who in self._engines if who not in seated]:
            self._engines.pop(who).close()

    def _advice(self, board: BoardController, now: float) -> Advice:
        view = board.session.view
        if view.outcome is not None or view.repair.settling:
            self._stop()
            return NOTHING
        who = self.sitter(view.acting)
        if who.is_person:
            return self._for_person(view, now)
        return self._for_machine(board, who, now)

    def _stop(self) -> None:
        self.adviser.drop()
        for engine in self._engines.values():
            engine.drop()

    # ---- people

    def _for_person(self, view: SessionView, now: float) -> Advice:
        seat, match = view.acting, view.match
        step = view.hint_at(now)
        told = view.assist[seat] >= ALL_DANGERS
        if match.turn == CHANCE or view.repair.guiding or not (step or told):
            self._stop()
            return NOTHING
        here = match.plies, match.position
        lifted: tuple[str, ...] = ()
        if told:
            line, places, moves = pieces_in_hand(view)
            if (
                moves
                and line.match.position == match.position
                and self._may_grade(here, seat, places)
            ):
                text = match.game.move_text
                lifted = tuple(sorted(text(match.position, each.move) for each in moves))
        fine = FINE_AT[view.assist[seat]]
        about = here, lifted, fine
        asked = self.adviser.ask(about, match, now, lifted=lifted, state=self._state, fine=fine)
        if asked.answer is not None and not lifted:
            self._known = here, asked.answer
        if asked.failed:
            return Advice(says=self._faults())
        answer = asked.answer or (self._known[1] if self._known[0] == here else None)
        if answer is None:
            return Advice(says=(say("Thinking …"),)) if step else NOTHING
        wanted = set(lifted)
        rated = [each for each in answer.moves if each.move in wanted]
        reasons = tuple(self._reasons(match, rated, answer.moves[0].plies))
        best = self._known[1] if self._known[0] == here and self._known[1] else answer
        hint, says = self._hinted(view, best, step)
        return Advice({each.move: each.grade for each in rated}, hint, says=says + reasons)

    def _may_grade(self, here: object, seat: Seat, places: set[Place]) -> bool:
        """Whether a man is among those whose moves are graded in this turn."""
        if self._graded[0] != here:
            self._graded = here, set()
        graded, most = self._graded[1], self.settings.limit(seat)
        if not places <= graded:
            if most and len(graded) >= most:
                return False
            graded |= places
        return True

    def _reasons(self, match: Match, rated: list[RatedMove], best: int | None) -> list[Message]:
        """Return what is known for certain of the moves of the lifted man, and why some of them are
        bad; `best`: in how many plies the best move of all wins or loses, if that is known.
        """
        known = {each.move: each.plies for each in rated if each.plies is not None}
        told = [
            (each.move, each.why)
            for each in rated
            if each.why is not None
            and each.grade in ("doubtful", "losing")
            # that it is lost is said already where it is known
            and (each.plies is None or each.why.code != "loses-by-force")
        ]
        return [*outcome_messages(known, best)] + [
            say("{move}: {why}", move=move, why=why_message(match.game, reason))
            for move, reason in told[:MOST_REASONS]
        ]

    def _hinted(
        self, view: SessionView, answer: Analysis, step: int
    ) -> tuple[tuple[tuple[Place, ...], tuple[Place, ...]], tuple[Message, ...]]:
        """Return what is lit and said of the best move: more of it with each step."""
        nothing: tuple[Place, ...] = ()
        if not step or isinstance(view.verdict, Underway) or not answer.moves:
            return (nothing, nothing), ()
        match, best = view.match, self._steady(view.match, answer.moves[0], step)
        game, position = match.game, match.position
        move = game.parse_move(position, best.move)
        if isinstance(move, Pass | Throw):
            return (nothing, nothing), ()
        line: History = view.shown[0]
        starts, ends = ways(line, move, game.pieces(position))
        piece = game.pieces(position).get(starts[0]) if starts else None
        came = game.pieces(game.play(position, move)).get(ends[0]) if ends else None
        if step == 1 and piece is not None:
            return (starts, nothing), (which(game, starts, piece),)
        if step == 1 and came is not None:
            return (nothing, nothing), (which(game, (), came),)
        words = with_notation(move_message(game, position, move), best.move)
        says = [say("Hint: {move}.", move=words)]
        if best.plies is not None:
            says += outcome_messages({best.move: best.plies}, best.plies)
        if step > 2 and best.why is not None:
            says.append(why_message(game, best.why, best.plies is not None))
        elif step > 2 and len(best.line) > 1:
            says.append(say("The game may continue: {moves}", moves=" ".join(best.line)))
        elif step > 2 and best.plies is None:
            says.append(say("No other move looks better."))
        if step > 2 and best.plies is None and answer.perfect is not None:
            says.append(perfect_message(answer.perfect))
        return (starts, ends), tuple(says)

    def _steady(self, match: Match, best: RatedMove, step: int) -> RatedMove:
        """Return the move of a hint: who has been told which man is told of the same move where to
        and why, though a better one was found since.
        """
        here, (where, told) = (match.plies, match.position), self._told
        if step > 1 and where == here and told is not None and told.move != best.move:
            best = told
        self._told = here, best
        return best

    # ---- the machine

    def _for_machine(self, board: BoardController, who: PlayerKind, now: float) -> Advice:
        view = board.session.view
        match = view.match
        errand = self._errand
        if errand is not None and errand.about(view):
            says = errand.says(view, name_message(who), by_itself=self._hands_do(errand, now))
            return Advice(errand=errand.lights(view), says=says)
        if not self._hands_off(view, now):
            return Advice(errand={}, says=self._faults(who) + self._undone(view))
        if match.turn == CHANCE:
            if now >= self._still_since[1] + THROWS_AFTER:
                throws = [each for each in match.legal if isinstance(each, Throw)]
                board.handle(Dice(now, random.choice(throws).dice))
            return Advice(errand={})
        if match.forced_pass() is not None:
            return NOTHING
        text, failed = self._chosen(match, who, now)
        if failed:
            return Advice(
                says=(
                    *self._faults(who),
                    say("Make its move yourselves, or choose another player."),
                )
            )
        if text in (RESIGNS, DECLARES):
            board.handle(Claimed(now, text, match.turn))
        elif text:
            self._errand = errand = RequestedMove(view, match.game.parse_move(match.position, text))
            self._chose[match.turn, match.plies] = text
            self._changed()
        return Advice(errand={}, says=(say("Thinking …"),))

    def _undone(self, view: SessionView) -> tuple[Message, ...]:
        """Say what people may do while the machine's move is taken back: it soon plays again."""
        match, record = view.match, view.record
        made = (match.turn, match.plies) in self._chose and view.repair.guiding
        if made and record and self.sitter(record[-1].seat).is_person:
            return (say("To take back your own move, too, press take back again."),)
        return ()

    def _chosen(self, match: Match, who: PlayerKind, now: float) -> tuple[str, bool]:
        """Return the move that the machine makes, empty while it thinks, and whether it failed."""
        here = match.plies, match.position, who
        if who.level:
            if self._chooses[0] != here:
                self._chooses = here, random.randrange(1 << 30)
            asked = self.adviser.ask(
                here,
                match,
                now,
                level=who.level,
                seed=self._chooses[1],
                seconds=SECONDS.get(who.level, USUAL),
            )
            return (asked.answer.chosen if asked.answer else ""), asked.failed
        if who not in self._engines:
            self._engines[who] = UsiEngine(who.engine, self._changed, *who.arguments)
        engine = self._engines[who]
        if self._chooses[0] != here:
            self._chooses = here, 0
            engine.ask(match, USUAL, now)
        return engine.chosen, engine.fault is not None

    def _faults(self, who: PlayerKind = PERSON) -> tuple[Message, ...]:
        """Return what went wrong with the adviser, and with the engine that is to move."""
        engine = self._engines.get(who)
        faults = self.adviser.fault, engine.fault if engine is not None else None
        return tuple(fault for fault in faults if fault is not None)

    def _hands_off(self, view: SessionView, now: float) -> bool:
        """Whether all stands as it should, and nobody has touched anything for a while or holds a
        piece. Who forgets a captive that a tray would feel, or a part of a refill, is waited for
        so long only.
        """
        quiet = (
            not (self._hands is not None and self._hands.hold)
            and isinstance(view.verdict, Still)
            and not view.thinking
            and not view.repair.guiding
            and not view.question.open
        )
        key = view.match.plies, view.match.position, view.levels
        if not quiet or self._still_since[0] != key:
            self._still_since = (key if quiet else None), now
        owes = quiet and (_lacks_captive(view) or filling(view) is not None)
        wait = CAPTIVE if owes else OFF_THE_BOARD
        return quiet and now >= self._still_since[1] + wait

    # ---- hands that make its move

    def _follow(self, board: BoardController, now: float) -> None:
        """See whether the machine's move is made, and help where no sensor sees it."""
        view, errand = board.session.view, self._errand
        for number, entry in view.question.numbered:
            for text, step in zip(entry.candidates, entry.steps, strict=True):
                # whoever chose a move knows which it was, also when it is asked much later
                if self._chose.get((entry.seat, step.plies - 1)) == text:
                    board.handle(Choose(now, text, number))
                    return
        if errand is None or view.question.open:
            return
        made = errand.was_followed_by(view)
        if made == errand.text:
            self._errand = None
        elif made is not None:  # hands of its own may still be about it
            if self._hands_off(view, now) and now >= errand.handed + AGAIN:
                board.handle(Press(now, "back"))
        elif not errand.about(view):
            self._errand = None
        elif self._hands_off(view, now):
            self._begin_hands(board, errand, now)

    def _hands_do(self, errand: RequestedMove, now: float) -> bool:
        """Whether simulated hands make a move, and have not been disturbed over it."""
        tried = errand.handed > float("-inf") and now >= errand.handed + AGAIN
        return self._hands is not None and self.settings.hands and not tried

    def _begin_hands(self, board: BoardController, errand: RequestedMove, now: float) -> None:
        if now < errand.handed + AGAIN:
            return
        if self._hands is not None and self.settings.hands:
            if self._hands.make(errand):  # they say themselves what no sensor shows
                errand.handed = now
        elif errand.unseen(board.session.view):
            errand.handed = now
            board.handle(Choose(now, errand.text))


def _lacks_captive(view: SessionView) -> bool:
    """Whether a tray that is felt still lacks a piece that was taken."""
    sensed = view.sight.trays - view.masked
    return any(each.action is ActionKind.PUT_AWAY and each.place in sensed for each in view.pending)
