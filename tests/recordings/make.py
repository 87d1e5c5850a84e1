"""Make the recorded matches: `python tests/recordings/make.py [NAME …]`.

Simulated hands play. Beside each recording, a JSON file says what must be read: the moves that the
hands played. Only the lit places that hands press depend on what a session reads.

Made again, two of five recordings differ from those that are kept: the hands draw other random
numbers now, for the times and the ways of their gestures. What is kept must be read as it is.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from engine.game import CHANCE, Pass, Throw
from engine.games import make
from firmware_host.cli import replay
from firmware_host.session.session import Session
from firmware_host.simulation.gesture_plan import AnyGame
from firmware_host.simulation.people import STYLES
from firmware_host.simulation.styles import Style
from firmware_host.storage import recording
from tests.support.recorded import Line, write_recording
from tests.support.simulated_match import SimulatedMatch

HERE = Path(__file__).parent
TRAYS = {"robot-duel": "hand", "shogi": "hand", "robotory": "stock pool", "abalone": "out"}

PARKS = replace(STYLES["plain"], name="parks", away={"aside": 1.0}, on_board=1.0)
SWAPS = replace(STYLES["plain"], name="swaps", swap=1.0, swap_gap=(0.005, 0.08), wobble=0.3)
WAVERS = replace(STYLES["plain"], name="wavers", rest=0.6, hover=0.4, lift_return=0.4, adjust=0.4)


@dataclass
class Made:
    """A simulated match, and what must be read of it beside its moves."""

    match: SimulatedMatch
    about: str
    open: Sequence[str] = ()
    """The candidates of questions that stay open."""
    refused: Sequence[str] = ()
    faults: Sequence[str] = ()
    lines: Callable[[list[Line]], list[Line]] = field(default=lambda lines: lines)
    """Changes what the sensors report."""

    def write(self, name: str) -> None:
        """Write the recording and its JSON file."""
        match = self.match
        recorded = match.recorded()
        write_recording(HERE / f"{name}.jsonl", recorded.header, self.lines(list(recorded.lines)))
        game = match.game
        must: dict[str, Any] = {
            "about": self.about,
            "moves": list(recorded.moves),
            "position": game.position_text(match.position),
            "faults": list(self.faults),
        }
        if self.open:
            must["open"] = list(self.open)
        if self.refused:  # without it, hands on their way may be refused for any reason
            must["refused"] = list(self.refused)
        rows = (f"  {json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in must.items())
        (HERE / f"{name}.json").write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")


# ---- what hands do


def begin(
    name: str,
    sensing: str = "presence",
    seed: int = 0,
    styles: Sequence[str | Style] = ("plain",),
    position: str | None = None,
    unsensed: str = "",
) -> SimulatedMatch:
    """Return a simulated match at its start."""
    game: AnyGame = make(name)
    start = None if position is None else game.parse_position(position)
    return SimulatedMatch(game, Random(f"{name} {seed}"), sensing, styles, unsensed.split(), start)


def play(match: SimulatedMatch, plies: int, wait: float | None = None, answer: bool = True) -> None:
    """Play `plies` random plies; with `answer`, name each move afterwards in case it is asked."""
    game, rng = match.game, match.rng
    while plies and game.outcome(match.position) is None:
        legal = game.legal(match.position)
        if not legal:
            return
        choice: Any = rng.choice(legal)
        if game.turn(match.position) == CHANCE:
            assert isinstance(choice, Throw)
            match.throw(choice, rng.uniform(0.5, 1.0))
            continue
        truth = match.move(choice, wait=wait)
        plies -= 1
        if answer and not isinstance(choice, Pass):
            match.say({"choose": truth.text}, 2.2)
            if wait is None:
                match.now += 2.5  # the next hand waits for the answer


def moves(match: SimulatedMatch, texts: str, wait: float | None = None) -> None:
    """Play these moves."""
    for text in texts.split():
        match.move(match.game.parse_move(match.position, text), wait=wait)


def carry(match: SimulatedMatch, start: str, end: str, back: float | None = None) -> None:
    """Carry a piece where no rule lets it go, and `back` seconds later back again."""
    pole = match.table.top(start)
    match.disturb(((0.0, start, None), (0.6, end, pole)), 2.0)
    if back is not None:
        match.disturb(((0.0, end, None), (0.6, start, pole)), back)


def session(match: SimulatedMatch) -> Session:
    """Return a session that has read the match so far."""
    recorded = match.recorded()
    text = "".join(json.dumps(line) + "\n" for line in (recorded.header, *recorded.lines))
    read = recording.parse(text.encode())
    watching = replay.begin(read)
    for _ in replay.replay(read, watching):
        pass
    return watching


def press(match: SimulatedMatch, text: str) -> None:
    """Lift the lit piece that stands for a move, and put it back, twice."""
    lit = session(match).view.question.lit[text]
    for wait in (3.0, 0.6):
        pole = match.table.top(lit)
        match.disturb(((0.0, lit, None), (0.3, lit, pole)), wait)


# ---- what sensors do


def frozen(
    values: Mapping[str, int | None], after: float, until: float
) -> Callable[[list[Line]], list[Line]]:
    """Return a change that freezes some sensors for a while.

    `None` freezes the reading at the beginning of that time: all that is known of places whose
    chip does not answer.
    """

    def spoil(lines: list[Line]) -> list[Line]:
        true: dict[str, int] = {}
        shown: dict[str, int] = {}
        spoiled: list[Line] = []
        looks: list[Line] = [{"t": at} for at in (after, until) if at < 1e9]
        lines = sorted([*lines, *looks], key=lambda line: float(line["t"]))
        for line in lines:
            if line.keys() - {"t", "places"}:
                spoiled.append(line)
                continue
            true |= line.get("places", {})
            now = dict(true)
            if after <= line["t"] < until:
                for place, value in values.items():
                    now[place] = shown.get(place, 0) if value is None else value
            changed = {p: now.get(p, 0) for p in now | shown if now.get(p, 0) != shown.get(p, 0)}
            if changed:
                spoiled.append({"t": line["t"], "places": changed})
            shown = now
        return spoiled

    return spoil


def flicker(place: str, start: float, times: int, gap: float) -> Callable[..., list[Line]]:
    """Return a change that lets a sensor flicker by itself."""

    def spoil(lines: list[Line]) -> list[Line]:
        standing = dict(lines[0]["places"])
        here = standing.get(place, 0)
        extra: list[Line] = []
        for n in range(times):
            at = round(start + 2 * n * gap, 4)
            extra.append({"t": at, "places": {place: 0 if here else 1}})
            extra.append({"t": round(at + gap, 4), "places": {place: here}})
        return sorted([*lines, *extra], key=lambda line: float(line["t"]))

    return spoil


# ---- the recordings


def plain_match(name: str, sensing: str, bare: bool, style: str, seed: int, plies: int) -> Made:
    match = begin(name, sensing, seed, (style,), unsensed=TRAYS[name] if bare else "")
    play(match, plies)
    match.put_away()
    trays = "without tray sensors" if bare else "with tray sensors"
    about = f"{STYLES[style].name} hands, {sensing}, {trays}"
    return Made(match, about, open=STAYS_OPEN.get((name, sensing, bare), ()))


def taken_back(name: str, sensing: str, seed: int) -> Made:
    match = begin(name, sensing, seed, ("careful",))
    for plies, back in ((3, 1), (4, 2), (4, 3), (3, 1)):
        play(match, plies)
        while not match.truth[-back].visible:
            back += 1  # hands can only undo a visible ply
        match.take_back(back, wait=2.0)
        match.now += 2.0
    play(match, 2)
    return Made(match, "one, two and three plies taken back by hand")


def match_in_style(
    name: str, sensing: str, style: Style, seed: int, plies: int, about: str
) -> Made:
    match = begin(name, sensing, seed, (style,))
    play(match, plies)
    match.put_away()
    return Made(match, about)


def in_one_breath(name: str, sensing: str, seed: int) -> Made:
    match = begin(name, sensing, seed, ("careful",))
    for _ in range(5):
        play(match, 2, wait=0.1, answer=False)
        match.now += 3.0
    return Made(match, "every other ply follows within a tenth of a second")


def refused_duel() -> Made:
    match = begin("robot-duel", position=None)
    moves(match, "C4C3", 1.0)
    carry(match, "A1", "A3", back=3.0)
    match.now += 2.0
    carry(match, "A4", "A3", back=3.0)
    match.now += 2.0
    moves(match, "A1A2", 1.0)
    about = "a piece carried where it cannot go, then one out of turn; both put back"
    return Made(match, about, refused=["way-G", "not-yours"])


def refused_shogi(sensing: str) -> Made:
    position = "4k4/9/9/9/9/9/4P4/9/4K4 b P 1"
    match = begin("shogi", sensing, position=position)
    pole = match.table.top("hand.sente.P")
    drop = ((0.0, "hand.sente.P", None), (0.6, "5c", pole))
    match.disturb(drop, 2.0)
    match.disturb(((0.0, "5c", None), (0.6, "hand.sente.P", pole)), 3.0)
    match.now += 2.0
    moves(match, "P*4e 5a4b", 1.0)
    return Made(match, "a second pawn on a file, and taken off again", refused=["two-pawns"])


def put_right(name: str, sensing: str, first: str, cells: str, then: str) -> Made:
    match = begin(name, sensing)
    moves(match, first, 1.5)
    places = cells.split()
    poles = [match.table.top(place) for place in places]
    swept = tuple((0.05, place, None) for place in places)
    back = tuple((0.8, place, pole) for place, pole in zip(places, poles, strict=True))
    match.disturb(swept, 2.0)
    match.disturb(back, 4.0)
    match.now += 2.0
    moves(match, then, 1.5)
    return Made(match, f"a sleeve sweeps {cells} off the board; put right as the lights show")


def begun_again(sensing: str) -> Made:
    match = begin("robot-duel", sensing, position="1le/1L1/3/E2 b GgCc 1")
    moves(match, "B2B1", 1.0)
    match.now += 3.0
    match.set_up()
    match.now += 3.0
    moves(match, "C4C3 A1A2", 1.0)
    return Made(match, "the lion is taken; the start, set up again, is a new match")


PROMOTING = "4k4/9/1P5R1/9/9/9/9/9/4K4 b - 1"


def promotion(answer: str, text: str) -> Made:
    match = begin("shogi", position=PROMOTING)
    moves(match, text, 1.0)
    if answer == "page":
        match.say({"choose": text}, 2.5)
    elif answer == "button":
        match.say({"press": "yes" if text.endswith("+") else "no"}, 2.5)
    else:
        press(match, text)
    match.now += 3.0
    moves(match, "5a4a", 1.0)
    match.now += 2.0
    moves(match, "5i4h", 1.0)
    return Made(match, f"a promotion asked about, and answered by {answer}")


def left_open(text: str) -> Made:
    match = begin("shogi", position=PROMOTING)
    moves(match, text, 1.0)
    match.now += 3.0
    moves(match, "5a4a 5i4h", 1.5)
    about = "a promotion asked about, and not answered: play goes on"
    return Made(match, about, open=("8c8b", "8c8b+"))


def sensor_flickers(name: str, cell: str, seed: int) -> Made:
    match = begin(name, "presence", seed, ("careful",))
    play(match, 4)
    start = match.now + 1.0
    match.now += 4.0
    play(match, 4)
    fault = f"{cell}: the sensor flickers; playing on without it"
    about = f"the sensor of {cell} flickers by itself for a second"
    return Made(match, about, faults=[fault], lines=flicker(cell, start, 30, 0.02))


def chip_gone(name: str, sensing: str, rows: str, before: int, seed: int) -> Made:
    """A chip does not answer for a while, and play goes on elsewhere."""
    match = begin(name, sensing, seed, ("careful",))
    play(match, before)
    gone = match.now + 0.5
    match.now += 1.0
    places = [cell for cell in match.game.cells() if cell[-1] in rows]
    for _ in range(4):
        game, position = match.game, match.position
        elsewhere = [
            move
            for move in game.legal(position)
            if not isinstance(move, Throw | Pass)
            and game.changes(position, move).keys().isdisjoint(places)
        ]
        match.move(match.rng.choice(elsewhere), wait=1.0)
        match.now += 1.0
    # One more move, on the places of the chip: it is seen when the chip answers again.
    game, position = match.game, match.position
    there = [m for m in game.legal(position) if set(game.changes(position, m)) <= set(places)]
    match.move(match.rng.choice(there), wait=1.0)
    back = match.now + 3.0
    match.now += 6.0
    play(match, 4)
    return Made(
        match,
        f"the chip of rows {rows} is gone for a while: what was moved there shows when it is back",
        lines=frozen(dict.fromkeys(places, None), gone, back),
    )


STYLE_OF = {
    ("robot-duel", "presence"): ("blitz", "beginner"),
    ("robot-duel", "polarity"): ("plain", "brisk"),
    ("shogi", "presence"): ("clumsy", "slider"),
    ("shogi", "polarity"): ("beginner", "fidgety"),
    ("chaturaji", "presence"): ("two-handed", "brisk"),
    ("chaturaji", "polarity"): ("fidgety", "clumsy"),
    ("robotory", "presence"): ("careful", "careful"),
    ("robotory", "polarity"): ("slider", "careful"),
    ("abalone", "presence"): ("marble-roller", "two-handed"),
    ("abalone", "polarity"): ("two-handed", "plain"),
}
"""The styles of the hands with and without sensors in the trays."""


def recordings() -> dict[str, Callable[[], Made]]:
    """Return the makers of all recordings, by name."""
    made: dict[str, Callable[[], Made]] = {}
    for (name, sensing), styles in STYLE_OF.items():
        for bare, style in enumerate(styles):
            if not bare or name in TRAYS:
                label = f"{name}-{sensing}-{style}" + ("-no-trays" if bare else "")
                plies = PLIES.get(label, 24)
                made[label] = partial(plain_match, name, sensing, bool(bare), style, 0, plies)
        if (name, sensing) != ("robotory", "presence"):
            made[f"{name}-{sensing}-taken-back"] = partial(taken_back, name, sensing, 0)
            if name != "chaturaji":
                made[f"{name}-{sensing}-in-one-breath"] = partial(in_one_breath, name, sensing, 0)
    for name, sensing in (("robot-duel", "presence"), ("shogi", "polarity")):
        for style, about in (
            (PARKS, "captured pieces are parked on the board, then put into the tray"),
            (SWAPS, "captures in one grip: the cell stands empty for 5 to 80 ms"),
            (WAVERS, "hovers, lifts and returns, rests on the way: moves are revised"),
        ):
            label = f"{name}-{sensing}-{style.name}"
            made[label] = partial(match_in_style, name, sensing, style, 0, 20, about)
    swept = ("shogi", "polarity", "7g7f 3c3d", "2h 5i 1g", "8h2b+ 3a2b")
    return made | {
        "robot-duel-refused": refused_duel,
        "shogi-presence-refused": partial(refused_shogi, "presence"),
        "shogi-polarity-refused": partial(refused_shogi, "polarity"),
        "shogi-put-right": partial(put_right, *swept),
        "abalone-put-right": partial(put_right, "abalone", "presence", "a1b2", "i5 h4 a4", "i5h4"),
        "robot-duel-presence-begun-again": partial(begun_again, "presence"),
        "robot-duel-polarity-begun-again": partial(begun_again, "polarity"),
        "shogi-promotion-page": partial(promotion, "page", "8c8b+"),
        "shogi-promotion-button": partial(promotion, "button", "8c8b"),
        "shogi-promotion-lit-place": partial(promotion, "lit place", "8c8b+"),
        "shogi-promotion-left-open": partial(left_open, "8c8b+"),
        "shogi-sensor-flickers": partial(sensor_flickers, "shogi", "5e", 0),
        "shogi-chip-gone": partial(chip_gone, "shogi", "presence", "gh", 4, 0),
    }


STAYS_OPEN = {("robotory", "presence", True): ("F 1b", "F 1w", "P w e3", "P b b5")}
"""Moves that no sensor of such a board can know, and nobody names in time."""
PLIES = {
    "robotory-presence-careful": 10,
    "robotory-presence-careful-no-trays": 4,
    "robotory-polarity-careful-no-trays": 10,
}
"""The number of plies of short recordings."""


def main(names: Sequence[str]) -> None:
    """Make the named recordings, or all."""
    made = recordings()
    for name in names or made:
        made[name]().write(name)


if __name__ == "__main__":
    main(sys.argv[1:])
