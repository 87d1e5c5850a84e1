"""A host that plays one match with other boards."""

from __future__ import annotations

from collections.abc import Mapping

from engine.games import make
from firmware_host.mqtt.host import MqttHost
from firmware_host.opponents.board_link import BoardLink


def link_host(host: MqttHost, name: str) -> BoardLink:
    """Let a host play with other boards; this one has that name."""

    def begin(game: str, options: Mapping[str, str]) -> None:
        wanted = make(game, options)
        boards = [host.layout] if game in host.layout.games else list(host.games().get(game, ()))
        if not boards:
            raise ValueError(f"this board does not serve {wanted.title}")
        host.new_game(game, options, boards[0].name)

    return host.opponents.link(name, begin)
