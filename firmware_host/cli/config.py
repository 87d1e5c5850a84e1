"""`lampion config`: the configuration of a real board, with all its keys."""

from __future__ import annotations

import argparse
from pathlib import Path

from firmware_host.config import config as configs
from firmware_host.config.as_toml import as_toml
from firmware_host.config.config import Config
from firmware_host.console.terminal import print_line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `lampion config`."""
    parser.add_argument("act", choices=["show"], help="print all keys with their values")
    add_config_file(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the configuration, or the defaults on a machine that has none."""
    path = config_path(arguments)
    known = arguments.config is not None or path.exists()
    print_line(as_toml(configs.read(path) if known else Config()).rstrip("\n"))
    return 0


def add_config_file(parser: argparse.ArgumentParser) -> None:
    """Add `--config`, which `config_path` reads."""
    parser.add_argument("--config", metavar="FILE", help="default /etc/lampion/lampion.toml")


def config_path(arguments: argparse.Namespace) -> Path:
    """Return the path of the configuration that is named, else of this machine's."""
    return configs.PATH if arguments.config is None else Path(arguments.config)
