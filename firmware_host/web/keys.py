"""The keys of a board that other devices may open: a token for each role, and links with them.

The secret is a file in the state directory, readable by its user alone. It is the host's token, and
the other tokens are derived from it: a restart changes no link, a new secret changes all.
"""

from __future__ import annotations

import base64
import contextlib
import fcntl
import hmac
import io
import os
import re
import secrets
import shlex
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.games import NAMES, make
from firmware_host.config.config import PORT
from firmware_host.i18n.messages import Message, render, say
from firmware_host.storage import files
from firmware_host.storage.journal import JournalError
from firmware_host.storage.journal import Text as JournalText
from firmware_host.storage.match_files import MATCH
from firmware_host.web.roles import HOST, PLAYERS, ROLES, WATCHER, Role
from hardware import regular_file

if TYPE_CHECKING:
    import segno

FILE: Final = "token"
QR_BORDER: Final = 2
"""The width of the light margin of a QR code, in modules."""
_LENGTH: Final = 16
_SECRET: Final = re.compile(r"[\w-]{16,64}", re.ASCII)


class Keys:
    """The tokens of one board."""

    def __init__(self, secret: str, file: Path | None = None) -> None:
        """`file` holds the secret; if its content changes later, the new secret counts."""
        self._file = file
        self._stamp = _stamp(file)
        self._use(secret)

    @classmethod
    def stored_in(cls, directory: Path, *, renew: bool = False) -> Keys:
        """Return the keys of a state directory, the same after a restart; with `renew` new ones
        from now on. OSError if they cannot be stored.
        """
        file = directory / FILE
        return cls(_stored_secret(file, renew), file)

    def token(self, role: Role) -> str:
        """Return the token of a role."""
        self._look()
        return self._tokens[role]

    def role(self, token: str) -> Role | None:
        """Return the role of a token; None if it is nobody's."""
        self._look()
        shown = token.encode("utf-8", "surrogatepass")
        same = [role for role in ROLES if hmac.compare_digest(shown, self._tokens[role].encode())]
        return same[0] if same else None

    def _use(self, secret: str) -> None:
        self._tokens = {role: secret if role == HOST else _derived(secret, role) for role in ROLES}

    def _look(self) -> None:
        """Use a new secret as soon as it is in the file."""
        stamp = _stamp(self._file)
        if self._file is None or stamp == self._stamp:
            return
        with contextlib.suppress(OSError):
            secret = regular_file.read(self._file, 100).decode("ascii", "replace").strip()
            if _SECRET.fullmatch(secret):
                self._stamp = stamp
                self._use(secret)


def _derived(secret: str, role: Role) -> str:
    digest = hmac.digest(secret.encode(), role.plain.encode(), "sha256")
    return base64.urlsafe_b64encode(digest)[:_LENGTH].decode()


def _stamp(file: Path | None) -> tuple[int, int, int] | None:
    if file is not None:
        with contextlib.suppress(OSError):
            found = file.stat()
            return found.st_ino, found.st_size, found.st_mtime_ns
    return None


def _stored_secret(file: Path, renew: bool) -> str:
    """Return the secret in a file, or store one there. Programs that do this at the same time get
    the same one. No symbolic link is followed: root may call this in another user's directory.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW
    descriptor = regular_file.opened(file, flags, files.PRIVATE)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        if os.geteuid() == 0:  # the board's own user must be able to read it
            owner = file.parent.stat()
            os.fchown(descriptor, owner.st_uid, owner.st_gid)
        os.fchmod(descriptor, files.PRIVATE)  # also if it existed
        stored = regular_file.read(file, 100).decode("ascii", "replace").strip()
        if _SECRET.fullmatch(stored) and not renew:
            return stored
        secret = secrets.token_urlsafe(12)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, secret.encode() + b"\n", 0)
        os.fsync(descriptor)
        return secret
    finally:
        os.close(descriptor)


class Link(NamedTuple):
    """An address that gives a role."""

    role: Role
    recipient: Message
    """The people who are to get it."""
    address: str

    def qr_svg(self) -> str:
        """Return the address as a QR code, black on white, for a page."""
        return _qr(self.address).svg_inline(scale=4, border=QR_BORDER, light="#fff")

    def qr_text(self) -> str:
        """Return the address as a QR code of block characters, for a dark terminal."""
        text = io.StringIO()
        _qr(self.address).terminal(text, border=QR_BORDER, compact=True)
        return text.getvalue().rstrip("\n")


def _qr(address: str) -> segno.QRCode:
    import segno  # takes a while to import, and few pages show it

    return segno.make_qr(address)


def links(keys: Keys, url: str, seats: Sequence[str]) -> list[Link]:
    """Return a link for each role in a game of these seats; `url` is that of the page."""
    recipients = {HOST: say("the host"), WATCHER: say("watchers")}
    recipients |= {
        PLAYERS[seat]: say("the player of {seat}", seat=say(name))
        for seat, name in enumerate(seats)
    }
    order = (HOST, *PLAYERS[: len(seats)], WATCHER)
    return [Link(role, recipients[role], f"{url}?token={keys.token(role)}") for role in order]


def url(address: str, port: int) -> str:
    """Return the page's address for other devices, if it is served at that address of this
    computer, 0.0.0.0 for all: by its number in the network, or else by its name.
    """
    if address == "0.0.0.0":
        address = network_address() or f"{socket.gethostname()}.local"
    return f"http://{address}:{port}/"


def network_address() -> str:
    """Return the address of this computer in the network; empty as long as it has none."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing, but chooses the outgoing interface
        return str(probe.getsockname()[0])
    return ""


# ---- `lampion links`


def links_hint(state: str | None, port: int) -> str:
    """Return the line that says how to see the links of players and watchers."""
    where = f" --state {shlex.quote(state)}" if state else ""
    at = f" --port {port}" if port != PORT else ""
    command = f"lampion links --qr{where}{at}"
    return f"that link is the host's; those of players and watchers, as QR codes: {command}"


def stored_links(state: Path, page: str, *, renew: bool = False) -> list[Link]:
    """Return the links of the board with that state directory to its `page`, for the seats of the
    game in play; with `renew` new ones. OSError if they cannot be read or stored.
    """
    if not state.is_dir():
        raise FileNotFoundError(
            f"{state}: no board keeps its matches here; name their directory with --state"
        )
    keys = Keys.stored_in(state, renew=renew)
    try:
        seats = JournalText(state / MATCH).head.game.seats
    except JournalError:  # no match yet
        seats = make(NAMES[0]).seats
    return links(keys, page, seats)


def link_lines(state: Path, port: int, *, renew: bool = False, qr: bool = False) -> list[str]:
    """Return the links of the board with that state directory, one a line; with `qr` each above
    its QR code. The rest is as in `stored_links`.
    """
    lines = []
    for each in stored_links(state, url("0.0.0.0", port), renew=renew):
        lines.append(f"{render(each.recipient)}: {each.address}")
        if qr:
            lines += [each.qr_text(), ""]
    return lines
