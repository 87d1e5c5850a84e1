"""Advice for people: the best move, the grades of a lifted piece's moves, and reasons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.game import CHANCE, Pass, Place, Throw
from engine.match import Match
from engine.reading.verdict import Underway
from firmware_host.i18n.messages import Message, say
from firmware_host.lights.advice import NOTHING, Advice
from firmware_host.lights.scene import pieces_in_hand
from firmware_host.lights.threats import ALL_DANGERS
from firmware_host.opponents.analysis import AnalysisClient
from firmware_host.opponents.protocol import Analysis, RatedMove
from firmware_host.players.help_levels import FINE_AT
from firmware_host.session.view import SessionView
from firmware_host.text.move_hints import arrow, move_hint, piece_hint
from firmware_host.text.moves import move_message, with_notation
from firmware_host.text.outcomes import outcome_messages, perfect_message
from firmware_host.text.reasons import why_message

MOST_FORESEEN: Final = 3
"""At most this many moves after the one of a hint are said."""
MOST_REASONS: Final = 3
"""At most this many moves of a lifted piece have a reason why they are bad."""


@dataclass(slots=True)
class _Known:
    """The advice for one position of a match."""

    here: object = None
    analysis: Analysis | None = None
    hinted: RatedMove | None = None
    """The move of the last hint."""
    graded: set[Place] = field(default_factory=set)
    """The places of the pieces whose moves were graded."""


class Hints:
    """The advice for the people at one board."""

    def __init__(self, state: str) -> None:
        """`state` is a directory that may have tables of solved games."""
        self._state = state
        self._known = _Known()

    def begin(self) -> None:
        """Start with another match."""
        self._known = _Known()

    def advice(
        self, client: AnalysisClient, view: SessionView, limit: int, now: float
    ) -> Advice | None:
        """Return the advice for the seat to act; None if it needs none.

        `limit` is the most pieces a turn whose moves are graded; 0 for all pieces.
        """
        seat, match = view.acting, view.match
        step, graded = view.hint_at(now), view.assist[seat] >= ALL_DANGERS
        if match.turn == CHANCE or view.repair.guiding or not (step or graded):
            return None
        here = match.plies, match.position
        if self._known.here != here:
            self._known = _Known(here)
        known = self._known
        lifted = self._lifted(view, limit) if graded else ()
        fine = FINE_AT[view.assist[seat]]
        about = here, lifted, fine
        asked = client.ask(about, match, now, lifted=lifted, state=self._state, fine=fine)
        if asked.answer is not None and not lifted:
            known.analysis = asked.answer
        if asked.failed:
            return Advice(says=() if client.fault is None else (client.fault,))
        answer = asked.answer or known.analysis
        if answer is None:
            return Advice(says=(say("Thinking …"),)) if step else NOTHING
        rated = [each for each in answer.moves if each.move in lifted]
        reasons = tuple(_reasons(match, rated, answer.moves[0].plies))
        hint, says = self._hint(view, known.analysis or answer, step)
        return Advice({each.move: each.grade for each in rated}, hint, says=says + reasons)

    def _lifted(self, view: SessionView, limit: int) -> tuple[str, ...]:
        """Return the moves of the piece in hand that are to be graded."""
        match, (line, places, moves) = view.match, pieces_in_hand(view)
        if not moves or line.match.position != match.position:
            return ()
        graded = self._known.graded
        if limit and len(graded) >= limit and not places <= graded:
            return ()
        graded |= places
        return tuple(sorted(match.game.move_text(match.position, each.move) for each in moves))

    def _hint(
        self, view: SessionView, answer: Analysis, step: int
    ) -> tuple[tuple[tuple[Place, ...], tuple[Place, ...]], tuple[Message, ...]]:
        """Return the lights and the sentences of the best move; each step shows more of it."""
        nothing: tuple[Place, ...] = ()
        if not step or isinstance(view.verdict, Underway) or not answer.moves:
            return (nothing, nothing), ()
        best = self._steady(answer.moves[0], step)
        game, position = view.match.game, view.match.position
        move = game.parse_move(position, best.move)
        if isinstance(move, Pass | Throw):
            return (nothing, nothing), ()
        starts, ends = arrow(view.shown[0], move, game.pieces(position))
        piece = game.pieces(position).get(starts[0]) if starts else None
        came = game.pieces(game.play(position, move)).get(ends[0]) if ends else None
        if step == 1 and piece is not None:
            return (starts, nothing), (piece_hint(game, starts, piece),)
        if step == 1 and came is not None:
            return (nothing, nothing), (piece_hint(game, (), came),)
        says = [*_why(view.match, best)] if step > 2 else []  # the news come first
        says.append(move_hint(game, position, move))
        if best.plies is not None:
            says += outcome_messages({best.move: best.plies}, best.plies)
        if step > 2 and best.plies is None and answer.perfect is not None:
            says.append(perfect_message(answer.perfect))
        return (starts, ends), tuple(says)

    def _steady(self, best: RatedMove, step: int) -> RatedMove:
        """Return the move of a hint. All steps of a hint are about one move, even if the search has
        found a better one since.
        """
        hinted = self._known.hinted
        if step > 1 and hinted is not None and hinted.move != best.move:
            best = hinted
        self._known.hinted = best
        return best


def _why(match: Match, best: RatedMove) -> Iterator[Message]:
    """Yield why a move is the best one, or how the game may go on after it."""
    if best.why is not None:
        yield why_message(match.game, best.why, best.plies is not None)
    if best.why is not None and best.why.code != "wins-by-force":
        return
    if len(best.line) > 1:
        yield _continuation(match, best.line)
    elif best.why is None and best.plies is None:
        yield say("No other move looks better.")


def _continuation(match: Match, line: Sequence[str]) -> Message:
    """Return how the game may go on after the first move of a line, in words."""
    game, position = match.game, match.position
    said = []
    for number, text in enumerate(line[: MOST_FORESEEN + 1]):
        move = game.parse_move(position, text)
        after = game.play(position, move)
        if number:
            said.append(with_notation(move_message(game, position, move, after), text))
        position = after
    return say("The game may continue: {moves}", moves=tuple(said))


def _reasons(match: Match, rated: Sequence[RatedMove], best: int | None) -> Iterator[Message]:
    """Yield how moves of the lifted piece end for certain, and why some of them are bad.

    `best` is the number of plies in which the best move of all wins or loses, if it is known.
    """
    yield from outcome_messages(
        {each.move: each.plies for each in rated if each.plies is not None}, best
    )
    bad = [
        (each.move, each.why)
        for each in rated
        if each.why is not None
        and each.grade in ("doubtful", "losing")
        # the sentences above say already that a move loses
        and (each.plies is None or each.why.code != "loses-by-force")
    ]
    for move, reason in bad[:MOST_REASONS]:
        yield say("{move}: {why}", move=move, why=why_message(match.game, reason))
