"""The judgements of whole matches, kept in the state directory: no match is judged twice.

Each file of the folder `look-back` has those of one match. Its name is a checksum of what was
played, so a match that is renamed, copied or imported again finds it, and one that goes on gets a
file of its own. The files can be deleted at any time; the matches are then judged again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from engine.game import GameError
from engine.match import Match
from engine.search.explain import CODES
from engine.search.turning_points import JudgedPly, choices
from firmware_host.storage import files
from hardware.regular_file import read

FOLDER: Final = "look-back"
VERSION: Final = 1
"""Files of another version are not found: the name has it."""
MOST_FILES: Final = 1000
"""At most this many matches are kept, those judged last."""
MOST_BYTES: Final = 4 << 20
"""No such file is larger."""

log = logging.getLogger(__name__)
_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(tuple[JudgedPly, ...]).decode


def checksum(match: Match) -> str:
    """Return the checksum of a match: of its game, its options, its start and its moves."""
    game, start = match.game, match.game.position_text(match.first.position)
    played = [step.text for step in match.steps()]
    about = [VERSION, game.name, dict(game.options), start, played]
    return hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()[:32]


class KeptJudgements:
    """The files of one state directory."""

    def __init__(self, state: Path) -> None:
        self._folder = state / FOLDER

    def of(self, match: Match) -> tuple[JudgedPly, ...] | None:
        """Return the judgements of all moves of a match; None if they are not kept."""
        path = self._path(match)
        try:
            plies = _decode(read(path, MOST_BYTES))
            _check(match, plies)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, GameError, msgspec.MsgspecError) as error:
            log.warning("%s: %s; the match is judged again", path, error)
            return None
        return plies

    def keep(self, match: Match, plies: Sequence[JudgedPly]) -> None:
        """Keep the judgements of all moves of a match; log it if that fails."""
        data = _encode(plies)
        if len(data) > MOST_BYTES:
            return
        try:
            files.make_directory(self._folder)
            files.put(self._path(match), data)
            self._forget()
        except OSError as error:
            log.warning("%s: %s; the look back is not kept", self._folder, error.strerror)

    def _path(self, match: Match) -> Path:
        return self._folder / f"{checksum(match)}.json"

    def _forget(self) -> None:
        """Delete the oldest files if there are too many."""
        found = sorted(self._folder.glob("*.json"), key=_changed)
        for path in found[:-MOST_FILES]:
            with contextlib.suppress(OSError):
                os.unlink(path)


def _changed(path: Path) -> float:
    try:
        return path.lstat().st_mtime
    except OSError:
        return 0.0


def _check(match: Match, plies: Sequence[JudgedPly]) -> None:
    """Raise ValueError or GameError if these cannot be the judgements of a match."""
    line = match.steps()
    if [each.number for each in plies] != choices(match):
        raise ValueError("these are not the moves of the match")
    for each in plies:
        before: Any = line[each.number].before
        before.game.play(before.position, before.game.parse_move(before.position, each.best))
        for reason in (each.why, each.best_why):
            if reason is not None and reason.code not in CODES:
                raise ValueError(f"there is no reason {reason.code!r}")
