"""Small files of which only the latest contents count."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from firmware_host.host.notices import Notices
from firmware_host.i18n.messages import render, say
from firmware_host.storage.files import DeferredFile


@pytest.fixture
def no_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)


@pytest.mark.usefixtures("no_threads")
def test_without_a_thread_it_is_written_at_once(tmp_path: Path) -> None:
    file = DeferredFile(tmp_path / "names.json", say("Not written: {why}"))
    file.put(b"one")
    assert file.path.read_bytes() == b"one"
    file.put(b"two")
    assert file.path.read_bytes() == b"two"
    file.close()


@pytest.mark.usefixtures("no_threads")
def test_without_a_thread_a_failure_is_told_until_a_write_succeeds(tmp_path: Path) -> None:
    file = DeferredFile(tmp_path / "later" / "names.json", say("Not written: {why}"))
    file.put(b"one")
    assert file.trouble is not None
    assert render(file.trouble) == "Not written: No such file or directory"
    file.path.parent.mkdir()
    file.put(b"two")
    assert file.trouble is None
    assert file.path.read_bytes() == b"two"


class Recovering(DeferredFile):
    """A file whose thread ends the trouble as soon as anybody has read it."""

    @property
    def error(self) -> OSError | None:  # type: ignore[override]
        error, self._error = self._error, None
        return error

    @error.setter
    def error(self, error: OSError | None) -> None:
        self._error = error


def test_a_trouble_may_end_while_it_is_reported(tmp_path: Path) -> None:
    file = Recovering(tmp_path / "names.json", say("Not written: {why}"))
    file.error = OSError(28, "No space left on device")
    notices = Notices()
    assert notices.look_at(file)
    assert notices.look_at(file)
    assert not notices.look_at(file)
