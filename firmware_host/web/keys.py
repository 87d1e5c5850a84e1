"""The keys of a board that others of the network may open: a token a role, all from one secret.

The secret is a file in the state directory, for its user alone; it is the host's token, and the
other tokens are made from it. So a restart changes no link, and another secret changes all.
"""

from __future__ import annotations

import base64
import contextlib
import fcntl
import hmac
import os
import re
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from firmware_host.i18n.messages import Message, say
from firmware_host.storage import files
from firmware_host.web.roles import HOST, PLAYERS, ROLES, WATCHER, Role
from hardware import regular_file

FILE: Final = "token"
_LENGTH: Final = 16
_SECRET: Final = re.compile(r"[\w-]{16,64}", re.ASCII)


class Keys:
    """The tokens of one board."""

    def __init__(self, secret: str, file: Path | None = None) -> None:
        """`file` is where the secret is kept: if another one is there later, that counts."""
        self._file = file
        self._stamp = _stamp(file)
        self._use(secret)

    @classmethod
    def kept_in(cls, directory: Path, *, renew: bool = False) -> Keys:
        """Return those of a state directory, the same after a restart; `renew`: others from now
        on. OSError if they cannot be kept.
        """
        file = directory / FILE
        return cls(_kept(file, renew), file)

    def token(self, role: Role) -> str:
        """Return the token of a role."""
        self._look()
        return self._tokens[role]

    def role(self, token: str) -> Role | None:
        """Return the role that a token is for; None if it is for none."""
        self._look()
        shown = token.encode("utf-8", "surrogatepass")
        same = [role for role in ROLES if hmac.compare_digest(shown, self._tokens[role].encode())]
        return same[0] if same else None

    def _use(self, secret: str) -> None:
        self._tokens = {role: secret if role == HOST else _made(secret, role) for role in ROLES}

    def _look(self) -> None:
        """Take another secret over, once it is there."""
        stamp = _stamp(self._file)
        if self._file is None or stamp == self._stamp:
            return
        with contextlib.suppress(OSError):
            secret = regular_file.read(self._file, 100).decode("ascii", "replace").strip()
            if _SECRET.fullmatch(secret):
                self._stamp = stamp
                self._use(secret)


def _made(secret: str, role: Role) -> str:
    digest = hmac.digest(secret.encode(), role.plain.encode(), "sha256")
    return base64.urlsafe_b64encode(digest)[:_LENGTH].decode()


def _stamp(file: Path | None) -> tuple[int, int, int] | None:
    if file is not None:
        with contextlib.suppress(OSError):
            found = file.stat()
            return found.st_ino, found.st_size, found.st_mtime_ns
    return None


def _kept(file: Path, renew: bool) -> str:
    """Return the secret in a file, or put one there; programs that ask at once get the same. No
    link is followed: root may ask in a directory of another user.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW
    descriptor = regular_file.opened(file, flags, files.PRIVATE)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        if os.geteuid() == 0:  # the board's own user must read what root has put there
            owner = file.parent.stat()
            os.fchown(descriptor, owner.st_uid, owner.st_gid)
        os.fchmod(descriptor, files.PRIVATE)  # whoever wrote it
        kept = regular_file.read(file, 100).decode("ascii", "replace").strip()
        if _SECRET.fullmatch(kept) and not renew:
            return kept
        secret = secrets.token_urlsafe(12)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, secret.encode() + b"\n", 0)
        os.fsync(descriptor)
        return secret
    finally:
        os.close(descriptor)


class Link(NamedTuple):
    """An address that lets somebody in."""

    role: Role
    whose: Message
    """The people who are to get it."""
    address: str


def links(keys: Keys, url: str, seats: Sequence[str]) -> list[Link]:
    """Return a link a role for a game of these seats; `url` is the page's, without a token."""
    whose = {HOST: say("the host"), WATCHER: say("watchers")}
    whose |= {
        PLAYERS[seat]: say("the player of {seat}", seat=say(name))
        for seat, name in enumerate(seats)
    }
    order = (HOST, *PLAYERS[: len(seats)], WATCHER)
    return [Link(role, whose[role], f"{url}?token={keys.token(role)}") for role in order]
