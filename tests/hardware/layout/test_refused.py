"""A broken layout is refused in one clear line."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware import layout
from hardware.layout import LayoutError

FOLDER = layout.SHIPPED
REED = FOLDER.joinpath("square-reed.toml").read_text(encoding="utf-8")


REFUSED = {
    "square-reed": [
        ("pitch =", "pitsch =", "board: unknown key 'pitsch'"),
        ("title =", "name2 =", "unknown key 'name2'"),
        ('sensing = "presence"\n', "", "missing key 'sensing'"),
        ("pitch = 33.33", "pitch = -1", "board: pitch and slot are sizes in mm, not -1.0"),
        ("0x21", '"0x21"', "expanders[1].address: expected 'int', got 'str'"),
        ("0x21", "0x20", "expanders[1].address: 0x20 is there twice"),
        ("0x21", "0x31", "expanders[1].address: is from 0x20 to 0x27, not 0x31"),
        ('["A1", "B1"', '["E4", "B1"', "expanders[2].A[3]: two sensors on E4: it is on 0x20.A0"),
        ('["A1", "B1"', '["", "B1"', "cells.A1: is on no pin"),
        ('["A1", "B1"', '["K1", "B1"', "expanders[0].A[0]: 'K1' is no cell or slot"),
        ('["A1", "B1"', '["edge.west", "B1"', "expanders[0].A[0]: edge.west is an edge: it has a"),
        ('"F1", "G1"]', '"F1", "G1", ""]', "expanders[0].A: A7 of an MCP23017 cannot be an input"),
        ("pixels = [1]", "pixels = [0]", "cells.B1.pixels: pixel 0 is A1's already"),
        ("pixels = [1]", "pixels = [101]", "cells.B1.pixels: pixel 101, but the chain has 0 to 10"),
        ("count = 101", "count = 102", "leds.count: pixel 101 belongs to no place"),
        ("count = 101", "count = 9000", "drives no 9000"),
        ('"GRB"', '"GRRB"', "leds.order: 'GRRB' is not one of GRB, GBR, RGB, RBG"),
        ("[buttons]", "[dice]\n2 = 'GPIO16'\n[buttons]", "a stick die has four faces, not 1"),
        ("[buttons]", "[dice]\n7 = 'GPIO16'\n[buttons]", "is a number from 1 to 6, not '7'"),
        ("[buttons]", "[dice]\n2 = 'GPIO17'\n[buttons]", "dice.2: GPIO17 is dice's already"),
        ("[buttons]", "[dice]\n2 = '0x26.B5'\n[buttons]", "has the sensor of north.8 alr"),
        (
            "pixels = [1], leds",
            "pixels = [1, 1], leds",
            "cells.B1: 2 pixels but positions of 1 LED",
        ),
        ("pixels = [1], leds", "pixels = [1], led", "cells.B1: unknown key 'led'"),
        ("A1 = { at = [16.7,", "A1 = { at = [nan,", "cells.A1: [nan, 16.7] is no position"),
        ("[[28.7, 4.7]]", "[[28.7, 4.7]], gain = 2", "cells.A1.gain: is above 0"),
        ('"south.1" = {', "south.1 = {", "slots.south: unknown key '1'"),
        (
            '"south.1" = {',
            '"south.1" = { pockets = 2,',
            "south.1 has 2 pockets: name them",
        ),
        ("yes =", "ja =", "buttons: there is no button 'yes'"),
        ('"GPIO6"', '"GPIO5"', "buttons.no: GPIO5 is yes's already"),
        ('"GPIO6"', '"GPIO4"', "buttons.no: GPIO4 is interrupt's already"),
        ('"GPIO6"', '"GPIO10"', "buttons.no: GPIO10 belongs to SPI"),
        ('"GPIO6"', '"GPIO99"', "buttons.no: a pin of the Pi's header is GPIO0 to GPIO27"),
        ('"GPIO6"', '"0x20.A0"', "buttons.no: 0x20.A0 has the sensor of A1 already"),
        ('"GPIO6"', '"0x20.A7"', "buttons.no: '0x20.A7' is no input pin of an expander here"),
        ('A1 = "D6"', 'A1 = "Q6"', "games.robot-duel.places.A1: the board has no place 'Q6'"),
        ('A1 = "D6"', 'A1 = "E6"', "games.robot-duel.places.B1: E6 is A1's already"),
        ('A1 = "D6"', 'A1 = "edge.west"', "games.robot-duel.places.A1: edge.west has no sensor"),
        ("{ A2 =", "{ A1 =", "games.robot-duel.places.A1: A1 is there twice"),
        ('["graveyard"]', '["a8"]', "games.chaturaji.places.a8: a8 is listed as unsensed"),
        ('A = { light = "edge.south"', 'A = { light = "moon"', "seats.A.light: the board has no"),
        (
            'A = { light = "edge.south"',
            "A = { licht = 1",
            "robot-duel.seats.A: unknown key 'licht'",
        ),
        ('"south" }, B', '"pole" }, B', "seats.A.button: there is no button 'pole'"),
        ("A1 = {", "A1 = {}\nA1 = {", "Cannot overwrite a value (at line 6"),
        ('name = "square', "name = square", "Invalid value (at line 5"),
    ],
    "square-hall": [
        ('"A1", "B1"', '"south.1", "B1"', "south.1 has 4 pockets: name them south.1/1"),
        ('"A1", "B1"', '"south.8", "B1"', "multiplexers[0].inputs[0]: south.8 has 0 pockets"),
        ('"south.1/2"', '"south.1/1"', "two sensors on south.1/1: it is on 0x48.0.9 already"),
        ('"south.1/2"', '""', "slots.south.1: has its pocket south.1/2 on no pin"),
        ("pockets = 2", "pockets = 5", "slots.south.6.pockets: a slot has 0 to 4 pockets, not 5"),
        ("channel = 1", "channel = 0", "multiplexers[1].channel: 0x48 has a multiplexer there"),
        ("channel = 1", "channel = 8", "multiplexers[1].channel: an ADS7830 has inputs 0 to 7"),
        ("adc = 0x49", "adc = 0x50", "multiplexers[8].adc: is from 0x48 to 0x4b, not 0x50"),
        ('I1",\n', 'I1", "",\n', "multiplexers[0].inputs: are 16"),
        ("expander = 0x27", "expander = 0x26", "select.expander: there is no expander at 0x26"),
        ('"A2", "A3"]', '"A2", "B4"]', "select.pins: S0 to S3 are four pins of one port"),
        ("0x27.B1", "0x27.A3", "buttons.no: 0x27.A3 has a select line already"),
        ("0x27.B1", "0x27.B0", "buttons.no: 0x27.B0 has the button yes already"),
        ("released = 4.0", "released = 7.0", "hall: released (7.0 mT) has to lie"),
        ("[hall]", "[halle]", "unknown key 'halle'"),
        ('sensing = "polarity"', 'sensing = "presence"', "they belong to a polarity board"),
    ],
}


@pytest.mark.parametrize(
    ("name", "old", "new", "message"), [(name, *row) for name in REFUSED for row in REFUSED[name]]
)
def test_a_broken_layout_is_refused_in_one_line(
    name: str, old: str, new: str, message: str
) -> None:
    text = FOLDER.joinpath(f"{name}.toml").read_text(encoding="utf-8")
    assert old in text
    with pytest.raises(LayoutError) as refused:
        layout.parse(text.replace(old, new, 1), "x.toml")
    assert message in str(refused.value)
    assert str(refused.value).startswith("x.toml: ")
    assert "\n" not in str(refused.value)


def test_a_stick_die_has_four_switches_on_the_header_or_an_expander() -> None:
    die = "[dice]\n2 = 'GPIO16'\n3 = 'GPIO20'\n4 = 'GPIO21'\n5 = '0x26.B6'\n[buttons]"
    made = layout.parse(REED.replace("[buttons]", die), "x.toml")
    wired = {face: (reed.gpio, reed.expander, reed.pin) for face, reed in made.dice.items()}
    assert wired == {2: (16, None, 0), 3: (20, None, 0), 4: (21, None, 0), 5: (None, 0x26, 14)}
    assert len(made.switches) == len(made.buttons) + 4


def test_a_chain_is_green_red_blue_unless_its_order_is_given() -> None:
    assert layout.parse(REED.replace('order = "GRB"\n', ""), "x.toml").led_order == "GRB"
    assert layout.parse(REED.replace('"GRB"', '"BRGW"'), "x.toml").led_order == "BRGW"


def test_a_file_can_be_anywhere(tmp_path: Path) -> None:
    mine = tmp_path / "walnut.toml"
    mine.write_text(REED.replace("square-reed", "walnut", 1), encoding="utf-8")
    assert layout.load(mine).name == "walnut"


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(LayoutError, match=r"nowhere\.toml: No such file"):
        layout.load(tmp_path / "nowhere.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(LayoutError, match=r"bytes\.toml: not a text in UTF-8"):
        layout.load(tmp_path / "bytes.toml")
    with pytest.raises(LayoutError, match="no layout 'round'; there are: square-reed"):
        layout.load("round")
