"""`lampion games`, `lampion layouts`: what there is to play, and to play on."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from engine.games import NAMES, make
from firmware_host.console.terminal import tell
from firmware_host.i18n.messages import render
from firmware_host.text import boards as board_words
from hardware import layout
from hardware.layout import Layout
from hardware.wiring import drawing, schematic, wiring


def tell_games(chosen: str | None) -> None:
    """Print a line for each game, or one game with its options."""
    for name in (chosen,) if chosen else NAMES:
        game = make(name)
        tell(f"{name:12} {game.title}; seats {', '.join(game.seats)}")
        if chosen:
            for option in game.known_options:
                default, *others = option.values
                tell(f"  {option.name} = {default} | {' | '.join(others)}".rstrip(" |"))
                said = [option.said(value) for value in option.values]
                same = said == list(option.values)
                tell(f"      {option.title}" + ("" if same else f": {' | '.join(said)}"))
                tell(f"      {option.about}")


def tell_layouts(chosen: argparse.Namespace) -> None:
    """Print a line for each board, or what is asked for of one; LayoutError if it is none."""
    boards = [layout.load(chosen.layout)] if chosen.layout is not None else []
    if chosen.wiring or boards:
        tell(_drawn(chosen, boards))
        return
    for name in layout.NAMES:
        board = layout.load(name)
        sensing = render(board_words.sensing_message(board))
        tell(f"{name:12} {', '.join(board.games)}. {sensing}")
        for game in board.games:
            if caution := render(board_words.caution_message(board, game)):
                tell(f"{'':12} {game}: {caution}")


def _drawn(chosen: argparse.Namespace, boards: Sequence[Layout]) -> str:
    """Return what is asked for of one board, or the page about all of them."""
    if chosen.wiring and not (chosen.svg and boards):
        return wiring.wiring_page(boards)
    board = boards[0]
    if chosen.svg:
        if chosen.wiring:
            return schematic.schematic_svg(board, chosen.step)
        return drawing.layout_svg(board)
    if chosen.bom:
        return wiring.parts_text(board)
    return f"{wiring.wiring_text(board)}\n{drawing.layout_svg(board)}"
