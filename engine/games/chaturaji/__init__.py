"""Chaturaji, the game of four rajas: eight men each, usually with a die."""

from engine.games.chaturaji.board import Move
from engine.games.chaturaji.game import Chaturaji
from engine.games.chaturaji.position import Position

__all__ = ["Chaturaji", "Move", "Position"]
