"""A table of all lost positions of Robot Duel, read one block at a time.

It holds one byte for each position: half the plies until it is lost, or 0. The bytes are compressed
in blocks (raw LZMA). A head holds the end and the checksum of each block:

    "lampion: losses of robot-duel 1\\n"     32 bytes
    by block: end, CRC-32                   twice 4 bytes, little-endian; ends count from the head
    the blocks
"""

from __future__ import annotations

import lzma
import sys
from array import array
from collections.abc import Iterable, Iterator
from typing import Final, Protocol
from zlib import crc32

from engine.search.solved.numbering import POSITIONS

MAGIC: Final = b"lampion: losses of robot-duel 1\n"
BLOCK: Final = 1 << 14
"""The positions in a block; the last block has fewer."""
BLOCKS: Final = -(-POSITIONS // BLOCK)
HEAD: Final = len(MAGIC) + 8 * BLOCKS
LARGEST_BYTES: Final = 33_000_000
"""The most bytes of a table."""
DIGEST: Final = "0d563fd15e74b03c7949a3d16dca9dad6b8f6583b8cc9a9f2791e4a5edfa03fe"
"""The SHA-256 checksum of the bytes of all positions, uncompressed."""
_FILTERS: Final = [
    {
        "id": lzma.FILTER_LZMA1,
        "dict_size": BLOCK,
        "lc": 0,
        "lp": 0,
        "pb": 0,
        "mode": lzma.MODE_NORMAL,
        "nice_len": 32,
        "mf": lzma.MF_HC4,
        "depth": 8,
    }
]
_CACHED_BLOCKS: Final = 64
"""The most blocks that are cached uncompressed: 1 MB."""


class TablebaseError(ValueError):
    """A table is wrong; the message is one line."""


class Bytes(Protocol):
    """Bytes that can be sliced: bytes or a memory-mapped file."""

    def __len__(self) -> int: ...

    def __getitem__(self, cut: slice, /) -> bytes: ...


class Losses:
    """The table in these bytes; TablebaseError, which begins with the name, if they hold none."""

    def __init__(self, data: Bytes, name: str = "table") -> None:
        self.name = name
        if data[: len(MAGIC)] != MAGIC:
            raise TablebaseError(f"{name}: no table of Robot Duel")
        if len(data) < HEAD:
            raise TablebaseError(f"{name}: the table is cut short")
        head = array("I", data[len(MAGIC) : HEAD])
        if sys.byteorder == "big":
            head.byteswap()
        self._ends, self._sums = head[::2], head[1::2]
        if HEAD + self._ends[-1] != len(data):
            longer = len(data) > HEAD + self._ends[-1]
            raise TablebaseError(f"{name}: the table is {'too long' if longer else 'cut short'}")
        self._data = data
        self._blocks: dict[int, bytes] = {}

    def __call__(self, number: int) -> int:
        """Return the plies until that position is lost, 0 if it is not lost.

        TablebaseError if that block of the table is damaged.
        """
        block, place = divmod(number, BLOCK)
        known = self._blocks.get(block)
        if known is None:
            if len(self._blocks) >= _CACHED_BLOCKS:
                del self._blocks[next(iter(self._blocks))]
            known = self._blocks[block] = self.block(block)
        return 2 * known[place]

    def block(self, number: int) -> bytes:
        """Return a block, uncompressed; TablebaseError if it is damaged."""
        begin = self._ends[number - 1] if number else 0
        packed = self._data[HEAD + begin : HEAD + self._ends[number]]
        length = min(BLOCK, POSITIONS - number * BLOCK)
        if crc32(packed) != self._sums[number]:
            raise TablebaseError(f"{self.name}: the table is damaged in block {number}")
        reader = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=_FILTERS)
        try:
            known = reader.decompress(packed, length)
        except lzma.LZMAError:
            known = b""
        if len(known) != length:
            raise TablebaseError(f"{self.name}: the table is damaged in block {number}")
        return known

    def __iter__(self) -> Iterator[bytes]:
        """Yield all blocks, uncompressed."""
        return map(self.block, range(BLOCKS))


def packed(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the compressed blocks and, last, the head."""
    head = array("I")
    end = 0
    for block in blocks:
        data = lzma.compress(block, lzma.FORMAT_RAW, filters=_FILTERS)
        end += len(data)
        head.extend((end, crc32(data)))
        yield data
    if sys.byteorder == "big":
        head.byteswap()
    yield MAGIC + head.tobytes()
