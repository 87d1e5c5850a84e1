"""The configuration of a real board: one TOML file, read strictly, every key described here.

`lampion config show` and docs/config.md are made from these descriptions. An error is one line that
names the file, the key and what is allowed.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec

from engine.games import FINISHED, NAMES, make
from firmware_host.players.help_levels import MOST_HELP
from firmware_host.players.kinds import BOARD_NAME, LEVEL_NAMES, player_kind
from firmware_host.players.time_control import NO_CLOCK, time_control
from hardware import layout, regular_file
from hardware.layout import toml_text

PORT: Final = 8710
"""The usual port of the page."""
PATH: Final = Path("/etc/lampion/lampion.toml")
"""The configuration that is used unless another file is named."""

LARGEST_BYTES: Final = 64 * 1024

GPIO: Final = r"^(GPIO([4-6]|1[23]|1[6-9]|2[0-7])|)$"
"""A pin of the Pi's header that belongs to no bus; or nothing."""


class ConfigError(ValueError):
    """An invalid configuration; one line with the file, the key and what is allowed."""


GAMES: Final = f'one of {", ".join(FINISHED)}, or ""'
LEVELS: Final = ", ".join(LEVEL_NAMES)
BOARDS: Final = f"one of {', '.join(layout.NAMES)}, or the path of a .toml file"


def _key(about: str, allowed: str, **limits: Any) -> msgspec.Meta:
    return msgspec.Meta(description=about, extra={"allowed": allowed}, **limits)


