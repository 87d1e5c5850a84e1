"""A lesson in play: its stage, its lights and its sentences.

All of them follow from the session, so a move that is revised or taken back changes them, too.
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
from firmware_host.lessons.defence import best_defence, refutation
from firmware_host.lessons.goals import LessonMove
from firmware_host.lessons.lesson import Course, Lesson
from firmware_host.lessons.reasons import reason_against, reason_by_goal, reason_for
from firmware_host.lights.advice import NOTHING, Advice
from firmware_host.lights.signals import Light, Pattern, Signal
from firmware_host.players.names import called
from firmware_host.session.session import Session
from firmware_host.session.view import SessionView
from firmware_host.text.announcements import movement_message
from firmware_host.text.hand_progress import unmovable_message
from firmware_host.text.move_hints import arrow, move_hint, piece_hint
from firmware_host.text.moves import with_notation, words_of
from firmware_host.text.status import LessonNow, Status
from firmware_host.text.storage_status import StorageStatus

ADVICE: Final = Light(Signal.TEAL, Pattern.BREATHE)


class Stage(Enum):
    """The stage of a lesson."""

    TASK = "task"
    """The learner is to move."""
    REPLY = "reply"
    """The move was right; the opponent is to move."""
    WRONG = "wrong"
    """The move misses the goal."""
    DONE = "done"


@dataclass(frozen=True, slots=True)
class _Progress:
    """The progress of a match in its lesson."""

    stage: Stage
    wrong: Match | None = None
    """The match after the wrong move."""
    why: Message | None = None
    """Why that move is wrong."""
    reply: Match | None = None
    """The match after a possible reply of the opponent."""


class LessonRun:
    """A lesson at a session."""

    def __init__(self, lesson: Lesson, session: Session, number: int, count: int) -> None:
        """`number`, from 1, is that of the lesson in its game, which has `count` lessons."""
        self.lesson = lesson
        self._session = session
        self._number = number
        self._count = count
        self._known: tuple[Match | None, _Progress] = (None, _Progress(Stage.TASK))
        self._last_wrong = _Progress(Stage.TASK)
        self.hinted = False
        """Whether the learner has asked for a hint."""
        self.missed = False
        """Whether a wrong move of the learner has stood on the board."""
        self._hint: tuple[Match | None, int, Advice] = (None, 0, NOTHING)

    @property
    def _view(self) -> SessionView:
        return self._session.view

    @property
    def stage(self) -> Stage:
        """The stage; while a question is open, it is not known and stays at the task."""
        if self._view.question.current is not None:
            return Stage.TASK
        return self._progress().stage

    def _progress(self) -> _Progress:
        match = self._view.match
        if match is not self._known[0]:
            self._known = (match, _judged(self.lesson, match))
            if self._known[1].wrong is not None:
                self._last_wrong = self._known[1]
        return self._known[1]

    @property
    def misses(self) -> bool:
        """Whether a wrong move of the learner stands on the board now."""
        wrong = self._progress().wrong if self.stage is Stage.WRONG else None
        return wrong is not None and wrong.seat == self.lesson.seat

    @property
    def is_over(self) -> bool:
        """Whether the button `yes` starts the next lesson, or this one again."""
        return self.stage is Stage.DONE or self._view.may_start_another

    @property
    def goes_on_after_a_wrong_move(self) -> bool:
        """Whether hands play on after a wrong move instead of taking it back."""
        right = self._view.repair
        busy = right.guiding or right.refusal is not None
        still = not (self._view.thinking or right.settling)
        return busy and still and self.stage is Stage.WRONG

    @property
    def made_already(self) -> str:
        """A move that was made before the wrong one was put back, and stands on the board now;
        empty if there is none. The wrong one itself may still stand after it was taken back.
        """
        view, wrong = self._view, self._last_wrong.wrong
        undoes = self._undoes_wrong_move and isinstance(view.verdict, Underway | Astray)
        if wrong is None or not undoes:
            return ""
        line, levels = view.shown[0], view.levels
        stands = {place: reading for place, reading in levels.items() if reading}
        made = [
            step.match.text
            for ply in line.possible.leaving(difference(line, levels))
            if not ply.swaps and (step := line.step(ply.move, ply)).expected == stands
            if step.match.text != wrong.text
        ]
        return made[0] if len(made) == 1 else ""

    @property
    def _undoes_wrong_move(self) -> bool:
        """Whether the repair plan takes back the last wrong move."""
        wrong = self._last_wrong.wrong
        before = wrong.before if wrong is not None else None
        guided = self._view.repair.guiding and not self._view.repair.settling
        return guided and before is not None and self._view.match.position == before.position

    @property
    def _is_quiet(self) -> bool:
        """Whether the session has nothing more urgent to say."""
        right, questions = self._view.repair, self._view.question
        asked = questions.current is not None
        busy = right.settling or right.guiding or right.refusal is not None or asked
        return not (busy or self._view.unplaced)

    # ---- hints

    def hint(self, step: int) -> Advice:
        """Return a hint: with step 1 the piece to move, with 2 the move, with 3 also why."""
        if step == 0 or self.stage is not Stage.TASK or not self._is_quiet:
            return NOTHING
        self.hinted = True
        match = self._view.match
        if self._hint[:2] != (match, step):
            self._hint = (match, step, self._advised(match, step))
        return self._hint[2]

    def _advised(self, match: Match, step: int) -> Advice:
        game, position = match.game, match.position
        if match.before is None:
            right = [game.parse_move(position, text) for text in self.lesson.right]
            lift = self.lesson.lift
            lifted = [each for each in right if lift in game.changes(position, each)]
            move = (lifted or right)[0]
        else:  # after the reply
            move = next(self.lesson.solutions(position, self._moves_left(match)))
        starts, ends = arrow(self._view.shown[0], move, game.pieces(position))
        piece = game.pieces(position).get(starts[0]) if starts else None
        if step == 1 and piece is not None:
            return Advice(hint=(starts, ()), says=(piece_hint(game, starts, piece),))
        says = [move_hint(game, position, move)]
        if step > 2:
            says.append(reason_for(game, position, move))
        return Advice(hint=(starts, ends), says=tuple(says))

    def _moves_left(self, match: Match) -> int:
        """Return in how many more moves of the learner the goal can be reached."""
        return self.lesson.moves - sum(step.seat == self.lesson.seat for step in match.steps())

    # ---- lights

    def lit(self, lights: Mapping[Place, Light]) -> dict[Place, Light]:
        """Return the lights of the session with those of the lesson.

        Of the repair plan for a wrong move, only the movements of that move are lit.
        """
        back = self._way_back()
        plan = self._view.repair.plan if back else ()
        later = {place for step in plan if step not in back for place in (step.start, step.end)}
        lift = lights.get(self.lesson.lift)
        glows = self._glows(hinted=lift is not None and lift.signal is Signal.TEAL)
        return {place: each for place, each in lights.items() if place not in later} | glows

    def _glows(self, hinted: bool) -> dict[Place, Light]:
        """Return the piece to lift, unless a hint shows it, or the opponent's move, until somebody
        lifts a piece.
        """
        if not (self._is_quiet and isinstance(self._view.verdict, Still)):
            return {}
        progress, match = self._progress(), self._view.match
        if progress.stage is Stage.TASK and match.before is None and self.lesson.lift:
            return {} if hinted else {self.lesson.lift: ADVICE}
        return {} if progress.reply is None else _way(progress.reply)

    # ---- sentences

    def shown_status(
        self, status: Status, after: str, storage: StorageStatus, hint: Advice
    ) -> Status:
        """Return a status of the lesson; `after` is the name of the next one, `storage` the storage
        status.
        """
        reply = self._progress().reply
        may_ask = self.stage is Stage.TASK and self._is_quiet
        buttons = {n: does for n, does in status.buttons.items() if n != "hint" or may_ask}
        if self.is_over:
            done = self.stage is Stage.DONE
            buttons["yes"] = say("on to the next") if done else say("try it again")
        says = tuple(self._says(status, storage, hint))
        told = self._is_quiet or bool(self._way_back())
        return replace(
            status,
            turn_line=self._turn_line(status),
            says=says,
            next_step=says[:2] if told else status.next_step,
            buttons=buttons,
            claims={},
            lights=self.lit(status.lights),
            lesson=LessonNow(
                name=self.lesson.name,
                title=say(self.lesson.title),
                task=say(self.lesson.task),
                number=self._number,
                count=self._count,
                course=self.lesson.course.value,
                seat=self.lesson.seat,
                stage=self.stage.value,
                reply=reply.text if reply and self.stage is Stage.REPLY else "",
                after=after,
            ),
        )

    def _turn_line(self, status: Status) -> Message:
        """Return whose turn it is, or that the lesson is over or its move wrong: then nobody is to
        move on.
        """
        if self._is_quiet and self.stage is Stage.DONE:
            return say("Solved")
        if self._is_quiet and self.misses:
            return say("Try again")
        return status.turn_line

    def _says(self, status: Status, storage: StorageStatus, hint: Advice) -> Iterator[Message]:
        if self._is_quiet:
            yield from storage.faults
            yield from self._view.faults
            yield from hint.says
            yield from self._judges()
            yield from storage.notices
        elif back := self._way_back():
            yield from status.faults
            if self._last_wrong.why is not None:
                yield self._last_wrong.why
            yield _put_back_message(self._view.game, back[0])
            yield from (movement_message(self._view.game, step) for step in back[1:])
            yield say(self.lesson.task)
        else:
            yield from status.says
            yield say(self.lesson.task)

    def _way_back(self) -> list[Movement]:
        """Return the movements that take a wrong move back, its own piece first.

        There are none once that piece is back. Other pieces that hands have moved may be right.
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
        """Yield the task, or a judgement of the move."""
        progress, task = self._progress(), say(self.lesson.task)
        match progress.stage:
            case Stage.DONE:
                yield from self._praise()
            case Stage.WRONG:
                if progress.why is not None:
                    yield progress.why
                yield say("Put it back, or press “Take back”, and try again.")
                yield task
            case Stage.REPLY:
                assert progress.reply is not None
                yield say("Good! Now make your opponent's move:")
                yield with_notation(words_of(progress.reply), progress.reply.text)
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
        if self.lesson.course is not Course.LESSONS:
            if self.hinted or self.missed:
                yield say("This one comes back tomorrow.")
            yield say("Press “yes” for the next one.")
            return
        if self.hinted:
            yield say("You had a hint. Start again to solve it alone.")
        if self._number < self._count:
            yield say("Press “yes” for the next lesson.")
        else:
            yield say(
                "That was the last lesson of this game. Press “yes” to go back to your match."
            )


