"""The configuration of a real board: what it may contain, and how errors are reported."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from firmware_host.__main__ import main
from firmware_host.config import config
from firmware_host.config.as_toml import as_toml
from firmware_host.config.board import board_of
from firmware_host.config.config import Config, ConfigError, keys, parse, read
from firmware_host.host import service
from hardware.pi.errors import RaspberryPiError
from tests.support.serial_boards import PORT, serial_text


def loads(text: str) -> Config:
    return parse(tomllib.loads(text), "lampion.toml")


def test_an_empty_file_is_a_board_with_a_page_for_this_computer() -> None:
    plain = loads("")
    assert plain == Config()
    assert (plain.layout, plain.page, plain.leds.output) == ("square-reed", "localhost:8710", "spi")


def test_every_key_may_be_set_and_is_shown_as_it_loads_again() -> None:
    text = """
        layout = "square-hall"
        game = "chaturaji"
        state = "/srv/board \\u007f"
        language = "cs"
        page = "0.0.0.0:80"
        assist = [0, 1, 2, 3]
        [options]
        dice = 2
        [clock]
        control = "10m+30s*3"
        flag = "told"
        [sound]
        speech = true
        [mqtt]
        address = "192.168.1.5:1884"
        name = "attic"
        user = "board"
        password_file = "/etc/lampion/mqtt-password"
        tls = true
        ca_file = "/etc/lampion/ca.pem"
        home_assistant = false
        [i2c]
        bus = 3
        baud = 100000
        [gpio]
        chip = 4
        interrupt = "GPIO22"
        reset = "GPIO27"
        [leds]
        output = "ws281x"
        device = "pwm"
        bits = 3
        limit_ma = 700
        brightness = 0.5
        [serial]
        port = "/dev/ttyACM0"
        [buttons]
        yes = "GPIO5"
        [seats]
        black = "level:plans"
    """
    full = loads(text)
    for key in keys():
        value: Any = full
        for part in key.name.split("."):
            value = getattr(value, part)
        assert value != key.default, f"{key.name} is not tried"
    for each in (full, Config()):
        assert loads(as_toml(each)) == each


@pytest.mark.parametrize("key", keys(), ids=lambda key: key.name)
def test_every_key_is_shown_with_what_it_is_for_and_what_is_allowed(key: config.Key) -> None:
    shown = " ".join(as_toml(Config()).replace("#  ", "").replace("#", "").split())
    assert " ".join(key.about.split()) in shown
    assert f"Allowed: {key.allowed}" in shown


WRONG = [
    ("leds.bits", "[leds]\nbits = 5"),
    ("leds.bits", '[leds]\nbits = "3"'),
    ("leds.limit_ma", "[leds]\nlimit_ma = 99"),
    ("leds.limit_ma", "[leds]\nlimit_ma = 1501"),
    ("leds.limit_ma", "[leds]\nlimit_ma = true"),
    ("leds.limit_ma", "[leds]\nlimit_ma = 500.0"),
    ("leds.brightness", "[leds]\nbrightness = 1.5"),
    ("leds.brightness", "[leds]\nbrightness = nan"),
    ("leds.brightness", "[leds]\nbrightness = 0"),
    ("leds.output", '[leds]\noutput = "pwm"'),
    ("leds.device", '[leds]\ndevice = "spidev0.0"'),
    ("leds", "leds = 3"),
    ("i2c.bus", "[i2c]\nbus = -1"),
    ("i2c.bus", '[i2c]\nbus = "/dev/i2c-1"'),
    ("i2c.baud", "[i2c]\nbaud = 9999"),
    ("gpio.chip", '[gpio]\nchip = "gpiochip0"'),
    ("gpio.chip", "[gpio]\nchip = -1"),
    ("gpio.interrupt", '[gpio]\ninterrupt = "GPIO2"'),  # it belongs to I2C
    ("gpio.interrupt", "[gpio]\ninterrupt = 24"),
    ("gpio.reset", '[gpio]\nreset = "GPIO28"'),
    ("gpio.reset", '[gpio]\nreset = "GPIO25 "'),
    ("buttons", '[buttons]\nyes = "GPIO10"'),
    ("buttons", "buttons = []"),
    ("serial.port", '[serial]\nport = "ttyACM0"'),
    ("layout", "layout = 1"),
    ("game", 'game = "chess"'),
    ("state", 'state = ""'),
    ("language", 'language = "de"'),
    ("page", 'page = "on"'),
    ("page", "page = true"),
    ("page", 'page = "127.0.0.1"'),
    ("page", 'page = "127.0.0.1:0"'),
    ("page", 'page = "127.0.0.1:65536"'),
    ("page", 'page = "127.0.0.256:8710"'),
    ("page", 'page = "board.local:8710"'),
    ("assist", "assist = []"),
    ("assist", "assist = [5]"),
    ("assist", "assist = 2"),
    ("assist", f"assist = {[2] * 9}"),
    ("options", 'game = "shogi"\noptions = ["impasse"]'),
    ("options", 'game = "shogi"\n[options]\nimpasse = 1.5'),
    ("seats", "[seats]\nblack = 1"),
    ("clock.control", '[clock]\ncontrol = "5 minutes"'),
    ("clock.control", "[clock]\ncontrol = 5"),
    ("clock.control", f'[clock]\ncontrol = "{"9" * 50}m"'),
    ("clock.flag", '[clock]\nflag = "never"'),
    ("mqtt.address", '[mqtt]\naddress = "mqtt://broker"'),
    ("mqtt.address", '[mqtt]\naddress = "broker:0"'),
    ("mqtt.address", '[mqtt]\naddress = "broker:65536"'),
    ("mqtt.name", '[mqtt]\nname = "the attic"'),
    ("mqtt.name", '[mqtt]\nname = "+"'),
    ("mqtt.password_file", '[mqtt]\npassword_file = "secret"'),
]


@pytest.mark.parametrize(("key", "text"), WRONG, ids=lambda value: value.replace("\n", " "))
def test_an_impossible_value_is_reported_with_what_is_allowed(key: str, text: str) -> None:
    with pytest.raises(ConfigError) as error:
        loads(text)
    line = str(error.value)
    assert line.startswith(f"lampion.toml: {key}: ")
    assert line.endswith(f" is not allowed; allowed is {config.allowed(key)}")
    assert "\n" not in line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("colour = 1", "colour: there is no such key; there are: layout, game, state, "),
        ("[leds]\ncount = 3", "leds.count: there is no such key; in [leds] there are: output, "),
        ("[power]\nx = 1", "power: there is no such key"),
        ("[options]\ndice = 2", "options: name the game that they belong to in `game`"),
        ('game = "shogi"\n[options]\ndice = 2', "options: shogi has no option 'dice'"),
        ('[seats]\nnorth = "person"', "seats.north: there is no such seat; there are: A, B, "),
        ('[seats]\nblack = "robot"', "seats.black: 'robot' is nobody who can play: write person, "),
        ('[seats]\nblack = "level:x"', "seats.black: no level 'x'; there are: newcomer, "),
        ('[seats]\nblack = "usi:/no"', "seats.black: /no: no such program; install it, "),
        ('[leds]\noutput = "ws281x"', "leds.device: '/dev/spidev0.0' does not go with output"),
        ('[leds]\ndevice = "pwm"', "leds.device: 'pwm' does not go with output = 'spi'"),
    ],
)
def test_values_that_contradict_each_other_are_reported(text: str, line: str) -> None:
    with pytest.raises(ConfigError) as error:
        loads(text)
    assert str(error.value).startswith(f"lampion.toml: {line}")


@pytest.mark.parametrize(
    ("page", "address"),
    [("localhost:8710", ("127.0.0.1", 8710)), ("192.0.2.1:80", ("192.0.2.1", 80))],
)
def test_the_page_has_an_address(page: str, address: tuple[str, int]) -> None:
    assert loads(f'page = "{page}"').address == address


def test_what_some_editors_put_ahead_of_a_file_is_no_matter(tmp_path: Path) -> None:
    file = tmp_path / "lampion.toml"
    file.write_bytes(b'\xef\xbb\xbflayout = "hex-reed"\r\n')
    assert read(file) == Config(layout="hex-reed")


def test_files_that_are_none(tmp_path: Path) -> None:
    file = tmp_path / "lampion.toml"
    with pytest.raises(ConfigError, match="there is no such file; `lampion config show`"):
        read(file)
    file.write_text("layout = 1 2")
    with pytest.raises(ConfigError, match=r"lampion\.toml: this is no TOML: .*line 1"):
        read(file)
    file.write_bytes(b'# Der K\xc3\xb6nig\n# le caf\xe9\nlayout = "hex-reed"\n')
    with pytest.raises(ConfigError, match=r"lampion\.toml: not a text in UTF-8 at line 2"):
        read(file)
    with pytest.raises(ConfigError, match="Is a directory"):
        read(tmp_path)


# ---- the board that it describes


def test_pins_of_the_file_take_the_place_of_those_of_the_layout() -> None:
    there = board_of(loads(""), "f")
    assert (there.interrupt_gpio, there.reset_gpio) == (4, 25)
    other = board_of(
        loads('[gpio]\ninterrupt = "GPIO25"\nreset = "GPIO4"\n[buttons]\nyes = "GPIO12"'), "f"
    )
    assert (other.interrupt_gpio, other.reset_gpio) == (25, 4)
    assert other.buttons["yes"].gpio == 12
    assert other.buttons["no"] == there.buttons["no"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('layout = "round"', "f: layout: no layout 'round'; there are: square-reed"),
        ('layout = "/nowhere/mine.toml"', "f: layout: /nowhere/mine.toml: No such file"),
        ('game = "abalone"', "f: layout: square-reed: no map for the game 'abalone'"),
        ('[buttons]\nmaybe = "GPIO26"', "f: buttons.maybe: square-reed has no such button; it has"),
        ('[serial]\nport = "/dev/ttyACM0"', "f: serial.port: square-reed has nothing on a serial"),
        ('[gpio]\nreset = "GPIO4"', "f: gpio.reset: GPIO4 is that of gpio.interrupt already"),
        ('[buttons]\nyes = "GPIO25"', "f: buttons.yes: GPIO25 is that of gpio.reset already"),
    ],
)
def test_an_impossible_board_is_reported(text: str, line: str) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011
        board_of(loads(text), "f")
    assert str(error.value).startswith(line)


def test_the_port_of_the_file_takes_the_place_of_that_of_the_layout(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(serial_text("square-reed"), encoding="utf-8")
    said = f'layout = "{mine}"\n'
    assert [device.port for device in board_of(loads(said), "f").serial] == [PORT]
    said += '[serial]\nport = "/dev/ttyAMA0"\n'
    (device,) = board_of(loads(said), "f").serial
    assert (device.port, device.kind) == ("/dev/ttyAMA0", "board")
    two = '[[serial]]\nport = "/dev/ttyUSB0"\nkind = "die"\n'
    mine.write_text(serial_text("square-reed", extra=two), encoding="utf-8")
    with pytest.raises(ConfigError, match=f"f: serial.port: .* has {PORT}, /dev/ttyUSB0: a copy"):
        board_of(loads(said), "f")


@pytest.mark.parametrize("text", ["", 'layout = "square-hall"', "[i2c]\nbaud = 100000"])
def test_a_board_that_is_read_quickly_enough_is_no_matter(
    text: str, caplog: pytest.LogCaptureFixture
) -> None:
    board_of(loads(text), "f")
    assert caplog.text == ""


def test_a_board_that_would_be_read_too_slowly_is_mentioned(
    caplog: pytest.LogCaptureFixture,
) -> None:
    board_of(loads('layout = "square-hall"\n[i2c]\nbaud = 100000'), "f")
    assert "f: i2c.baud: one look at the board takes 55 ms at 100000 baud" in caplog.text


# ---- the commands


def test_config_show_prints_a_file_that_loads_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(config, "PATH", tmp_path / "etc.toml")
    assert main(["config", "show"]) == 0
    assert loads(capsys.readouterr().out) == Config()
    config.PATH.write_text('game = "shogi"')
    assert main(["config", "show"]) == 0
    assert loads(capsys.readouterr().out) == Config(game="shogi")
    mine = tmp_path / "mine.toml"
    mine.write_text('[leds]\nbits = 4\n[options]\n"a b" = 1')
    assert main(["config", "show", "--config", str(mine)]) == 1
    assert "options: name the game" in capsys.readouterr().err
    assert main(["config", "show", "--config", str(tmp_path / "none")]) == 1
    assert "there is no such file" in capsys.readouterr().err


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(words) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("lampion: ")
    assert err.count("\n") == 1
    return err


def test_run_says_in_one_line_why_it_cannot(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "lampion.toml"
    run = ("run", "--config", str(file))
    assert "there is no such file" in refused(capsys, *run)
    kept = f'state = "{tmp_path}/state"\n'
    file.write_text(kept + "[i2c]\nbus = 97\n")
    assert "/dev/i2c-97 is missing: i2c.bus is 1 on most boards" in refused(capsys, *run)
    file.write_text(kept + 'layout = "nowhere.toml"\n')
    assert "nowhere.toml: No such file" in refused(capsys, *run)
    file.write_text('state = "/proc/nowhere"\n')
    assert "/proc/nowhere: No such file" in refused(capsys, *run)

    def forbidden(*_: object, **__: object) -> None:
        raise RaspberryPiError("/dev/i2c-1 is not allowed: sudo usermod -aG i2c $USER")

    monkeypatch.setattr(service, "RaspberryPi", forbidden)
    file.write_text(kept)
    assert "usermod -aG i2c" in refused(capsys, *run)


@pytest.mark.parametrize(
    ("lines", "endpoint"),
    [
        ('address = "broker"', ("broker", 1883)),
        ('address = "broker"\ntls = true', ("broker", 8883)),
        ('address = "10.0.0.2:1884"\ntls = true', ("10.0.0.2", 1884)),
        ('address = "[fd00::2]:1884"', ("fd00::2", 1884)),
        ('address = "[fd00::2]"', ("fd00::2", 1883)),
    ],
)
def test_the_host_and_port_of_the_broker(lines: str, endpoint: tuple[str, int]) -> None:
    assert loads(f"[mqtt]\n{lines}").mqtt.endpoint == endpoint
