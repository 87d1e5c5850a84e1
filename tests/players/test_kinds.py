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
    as_then,
    available,
    kind_explained,
    kind_message,
    kind_written,
    people,
    player_kind,
    seated_again,
    strength_message,
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
    assert render(kind_message(PlayerKind(level="plans")), "cs") == "počítač: plánuje"


def test_the_seats_of_people() -> None:
    assert people(["person", "level:plans", "person", "usi:/bin/x"]) == {0, 2}
    assert people(["level:plans"] * 2) == people([]) == frozenset()


def test_a_journal_has_the_level_that_fitted() -> None:
    written = PlayerKind(level="fits-you", fitting="sees-one").written
    who = kind_written(written)
    assert (who.level, who.fitting, who.text) == ("fits-you", "sees-one", "level:fits-you")
    strength = strength_message(who)
    assert strength is not None
    assert render(strength) == "sees one move"
    assert render(kind_message(who)) == "the machine: sees one move"
    assert seated_again(written) == PlayerKind(level="fits-you")
    assert as_then(written) == "level:sees-one"
    assert [as_then(text) for text in ("person", "level:plans", "level:fits-you")] == [
        "person",
        "level:plans",
        "level:fits-you",
    ]
    assert kind_written("level:fits-you nonsense").is_person


def test_a_match_may_go_on_at_a_level_between_two() -> None:
    text = as_then("level:fits-you below-newcomer")
    assert text == "level:below-newcomer"
    who = player_kind(text)
    assert seated_again(text) == who
    assert render(kind_message(who)) == "the machine: half random moves, half newcomer"
    assert render(kind_explained(who)) == "half random moves, half newcomer"
    assert text not in [offered.text for offered in available(make("shogi"))]