def _put_back_message(game: AnyGame, step: Movement) -> Message:
    """Return that a piece goes back first."""
    assert step.piece is not None
    piece = say(game.kinds[step.piece.kind])
    return say("First put the {piece} back on {place}.", piece=piece, place=step.end or "")


def _judged(lesson: Lesson, match: Match) -> _Progress:
    """Return the progress of a match; a goal that is reached once stays reached."""
    own = 0
    for step in match.steps():
        if step.before is None:
            continue
        if step.seat != lesson.seat:
            if (why := _why_weak(lesson, step)) is not None:
                return _Progress(Stage.WRONG, step, why)
            continue
        own += 1
        if lesson.is_done_by(step.before.position, step.move, step.position):
            return _Progress(Stage.DONE)
        left = lesson.moves - own + 1
        if left == 1 or not lesson.leads_on(step.before.position, step.move, left):
            return _Progress(Stage.WRONG, step, _why_wrong(lesson, step, left))
    if own == 0 or match.turn == lesson.seat:
        return _Progress(Stage.TASK)
    reply = best_defence(lesson, match.position)
    return _Progress(Stage.REPLY, reply=match.play(reply))


def _why_weak(lesson: Lesson, reply: Match) -> Message | None:
    """Return that the opponent replies otherwise, where only the best defence is known."""
    if lesson.play is None:
        return None
    assert reply.before is not None
    best = best_defence(lesson, reply.before.position)
    if reply.move == best:
        return None
    return say("Here your opponent plays: {move}.", move=words_of(reply.before.play(best)))


