"""The lock of a state directory: only one board keeps its match there."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import IO

from firmware_host.storage import files
from firmware_host.storage.journal import JournalError
from hardware import regular_file


def lock(directory: Path, chosen_by: str = "--state") -> IO[str]:
    """Return the lock of a state directory, held while it is open; JournalError if another
    program has it. `chosen_by` is the option or setting that chooses the directory. What a board
    that was killed left half written is deleted.
    """
    path = directory
    try:
        files.make_directory(directory)
        path = directory / "lock"
        file = os.fdopen(regular_file.opened(path, os.O_RDWR | os.O_CREAT), "w")
    except OSError as error:
        why = error.strerror or error
        if isinstance(error, FileExistsError):
            why = "this is no directory"
        said = f"{path}: {why}; choose another state directory with {chosen_by}"
        raise JournalError(said) from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise JournalError(
            f"{directory}: another board keeps its match here; end it, or choose another state "
            f"directory with {chosen_by}"
        ) from None
    files.sweep(directory)
    return file
