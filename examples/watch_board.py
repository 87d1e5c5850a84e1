"""Print the moves of a board as they are made: `python examples/watch_board.py ADDRESS`.

ADDRESS is that of the page, or the link of a watcher. It needs only Python.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen


def events(address: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name and the message of each event of a board."""
    parts = urlsplit(address)
    with urlopen(f"{parts.scheme}://{parts.netloc}/api/events?{parts.query}") as stream:
        name = ""
        for line in stream:
            field, _, value = line.decode().rstrip("\n").partition(": ")
            if field == "event":
                name = value
            elif field == "data":
                yield name, json.loads(value)


def main(address: str) -> None:
    """Print each new move, and the end."""
    known = 0
    for name, message in events(address):
        if name == "board":
            print(f"{message['title']} on {message['layout']}", flush=True)
            known = 0
            continue
        settled = [ply for ply in message["plies"] if not ply["candidates"]]
        for ply in settled[known:]:
            print(f"{ply['number']}. {ply['text']}: {ply['sentence']}", flush=True)
        known = len(settled)
        if message["outcome"] is not None:
            print(message["outcome"]["result"], flush=True)
            return


if __name__ == "__main__":
    main(sys.argv[1])
