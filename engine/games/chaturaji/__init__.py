"""Chaturaji, the game of four rajas: eight pieces each, usually with a die."""

from engine.games.chaturaji.board import ChaturajiMove
from engine.games.chaturaji.game import Chaturaji
from engine.games.chaturaji.position import ChaturajiPosition

__all__ = ["Chaturaji", "ChaturajiMove", "ChaturajiPosition"]
