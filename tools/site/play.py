"""The board in a browser tab: the page, the program, and Python that runs it in a worker."""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import re
import shutil
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from engine.games import NAMES
from firmware_host.browser.exchanges import Exchanges
from firmware_host.browser.loading import sentences
from firmware_host.host.simulated import SimulatedHost
from firmware_host.host.start import Start
from firmware_host.web.application import LOOPBACK, STATIC
from firmware_host.web.auth import HEADERS
from firmware_host.web.server import create_app
from tools.site import downloads
from tools.site.licences import write_licences
from tools.site.part import SitePart

ROOT: Final = Path(__file__).parents[2]
OWN: Final = Path(__file__).parent / "play_page"
"""The files that take the place of the server."""
PROGRAM: Final = ("drivers", "engine", "firmware_host", "hardware")
LEFT_OUT: Final = {".pyc", ".po", ".woff2", ".png", ".css"}
"""The kinds of files that no worker reads."""
DATE: Final = (1980, 1, 1, 0, 0, 0)
"""The date of all files in the program's archive, so that it is the same whenever it is built."""
PANEL: Final = """<div id="loading" hidden>
  <img src="{lantern}" alt="">
  <p id="loading-text" role="status"></p>
  <progress id="loading-bar" value="0" aria-labelledby="loading-text"></progress>
  <p id="loading-first"></p>
</div>
<p id="unsaved" role="alert" hidden></p>
"""


def play(folder: Path, kept: Path) -> SitePart:
    """Fill the folder of the board; `kept` is where downloads are kept."""
    downloads.pyodide(folder / "pyodide", kept)
    wheels = downloads.wheels(ROOT / "requirements.lock", kept)
    (folder / "program.zip").write_bytes(program(wheels))
    write_licences(folder / "licences", wheels)
    for each in OWN.iterdir():
        shutil.copy(each, folder)
    page = asyncio.run(answers(["/"]))["/"].decode()
    write_page(folder, page)
    write_lists(folder)
    return SitePart(
        "Play now", "The whole board runs in this tab: five games, hints and opponents."
    )


# ---- the program


def program(wheels: Iterable[Path]) -> bytes:
    """Return the program with its packages, as a ZIP archive."""
    files = dict(own_files())
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as packed:
            files |= {name: packed.read(name) for name in packed.namelist()}
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name, DATE), data, zipfile.ZIP_DEFLATED)
    return written.getvalue()


def own_files() -> Iterator[tuple[str, bytes]]:
    """Yield the project's own files that a worker needs, with their paths in the archive."""
    for package in PROGRAM:
        for path in sorted((ROOT / package).rglob("*")):
            if path.is_file() and path.suffix not in LEFT_OUT and "__pycache__" not in path.parts:
                yield path.relative_to(ROOT).as_posix(), path.read_bytes()


# ---- the page


async def answers(targets: Iterable[str]) -> dict[str, bytes]:
    """Return what the application answers to these paths."""
    found: dict[str, bytes] = {}
    with tempfile.TemporaryDirectory() as state:
        host = SimulatedHost(Path(state))
        host.open(Start())
        exchanges = Exchanges(create_app(host, LOOPBACK))
        await exchanges.start()
        for target in targets:
            found[target] = await _answer(exchanges, target)
        await exchanges.close()
        host.close()
    return found


async def _answer(exchanges: Exchanges, target: str) -> bytes:
    body: list[bytes] = []
    ended = asyncio.Event()

    def tell(kind: str, content: str | bytes) -> None:
        if kind == "start":
            assert isinstance(content, str)
            assert json.loads(content)[0] == 200, target
        elif kind == "chunk":
            assert isinstance(content, bytes)
            body.append(content)
        else:
            ended.set()

    exchanges.request("GET", target, {}, b"", tell)
    await ended.wait()
    return b"".join(body)


def write_page(folder: Path, page: str) -> None:
    """Write the page as the server sends it, with the script that takes the place of the server,
    and its files at the addresses that it names.
    """
    versioned = re.search(r'"/(static/[0-9a-f]{16})/', page)
    assert versioned is not None
    files = folder / versioned[1]
    shutil.copytree(STATIC, files)
    (files / "pieces").mkdir()
    names = [f"pieces/{name}.svg" for name in NAMES]
    for name, data in asyncio.run(answers([f"/{versioned[1]}/{each}" for each in names])).items():
        (folder / name.removeprefix("/")).write_bytes(data)
    manifest = (STATIC / "lampion.webmanifest").read_text(encoding="utf-8")
    manifest = manifest.replace('"/static/', f'"{versioned[1]}/').replace('"/"', '"./"')
    (folder / "lampion.webmanifest").write_text(manifest, encoding="utf-8")
    shutil.copy(STATIC / "lantern.svg", folder)
    said = json.dumps({"sentences": sentences()}, ensure_ascii=False).replace("<", "\\u003c")
    policy = HEADERS["Content-Security-Policy"].replace("; frame-ancestors 'none'", "")
    head = (
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n  '
        f'<script type="application/json" id="loading-sentences">{said}</script>\n  '
        '<link rel="stylesheet" href="loading.css">\n  <script src="page.js"></script>\n  '
    )
    page = re.sub(r'(<link rel="manifest" href=")[^"]*"[^>]*>', r'\1lampion.webmanifest">', page)
    page = page.replace('"/static/', '"static/')
    page = page.replace("  <link ", f"  {head}<link ", 1)
    page = re.sub(r"(<body[^>]*>\n)", rf"\1{PANEL.format(lantern='lantern.svg')}", page, count=1)
    (folder / "index.html").write_text(page, encoding="utf-8")


def write_lists(folder: Path) -> None:
    """Write the lists of files: with their sizes for those who load them, and what is kept."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    names = {path.relative_to(folder).as_posix(): path for path in paths}
    sizes = {name: path.stat().st_size for name, path in names.items()}
    files = f"export const files = {json.dumps(sizes)};\n"
    (folder / "files.js").write_text(files, encoding="utf-8")
    names["files.js"] = folder / "files.js"
    hashed = hashlib.sha256()
    for name, path in names.items():
        hashed.update(f"{name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    kept = {
        "family": "lampion-",
        "name": f"lampion-{hashed.hexdigest()[:16]}",
        "files": ["./", *(name for name in names if name != "offline.js")],
    }
    (folder / "kept_list.js").write_text(f"const KEPT = {json.dumps(kept)};\n", encoding="utf-8")
