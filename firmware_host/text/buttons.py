"""The buttons of a board: what each of them would do now, if anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from engine.game import CHANCE
from firmware_host.i18n.messages import Message, say
from firmware_host.session.record import PASS_TEXT
from firmware_host.session.view import SessionView
from firmware_host.text.status import OfferedMove, Status

_HINTS: Final = (
    say("which piece to move"),
    say("where to"),
    say("why"),
    say("hide it"),
)
"""What the button shows next, by the number of hints shown."""


def useful_buttons(
    view: SessionView, question: Sequence[OfferedMove], now: float, machine: bool = False
) -> Mapping[str, Message]:
    """Return what `yes`, `no`, `back`, `wrong` and `hint` would do `now`, while a `question` is
    open; buttons that would do nothing are missing. There is no hint while a `machine` is to move
    or the board stands wrong.
    """
    found = {choice.button: say(choice.move) for choice in question if choice.button is not None}
    if not found and view.repair.may_confirm:
        found["yes"] = say("everything is in place")
    elif not found and view.may_start_another:
        found["yes"] = say("another match")
    if view.question.may_be_denied:
        found["no"] = say("nothing was played")
    if view.record:
        found["back"] = _last(view)
        none_of_them = view.question.corrects
        found["wrong"] = say("none of them") if none_of_them else say("ask again, or take back")
    right = not (view.repair.settling or view.repair.guiding)
    if view.outcome is None and view.match.turn != CHANCE and right and not machine:
        found["hint"] = _HINTS[view.hint_at(now)]
    return found


def with_review(status: Status) -> Status:
    """Return the status of a match that is over, with the button that shows its moves again."""
    return replace(
        status,
        says=(*status.says, say("To go through the moves again, press “hint”.")),
        buttons={**status.buttons, "hint": say("go through the moves again")},
    )


def _last(view: SessionView) -> Message:
    """Return what a takeback removes from the record: the last move, and the claims since."""
    last = view.record[-1]
    if last.open:
        return say("the last move")
    if last.texts == (PASS_TEXT,):
        return say("the lost turn")
    texts: list[str] = []
    for entry in reversed(view.record):
        texts.insert(0, "?" if entry.open else entry.texts[0])
        if entry.kind == "move":
            break
    return say(", ".join(texts))
