"""Ask the people at a board to make a move: `python examples/request_move.py ADDRESS MOVE`.

ADDRESS is that of the page, or the link of the player whose turn it is. MOVE is in the notation of
the game. The board lights the move, and this waits until hands have made it. It needs the package
websockets.
"""

from __future__ import annotations

import json
import sys
from typing import Any
from urllib.parse import urlsplit

from websockets.sync.client import connect


def main(address: str, move: str) -> str:
    """Request the move; return why it was refused, or nothing when it is made."""
    parts = urlsplit(address)
    number = 1
    with connect(f"ws://{parts.netloc}/ws?{parts.query}") as board:
        asked_at: int | None = None
        for text in board:
            if isinstance(text, bytes):  # light, and heartbeats
                continue
            message: dict[str, Any] = json.loads(text)
            if message["type"] == "refused" and message["n"] == number:
                return str(message["reason"])
            if message["type"] != "state":
                continue
            played = [ply["text"] for ply in message["plies"]]
            if asked_at is None:
                asked_at = len(played)
                command = {"type": "request", "n": number, "rev": message["rev"], "move": move}
                board.send(json.dumps(command))
            elif played[asked_at:] == [move]:
                return ""
    return "the board has gone"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) or None)
