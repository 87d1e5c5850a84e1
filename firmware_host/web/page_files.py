"""The files of the page: kept in memory, compressed once, at addresses that change with them.

A page names its files below the version of them all, `/static/VERSION/play.css`, so a browser keeps
them until the version is another one. It asks for all modules at once, not for each when another
one imports it.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

COMPRESSION: Final = 6
"""The level at which texts are compressed; fonts and pictures that are compressed already are sent
as they are.
"""
KINDS: Final = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".txt": "text/plain",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".png": "image/png",
    ".woff2": "font/woff2",
}
COMPRESSED_ALREADY: Final = frozenset({".png", ".woff2"})
KEPT: Final = {"Cache-Control": "max-age=31536000, immutable"}
"""The header for files that never change at their address."""

_ADDRESS: Final = "/static/"
_VERSION: Final = re.compile(r"[0-9a-f]{16}")
_MODULE: Final = re.compile(rf'<script type="module" src="{_ADDRESS}([^"]+)"')
_IMPORT: Final = re.compile(r'^import\b[^"]*"\./([^"]+)"', re.MULTILINE)


class _File:
    """The content of a file, for one answer after the other."""

    def __init__(self, name: str, plain: bytes) -> None:
        suffix = Path(name).suffix
        self.plain = plain
        self.tag = hashlib.sha256(plain).hexdigest()[:16]
        self._kind = KINDS.get(suffix, "application/octet-stream")
        self._may_shrink = suffix not in COMPRESSED_ALREADY

    @cached_property
    def _packed(self) -> bytes:
        return gzip.compress(self.plain, COMPRESSION, mtime=0)

    def answer(self, request: Request, headers: Mapping[str, str]) -> Response:
        """Return the answer to a request for it."""
        headers = {"ETag": f'"{self.tag}"', "Vary": "Accept-Encoding"} | dict(headers)
        if self.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if self._may_shrink and "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
            return Response(self._packed, headers=headers, media_type=self._kind)
        return Response(self.plain, headers=headers, media_type=self._kind)


class PageFiles:
    """All files that pages are made of. A file that was changed on the disk is noticed when a page
    is loaded.
    """

    def __init__(self, folder: Path, others: Mapping[str, Path]) -> None:
        """`others` are files outside the folder, by their names at `/static/`."""
        self._folder = folder
        self._others = others
        self._stamp: object = None
        self._files: dict[str, _File] = {}
        self._version = ""
        self._pages: dict[str, _File] = {}

    def page(self, name: str, request: Request) -> Response:
        """Return the answer with a page."""
        self._look()
        if name not in self._pages:
            self._pages[name] = _File(name, self._written(name).encode())
        return self._pages[name].answer(request, {})

    async def serve(self, request: Request) -> Response:
        """Answer a request for `/static/{name}`, with or without a version."""
        if not self._files:
            self._look()
        name = request.path_params["name"]
        version, _, rest = name.partition("/")
        if _VERSION.fullmatch(version):
            name = rest
        if name not in self._files:
            return Response(status_code=404)
        return self._files[name].answer(request, KEPT if version == self._version else {})

    def _look(self) -> None:
        """Read the files if any has changed."""
        paths = {
            each.relative_to(self._folder).as_posix(): each
            for each in sorted(self._folder.rglob("*"))
            if each.is_file()
        }
        paths |= self._others
        stamp = [(name, (s := path.stat()).st_mtime_ns, s.st_size) for name, path in paths.items()]
        if stamp == self._stamp:
            return
        self._stamp = stamp
        self._files = {name: _File(name, path.read_bytes()) for name, path in paths.items()}
        tags = "".join(name + file.tag for name, file in self._files.items())
        self._version = hashlib.sha256(tags.encode()).hexdigest()[:16]
        self._pages = {}

    def _written(self, name: str) -> str:
        """Return a page with the version in its addresses, and links to all modules that its own
        one needs.
        """
        text = self._files[name].plain.decode()
        found = _MODULE.search(text)
        needed = self._imports(found[1]) if found else ()
        links = "".join(
            f'<link rel="modulepreload" href="{_ADDRESS}{each}">\n  ' for each in needed
        )
        if found:
            text = f"{text[: found.start()]}{links}{text[found.start() :]}"
        return text.replace(f'"{_ADDRESS}', f'"{_ADDRESS}{self._version}/')

    def _imports(self, module: str) -> list[str]:
        """Return what a module imports, directly or not, in the order in which it is needed."""
        found = [module]
        for each in found:
            source = self._files[each].plain.decode()
            found += [name for name in dict.fromkeys(_IMPORT.findall(source)) if name not in found]
        return found[1:]