class ConfigTable(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A table of the file; an unknown key is an error."""


class I2cTable(ConfigTable, frozen=True):
    """The wires to the sensor chips."""

    bus: Annotated[
        int, _key("The number of the bus: 1 is /dev/i2c-1.", "a number from 0 to 99", ge=0, le=99)
    ] = 1
    baud: Annotated[
        int,
        _key(
            "The speed of the bus that config.txt sets (i2c_arm_baudrate). This key does not "
            "change it: it serves to warn of a board that is read too slowly.",
            "a number from 10000 to 1000000",
            ge=10_000,
            le=1_000_000,
        ),
    ] = 400_000


class ConfigHeader(ConfigTable, frozen=True):
    """The pins of the Pi's header."""

    chip: Annotated[
        Annotated[int, msgspec.Meta(ge=0, le=99)] | Literal["auto"],
        _key("The GPIO chip of the pins: 0 is /dev/gpiochip0.", '"auto", or a number from 0 to 99'),
    ] = "auto"
    interrupt: Annotated[
        str,
        _key(
            "The pin of the interrupt line of the chips (INT), if it is not the layout's.",
            'a pin like "GPIO24" that no bus needs, or "" for that of the layout',
            pattern=GPIO,
        ),
    ] = ""
    reset: Annotated[
        str,
        _key(
            "The pin of the wire that resets the chips (RESET), if it is not the layout's.",
            'a pin like "GPIO25" that no bus needs, or "" for that of the layout',
            pattern=GPIO,
        ),
    ] = ""


class LedsTable(ConfigTable, frozen=True):
    """The chain of lights."""

    output: Annotated[
        Literal["spi", "ws281x"],
        _key(
            "The driver of the lights: SPI, which needs no root and works on every Pi, or the "
            "library rpi_ws281x, which needs root and does not work on a Pi 5.",
            '"spi" or "ws281x"',
        ),
    ] = "spi"
    device: Annotated[
        str,
        _key(
            'The SPI device; for ws281x "pwm" (GPIO18) or "pcm" (GPIO21).',
            'a path like "/dev/spidev0.0", or "pwm" or "pcm"',
            pattern=r"^(/dev/[^/]+|pwm|pcm)$",
        ),
    ] = "/dev/spidev0.0"
    bits: Annotated[
        Literal[3, 4],
        _key(
            "How many bits of SPI make one bit for the lights; with 3 some lights flicker.",
            "3 or 4",
        ),
    ] = 4
    limit_ma: Annotated[
        int,
        _key(
            "The current limit of the lights, in mA: 500 if the Pi feeds them, up to 1500 from a "
            "supply of their own. Brighter pictures are dimmed.",
            "a number from 100 to 1500",
            ge=100,
            le=1500,
        ),
    ] = 1000
    brightness: Annotated[
        float,
        _key("The share of full brightness.", "a number from 0.02 to 1", ge=0.02, le=1.0),
    ] = 0.3


class SerialTable(ConfigTable, frozen=True):
    """The co-processor on a serial port."""

    port: Annotated[
        str,
        _key(
            "The port of the co-processor, if it is not the layout's.",
            'a path like "/dev/ttyACM0", or "" for that of the layout',
            pattern=r"^(/dev/.+|)$",
        ),
    ] = ""


class ClockTable(ConfigTable, frozen=True):
    """The clock of a match."""

    control: Annotated[
        str,
        _key(
            "The time of each seat in new matches, until the page chooses another one: 10m for all "
            "moves, 5m+3s with three seconds more after each move, 10m+30s*3 with three periods of "
            "30 s after that, 30s/move for every move.",
            '"none", or a text like "5m+3s"',
            max_length=40,
        ),
    ] = NO_CLOCK
    flag: Annotated[
        Literal["ends", "told"],
        _key(
            "What happens when a player's time is up: the match ends as the rules of its game say, "
            "or it is only told, and play goes on.",
            '"ends" or "told"',
        ),
    ] = "ends"


class SoundTable(ConfigTable, frozen=True):
    """The sounds of the board."""

    speech: Annotated[
        bool,
        _key(
            "Whether the board says whose turn it is and what to do next, in its language. It "
            "needs the program espeak-ng.",
            "true or false",
        ),
    ] = False


class MqttTable(ConfigTable, frozen=True):
    """The MQTT broker to which the board is connected."""

    address: Annotated[
        str,
        _key(
            "The broker to which the board publishes its match, and over which it plays with other "
            "boards. It needs the package paho-mqtt.",
            '"", or a host and perhaps a port like "192.168.1.5:1883"; the port is 1883, with TLS '
            "8883, if none is given",
            pattern=r"^((\[[0-9A-Fa-f:]+\]|[A-Za-z0-9._-]+)(:\d{1,5})?|)$",
        ),
    ] = ""
    name: Annotated[
        str,
        _key(
            "The name of this board in topics and for other boards; each board of a broker has its "
            "own.",
            "small letters, digits and hyphens, at most 30",
            pattern=f"^{BOARD_NAME}$",
        ),
    ] = "lampion"
    user: Annotated[
        str, _key("The user name at the broker.", 'a text, or "" for none', max_length=100)
    ] = ""
    password_file: Annotated[
        str,
        _key(
            "The file whose first line is the password. Only the board's user should read it.",
            'the path of a file, or "" for no password',
            pattern="^(/.+|)$",
        ),
    ] = ""
    tls: Annotated[
        bool, _key("Whether the connection to the broker is encrypted.", "true or false")
    ] = False
    ca_file: Annotated[
        str,
        _key(
            "The file with the certificates that are trusted, if they are not the system's.",
            'the path of a file, or ""',
            pattern="^(/.+|)$",
        ),
    ] = ""
    home_assistant: Annotated[
        bool,
        _key("Whether Home Assistant finds the board by itself.", "true or false"),
    ] = True

    @property
    def endpoint(self) -> tuple[str, int]:
        """Return the host and the port of the broker, if there is one."""
        host, port = re.fullmatch(r"(.*?)(?::(\d+))?", self.address).groups()  # type: ignore[union-attr]
        return host.strip("[]"), int(port or (8883 if self.tls else 1883))


class Config(ConfigTable, frozen=True):
    """The whole configuration."""

    layout: Annotated[
        str,
        _key(
            "The board: one that comes with the program (see `lampion layouts`), or a file.",
            BOARDS,
        ),
    ] = "square-reed"
    game: Annotated[
        str,
        _key(
            "The game to start if no match is unfinished; an unfinished one is resumed, whatever "
            "its game. The page and `lampion run --game` start another game. "
            '"" is the first game that the board serves.',
            GAMES,
        ),
    ] = ""
    state: Annotated[
        str,
        _key("The directory where matches are kept.", "the path of a directory", min_length=1),
    ] = "/var/lib/lampion"
    language: Annotated[
        Literal["en", "pl", "cs", "fr"],
        _key(
            "The language for browsers that ask for none of these languages, for speech, and for "
            "the service manager.",
            '"en", "pl", "cs" or "fr"',
        ),
    ] = "en"
    page: Annotated[
        str,
        _key(
            "The address of the page. localhost is for this computer alone; at any other address a "
            "browser needs the token in the link that is printed at the start.",
            '"off", or an address and a port like "localhost:8710" or "0.0.0.0:8710" (all of them)',
            pattern=r"^(off|(localhost|\d{1,3}(\.\d{1,3}){3}):\d{1,5})$",
        ),
    ] = f"localhost:{PORT}"
    assist: Annotated[
        list[Annotated[int, msgspec.Meta(ge=0, le=MOST_HELP)]],
        _key(
            "The help level of each seat at first. At 0 the lights show whose turn it is, at 1 "
            "also the last move, at 2 also where a piece may go, at 3 also what is in danger and "
            "which moves are bad, at 4 also small mistakes. The last number is for all further "
            "seats.",
            "a list of one to eight numbers from 0 to 4",
            min_length=1,
            max_length=8,
        ),
    ] = msgspec.field(default_factory=lambda: [2])
    options: Annotated[
        dict[str, str | int | bool],
        _key(
            "Options of `game`, as `lampion games G` lists them.",
            "options of the game, each with a text, a number, or true or false",
        ),
    ] = msgspec.field(default_factory=dict)
    clock: ClockTable = msgspec.field(default_factory=ClockTable)
    sound: SoundTable = msgspec.field(default_factory=SoundTable)
    mqtt: MqttTable = msgspec.field(default_factory=MqttTable)
    i2c: I2cTable = msgspec.field(default_factory=I2cTable)
    gpio: ConfigHeader = msgspec.field(default_factory=ConfigHeader)
    leds: LedsTable = msgspec.field(default_factory=LedsTable)
    serial: SerialTable = msgspec.field(default_factory=SerialTable)
    buttons: Annotated[
        dict[str, Annotated[str, msgspec.Meta(pattern=GPIO)]],
        _key(
            "The pins of buttons, by their names, if they are not the layout's.",
            'buttons of the layout, each with a pin like "GPIO17" that no bus needs',
        ),
    ] = msgspec.field(default_factory=dict)
    seats: Annotated[
        dict[str, str],
        _key(
            "The player at each seat, by the seat's name, until people choose another one on the "
            f"page; by default a person. The levels of the machine: {LEVELS}. A USI engine for "
            'Shogi and Robot Duel: "usi:/usr/games/fairy-stockfish"; arguments may follow, quoted '
            'as in a shell. A person at another board of the same broker: "board:" and its name.',
            'seats of a game, each with "person", "level:…", "usi:…" or "board:…"',
        ),
    ] = msgspec.field(default_factory=dict)

    @property
    def address(self) -> tuple[str, int]:
        """Return the address and the port of the page, if there is one."""
        address, _, port = self.page.rpartition(":")
        return "127.0.0.1" if address == "localhost" else address, int(port)

    @property
    def measured(self) -> Path:
        """Return the folder of this board's measurements: its own layout's, else the matches'."""
        own = self.layout not in layout.KNOWN
        return Path(self.layout).parent if own else Path(self.state)


def read(path: Path) -> Config:
    """Return the configuration in a file; ConfigError if it is invalid."""
    try:
        data = toml_text.parsed(regular_file.read_text(path, LARGEST_BYTES))
    except FileNotFoundError:
        raise ConfigError(
            f"{path}: there is no such file; `lampion config show` prints one to start with"
        ) from None
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from error
    except ValueError as error:
        raise ConfigError(f"{path}: this is no TOML: {error}") from error
    return parse(data, str(path))


def parse(data: dict[str, Any], file: str) -> Config:
    """Return the configuration in the data of a TOML file; a ConfigError calls it `file`."""
    try:
        config = msgspec.convert(data, Config)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{file}: {_problem(str(error), data)}") from None
    _check(config, file)
    return config


def _check(config: Config, file: str) -> None:
    """Check the names in the file, as far as that needs no board."""
    if config.game not in ("", *NAMES):
        raise ConfigError(f"{file}: {_wrong('game', config.game)}")
    if config.page != "off":
        address, port = config.address
        if not 0 < port < 65536 or any(int(part) > 255 for part in address.split(".")):
            raise ConfigError(f"{file}: {_wrong('page', config.page)}")
    if config.leds.device.startswith("/") != (config.leds.output == "spi"):
        raise ConfigError(
            f"{file}: leds.device: {config.leds.device!r} does not go with "
            f"output = {config.leds.output!r}; {about('leds.device')}"
        )
    if not 0 < config.mqtt.endpoint[1] < 65536:
        raise ConfigError(f"{file}: {_wrong('mqtt.address', config.mqtt.address)}")
    try:
        time_control(config.clock.control)
    except ValueError:
        raise ConfigError(f"{file}: {_wrong('clock.control', config.clock.control)}") from None
    if config.options and not config.game:
        raise ConfigError(f"{file}: options: name the game that they belong to in `game`")
    if config.game:
        try:
            make(config.game, config.options)
        except ValueError as error:
            raise ConfigError(f"{file}: options: {error}") from None
    if config.seats:
        known = dict.fromkeys(seat for name in NAMES for seat in make(name).seats)
        for seat, who in config.seats.items():
            if seat not in known:
                raise ConfigError(
                    f"{file}: seats.{seat}: there is no such seat; there are: {', '.join(known)}"
                )
            try:
                player_kind(who)
            except ValueError as error:
                raise ConfigError(f"{file}: seats.{seat}: {error}") from None


def _problem(error: str, data: dict[str, Any]) -> str:
    """Return the error of msgspec in our words: the key, and what is allowed."""
    what, _, path = error.partition(" - at `$")
    key = re.sub(r"\[.*", "", path.rstrip("`")).lstrip(".")
    if unknown := re.match("Object contains unknown field `(.*)`", what):
        name = f"{key}.{unknown[1]}" if key else unknown[1]
        where = f"in [{key}] there are" if key else "there are"
        known = [each.name.rpartition(".")[2] for each in keys() if each.table == key]
        known += [] if key else list(dict.fromkeys(each.table for each in keys() if each.table))
        return f"{name}: there is no such key; {where}: {', '.join(known)}"
    found: Any = data
    for part in key.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    return _wrong(key, found)


def _wrong(key: str, found: object) -> str:
    return f"{key}: {found!r} is not allowed; allowed is {allowed(key)}"


# ---- what is said of the keys


class Key(msgspec.Struct, frozen=True):
    """One key of the file."""

    table: str
    """The table that contains it; empty for none."""
    name: str
    """Its name with that of its table: `leds.bits`."""
    about: str
    allowed: str
    default: Any
    free: bool
    """Whether it is a table with keys of the user's choice."""


def keys() -> list[Key]:
    """Return all keys in the order of the file: those outside tables first."""
    found = _keys(Config, "")
    return sorted(found, key=lambda key: bool(key.table) or key.free)


def _keys(kind: type[ConfigTable], table: str) -> list[Key]:
    info = msgspec.inspect.type_info(kind)
    assert isinstance(info, msgspec.inspect.StructType)
    plain, found = kind(), []
    for each in info.fields:
        default = getattr(plain, each.name)
        if isinstance(default, ConfigTable):
            found += _keys(type(default), each.name)
            continue
        assert isinstance(each.type, msgspec.inspect.Metadata)
        about = (each.type.extra_json_schema or {})["description"]
        allowed_text = (each.type.extra or {})["allowed"]
        name = f"{table}.{each.name}" if table else each.name
        found.append(Key(table, name, about, allowed_text, default, isinstance(default, dict)))
    return found


def about(name: str) -> str:
    """Return the description of a key."""
    return next(key.about for key in keys() if key.name == name)


def allowed(name: str) -> str:
    """Return the allowed values of a key; for a table "a table"."""
    return next((key.allowed for key in keys() if key.name == name), f"a table [{name}]")
