"""The kinds of players that may sit at a seat."""

from __future__ import annotations

import re
import sys

import pytest

from engine.games import make
from firmware_host.i18n.messages import render
from firmware_host.players.kinds import (
    PERSON,
    PlayerKind,
    available,
    kind_message,
    player_kind,
    suits,
)


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("person", PERSON),
        (" level:plans ", PlayerKind(level="plans")),
        ("level:fits-you", PlayerKind(level="fits-you")),
        (f"usi:{sys.executable}", PlayerKind(engine=sys.executable)),
        (f"uci:{sys.executable}", PlayerKind(engine=sys.executable, protocol="uci")),
        (
            f"usi:{sys.executable}  -u 'a b'",
            PlayerKind(engine=sys.executable, arguments=("-u", "a b")),
        ),
    ],
)
def test_who_plays_is_read_and_written(text: str, who: PlayerKind) -> None:
    assert player_kind(text) == who
    assert player_kind(who.text) == who


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("level:godlike", "no level 'godlike'; there are: newcomer, first-steps"),
        ("", "'' is nobody who can play: write person, level:NAME"),
        ("usi:", "is nobody who can play"),
        ("person:me", "is nobody who can play"),
        ("usi:stockfish", "write its whole path"),
        ("usi:/nowhere/stockfish", "/nowhere/stockfish: no such program"),
        ("usi:/nowhere/stockfish --uci", "/nowhere/stockfish: no such program"),
        (f"usi:{sys.executable} 'x", "is no command: No closing quotation"),
        (f"usi:{sys.executable} \0", "is nobody who can play"),
    ],
)
def test_what_is_nobody_is_refused_in_one_line(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)) as refused:
        player_kind(text)
    assert "\n" not in str(refused.value)


def test_engines_sit_only_where_they_know_the_game() -> None:
    engine = PlayerKind(engine=sys.executable)
    assert suits(engine, make("shogi"))
    assert not suits(engine, make("abalone"))
    assert suits(PlayerKind(level="plans"), make("abalone"))
    texts = [who.text for who in available(make("abalone"))]
    assert texts[:2] == ["person", "level:newcomer"]
    assert not any(text.startswith("usi:") for text in texts)
    assert render(kind_message(PlayerKind(level="plans")), "cs") == "stroj: plánuje"
