"""The file of a table: which man lies where, as text; nothing of it is believed unseen."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engine.game import Game, Place
from hardware import regular_file

MOST_MEN: Final = 200
"""More than any game has; a file with more is no table."""

LARGEST_FILE: Final = 256 * 1024


class TableFileError(ValueError):
    """A file that is no table: what is wrong with it, in one line."""


@dataclass(frozen=True, slots=True)
class Row:
    """One man in the file."""

    place: Place
    """The game's name of the place, or the box."""
    kind: str
    owner: str
    """The name of a seat; empty: nobody's own."""
    pole: int
    front_up: bool


def written(game: str, rows: Iterable[Row]) -> str:
    """Return the text of a file."""
    lines = []
    for row in rows:
        line: dict[str, object] = {"place": row.place, "kind": row.kind}
        if row.owner:
            line["owner"] = row.owner
        if row.pole != 1:
            line["pole"] = row.pole
        if not row.front_up:
            line["face"] = "back"
        lines.append(json.dumps(line))
    head = json.dumps({"lampion": "table", "version": 1, "game": game})
    return head[:-1] + ', "men": [\n' + ",\n".join(lines) + "\n]}\n"


def read(file: Path, game: Game[Any, Any]) -> list[Row]:
    """Return the men in a file; TableError says in one line what is wrong with it."""
    try:
        data = json.loads(regular_file.read(file, LARGEST_FILE))
    except OSError as error:
        raise TableFileError(f"{file}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise TableFileError(f"{file}: this is no JSON ({error})") from error
    if not isinstance(data, dict) or data.get("lampion") != "table":
        raise TableFileError(f"{file}: this is not the file of a table")
    if type(data.get("version")) is not int or data["version"] != 1:
        raise TableFileError(f"{file}: version {data.get('version')!r} is not known, only 1")
    if data.get("game") != game.name:
        raise TableFileError(f"{file}: these are men of {data.get('game')}, not {game.name}")
    rows = data.get("men")
    if not isinstance(rows, list) or len(rows) > MOST_MEN:
        raise TableFileError(f"{file}: men must be a list of at most {MOST_MEN}")
    return [_row(row, game, f"{file}: man {number}") for number, row in enumerate(rows, 1)]


def _row(row: Any, game: Game[Any, Any], where: str) -> Row:
    known = {"place", "kind", "owner", "pole", "face"}
    if not isinstance(row, dict) or not row.keys() <= known:
        raise TableFileError(f"{where}: only {', '.join(sorted(known))} may be said of a man")
    place, kind = row.get("place"), row.get("kind")
    owner, pole, face = row.get("owner", ""), row.get("pole", 1), row.get("face", "front")
    if not isinstance(place, str):
        raise TableFileError(f"{where}: there is no place {place!r}")
    if not isinstance(kind, str) or kind not in game.kinds:
        raise TableFileError(f"{where}: {game.name} has no kind {kind!r}")
    if owner != "" and owner not in game.seats:
        raise TableFileError(f"{where}: there is no seat {owner!r}")
    if pole not in (1, -1) or isinstance(pole, bool):
        raise TableFileError(f"{where}: pole must be 1 or -1")
    if face not in ("front", "back"):
        raise TableFileError(f"{where}: face must be front or back")
    return Row(place, kind, owner, pole, face == "front")
