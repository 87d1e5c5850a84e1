"""The page's files: at addresses that change with them, so that a browser may keep them."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient

from firmware_host.web.application import STATIC
from firmware_host.web.page_files import PageFiles

PRELOADED = re.compile(r'<link rel="modulepreload" href="/static/[0-9a-f]{16}/([^"]+)">')
APP = re.compile(r'<script type="module" src="(/static/([0-9a-f]{16})/app\.js)">')


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a page that needs three modules."""
    folder = tmp_path / "static"
    folder.mkdir()
    files = {
        "index.html": '<script type="module" src="/static/app.js"></script>',
        "app.js": 'import { a } from "./a.js";\nimport {\n  b,\n} from "./b.js";\n',
        "a.js": 'import { b } from "./b.js"; // and not "./gone.js"\n',
        "b.js": 'import { a } from "./a.js";\nexport const b = "./c.js";\n',
        "c.js": "",
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def served(folder: Path) -> TestClient:
    files = PageFiles(folder, {})

    async def page(request: Request) -> Response:
        return files.page("index.html", request)

    return TestClient(
        Starlette(routes=[Route("/", page), Route("/static/{name:path}", files.serve)])
    )


def test_a_page_asks_at_once_for_each_module_that_it_needs(folder: Path) -> None:
    assert PRELOADED.findall(served(folder).get("/").text) == ["a.js", "b.js"]
    modules = {each.name for each in STATIC.glob("*.js")} - {"calibrate.js"}
    needed = PRELOADED.findall(served(STATIC).get("/").text)
    assert sorted([*needed, "app.js"]) == sorted(modules)


def test_a_browser_keeps_the_files_until_one_is_changed(folder: Path) -> None:
    client = served(folder)
    found = APP.search(client.get("/").text)
    assert found is not None
    kept = client.get(found[1])
    assert kept.headers["cache-control"] == "max-age=31536000, immutable"
    assert kept.text == (folder / "app.js").read_text(encoding="utf-8")
    assert "cache-control" not in client.get("/static/app.js").headers

    (folder / "app.js").write_text("export const news = 1;\n", encoding="utf-8")
    os.utime(folder / "app.js", (1, 1))  # not by its age: another version may be older
    changed = APP.search(client.get("/").text)
    assert changed is not None
    assert changed[2] != found[2]
    for address in (changed[1], found[1]):  # a page that was not loaded again still gets files
        assert client.get(address).text == "export const news = 1;\n"
    assert "immutable" in client.get(changed[1]).headers["cache-control"]
    assert "cache-control" not in client.get(found[1]).headers


def test_the_version_is_that_of_the_contents(folder: Path, tmp_path: Path) -> None:
    here = APP.search(served(folder).get("/").text)
    os.utime(folder / "b.js", (1, 1))
    again = APP.search(served(folder.rename(tmp_path / "installed again")).get("/").text)
    assert here is not None
    assert again is not None
    assert here[2] == again[2]
