"""Predecessors of positions of Robot Duel, many at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from engine.search.solved import numbering
from engine.search.solved.numbering import BOARD, LIONS, MIRRORED, SIZE, SPARE, placement_count
from tools.solving.pairs import (
    CELLS,
    CHICKS,
    ELEPHANTS,
    GIRAFFES,
    LION_STEPS,
    NONE,
    Array,
    PieceSort,
)

_NOWHERE: Final = len(CHICKS.placements)
"""The id of an impossible placement of chicks."""
_BATCH: Final = 1 << 16
_WIDEST: Final = numbering.CHICKS[SPARE]


STEP, NOT_A_STEP = 0, 1
"""A step without capture of a giraffe or elephant, and any other move."""


class Blocks:
    """The blocks of numbers in which only the chicks differ, the same for all pairs of lions."""

    def __init__(self) -> None:
        giraffes, elephants, sizes = list[int](), list[int](), list[int]()
        self.first = np.zeros(placement_count(2, SPARE), np.int32)
        """By number of the giraffes: the first block."""
        for giraffe in range(placement_count(2, SPARE)):
            self.first[giraffe] = len(sizes)
            left = SPARE - (giraffe >= 3) - (giraffe >= 3 + 4 * SPARE)
            for elephant in range(placement_count(2, left)):
                standing = (elephant >= 3) + (elephant >= 3 + 4 * left)
                giraffes.append(giraffe)
                elephants.append(elephant)
                sizes.append(numbering.CHICKS[left - standing])
        self.giraffes, self.elephants = np.array(giraffes), np.array(elephants)
        self.begins = np.append(0, np.cumsum(sizes)).astype(np.int32)
        self.count = len(sizes)
        # No block is smaller than 256, so a slice of 256 numbers touches two blocks at most.
        self._pieces = np.searchsorted(self.begins, np.arange(0, SIZE, 256), "right") - 1

    def of(self, offsets: Array) -> Array:
        """Return the blocks of the numbers of one pair of lions."""
        blocks: Array = self._pieces[offsets >> 8]
        blocks += offsets >= self.begins[blocks + 1]
        return blocks


class Tables:
    """Tables for all pairs of lions: numbers by id and ids by number."""

    def __init__(self) -> None:
        self.blocks = Blocks()
        masks = np.arange(BOARD + 1, dtype=np.uint16)
        self.giraffes, self.elephants = GIRAFFES.numbers(masks), ELEPHANTS.numbers(masks)
        sets = masks[np.bitwise_count(masks) >= SPARE - 4]
        sets = sets[np.bitwise_count(sets) <= SPARE]
        self.row = np.zeros(BOARD + 1, np.int16)
        """By set of cells free of lions, giraffes and elephants: its row."""
        self.row[sets] = np.arange(len(sets))
        self.sets = sets
        plain = CHICKS.numbers(sets)
        mirror = CHICKS.turned[1][CHICKS.turned[0]]  # turned twice, mirrored once
        nowhere = np.full((2 * len(sets), 1), NONE, np.int16)
        self.numbers = np.hstack([np.vstack([plain, plain[:, mirror]]), nowhere]).ravel()
        """By row (mirrored in the second half) and id: the number of the chicks, or NONE."""
        self.width = _NOWHERE + 1
        self.ids = np.zeros((len(sets), _WIDEST), np.int16)
        """By row and number: the id of the chicks."""
        rows, ids = np.nonzero(plain >= 0)
        self.ids[rows, plain[rows, ids]] = ids
        self.free = [BOARD ^ (1 << mine | 1 << theirs) for mine, theirs in LIONS]
        self.given_chicks = _given(CHICKS, _NOWHERE)
        self.given_giraffes = _given(GIRAFFES, NONE)[0]
        self.given_elephants = _given(ELEPHANTS, NONE)[0]

    def locate(
        self, pair: int, mirrored: bool, giraffes: Array, elephants: Array
    ) -> tuple[Array, Array, Array]:
        """Return which ids of giraffes and elephants are possible with that pair of lions.

        The other results are, for the possible ones, the start of their block and their row.
        """
        free = self.free[pair]
        first = self.giraffes[free][giraffes]
        left = free & ~GIRAFFES.cells[giraffes]
        second = self.elephants[left, elephants]
        good = np.flatnonzero((first >= 0) & (second >= 0) & (giraffes >= 0) & (elephants >= 0))
        block = self.blocks.first[first[good]] + second[good]
        row = self.row[left[good] & ~ELEPHANTS.cells[elephants[good]]]
        return good, self.blocks.begins[block] + pair * SIZE, row + mirrored * len(self.sets)


def _given(sort: PieceSort, none: int) -> Array:
    """Return by kind, cell and id the placement before a capture there; `none`: impossible."""
    given = np.full((len(sort.pieces), CELLS, len(sort.placements)), none, np.int16)
    for number in range(len(sort.placements)):
        for cell in range(CELLS):
            for kind, before in enumerate(sort.given_back(number, cell)):
                given[kind, cell, number] = before
    return given


class Csr:
    """Lists of various lengths, one after another."""

    def __init__(self, owners: Array, count: int, *columns: Array) -> None:
        """Take the list of each item, the number of lists, and the items as columns."""
        order = np.argsort(owners, kind="stable")
        self.begins = np.searchsorted(owners[order], np.arange(count + 1)).astype(np.int32)
        self.columns = [column[order] for column in columns]


def spread(begins: Array, ends: Array) -> tuple[Array, Array]:
    """Return all items of the lists, and the list of each item."""
    lengths = ends - begins
    upto = np.cumsum(lengths)
    owners_of = np.repeat(np.arange(len(lengths)), lengths)
    shift = begins - (upto - lengths)
    return np.arange(len(owners_of)) + shift[owners_of], owners_of


def _lists(sort: PieceSort, what: Any) -> tuple[Array, Array, Array]:
    found = [(number, *each) for number in range(len(sort.placements)) for each in what(number)]
    owners, cells, ids = np.array(found).T
    return owners, cells, ids


class Backwards:
    """Takes back moves of Robot Duel on arrays of numbers."""

    def __init__(self) -> None:
        self.tables = Tables()
        turned = CHICKS.turned[0]
        owners, cells, ids = _lists(CHICKS, CHICKS.stepped_back)
        self._stepping = Csr(owners, _NOWHERE, cells, turned[ids])
        all_owners, all_ids = [owners], [turned[ids]]
        for kind in (0, 1):
            taken = self.tables.given_chicks[kind, cells, ids]
            good = taken != _NOWHERE
            all_owners.append(owners[good])
            all_ids.append(turned[taken[good]])
        owners, _, ids = _lists(CHICKS, CHICKS.dropped_back)
        self._chicks = Csr(
            np.concatenate([*all_owners, owners]), _NOWHERE, np.concatenate([*all_ids, turned[ids]])
        )
        self._turned_given = np.append(turned, _NOWHERE)[self.tables.given_chicks]
        self._held = CHICKS.held > 0
        self.pairs = [_Pair(self.tables, number) for number in range(len(LIONS))]

    def before(self, number: int, numbers: Array) -> Iterator[Array]:
        """Yield the predecessors of positions of one pair of lions, by number.

        A predecessor comes once for each move from it. Some of them were over already.
        """
        tables, pair = self.tables, self.pairs[number]
        offsets = numbers - number * SIZE
        blocks = tables.blocks.of(offsets)
        chicks = tables.ids[pair.rows[blocks], offsets - tables.blocks.begins[blocks]]
        turned = CHICKS.turned[0][chicks]
        pieces = pair.pieces
        bases, rows, cells = pieces.columns
        # giraffes, elephants and lions
        items, owners_of = spread(pieces.begins[blocks], pieces.begins[blocks + 1])
        yield self._found(bases[items], rows[items], turned[owners_of])
        # … that took a chick or a hen
        some = np.flatnonzero(self._held[chicks])
        items, owners_of = spread(pieces.begins[blocks[some]], pair.stepped[blocks[some]])
        for given in self._turned_given:
            before = given[cells[items], chicks[some[owners_of]]]
            yield self._found(bases[items], rows[items], before)
        # chicks and hens
        items, owners_of = spread(self._chicks.begins[chicks], self._chicks.begins[chicks + 1])
        there = blocks[owners_of]
        yield self._found(pair.bases[there], pair.still_rows[there], self._chicks.columns[0][items])
        # … that took a giraffe or an elephant
        for holding, giraffe in (pair.giraffe_held, True), (pair.elephant_held, False):
            some = np.flatnonzero(holding[blocks])
            stepping = self._stepping
            items, owners_of = spread(
                stepping.begins[chicks[some]], stepping.begins[chicks[some] + 1]
            )
            came, before = (column[items] for column in stepping.columns)
            good, base, row = pair.given(tables, blocks[some[owners_of]], came, giraffe)
            yield self._found(base, row, before[good])

    def doubles(self, number: int) -> Array:
        """Return for each position of a pair of lions whether its mirror image has a lower number.

        Both have numbers only if both lions are in the middle column.
        """
        found = np.zeros(SIZE, bool)
        if any(cell % 3 != 1 for cell in LIONS[number]):
            return found
        tables, pair = self.tables, self.pairs[number]
        giraffes, elephants = (
            sort.turned[1][sort.turned[0][ids]]
            for sort, ids in ((GIRAFFES, pair.giraffes), (ELEPHANTS, pair.elephants))
        )
        _, bases, rows = tables.locate(number, True, giraffes, elephants)
        for begin in range(0, SIZE, _BATCH):
            offsets = np.arange(begin, min(begin + _BATCH, SIZE))
            blocks = tables.blocks.of(offsets)
            chicks = tables.ids[pair.rows[blocks], offsets - tables.blocks.begins[blocks]]
            images = self._found(bases[blocks], rows[blocks], chicks)
            found[offsets] = images < offsets + number * SIZE
        return found

    def _found(self, bases: Array, rows: Array, chicks: Array) -> Array:
        where = rows.astype(np.int64)
        where *= self.tables.width
        where += chicks
        found = self.tables.numbers[where]
        good = np.flatnonzero(found >= 0)
        numbers: Array = bases[good].astype(np.int64)
        numbers += found[good]
        return numbers


class _Pair:
    """Tables for the positions of one pair of lions."""

    def __init__(self, tables: Tables, number: int) -> None:
        self._number = number
        blocks, free = tables.blocks, tables.free[number]
        inverse = _inverse(tables.giraffes[free])
        self.giraffes = inverse[blocks.giraffes]
        left = free & ~GIRAFFES.cells[self.giraffes]
        inverses = {each: _inverse(tables.elephants[each]) for each in np.unique(left)}
        elephants = np.zeros(blocks.count, np.int16)
        for each, ids in inverses.items():
            there = np.flatnonzero(left == each)
            elephants[there] = ids[blocks.elephants[there]]
        self.elephants = elephants
        self.rows = tables.row[left & ~ELEPHANTS.cells[elephants]]
        self.giraffe_held = GIRAFFES.held[self.giraffes] > 0
        self.elephant_held = ELEPHANTS.held[elephants] > 0
        mine, theirs = LIONS[number]
        ((self._still, self._mirrored),) = _preceding(number, 11 - theirs, 11 - mine)
        _, self.bases, self.still_rows = tables.locate(
            self._still,
            self._mirrored,
            GIRAFFES.turned[self._mirrored][self.giraffes],
            ELEPHANTS.turned[self._mirrored][elephants],
        )
        self.pieces, self.stepped = self._pieces(tables)

    def given(
        self, tables: Tables, blocks: Array, cells: Array, giraffe: bool
    ) -> tuple[Array, Array, Array]:
        """Return, as `Tables.locate`, the state before a chick took a giraffe or an elephant."""
        giraffes, elephants = self.giraffes[blocks], self.elephants[blocks]
        if giraffe:
            giraffes = tables.given_giraffes[cells, giraffes]
        else:
            elephants = tables.given_elephants[cells, elephants]
        some = np.flatnonzero((giraffes >= 0) & (elephants >= 0))
        good, base, row = tables.locate(
            self._still,
            self._mirrored,
            GIRAFFES.turned[self._mirrored][giraffes[some]],
            ELEPHANTS.turned[self._mirrored][elephants[some]],
        )
        return some[good], base, row

    def _pieces(self, tables: Tables) -> tuple[Csr, Array]:
        """Return by block the predecessors by moves of giraffes, elephants and lions.

        An item holds the start of its block, its row and the target cell. Steps without capture
        come first; the second result is their end.
        """
        mine, theirs = LIONS[self._number]
        found = _Found(tables, self._number)
        still = 11 - theirs, 11 - mine
        for sort, ids in (GIRAFFES, self.giraffes), (ELEPHANTS, self.elephants):
            for dropped, what in enumerate((sort.stepped_back, sort.dropped_back)):
                owners, cells, before = _lists(sort, what)
                moves = Csr(owners, len(sort.placements), cells, before)
                items, blocks = spread(moves.begins[ids], moves.begins[ids + 1])
                to, was = (column[items] for column in moves.columns)
                pieces = [self.giraffes[blocks], self.elephants[blocks]]
                pieces[sort is ELEPHANTS] = was
                if dropped:
                    found.add(still, blocks, pieces, to, NOT_A_STEP)
                else:
                    found.step(still, blocks, pieces, to)
        everywhere = np.arange(tables.blocks.count)
        for origin in LION_STEPS[theirs]:
            if origin != mine:
                to = np.full(len(everywhere), theirs)
                found.step(
                    (11 - origin, 11 - mine), everywhere, [self.giraffes, self.elephants], to
                )
        return found.lists()


class _Found:
    """Collects the predecessors by moves of giraffes, elephants and lions."""

    def __init__(self, tables: Tables, number: int) -> None:
        self._tables = tables
        self._number = number
        self._pieces: list[tuple[Array, ...]] = []

    def step(self, lions: tuple[int, int], blocks: Array, pieces: list[Array], to: Array) -> None:
        """Add steps to these cells, with and without capture of a giraffe or elephant.

        `lions` are the lions before the step, as the other side sees them.
        """
        giraffes, elephants = pieces
        tables = self._tables
        self.add(lions, blocks, pieces, to, STEP)
        taken = tables.given_giraffes[to, giraffes]
        self.add(lions, blocks, [taken, elephants], to, NOT_A_STEP)
        taken = tables.given_elephants[to, elephants]
        self.add(lions, blocks, [giraffes, taken], to, NOT_A_STEP)

    def add(
        self, lions: tuple[int, int], blocks: Array, pieces: list[Array], to: Array, kind: int
    ) -> None:
        """Add the possible moves from these giraffes and elephants."""
        giraffes, elephants = pieces
        can_be = np.flatnonzero((giraffes >= 0) & (elephants >= 0))
        for pair, mirrored in _preceding(self._number, *lions):
            good, base, row = self._tables.locate(
                pair,
                mirrored,
                GIRAFFES.turned[mirrored][giraffes[can_be]],
                ELEPHANTS.turned[mirrored][elephants[can_be]],
            )
            there = can_be[good]
            kinds = np.full(len(there), kind, np.int8)
            self._pieces.append((blocks[there], kinds, base, row, to[there].astype(np.int8)))

    def lists(self) -> tuple[Csr, Array]:
        """Return the lists that `_Pair` keeps."""
        columns = (np.concatenate(column) for column in zip(*self._pieces, strict=True))
        blocks, kinds, *rest = columns
        order = np.argsort(kinds, kind="stable")
        count = self._tables.blocks.count
        pieces = Csr(blocks[order], count, *(column[order] for column in rest))
        steps = np.bincount(blocks[kinds == STEP], minlength=count)
        return pieces, (pieces.begins[:-1] + steps).astype(np.int32)


def _inverse(numbers: Array) -> Array:
    ids = np.flatnonzero(numbers >= 0)
    inverse = np.zeros(len(ids), np.int16)
    inverse[numbers[ids]] = ids
    return inverse


def _preceding(number: int, mine: int, theirs: int) -> Iterator[tuple[int, bool]]:
    """Yield the pairs of lions that number a predecessor of this pair, and whether mirrored.

    If both lions are in the middle column, a position and its mirror image have separate numbers,
    else they share one. So each move between numbers is found once.
    """
    pairs = {lions: each for each, lions in enumerate(LIONS)}
    middle = all(cell % 3 == 1 for cell in LIONS[number])
    pair = pairs.get((mine, theirs))
    if pair is not None:
        yield pair, False
        if mine % 3 == theirs % 3 == 1 and not middle:
            yield pair, True
    elif not middle:
        pair = pairs.get((MIRRORED[mine], MIRRORED[theirs]))
        if pair is not None:
            yield pair, True
