"""What each part of the site says of itself."""

from __future__ import annotations

from typing import NamedTuple


class SitePart(NamedTuple):
    """A part of the site on the start page."""

    title: str
    about: str


class CannotBuildError(Exception):
    """The site cannot be built here; the message is one line that says what to do."""
