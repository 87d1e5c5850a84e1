"""Solves Robot Duel backwards from its ends; needs numpy."""

from importlib.util import find_spec

if find_spec("numpy") is None:
    raise SystemExit("solving needs numpy: make .venv/dev installs it")
