"""A lesson while it is played: what the session at the board has come to, and what is told of it.

Everything follows from the session: a move that is revised or taken back changes what is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from typing import Final

from engine.game import Place
from engine.match import AnyGame, Match
from engine.reading.fewest_moves import Movement
from engine.reading.mismatch import difference
from engine.reading.verdict import Astray, Still, Underway
from firmware_host.i18n.messages import Message, say
from firmware_host.lessons.lesson import Lesson
from firmware_host.lessons.reasons import reason_against
from firmware_host.lights.signals import Light, Pattern, Signal
from firmware_host.players.names import called
from firmware_host.session.session import Session
from firmware_host.session.view import SessionView
from firmware_host.text.announcements import mending_message
from firmware_host.text.begun_words import unmovable_message
from firmware_host.text.moves import noted, words_of
from firmware_host.text.status import LessonNow, Status
from firmware_host.text.storage_status import StorageStatus

ADVICE: Final = Light(Signal.TEAL, Pattern.BREATHE)


class Stage(Enum):
    """How far a lesson has come."""

    TASK = "task"
    """The learner is to move."""
    REPLY = "reply"
    """So far it is right; the other side is to move."""
    WRONG = "wrong"
    """What was played misses the goal."""
    DONE = "done"


@dataclass(frozen=True, slots=True)
class _Come:
    """How far the moves of a match have come in its lesson."""

    stage: Stage
    wrong: Match | None = None
    """The match after the move that was wrong."""
    why: Message | None = None
    """Why that move is wrong."""
    reply: Match | None = None
    """The match after a move that the other side may make."""


class LessonRun:
    """A lesson at a session."""

    def __init__(self, lesson: Lesson, session: Session, number: int, count: int) -> None:
        """It is the lesson of that `number`, from 1, of so many of its game."""
        self.lesson = lesson
        self._session = session
        self._number = number
        self._count = count
        self._known: tuple[Match | None, _Come] = (None, _Come(Stage.TASK))
        self._last_wrong = _Come(Stage.TASK)

    @property
    def _view(self) -> SessionView:
        return self._session.view

    @property
    def stage(self) -> Stage:
        """How far it has come; while it is asked what was played, nobody knows yet."""
        if self._view.question.current is not None:
            return Stage.TASK
        return self._come().stage

    def _come(self) -> _Come:
        match = self._view.match
        if match is not self._known[0]:
            self._known = (match, _judged(self.lesson, match))
            if self._known[1].wrong is not None:
                self._last_wrong = self._known[1]
        return self._known[1]

    @property
    def is_at_an_end(self) -> bool:
        """Whether the button `yes` goes on: to the next lesson, or begins this one again."""
        return self.stage is Stage.DONE or self._view.may_start_another

    @property
    def goes_on_after_a_wrong_move(self) -> bool:
        """Whether a wrong move stands, and hands do something else than to take it back."""
        right = self._view.repair
        busy = right.guiding or right.refusal is not None
        still = not (self._view.thinking or right.settling)
        return busy and still and self.stage is Stage.WRONG

    @property
    def made_already(self) -> str:
        """The move that stands on the board since a wrong one was put back: it was made before
        that. Empty if there is none.
        """
        view = self._view
        if not (self._undoes_wrong_move and isinstance(view.verdict, Underway | Astray)):
            return ""
        line, levels = view.shown[0], view.levels
        stands = {place: reading for place, reading in levels.items() if reading}
        made = [
            step.match.text
            for ply in line.possible.leaving(difference(line, levels))
            if not ply.swaps and (step := line.step(ply.move, ply)).expected == stands
        ]
        return made[0] if len(made) == 1 else ""

    @property
    def _undoes_wrong_move(self) -> bool:
        """Whether hands are guided to before the last move that was wrong."""
        wrong = self._last_wrong.wrong
        before = wrong.before if wrong is not None else None
        guided = self._view.repair.guiding and not self._view.repair.settling
        return guided and before is not None and self._view.match.position == before.position

    @property
    def _is_quiet(self) -> bool:
        """Whether the session has nothing to say that must come first."""
        right, questions = self._view.repair, self._view.question
        asked = questions.current is not None
        busy = right.settling or right.guiding or right.refusal is not None or asked
        return not (busy or self._view.unplaced)

    # ---- what is lit

    def lit(self, lights: Mapping[Place, Light]) -> dict[Place, Light]:
        """Return what the session lights as it is in the lesson: of a way back only what belongs to
        the wrong move, and what glows beside.
        """
        back = self._way_back()
        plan = self._view.repair.plan if back else ()
        later = {place for step in plan if step not in back for place in (step.start, step.end)}
        return {place: each for place, each in lights.items() if place not in later} | self._glows()

    def _glows(self) -> dict[Place, Light]:
        """Return what glows beside what the session lights: what may be lifted, or the move of the
        other side, until somebody lifts something.
        """
        if not (self._is_quiet and isinstance(self._view.verdict, Still)):
            return {}
        come, match = self._come(), self._view.match
        if come.stage is Stage.TASK and match.before is None and self.lesson.lift:
            return {self.lesson.lift: ADVICE}
        return {} if come.reply is None else _way(come.reply)

    # ---- what is told

    def tell(self, status: Status, after: str, keeping: StorageStatus) -> Status:
        """Return a status as it is in the lesson; `after` is the name of the next one, `keeping`
        what is to be told of the files.
        """
        reply = self._come().reply
        buttons = {name: does for name, does in status.buttons.items() if name != "hint"}
        if self.is_at_an_end:
            done = self.stage is Stage.DONE
            buttons["yes"] = say("on to the next") if done else say("try it again")
        return replace(
            status,
            says=tuple(self._says(status, keeping)),
            buttons=buttons,
            claims={},
            lights=self.lit(status.lights),
            lesson=LessonNow(
                name=self.lesson.name,
                title=say(self.lesson.title),
                tell=say(self.lesson.tell),
                number=self._number,
                count=self._count,
                stage=self.stage.value,
                reply=reply.text if reply and self.stage is Stage.REPLY else "",
                after=after,
            ),
        )

    def _says(self, status: Status, keeping: StorageStatus) -> Iterator[Message]:
        if self._is_quiet:
            yield from keeping.faults
            yield from self._view.faults
            yield from self._judges()
            yield from keeping.notices
        elif back := self._way_back():
            yield from status.faults
            if self._last_wrong.why is not None:
                yield self._last_wrong.why
            yield _put_back_message(self._view.game, back[0])
            yield from (mending_message(self._view.game, step) for step in back[1:])
            yield say(self.lesson.tell)
        else:
            yield from status.says
            yield say(self.lesson.tell)

    def _way_back(self) -> list[Movement]:
        """Return the movements that take a wrong move back, its own piece first, if that was taken
        off the record and the piece is not back yet. What else hands have moved may be right.
        """
        view, wrong = self._view, self._last_wrong.wrong
        if not self._undoes_wrong_move or wrong is None or wrong.before is None:
            return []
        changes = view.game.changes(wrong.before.position, wrong.move)
        own = {piece for piece in changes.values() if piece is not None}
        steps = [e for e in view.repair.plan if {e.start, e.end} & changes.keys()]
        first = [e for e in steps if e.piece in own and changes.get(e.end or "", e.piece) is None]
        return first[:1] + [step for step in steps if step not in first[:1]] if first else []

    def _judges(self) -> Iterator[Message]:
        """Say what is to be done, or of what was done whether it was that."""
        come, task = self._come(), say(self.lesson.tell)
        match come.stage:
            case Stage.DONE:
                yield from self._praise()
            case Stage.WRONG:
                if come.why is not None:
                    yield come.why
                yield say("Put it back, or press “Take back”, and try again.")
                yield task
            case Stage.REPLY:
                assert come.reply is not None
                yield say("Good! Now make your opponent's move:")
                yield noted(words_of(come.reply), come.reply.text)
            case Stage.TASK:
                who = partial(called, self._view.game, ())
                if (lone := unmovable_message(self._view, who)) is not None:
                    yield lone
                yield task

    def _praise(self) -> Iterator[Message]:
        outcome = self._view.outcome
        if outcome is None:
            yield say("Well done!")
        else:
            why = say(self.lesson.game.endings.get(outcome.reason, outcome.reason))
            yield say("Well done! You win: {why}", why=why)
        if self._number < self._count:
            yield say("Press “yes” for the next lesson.")
        else:
            yield say(
                "That was the last lesson of this game. Press “yes” to go back to your match."
            )


def _put_back_message(game: AnyGame, step: Movement) -> Message:
    """Return that a piece goes back before anything else."""
    assert step.piece is not None
    man = say(game.kinds[step.piece.kind])
    return say("First put the {piece} back on {place}.", piece=man, place=step.end or "")


def _judged(lesson: Lesson, match: Match) -> _Come:
    """Return how far the moves of a match have come: who has done it has, whatever follows."""
    own = 0
    for step in match.line():
        if step.seat != lesson.seat or step.before is None:
            continue
        own += 1
        if lesson.is_done_by(step.before.position, step.move, step.position):
            return _Come(Stage.DONE)
        if own == lesson.moves or not lesson.leads_on(step.text):
            return _Come(Stage.WRONG, step, _why_wrong(lesson, step, own))
    if own == 0 or match.turn == lesson.seat:
        return _Come(Stage.TASK)
    reply = min(match.legal, key=lambda move: match.game.move_text(match.position, move))
    return _Come(Stage.REPLY, reply=match.play(reply))


def _why_wrong(lesson: Lesson, step: Match, own: int) -> Message:
    """Return why the learner's move of that number is wrong, as the lesson says or the engine."""
    assert step.before is not None
    if own == 1 and (told := lesson.why_wrong(step.text)):
        return say(told)
    game, position = lesson.game, step.before.position
    if own == 1:
        right = [game.parse_move(position, text) for text in lesson.right]
    else:
        right = list(lesson.solutions(position, lesson.moves - own + 1))
    return reason_against(game, position, step.move, right)


def _way(reply: Match) -> dict[Place, Light]:
    """Return the lights of a move that hands are to make: from where, what is taken, to where."""
    game, before = reply.game, reply.before
    assert before is not None
    standing = game.pieces(before.position)
    lights = {}
    for place, piece in game.changes(before.position, reply.move).items():
        man = standing.get(place)
        if piece is None or (man is not None and man.count > piece.count):
            lights[place] = Light(Signal.WHITE, Pattern.FROM)
        elif man is None or man.count < piece.count:
            lights[place] = Light(Signal.BLUE, Pattern.TO)
        else:
            lights[place] = Light(Signal.RED, Pattern.TO)
    return lights
