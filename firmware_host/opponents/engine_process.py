"""An engine of another program as an opponent, by USI or UCI; our rules check its moves.

It runs in its own folder, where it looks for its evaluation file and settings. If it ends, is
silent for too long or plays an illegal move, the board reports that. People then make the move
themselves, or choose another player.
"""

from __future__ import annotations

import errno
import logging
import os
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

from engine.game import GameError
from engine.match import Match
from firmware_host.i18n.messages import Message, warn
from firmware_host.opponents.engine_protocols import PROTOCOLS
from firmware_host.opponents.subprocess_client import SubprocessClient, guarded

FIRST_LINE_S: Final = 30.0
"""It must send its first line within this time."""
LOADING_SILENCE_S: Final = 60.0
"""The longest silence while it loads: a small computer needs half a minute for that."""
LOADING_S: Final = 300.0
"""It must be ready within this time."""
STOP_AFTER_S: Final = 1.0
"""It gets `stop` when its move is this late: some engines do not know `movetime`."""
LATE_S: Final = 5.0
"""It is ended when its move is this late."""
MOST_LOGGED: Final = 10
"""At most this many lines of its standard error go to the log when it fails."""

log = logging.getLogger(__name__)


class EngineProcess:
    """An engine; the first request starts its program."""

    def __init__(
        self, program: str, changed: Callable[[], None], *arguments: str, protocol: str = "usi"
    ) -> None:
        """`changed` is called when it has chosen a move, or when it failed; `arguments` are what
        the program is started with; `protocol` is one of PROTOCOLS.
        """
        self.program = program
        self.chosen = ""
        """Its move in the game's notation, or a claim; empty while it thinks."""
        self.fault: Message | None = None
        """The error of the last request."""
        self._protocol = PROTOCOLS[protocol]
        self._command = (program, *arguments)
        self._changed = changed
        self._process: SubprocessClient | None = None
        self._match: Match | None = None
        self._awaited = b""  # the first word of its next line; b"bestmove" while it thinks
        self._seconds = 0.0
        self._due: float | None = None
        self._latest = 0.0  # when it must be ready
        self._stops: float | None = None  # when it gets `stop`
        self._received_any = False  # whether it sent a line since the last look, while it loads
        self._has_begun = False  # whether it began to think since the last look
        self._options: dict[str, Sequence[str]] = {}  # that it offers, each with its values
        self._settings: Sequence[tuple[str, str]] = ()

    def ask(self, match: Match, seconds: float, now: float) -> None:
        """Request a move in the position that the match has reached."""
        self._match, self._seconds = match, seconds
        self.chosen, self.fault = "", None
        settings = self._protocol.settings(match.game)
        if chosen := self._protocol.chosen_by_rule(match):
            self.chosen = chosen
            self._changed()
            return
        if self._process is not None and (self._process.has_ended or settings != self._settings):
            self.close()
        if self._process is not None and self._awaited == b"bestmove":
            self.close()  # it thinks about another position; `stop` may take long
        self._due, self._latest = now + FIRST_LINE_S + seconds + LATE_S, now + LOADING_S
        if self._process is None:
            self._settings, self._options = settings, {}
            try:
                self._process = self._started()
            except OSError as error:
                log.warning("%s: %s", self.program, error.strerror)
                self._fail(warn("{program} cannot be started.", program=self._name))
                return
            self._send(self._protocol.name, self._ready)
        elif not self._awaited:
            self._process.resume_reading()
            self._go()

    def drop(self) -> None:
        """Cancel the request."""
        self._match, self.chosen, self._due = None, "", None
        if self._awaited == b"bestmove":
            self.close()

    def look(self, now: float) -> float | None:
        """Send `stop` if it thinks for too long, and end it if it is silent for too long; return
        when to look again.
        """
        if self._due is None or self._match is None:
            return None
        if self._has_begun:
            self._stops = now + self._seconds + STOP_AFTER_S
            self._due = now + self._seconds + LATE_S
        elif self._received_any:
            self._due = min(max(self._due, now + LOADING_SILENCE_S), self._latest)
        self._has_begun = self._received_any = False
        if now >= self._due:
            self._log_errors()
            self.close()
            self._fail(warn("{program} does not answer.", program=self._name))
        elif self._stops is not None and now >= self._stops:
            self._stops = None
            self._send("stop", b"bestmove")
        elif self._stops is not None:
            return self._stops
        return self._due

    def close(self) -> None:
        """End it."""
        if self._process is not None:
            self._process.end()
        self._process, self._awaited, self._due, self._stops = None, b"", None, None
        self._has_begun = self._received_any = False

    @property
    def _name(self) -> str:
        return os.path.basename(self.program)

    @property
    def _ready(self) -> bytes:
        """The word that ends the list of its options."""
        return f"{self._protocol.name}ok".encode()

    def _started(self) -> SubprocessClient:
        """Start it; OSError says why that is impossible."""
        if not (os.path.isfile(self.program) and os.access(self.program, os.X_OK)):
            raise PermissionError(errno.EACCES, "no program that may be run")
        folder = os.path.dirname(os.path.realpath(self.program))
        command = guarded(self._command)
        return SubprocessClient(command, self._receive, self._ended, folder)

    def _log_errors(self) -> None:
        """Log the last lines of its standard error."""
        for line in self._process.error_lines[-MOST_LOGGED:] if self._process is not None else ():
            log.warning("%s says: %s", self.program, line)

    def _send(self, text: str, awaits: bytes = b"") -> None:
        if self._process is not None:  # it may have ended because of an earlier line
            self._awaited = awaits
            self._process.send(text.encode())

    def _go(self) -> None:
        """Send the match and ask for a move."""
        match = self._match
        if match is None:
            return
        self._has_begun = True
        self._send(f"position {self._protocol.position(match)}")
        self._send(self._protocol.go(self._seconds), b"bestmove")

    def _receive(self, line: bytes) -> None:
        words = line.split()
        self._received_any = self._awaited != b"bestmove"
        if self._awaited == self._ready and words[:2] == [b"option", b"name"]:
            self._take_option(line.decode("utf-8", "replace").split()[2:])
        if not self._awaited or words[:1] != [self._awaited]:
            return
        awaited, self._awaited = self._awaited, b""
        if awaited == self._ready:
            for name, value in self._settings:
                if value in self._options.get(name, ()):
                    self._send(f"setoption name {name} value {value}")
            self._send("isready", b"readyok")
        elif awaited == b"readyok":
            self._send(f"{self._protocol.name}newgame")
            self._go()
        else:
            self._stops = None
            self._take(words[1].decode("ascii", "replace") if len(words) > 1 else "")
        if self._process is not None and not self._awaited:
            self._process.pause_reading()

    def _take_option(self, words: Sequence[str]) -> None:
        """Note an option that it offers: its name and its possible values."""
        at = words.index("type") if "type" in words else len(words)
        values = [value for word, value in pairwise(words[at:]) if word == "var"]
        self._options[" ".join(words[:at])] = values

    def _take(self, word: str) -> None:
        """Accept the move that it has chosen, if our rules allow it."""
        match = self._match
        if match is None:
            return
        self._due = None
        try:
            self.chosen = self._protocol.chosen(match, word)
        except GameError as error:
            log.warning("%s: %s", self.program, error)
            why = warn(
                "{program} plays {move}, but the rules do not allow it.",
                program=self._name,
                move=word[:12],
            )
            self._fail(why)
            return
        self._changed()

    def _ended(self) -> None:
        self._log_errors()
        self._process, self._awaited, self._stops = None, b"", None
        self._has_begun = self._received_any = False
        if self._match is not None:
            self._fail(warn("{program} has stopped by itself.", program=self._name))

    def _fail(self, why: Message) -> None:
        self.fault, self._due = why, None
        self._changed()
