"""A broken layout is refused in one clear line."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware import layout
from hardware.layout import LayoutError

FOLDER = layout.SHIPPED
REED = FOLDER.joinpath("square-reed.toml").read_text(encoding="utf-8")
HALL = FOLDER.joinpath("square-hall.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "old", "new", "message"),
    [
        (REED, "pitch =", "pitsch =", "x.toml: board: unknown key 'pitsch'"),
        (REED, "title =", "name2 =", "x.toml: unknown key 'name2'"),
        (REED, 'sensing = "presence"\n', "", "x.toml: missing key 'sensing'"),
        (
            REED,
            "pitch = 33.33",
            "pitch = -1",
            "x.toml: board: pitch and slot are sizes in mm, not -1.0",
        ),
        (REED, "0x21", '"0x21"', "x.toml: expanders[1].address: expected 'int', got 'str'"),
        (REED, "0x21", "0x20", "x.toml: expanders[1].address: 0x20 is there twice"),
        (REED, "0x21", "0x31", "x.toml: expanders[1].address: is from 0x20 to 0x27, not 0x31"),
        (
            REED,
            '["A1", "B1"',
            '["E4", "B1"',
            "x.toml: expanders[2].A[3]: two sensors on E4: it is on 0x20.A0 already",
        ),
        (REED, '["A1", "B1"', '["", "B1"', "x.toml: cells.A1: is on no pin"),
        (REED, '["A1", "B1"', '["K1", "B1"', "x.toml: expanders[0].A[0]: 'K1' is no cell or slot"),
        (
            REED,
            '["A1", "B1"',
            '["edge.west", "B1"',
            "x.toml: expanders[0].A[0]: edge.west is an edge: it has a light and no sensor",
        ),
        (
            REED,
            '"F1", "G1"]',
            '"F1", "G1", ""]',
            "x.toml: expanders[0].A: A7 of an MCP23017 cannot be an input",
        ),
        (REED, "pixels = [1]", "pixels = [0]", "x.toml: cells.B1.pixels: pixel 0 is A1's already"),
        (
            REED,
            "pixels = [1]",
            "pixels = [101]",
            "x.toml: cells.B1.pixels: pixel 101, but the chain has 0 to 100",
        ),
        (REED, "count = 101", "count = 102", "x.toml: leds.count: pixel 101 belongs to no place"),
        (REED, "count = 101", "count = 9000", "drives no 9000"),
        (REED, '"GRB"', '"GRRB"', "x.toml: leds.order: 'GRRB' is not one of GRB, GBR, RGB, RBG"),
        (REED, "[buttons]", "[dice]\n2 = 'GPIO16'\n[buttons]", "a stick die has four faces, not 1"),
        (REED, "[buttons]", "[dice]\n7 = 'GPIO16'\n[buttons]", "is a number from 1 to 6, not '7'"),
        (REED, "[buttons]", "[dice]\n2 = 'GPIO17'\n[buttons]", "dice.2: GPIO17 is dice's already"),
        (REED, "[buttons]", "[dice]\n2 = '0x26.B5'\n[buttons]", "has the sensor of north.8 alr"),
        (
            REED,
            "pixels = [1], leds",
            "pixels = [1, 1], leds",
            "cells.B1: 2 pixels but positions of 1 LEDs",
        ),
        (REED, "pixels = [1], leds", "pixels = [1], led", "x.toml: cells.B1: unknown key 'led'"),
        (
            REED,
            "A1 = { at = [16.7,",
            "A1 = { at = [nan,",
            "x.toml: cells.A1: [nan, 16.7] is no position",
        ),
        (
            REED,
            "leds = [[28.7, 4.7]]",
            "leds = [[28.7, 4.7]], gain = 2",
            "cells.A1.gain: is above 0",
        ),
        (REED, '"south.1" = {', "south.1 = {", "x.toml: slots.south: unknown key '1'"),
        (REED, '"south.1" = {', '"south.1" = { pockets = 2,', "senses a slot as a whole"),
        (REED, "yes =", "ja =", "x.toml: buttons: there is no button 'yes'"),
        (REED, '"GPIO6"', '"GPIO5"', "x.toml: buttons.no: GPIO5 is yes's already"),
        (REED, '"GPIO6"', '"GPIO4"', "x.toml: buttons.no: GPIO4 is interrupt's already"),
        (REED, '"GPIO6"', '"GPIO10"', "x.toml: buttons.no: GPIO10 belongs to SPI"),
        (
            REED,
            '"GPIO6"',
            '"GPIO99"',
            "x.toml: buttons.no: a pin of the Pi's header is GPIO0 to GPIO27",
        ),
        (REED, '"GPIO6"', '"0x20.A0"', "buttons.no: 0x20.A0 has the sensor of A1 already"),
        (REED, '"GPIO6"', '"0x20.A7"', "buttons.no: '0x20.A7' is no input pin of an expander here"),
        (REED, 'A1 = "D6"', 'A1 = "Q6"', "games.robot-duel.places.A1: the board has no place 'Q6'"),
        (REED, 'A1 = "D6"', 'A1 = "E6"', "games.robot-duel.places.B1: E6 is A1's already"),
        (
            REED,
            'A1 = "D6"',
            'A1 = "edge.west"',
            "games.robot-duel.places.A1: edge.west has no sensor",
        ),
        (REED, "{ A2 =", "{ A1 =", "x.toml: games.robot-duel.places.A1: A1 is there twice"),
        (REED, '["graveyard"]', '["a8"]', "games.chaturaji.places.a8: a8 is listed as unsensed"),
        (
            REED,
            'A = { light = "edge.south"',
            'A = { light = "moon"',
            "seats.A.light: the board has no",
        ),
        (
            REED,
            'A = { light = "edge.south"',
            "A = { licht = 1",
            "robot-duel.seats.A: unknown key 'licht'",
        ),
        (
            REED,
            'button = "south" }, B',
            'button = "pole" }, B',
            "seats.A.button: there is no button 'pole'",
        ),
        (REED, "A1 = {", "A1 = {}\nA1 = {", "x.toml: Cannot overwrite a value (at line 6"),
        (REED, 'name = "square', "name = square", "x.toml: Invalid value (at line 5"),
        (HALL, '"A1", "B1"', '"south.1", "B1"', "south.1 has 4 pockets: name them south.1/1"),
        (HALL, '"A1", "B1"', '"south.8", "B1"', "multiplexers[0].inputs[0]: south.8 has 0 pockets"),
        (HALL, '"south.1/2"', '"south.1/1"', "two sensors on south.1/1: it is on 0x48.0.9 already"),
        (HALL, '"south.1/2"', '""', "x.toml: slots.south.1: has its pocket south.1/2 on no pin"),
        (
            HALL,
            "pockets = 2",
            "pockets = 5",
            "slots.south.6.pockets: a slot has 0 to 4 pockets, not 5",
        ),
        (
            HALL,
            "channel = 1",
            "channel = 0",
            "multiplexers[1].channel: 0x48 has a multiplexer there",
        ),
        (
            HALL,
            "channel = 1",
            "channel = 8",
            "multiplexers[1].channel: an ADS7830 has inputs 0 to 7",
        ),
        (HALL, "adc = 0x49", "adc = 0x50", "multiplexers[8].adc: is from 0x48 to 0x4b, not 0x50"),
        (HALL, 'I1",\n', 'I1", "",\n', "multiplexers[0].inputs: are 16"),
        (
            HALL,
            "expander = 0x27",
            "expander = 0x26",
            "select.expander: there is no expander at 0x26",
        ),
        (HALL, '"A2", "A3"]', '"A2", "B4"]', "select.pins: S0 to S3 are four pins of one port"),
        (HALL, "0x27.B1", "0x27.A3", "buttons.no: 0x27.A3 has a select line already"),
        (HALL, "0x27.B1", "0x27.B0", "buttons.no: 0x27.B0 has the button yes already"),
        (HALL, "released = 4.0", "released = 7.0", "x.toml: hall: released (7.0 mT) has to lie"),
        (HALL, "[hall]", "[halle]", "x.toml: unknown key 'halle'"),
        (HALL, 'sensing = "polarity"', 'sensing = "presence"', "senses a slot as a whole"),
    ],
)
def test_a_broken_layout_is_refused_in_one_line(
    text: str, old: str, new: str, message: str
) -> None:
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
    assert wired == {
        2: (16, None, 0),
        3: (20, None, 0),
        4: (21, None, 0),
        5: (None, 0x26, 14),
    }
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
