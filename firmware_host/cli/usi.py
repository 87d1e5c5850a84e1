"""`lampion usi`: the search as an engine for other programs, for Shogi and Robot Duel (`dobutsu`).

It speaks the USI protocol on standard input and output. It ignores unknown commands, as the
protocol demands. An invalid position is reported as an `info string`, and `go` then resigns. It
solves no mate problems, and answers `go mate` accordingly.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from engine.game import GameError
from engine.games import make
from engine.match import AnyGame, Match
from engine.notation.usi import (
    IMPASSE_OPTION,
    IMPASSES,
    VARIANT_OPTIONS,
    VARIANTS,
    match_of,
    move_word,
)
from engine.search import JudgedMove, search
from engine.search.alpha_beta import DEEPEST, TranspositionTable
from firmware_host.console.terminal import one_line, standard_output
from firmware_host.opponents.worker import Inbox

USUAL_S: Final = 1.0
"""Thinking time if `go` says nothing about time."""
MARGIN_S: Final = 0.05
"""It answers match.earlier than it must by this time."""
MOVES_TO_COME: Final = 30
"""The remaining time is divided by this number of moves."""
LONGEST_TIME_MS: Final = 10**12
"""Longer times are treated as this one."""
_GAMES: Final = {variant: name for name, variant in VARIANTS.items()}
_NUMBER: Final = re.compile("([+-]?)0*([0-9]+)", re.ASCII)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`lampion usi` has no arguments."""


class UsiServer:
    """One conversation with a client."""

    def __init__(self, inbox: Inbox, say: Callable[[str], None]) -> None:
        self._inbox = inbox
        self._say = say
        self._game: AnyGame = make("shogi")
        self._match = Match.begin(self._game)
        self._impossible = ""  # the reason why the last position is invalid
        self._variants = dict.fromkeys(VARIANT_OPTIONS, VARIANTS[self._game.name])
        self._options: Mapping[str, str] = {}
        self._table = TranspositionTable()
        self._later: deque[bytes] = deque()  # commands that arrived while it was thinking
        self._words: Sequence[str] = ()  # of the last `go`
        self._end = math.inf
        self._waits = False  # its move, until `stop` or `ponderhit` releases it
        self._stopped = False
        self._ended = False

    def run(self) -> None:
        """Answer until `quit`."""
        while not self._ended and (line := self._next()) is not None:
            words = line.decode("utf-8", "replace").split()
            if words:
                self._take(words[0], words[1:])

    def _next(self) -> bytes | None:
        return self._later.popleft() if self._later else self._inbox.line()

    def _take(self, word: str, rest: Sequence[str]) -> None:
        match word:
            case "usi":
                self._say("id name Lampion")
                self._say("id author the Lampion people")
                for name in VARIANT_OPTIONS:
                    self._offer(name, tuple(_GAMES))
                self._offer(IMPASSE_OPTION, tuple(dict.fromkeys(IMPASSES.values())))
                self._say("usiok")
            case "isready":
                self._say("readyok")
            case "setoption":
                self._choose(rest)
            case "usinewgame":
                self._table = TranspositionTable()
            case "position":
                self._stand(rest)
            case "go":
                self._go(rest)
            case "quit":
                self._ended = True

    def _offer(self, name: str, values: Sequence[str]) -> None:
        there_are = " ".join(f"var {value}" for value in values)
        self._say(f"option name {name} type combo default {values[0]} {there_are}")

    def _choose(self, words: Sequence[str]) -> None:
        match words:  # the protocol ignores case
            case ["name", option, "value", *value] if name := _spelt(option, VARIANT_OPTIONS):
                variant = _spelt(" ".join(value), _GAMES)
                if variant is None:
                    self._tell(f"no variant {' '.join(value)}; there are: {', '.join(_GAMES)}")
                    return
                if self._variants[name] != variant:  # the name that changes counts
                    self._variants[name] = variant
                    self._begin(_GAMES[variant])
            case ["name", option, "value", *value] if _spelt(option, (IMPASSE_OPTION,)):
                theirs = _spelt(" ".join(value), IMPASSES.values())
                impasse = next((ours for ours, name in IMPASSES.items() if name == theirs), None)
                if impasse is None:
                    known = ", ".join(dict.fromkeys(IMPASSES.values()))
                    self._tell(f"no {IMPASSE_OPTION} {' '.join(value)}; there are: {known}")
                    return
                self._options = {"impasse": impasse}
                self._begin(self._game.name)

    def _begin(self, game: str) -> None:
        """Switch to this game, with the chosen rules."""
        self._game = make(game, self._options if game == "shogi" else {})
        self._match, self._table, self._impossible = (
            Match.begin(self._game),
            TranspositionTable(),
            "",
        )

    def _tell(self, text: str) -> None:
        """Send a message for people; it may contain text of the other program."""
        self._say(f"info string {one_line(text)}")

    def _stand(self, words: Sequence[str]) -> None:
        """Set the position: a start and the moves since."""
        self._impossible = ""
        try:
            self._match = match_of(self._game, words)
        except GameError as error:
            self._impossible = str(error)
            self._tell(self._impossible)

    def _go(self, words: Sequence[str]) -> None:
        if "mate" in words:
            self._say("checkmate notimplemented")
            return
        self._words, self._stopped = words, False
        self._waits = "infinite" in words or "ponder" in words
        self._end = math.inf if self._waits else time.monotonic() + self._seconds(words)
        best = self._best()
        while self._waits and not self._stopped and not self._ended:
            self._listen(self._inbox.line())
        if not self._ended:
            self._say(f"bestmove {best}")

    def _best(self) -> str:
        if self._impossible:
            self._tell(self._impossible)
            return "resign"
        if self._match.outcome is not None:
            return "resign"
        if any(claim.text == "declare" for claim in self._claims()):
            return "win"
        return self._thought(_number(self._words, "depth"))

    def _claims(self) -> Sequence[Any]:
        match = self._match
        return match.game.claims(match.position, match.turn)

    def _thought(self, depth: int | None) -> str:
        match = self._match
        game = match.game
        began = time.monotonic()
        result = search(
            game,
            match.position,
            match.earlier,
            stop=self._enough,
            every=False,
            table=self._table,
            deepest=DEEPEST if depth is None else max(1, depth),
        )
        best = result.moves[0]
        spent = max(1, round(1000 * (time.monotonic() - began)))
        words, position = [], match.position
        for move in best.moves:
            words.append(move_word(game, position, move))
            position = game.play(position, move)
        self._say(
            f"info depth {max(1, best.depth)} score {_score(best)} nodes {result.nodes} "
            f"time {spent} nps {1000 * result.nodes // spent} pv {' '.join(words)}"
        )
        return words[0]

    def _enough(self) -> bool:
        while self._inbox.waiting and not (self._stopped or self._ended):
            self._listen(self._inbox.line())
        return self._stopped or self._ended or time.monotonic() >= self._end

    def _listen(self, line: bytes | None) -> None:
        """Read commands while it thinks."""
        match None if line is None else line.decode("utf-8", "replace").split():
            case None | ["quit", *_]:
                self._ended = True
            case ["stop" | "gameover", *_]:
                self._stopped = True
            case ["ponderhit", *_]:
                if "infinite" not in self._words:
                    self._waits = False
                    self._end = time.monotonic() + self._seconds(self._words)
            case ["isready", *_]:
                self._say("readyok")
            case _:
                assert line is not None
                self._later.append(line)

    def _seconds(self, words: Sequence[str]) -> float:
        """Return the thinking time in seconds."""
        given: Mapping[str, int | None] = {
            name: _number(words, name)
            for name in ("movetime", "btime", "wtime", "binc", "winc", "byoyomi", "depth")
        }
        if given["movetime"] is not None:
            return max(MARGIN_S, given["movetime"] / 1000 - MARGIN_S)
        side = "bw"[self._match.turn]
        left, more = given[f"{side}time"], given[f"{side}inc"] or 0
        byoyomi = given["byoyomi"] or 0
        if left is None and not byoyomi:
            return math.inf if given["depth"] is not None else USUAL_S
        left = left or 0
        share = left / MOVES_TO_COME + 0.8 * more + byoyomi
        return max(MARGIN_S, min(share, left + byoyomi) / 1000 - MARGIN_S)