def _why_wrong(lesson: Lesson, step: Match, left: int) -> Message:
    """Return why the learner's move is wrong, from the lesson or the engine. `left` is the number
    of moves in which the goal can be reached, this one included.
    """
    assert step.before is not None
    if left == lesson.moves and (told := lesson.why_wrong(step.text)):
        return say(told)
    game, position = lesson.game, step.before.position
    played = LessonMove(game, lesson.position, position, step.move, step.position)
    if (told_by_goal := reason_by_goal(lesson.goal, played)) is not None:
        return told_by_goal
    if lesson.play is not None and step.move in lesson.play.wins(game, position):
        return say("That wins, too, but it takes longer. Find a faster way.")
    if left == lesson.moves:
        right = [game.parse_move(position, text) for text in lesson.right]
        reply = refutation(lesson, step.position)
    else:
        reply = None
        right = list(lesson.solutions(position, left))
    otherwise = None
    if reply is not None:
        words = words_of(step.play(reply))
        otherwise = say("Then your opponent can stop you: {move}.", move=words)
    why = reason_against(game, position, step.move, right, otherwise)
    if lesson.course is Course.ENDGAMES:
        return say("Here the win slips away. {why}", why=why)
    return why


def _way(reply: Match) -> dict[Place, Light]:
    """Return the lights of the opponent's move: from where, what is taken, to where."""
    game, before = reply.game, reply.before
    assert before is not None
    standing = game.pieces(before.position)
    lights = {}
    for place, piece in game.changes(before.position, reply.move).items():
        old = standing.get(place)
        if piece is None or (old is not None and old.count > piece.count):
            lights[place] = Light(Signal.WHITE, Pattern.FROM)
        elif old is None or old.count < piece.count:
            lights[place] = Light(Signal.BLUE, Pattern.TO)
        else:
            lights[place] = Light(Signal.RED, Pattern.TO)
    return lights
