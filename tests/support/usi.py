"""Engines by USI and UCI: programs that a test writes, and ours."""

from __future__ import annotations

import sys
from pathlib import Path

ENTERED = "+R+R+B+BK+P+P+P+P/+P+P+P6/9/9/9/9/9/9/4k4 b 4G4S 1"
"""A position of shogi in which sente may declare a win, where that rule is chosen."""

SCRIPT = """#!{python}
import os, subprocess, sys, threading, time
{before}
for line in sys.stdin:
    words = line.split()
    word = words[0] if words else ""
    if word == "usi":
        print("id name scripted\\nusiok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "go":
        {go}
    elif word == "stop":
        {stop}
"""


def written(file: Path, text: str) -> str:
    """Write a program that may be run; return its path."""
    file.write_text(text)
    file.chmod(0o755)
    return str(file)


def scripted(folder: Path, go: str, stop: str = "pass", before: str = "") -> str:
    """Write an engine that does this in Python over `go`, over `stop` and when it starts."""
    text = SCRIPT.format(python=sys.executable, go=go, stop=stop, before=before)
    return written(folder / "engine", text)


def ours(folder: Path) -> str:
    """Write a program that is Lampion as an engine."""
    return written(folder / "ours", f"#!/bin/sh\nexec {sys.executable} -m firmware_host usi\n")


UCI = """#!{python}
import sys
told = open({told!r}, "a")
for line in sys.stdin:
    print(line.strip(), file=told, flush=True)
    word = line.split()[0]
    if word == "uci":
        print("id name scripted\\nuciok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "go":
        print("bestmove {move}", flush=True)
"""


def uci(folder: Path, move: str) -> str:
    """Write a UCI engine that always plays a move; what it is told goes to the file `told`."""
    text = UCI.format(python=sys.executable, told=str(folder / "told"), move=move)
    return written(folder / "uci-engine", text)