def _spelt(option: str, known: Iterable[str]) -> str | None:
    """Return the known word that equals a word, ignoring case; None if there is none."""
    return next((word for word in known if word.lower() == option.lower()), None)


def _number(words: Sequence[str], name: str) -> int | None:
    """Return the number that follows a word, from 0 to LONGEST_TIME_MS; None if there is none."""
    if name not in words:
        return None
    rest = words[list(words).index(name) + 1 :]
    found = _NUMBER.fullmatch(rest[0]) if rest else None
    if found is None:
        return None
    if found[1] == "-":
        return 0
    digits = found[2]
    too_long = len(digits) > len(str(LONGEST_TIME_MS))
    return LONGEST_TIME_MS if too_long else min(int(digits), LONGEST_TIME_MS)


def _score(best: JudgedMove) -> str:
    """Return the winning chance as a USI score: centipawns, or plies to mate."""
    if best.chance in (0, 1):
        plies = max(1, len(best.moves) if best.plies is None else abs(best.plies))
        return f"mate {plies if best.chance else -plies}"
    return f"cp {round(400 * math.log10(best.chance / (1 - best.chance)))}"


def run(arguments: argparse.Namespace) -> int:
    """Serve standard input and output until `quit`."""

    def say(line: str) -> None:
        with standard_output():
            os.write(sys.stdout.fileno(), f"{line}\n".encode())

    try:
        UsiServer(Inbox(sys.stdin.fileno()), say).run()
    except BrokenPipeError:
        return 0
    return 0
