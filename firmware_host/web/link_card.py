"""A card to print, with a QR code for each role: it lies in the board's box, and phones scan it."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from html import escape

from firmware_host.i18n.messages import render, say
from firmware_host.web.keys import Link


def lasting_address(port: int) -> str:
    """Return the page's address by the computer's name, which stays when its number changes."""
    return f"http://{socket.gethostname()}.local:{port}/"


def card_page(links: Sequence[Link], language: str) -> str:
    """Return links as an HTML page to print. A person who has the card has the links."""
    title = render(say("Lampion: scan one of these with a phone"), language)
    cells = "".join(
        f"<li>{link.qr_svg()}<b>{escape(render(link.recipient, language))}</b>"
        f"<small>{escape(link.address)}</small></li>"
        for link in links
    )
    return (
        f'<!doctype html><html lang="{language}"><meta charset="utf-8"><title>{escape(title)}'
        "</title><style>@page{margin:12mm}body{font-family:sans-serif;color:#000;background:#fff}"
        "ul{list-style:none;padding:0;display:grid;grid-template-columns:repeat(3,1fr);gap:8mm}"
        "li{display:grid;justify-items:center;gap:2mm;break-inside:avoid;text-align:center}"
        "svg{width:50mm;height:50mm}small{font-size:2.6mm;overflow-wrap:anywhere}</style>"
        f"<h1>{escape(title)}</h1><ul>{cells}</ul></html>\n"
    )
