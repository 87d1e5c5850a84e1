"""The addresses below `/api/matches`: the past matches as JSON and as files.

Reading and replaying journals takes time, so it happens in threads; the board is not held up.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Final
from urllib.parse import quote

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from engine.match import Match
from engine.notation import standard
from firmware_host.i18n.messages import Message, RefusedError, render, say
from firmware_host.storage.game_records import names, settled
from firmware_host.storage.journal import JournalError, Players, Resumed
from firmware_host.storage.library import PastMatch, evening_began
from firmware_host.storage.match_archive import ARCHIVE_BYTES, archive, take_in
from firmware_host.web import past_matches
from firmware_host.web.answers import in_thread, json_answer
from firmware_host.web.connection import language_of
from firmware_host.web.host_api import HostApi
from firmware_host.web.judgements import judgements
from firmware_host.web.roles import HOST
from hardware import layout as layouts
from hardware import regular_file
from hardware.layout import Layout

MATCHES: Final = "/api/matches"
ARCHIVE: Final = "/api/archive"
UPDATE_S: Final = 0.25
"""How long one request reads journals; the page asks again until all are in the index."""
MOST_LISTED: Final = 100
USUAL_LISTED: Final = 30
IN_MEMORY: Final = 1 << 20
"""A longer file that is taken in goes onto the disk first."""

NO_SUCH_MATCH: Final = say("There is no such match any more.")


class LibraryApi:
    """The routes for past matches."""

    def __init__(self, host: HostApi, language: str) -> None:
        """`language` is for browsers that ask for no language that we have."""
        self._host = host
        self._language = language

    async def close(self) -> None:
        """Stop what is under way."""
        await self._host.look_backs.close()

    def routes(self) -> list[Route]:
        """Return them."""
        return [
            Route(MATCHES, self._list),
            Route(MATCHES, self._import, methods=["POST"]),
            Route(f"{MATCHES}/{{match}}", self._review),
            Route(f"{MATCHES}/{{match}}/file", self._file),
            Route(f"{MATCHES}/{{match}}/judgements", self._judgements),
            Route(ARCHIVE, self._archive),
        ]

    def _language_of(self, request: Request) -> str:
        return language_of(request, self._language)

    async def _list(self, request: Request) -> Response:
        asked, language = request.query_params, self._language_of(request)
        limit = asked.get("limit", "")
        most = min(int(limit[:9]), MOST_LISTED) if limit.isdecimal() else USUAL_LISTED

        def answer() -> bytes:
            library = self._host.library
            progress = library.update(UPDATE_S)
            page = library.page(
                game=asked.get("game", ""),
                search=asked.get("search", ""),
                after=asked.get("after", ""),
                most=most,
            )
            tonight = library.since(evening_began(datetime.now()).timestamp())
            return msgspec.json.encode(
                {
                    "matches": [past_matches.listed(each, language) for each in page.matches],
                    "total": page.total,
                    "next": page.next,
                    "evening": past_matches.evening(tonight, language),
                    "this_evening": len(tonight),
                    "reading": None if progress.done == progress.total else progress._asdict(),
                }
            )

        return Response(await asyncio.to_thread(answer), media_type="application/json")

    def _match(self, name: str) -> tuple[PastMatch, Path]:
        """Return the match of that id and its journal; JournalError if it is not there any more."""
        library = self._host.library
        match = library.match(name)
        if match.deleted:
            raise JournalError(f"{match.file}: this match is deleted")
        return match, library.state / match.file

    async def _review(self, request: Request) -> Response:
        name, language = request.path_params["match"], self._language_of(request)

        def begun() -> Iterator[bytes]:
            match, path = self._match(name)
            boards = self._host.games().get(match.summary.game) or layouts.serving(
                match.summary.game
            )
            chunks = past_matches.review(match, path, boards, language)
            return chain([next(chunks)], chunks)  # what cannot be read is known by now

        try:
            chunks = await asyncio.to_thread(begun)
        except (JournalError, OSError):
            return _refused(NO_SUCH_MATCH, language, 404)
        return StreamingResponse(in_thread(chunks), media_type="application/json")

    async def _file(self, request: Request) -> Response:
        name, language = request.path_params["match"], self._language_of(request)
        form = request.query_params.get("format", "")

        def made() -> tuple[str, Iterator[bytes], str]:
            match, path = self._match(name)
            stamp = time.strftime("%Y-%m-%d-%H%M", time.localtime(match.played))
            title = f"{match.summary.game or 'match'}-{stamp}"
            if form == "journal" or not match.summary.game:
                pieces = regular_file.chunks(path, path.lstat().st_size)
                return f"match-{title}.jsonl", pieces, "application/jsonl"
            if form == "json":
                boards = layouts.serving(match.summary.game)
                chunks = past_matches.review(match, path, boards, language)
                return f"{title}.json", chunks, "application/json"
            kept = Resumed(path)
            to = form or standard.formats(kept.game)[0]
            called = names(kept.game, [player.name for player in kept.players])
            text = standard.write(settled(kept.matches[0], kept.record), to, called)
            suffix = standard.SUFFIXES[to]
            return f"{title}{suffix}", iter([text.encode()]), "text/plain; charset=utf-8"

        try:
            file, chunks, kind = await asyncio.to_thread(made)
        except (JournalError, OSError):
            return _refused(NO_SUCH_MATCH, language, 404)
        except ValueError as error:
            return _refused(say("{why}", why=str(error)), language, 400)
        return StreamingResponse(in_thread(chunks), media_type=kind, headers=_attachment(file))

    async def _judgements(self, request: Request) -> Response:
        name, language = request.path_params["match"], self._language_of(request)

        def found() -> tuple[Match, Players, Layout]:
            kept = Resumed(self._match(name)[1])
            known = layouts.serving(kept.game.name)
            layout = next((each for each in known if each.name == kept.layout), known[0])
            return settled(kept.matches[0], kept.record), kept.players, layout

        try:
            match, players, layout = await asyncio.to_thread(found)
        except (JournalError, OSError):
            return _refused(NO_SUCH_MATCH, language, 404)
        lines = judgements(self._host.look_backs, match, players, layout, language)
        return StreamingResponse(lines, media_type="application/jsonl")

    async def _archive(self, request: Request) -> Response:
        stamp = time.strftime("%Y-%m-%d")
        headers = _attachment(f"lampion-{stamp}.zip")
        packed = archive(await asyncio.to_thread(self._host.library.paths))
        return StreamingResponse(in_thread(packed), media_type="application/zip", headers=headers)

    async def _import(self, request: Request) -> Response:
        language = self._language_of(request)
        if request.scope["lampion.role"] != HOST:
            return _refused(say("Only the host may do that."), language, 403)
        name = Path(request.query_params.get("name", "")).name[:100]
        changed = request.query_params.get("changed", "")
        played = min(int(changed[:15]) / 1000 if changed.isdecimal() else time.time(), time.time())
        with tempfile.SpooledTemporaryFile(IN_MEMORY) as file:
            size = 0
            async for chunk in request.stream():
                size += len(chunk)
                if size > ARCHIVE_BYTES:
                    return _refused(
                        say("{file} is too long for a saved game.", file=name), language, 413
                    )
                await asyncio.to_thread(file.write, chunk)
            file.seek(0)
            try:
                library = self._host.library
                found = await asyncio.to_thread(take_in, library, name, file, played)
            except RefusedError as error:
                return _refused(error.message, language, 400)
            except (ValueError, OSError) as error:
                return _refused(say("{why}", why=_reason(error)), language, 400)
        return json_answer({"matches": found.matches, "notes": found.notes})


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return str(error)


def _refused(why: Message, language: str, status: int) -> Response:
    return json_answer({"reason": render(why, language)}, status)


def _attachment(name: str) -> dict[str, str]:
    return {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}"}
