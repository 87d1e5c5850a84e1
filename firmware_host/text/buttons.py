"""The buttons of a board: what each of them would do now, if anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.game import CHANCE
from firmware_host.i18n.messages import Message, say
from firmware_host.session.record import PASS_TEXT
from firmware_host.session.session import Session
from firmware_host.text.status import OfferedMove

_HINTS: Final = (
    say("which piece to move"),
    say("where to"),
    say("why"),
    say("hide it"),
)
"""What the button does next, by how much of a hint is shown."""


def useful_buttons(
    session: Session, question: Sequence[OfferedMove], now: float, machine: bool = False
) -> Mapping[str, Message]:
    """Return what `yes`, `no`, `back`, `wrong` and `hint` would do `now`, where `question` is
    asked; those that would do nothing are missing. A `machine` that is to move needs no hint, and
    nobody does while the board stands wrong.
    """
    found = {choice.button: say(choice.move) for choice in question if choice.button is not None}
    if not found and session.putting_right.may_stand_so:
        found["yes"] = say("everything is in place")
    elif not found and session.may_begin_anew:
        found["yes"] = say("another match")
    if session.play.questions.may_be_denied:
        found["no"] = say("nothing was played")
    if session.record:
        found["back"] = _last(session)
        none_of_them = session.play.questions.corrects
        found["wrong"] = say("none of them") if none_of_them else say("ask again, or take back")
    right = not (session.putting_right.settling or session.putting_right.guiding)
    if session.outcome is None and session.match.turn != CHANCE and right and not machine:
        found["hint"] = _HINTS[session.hints.step(now, session.record)]
    return found


def _last(session: Session) -> Message:
    """Return what a takeback takes off the record: the last move, and what was said since."""
    last = session.record[-1]
    if last.open:
        return say("the last move")
    if last.texts == (PASS_TEXT,):
        return say("the lost turn")
    texts: list[str] = []
    for entry in reversed(session.record):
        texts.insert(0, "?" if entry.open else entry.texts[0])
        if entry.kind == "move":
            break
    return say(", ".join(texts))
