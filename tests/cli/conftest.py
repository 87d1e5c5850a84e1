"""Commands that run in this process."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.__main__ import main


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    """Run a command that succeeds and return its lines."""

    def run(*words: str) -> list[str]:
        assert main(words) == 0
        out, err = capsys.readouterr()
        assert err == ""
        return out.splitlines()

    return run


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Any:
    """Run a command that must fail with this code; return its one line."""

    def refused(code: int, *words: str) -> str:
        try:
            ended = main(words)
        except SystemExit as ending:
            ended = ending.code  # type: ignore[assignment]
        out, err = capsys.readouterr()
        assert (ended, out) == (code, "")
        assert err.startswith("lampion: ")
        assert err.count("\n") == 1
        assert "Traceback" not in err
        assert len(err) < 400
        return err

    return refused
