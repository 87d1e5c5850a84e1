"""`lampion usi`: the search as an engine for other programs, for Shogi and Robot Duel (`dobutsu`);
with `--board` the person at a board in its place.

It speaks the USI protocol on standard input and output. It ignores unknown commands, as the
protocol demands. An invalid position is reported as an `info string`, and `go` then resigns. It
solves no mate problems, and answers `go mate` accordingly.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import re
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from engine.notation.usi import move_word
from engine.search import JudgedMove, search
from engine.search.alpha_beta import DEEPEST, TranspositionTable
from firmware_host.console.terminal import standard_output
from firmware_host.opponents.usi_position import UsiPosition
from firmware_host.opponents.worker import Inbox

USUAL_S: Final = 1.0
"""Thinking time if `go` says nothing about time."""
MARGIN_S: Final = 0.05
"""It answers this long before its time is over."""
MOVES_TO_COME: Final = 30
"""The remaining time is divided by this number of moves."""
LONGEST_TIME_MS: Final = 10**12
"""Longer times are treated as this one."""
_NUMBER: Final = re.compile("([+-]?)0*([0-9]+)", re.ASCII)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `lampion usi`."""
    parser.add_argument(
        "--board",
        action="store_true",
        help="the person at a simulated board plays; its page is on standard error",
    )
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="with --board: the person at the real board of this configuration plays",
    )
    parser.add_argument(
        "--port", type=int, default=8710, metavar="N", help="of the simulated board; default 8710"
    )
    parser.add_argument("--layout", metavar="L", help="the simulated board")
    parser.add_argument("--state", metavar="DIR", help="where its match is kept")


class UsiServer:
    """One conversation with a client."""

    def __init__(self, inbox: Inbox, say: Callable[[str], None]) -> None:
        self._inbox = inbox
        self._say = say
        self._position = UsiPosition("Lampion", say)
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
            self._take(line.decode("utf-8", "replace").split())

    def _next(self) -> bytes | None:
        return self._later.popleft() if self._later else self._inbox.line()

    def _take(self, words: Sequence[str]) -> None:
        game = self._position.match.game
        if self._position.take(words):
            if self._position.match.game is not game:
                self._table = TranspositionTable()
            return
        match words:
            case ["isready", *_]:
                self._say("readyok")
            case ["usinewgame", *_]:
                self._table = TranspositionTable()
            case ["go", *how]:
                self._go(how)
            case ["quit", *_]:
                self._ended = True

    def _go(self, words: Sequence[str]) -> None:
        self._words, self._stopped = words, False
        self._waits = "infinite" in words or "ponder" in words
        self._end = math.inf if self._waits else time.monotonic() + self._seconds(words)
        best = self._best()
        while self._waits and not self._stopped and not self._ended:
            self._listen(self._inbox.line())
        if not self._ended:
            self._say(f"bestmove {best}")

    def _best(self) -> str:
        if self._position.fault:
            self._position.tell(self._position.fault)
            return "resign"
        match = self._position.match
        if match.outcome is not None:
            return "resign"
        if any(claim.text == "declare" for claim in match.game.claims(match.position, match.turn)):
            return "win"
        return self._thought(_number(self._words, "depth"))

    def _thought(self, depth: int | None) -> str:
        match = self._position.match
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
        side = "bw"[self._position.match.turn]
        left, more = given[f"{side}time"], given[f"{side}inc"] or 0
        byoyomi = given["byoyomi"] or 0
        if left is None and not byoyomi:
            return math.inf if given["depth"] is not None else USUAL_S
        left = left or 0
        share = left / MOVES_TO_COME + 0.8 * more + byoyomi
        return max(MARGIN_S, min(share, left + byoyomi) / 1000 - MARGIN_S)


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
    if arguments.board:
        return _play_at_board(arguments)

    def say(line: str) -> None:
        with standard_output():
            os.write(sys.stdout.fileno(), f"{line}\n".encode())

    with contextlib.suppress(BrokenPipeError):
        UsiServer(Inbox(sys.stdin.fileno()), say).run()
    return 0


def _play_at_board(arguments: argparse.Namespace) -> int:
    """Let the person at a board play until `quit`."""
    from firmware_host.host.start import Start
    from firmware_host.host.usi_talk import UsiTalk

    if arguments.config is not None:
        from firmware_host.host.service import play_until_interrupted

        play_until_interrupted(arguments.config, Start(), conversation=UsiTalk())
        return 0
    from firmware_host.host.simulated import simulate

    start = Start(layout=arguments.layout)
    simulate(start, port=arguments.port, state=arguments.state, conversation=UsiTalk())
    return 0
