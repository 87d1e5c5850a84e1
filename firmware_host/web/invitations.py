"""`lampion links`: the links of a board that others of the network may open."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Final

from engine.games import NAMES, make
from firmware_host.i18n.messages import render
from firmware_host.storage.journal import JournalError, Text
from firmware_host.storage.match_files import MATCH
from firmware_host.web.keys import Keys, links
from firmware_host.web.listener import url

PORT: Final = 8710


def hint(state: str | None, port: int) -> str:
    """Return the line that says how the links of others than the host are shown."""
    where = f" --state {shlex.quote(state)}" if state else ""
    at = f" --port {port}" if port != PORT else ""
    return f"that link is the host's; links for players and watchers: lampion links{where}{at}"


def lines(state: Path, port: int, *, renew: bool = False) -> list[str]:
    """Return the links of the board that keeps its match in that directory, a line each, for the
    seats of the game in play; `renew`: others from now on. OSError if they cannot be had.
    """
    if not state.is_dir():
        raise FileNotFoundError(f"{state}: no board has kept anything here; see --state")
    keys = Keys.kept_in(state, renew=renew)
    try:
        seats = Text(state / MATCH).head.game.seats
    except JournalError:  # no match yet
        seats = make(NAMES[0]).seats
    found = links(keys, url("0.0.0.0", port), seats)
    return [f"{render(each.whose)}: {each.address}" for each in found]
