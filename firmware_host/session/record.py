"""The record of a match, and the notes of its changes.

The record is what all possible histories agree on. Where they differ, an entry has several texts:
an open question.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile, zip_longest
from typing import Any, TypeAlias

from engine.game import Claim, Pass, Seat, Throw
from engine.match import Match
from engine.reading.history import History

PASS_TEXT = "--"
NOTHING = ""
"""The text of an entry where perhaps no move was made."""
CACHED_ENTRIES = 512


@dataclass(frozen=True, slots=True)
class RecordEntry:
    """A move, throw or claim of the record."""

    kind: str
    """`move`, `throw` or `claim`."""
    seat: Seat
    texts: tuple[str, ...]
    """One text, or all candidates of an open question."""
    steps: tuple[Match, ...] = field(default=(), compare=False, repr=False)
    """By text, except NOTHING: a match that ends with that move."""

    @property
    def open(self) -> bool:
        """Whether people are still asked about it."""
        return len(self.texts) > 1

    @property
    def may_be_nothing(self) -> bool:
        """Whether perhaps no move was made."""
        return self.open and NOTHING in self.texts

    @property
    def candidates(self) -> tuple[str, ...]:
        """The moves it may have been."""
        return tuple(text for text in self.texts if text != NOTHING)

    def plain(self) -> list[str | int]:
        """Return it as JSON values."""
        return [self.kind, self.seat, *self.texts]


Record: TypeAlias = tuple[RecordEntry, ...]


def throw_text(throw: Throw) -> str:
    """Return a throw as text: `3`, or `2+5`."""
    return "+".join(str(die) for die in throw.dice)


@lru_cache(CACHED_ENTRIES)
def entry_of(match: Match) -> RecordEntry:
    """Return the entry of the move that led to `match`."""
    if isinstance(match.move, Throw):
        return RecordEntry("throw", match.seat, (throw_text(match.move),), (match,))
    if isinstance(match.move, Claim):
        return RecordEntry("claim", match.move.seat, (match.move.text,), (match,))
    text = PASS_TEXT if isinstance(match.move, Pass) else match.text
    return RecordEntry("move", match.seat, (text,), (match,))


def aligned(histories: Sequence[History]) -> list[tuple[History | None, ...]]:
    """Return the steps of the histories side by side, a row for each entry; None where a history
    has none.

    Histories may explain the same events by fewer or more moves. They are in step again wherever
    they leave the same on the cells, after at least one move in each.
    """
    chains = [history.steps() for history in histories]
    alike = takewhile(lambda row: len(set(row)) == 1, zip(*chains, strict=False))
    rows: list[tuple[History | None, ...]] = list(alike)
    rest = [chain[len(rows) :] for chain in chains]
    while (met := _first_meeting(rest)) is not None:
        rows += zip_longest(*(chain[:n] for chain, n in zip(rest, met, strict=True)))
        rest = [chain[n:] for chain, n in zip(rest, met, strict=True)]
    rows += zip_longest(*rest)
    return rows


def _first_meeting(chains: Sequence[Sequence[History]]) -> list[int] | None:
    """Return the number of steps in each chain after which all first leave the same on the cells;
    None if they never do.
    """
    come = [{step.cells_left: n for n, step in reversed([*enumerate(c, 1)])} for c in chains]
    met = [[c[left] for c in come] for left in come[0] if all(left in c for c in come)]
    return min(met, key=sum, default=None)


def agreed(histories: Sequence[History]) -> Record:
    """Return what the histories agree on; where they differ, all their texts, with NOTHING where
    some have no such move.
    """
    return tuple(map(_agreed, aligned(histories)))


def _agreed(row: Sequence[History | None]) -> RecordEntry:
    steps = dict.fromkeys(row)
    found = [entry_of(step.match) for step in steps if step is not None]
    if len(steps) == 1:
        return found[0]
    led_to = {entry.texts[0]: entry.steps[0] for entry in reversed(found)}
    texts = tuple(dict.fromkeys([entry.texts[0] for entry in found]))
    matches = tuple(led_to[text] for text in texts)
    if None in steps:
        texts = (*texts, NOTHING)
    return RecordEntry(found[0].kind, found[0].seat, texts, matches)


def changes(old: Record, new: Record, provisional: int, back: int) -> Iterator[dict[str, Any]]:
    """Yield what to report when the record changes from `old` to `new`, event by event.

    `provisional` is the number of old moves at the end that were provisional, `back` the number of
    plies that the reader says were taken back.
    """
    same = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(old, new, strict=False)))
    before = [entry for entry in old[same:] if entry.kind == "move"]
    after = [entry for entry in new[same:] if entry.kind == "move"]
    gone = before[len(after) :]
    if gone and after == before[: len(after)] and (len(gone) > provisional or back):
        yield {"event": "takeback", "plies": len(gone)}
        return
    for number, entry in enumerate(after):
        was = before[number] if number < len(before) else None
        if entry == was:
            continue
        if entry.open:
            yield {"event": "ask", "seat": entry.seat, "moves": list(entry.candidates)}
            continue
        answers = was is not None and was.open and entry.texts[0] in was.texts
        event = "move" if was is None else "answer" if answers else "revise"
        yield {"event": event, "seat": entry.seat, "move": entry.texts[0]}
    for entry in reversed(gone):
        yield {"event": "retract", "seat": entry.seat, "move": entry.texts[0]}
