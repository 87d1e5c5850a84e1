"""Another program that plays: it speaks USI, and our rules check what it says.

It is asked for one move at a time. That it ends, says nothing for too long or plays what is not
allowed is said, and play goes on: people may make the move themselves, or let somebody else play.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from typing import Final

from engine.game import GameError
from engine.match import Match
from engine.notation.usi_words import VARIANTS, move_of, move_word, position_word
from firmware_host.advice.child import Child
from firmware_host.words import Message, warn

BEGINS: Final = 10.0
"""Seconds within which it must be ready."""
LATE: Final = 5.0
"""By so many seconds it may be late with its move."""
RESIGNS: Final = "resign"

log = logging.getLogger(__name__)


class UsiEngine:
    """One such program; it is started when it is first asked."""

    def __init__(self, program: str, changed: Callable[[], None]) -> None:
        """`changed` is called when it has chosen a move, or when it failed."""
        self.program = program
        self.chosen = ""
        """The move it makes, in the game's notation, or RESIGNS; empty while it thinks."""
        self.fault: Message | None = None
        """What went wrong; until it is asked again."""
        self._changed = changed
        self._child: Child | None = None
        self._match: Match | None = None
        self._awaits = b""  # what it is to say next; b"bestmove" while it thinks
        self._seconds = 0.0
        self._due: float | None = None
        self._variant = ""

    def ask(self, match: Match, seconds: float, now: float) -> None:
        """Ask for a move of what the match has come to."""
        self._match, self._seconds = match, seconds
        self.chosen, self.fault = "", None
        variant = VARIANTS[match.game.name]
        if (winning := _wins_at_once(match)) is not None:  # no engine lets a lion be taken
            self.chosen = winning
            self._changed()
            return
        if self._child is not None and (not self._child.runs or variant != self._variant):
            self.close()
        if self._child is not None and self._awaits == b"bestmove":
            self.close()  # it thinks about something else; to stop it may take long
        self._due = now + BEGINS + seconds + LATE
        if self._child is None:
            self._variant = variant
            try:
                self._child = Child((self.program,), self._heard, self._ended)
            except OSError as error:
                log.warning("%s: %s", self.program, error.strerror)
                self._fail(warn("{program} cannot be started.", program=self._name))
                return
            self._say("usi", b"usiok")
        elif not self._awaits:
            self._go()

    def drop(self) -> None:
        """Ask nothing any more."""
        self._match, self.chosen, self._due = None, "", None
        if self._awaits == b"bestmove":
            self.close()

    def look(self, now: float) -> float | None:
        """End it if it says nothing for too long; return when to look again."""
        if self._due is None or self._match is None:
            return None
        if now < self._due:
            return self._due
        self.close()
        self._fail(warn("{program} does not answer.", program=self._name))
        return None

    def close(self) -> None:
        """End it."""
        if self._child is not None:
            self._child.end()
        self._child, self._awaits, self._due = None, b"", None

    @property
    def _name(self) -> str:
        return os.path.basename(self.program)

    def _say(self, text: str, awaits: bytes = b"") -> None:
        assert self._child is not None
        self._awaits = awaits
        self._child.tell(text.encode())

    def _go(self) -> None:
        """Send the match and ask for a move."""
        match = self._match
        if match is None:
            return
        self._say(f"position {_position(match)}")
        self._say(f"go movetime {round(1000 * self._seconds)}", b"bestmove")

    def _heard(self, line: bytes) -> None:
        word, _, rest = line.strip().partition(b" ")
        if not self._awaits or word != self._awaits:
            return
        self._awaits = b""
        if word == b"usiok":
            if self._variant != "shogi":
                self._say(f"setoption name UCI_Variant value {self._variant}")
            self._say("isready", b"readyok")
        elif word == b"readyok":
            self._say("usinewgame")
            self._go()
        else:
            self._take(rest.split(b" ")[0].decode("ascii", "replace"))

    def _take(self, word: str) -> None:
        """Take the move that it has chosen, if our rules allow it."""
        match = self._match
        if match is None:
            return
        self._due = None
        if word == RESIGNS:
            self.chosen = RESIGNS
        else:
            try:
                move = move_of(match.game, match.position, word)
            except GameError as error:
                log.warning("%s: %s", self.program, error)
                why = warn(
                    "{program} plays {move}, which the rules do not allow.",
                    program=self._name,
                    move=word[:12],
                )
                self._fail(why)
                return
            self.chosen = match.game.move_text(match.position, move)
        self._changed()

    def _ended(self) -> None:
        self._child, self._awaits = None, b""
        if self._match is not None:
            self._fail(warn("{program} has ended by itself.", program=self._name))

    def _fail(self, why: Message) -> None:
        self.fault, self._due = why, None
        self._changed()


def _position(match: Match) -> str:
    """Return what a match has come to as USI writes it: with its moves, so that repetition counts;
    of Robot Duel without, for engines do not believe that a lion is left to be taken.
    """
    game = match.game
    if game.name != "shogi":
        return position_word(game, match.position)
    steps = match.line()
    begin = steps[0].before if steps else match
    assert begin is not None
    words = [
        move_word(game, step.before.position, step.move)
        for step in steps
        if step.before is not None
    ]
    moves = f" moves {' '.join(words)}" if words else ""
    return position_word(game, begin.position) + moves


def _wins_at_once(match: Match) -> str | None:
    """Return a move of Robot Duel that ends the game; None if there is none."""
    game = match.game
    for move in match.legal if game.name != "shogi" else ():
        outcome = game.outcome(game.play(match.position, move))
        if outcome is not None and match.turn in outcome.winners:
            return game.move_text(match.position, move)
    return None
