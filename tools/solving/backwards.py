"""From positions of Robot Duel to those that may have come before them, many at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from engine.search.solved import numbering
from engine.search.solved.numbering import BOARD, LIONS, MIRRORED, SIZE, SPARE, ways
from tools.solving.pairs import CELLS, CHICKS, ELEPHANTS, GIRAFFES, LION_STEPS, NONE, Array, Sort

_NOWHERE: Final = len(CHICKS.ways)
"""The id of a way of chicks that there is not."""
_AT_ONCE: Final = 1 << 16
_WIDEST: Final = numbering.CHICKS[SPARE]


STEP, NOT_A_STEP = 0, 1
"""A step that took no giraffe or elephant, and what is none."""


class Blocks:
    """The blocks of numbers in which only the chicks differ: the same for all pairs of lions."""

    def __init__(self) -> None:
        giraffes, elephants, sizes = list[int](), list[int](), list[int]()
        self.first = np.zeros(ways(2, SPARE), np.int32)
        """By the giraffes' number: the first block."""
        for giraffe in range(ways(2, SPARE)):
            self.first[giraffe] = len(sizes)
            left = SPARE - (giraffe >= 3) - (giraffe >= 3 + 4 * SPARE)
            for elephant in range(ways(2, left)):
                standing = (elephant >= 3) + (elephant >= 3 + 4 * left)
                giraffes.append(giraffe)
                elephants.append(elephant)
                sizes.append(numbering.CHICKS[left - standing])
        self.giraffes, self.elephants = np.array(giraffes), np.array(elephants)
        self.begins = np.append(0, np.cumsum(sizes)).astype(np.int32)
        self.count = len(sizes)
        # No block is smaller than 256, so that each such piece touches two at most.
        self._pieces = np.searchsorted(self.begins, np.arange(0, SIZE, 256), "right") - 1

    def of(self, offsets: Array) -> Array:
        """Return the blocks of numbers of one pair of lions."""
        blocks: Array = self._pieces[offsets >> 8]
        blocks += offsets >= self.begins[blocks + 1]
        return blocks


class Tables:
    """What all pairs of lions share: numbers by ids and ids by numbers."""

    def __init__(self) -> None:
        self.blocks = Blocks()
        masks = np.arange(BOARD + 1, dtype=np.uint16)
        self.giraffes, self.elephants = GIRAFFES.numbers(masks), ELEPHANTS.numbers(masks)
        sets = masks[np.bitwise_count(masks) >= SPARE - 4]
        sets = sets[np.bitwise_count(sets) <= SPARE]
        self.row = np.zeros(BOARD + 1, np.int16)
        """By set of cells that lions, giraffes and elephants leave free: its row."""
        self.row[sets] = np.arange(len(sets))
        self.sets = sets
        plain = CHICKS.numbers(sets)
        mirror = CHICKS.turned[1][CHICKS.turned[0]]  # turned twice, mirrored once
        nowhere = np.full((2 * len(sets), 1), NONE, np.int16)
        self.numbers = np.hstack([np.vstack([plain, plain[:, mirror]]), nowhere]).ravel()
        """By row (the second half: mirrored first) and id: the chicks' number; NONE if there is
        none."""
        self.width = _NOWHERE + 1
        self.ids = np.zeros((len(sets), _WIDEST), np.int16)
        """By row and number: the chicks' id."""
        rows, ids = np.nonzero(plain >= 0)
        self.ids[rows, plain[rows, ids]] = ids
        self.free = [BOARD ^ (1 << mine | 1 << theirs) for mine, theirs in LIONS]
        self.given_chicks = _given(CHICKS, _NOWHERE)
        self.given_giraffes = _given(GIRAFFES, NONE)[0]
        self.given_elephants = _given(ELEPHANTS, NONE)[0]

    def locate(
        self, pair: int, mirrored: bool, giraffes: Array, elephants: Array
    ) -> tuple[Array, Array, Array]:
        """Return for ids of giraffes and elephants which are possible with that pair of lions, and
        of those where their block begins and their row.
        """
        free = self.free[pair]
        first = self.giraffes[free][giraffes]
        left = free & ~GIRAFFES.cells[giraffes]
        second = self.elephants[left, elephants]
        good = np.flatnonzero((first >= 0) & (second >= 0) & (giraffes >= 0) & (elephants >= 0))
        block = self.blocks.first[first[good]] + second[good]
        row = self.row[left[good] & ~ELEPHANTS.cells[elephants[good]]]
        return good, self.blocks.begins[block] + pair * SIZE, row + mirrored * len(self.sets)


def _given(sort: Sort, none: int) -> Array:
    """Return by kind, cell and id which way it was before a piece of the side to move was taken
    there; `none` if that cannot be.
    """
    given = np.full((len(sort.pieces), CELLS, len(sort.ways)), none, np.int16)
    for number in range(len(sort.ways)):
        for cell in range(CELLS):
            for kind, before in enumerate(sort.given_back(number, cell)):
                given[kind, cell, number] = before
    return given


class Csr:
    """Lists of various lengths, one behind the other."""

    def __init__(self, owners: Array, count: int, *columns: Array) -> None:
        """Take for each item whose it is, and what it is."""
        order = np.argsort(owners, kind="stable")
        self.begins = np.searchsorted(owners[order], np.arange(count + 1)).astype(np.int32)
        self.columns = [column[order] for column in columns]


def spread(begins: Array, ends: Array) -> tuple[Array, Array]:
    """Return for lists all their items, and for each item whose it is."""
    lengths = ends - begins
    upto = np.cumsum(lengths)
    whose = np.repeat(np.arange(len(lengths)), lengths)
    shift = begins - (upto - lengths)
    return np.arange(len(whose)) + shift[whose], whose


def _lists(sort: Sort, what: Any) -> tuple[Array, Array, Array]:
    found = [(number, *each) for number in range(len(sort.ways)) for each in what(number)]
    owners, cells, ids = np.array(found).T
    return owners, cells, ids


class Backwards:
    """Takes moves of Robot Duel back, on arrays of numbers."""

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
        """Yield the numbers of what may have come before those of one pair of lions, each as often
        as moves lead from there; some of them were over already.
        """
        tables, pair = self.tables, self.pairs[number]
        offsets = numbers - number * SIZE
        blocks = tables.blocks.of(offsets)
        chicks = tables.ids[pair.rows[blocks], offsets - tables.blocks.begins[blocks]]
        turned = CHICKS.turned[0][chicks]
        pieces = pair.pieces
        bases, rows, cells = pieces.columns
        # giraffes, elephants and lions
        items, whose = spread(pieces.begins[blocks], pieces.begins[blocks + 1])
        yield self._found(bases[items], rows[items], turned[whose])
        # … that took a chick or a hen
        some = np.flatnonzero(self._held[chicks])
        items, whose = spread(pieces.begins[blocks[some]], pair.stepped[blocks[some]])
        for given in self._turned_given:
            before = given[cells[items], chicks[some[whose]]]
            yield self._found(bases[items], rows[items], before)
        # chicks and hens
        items, whose = spread(self._chicks.begins[chicks], self._chicks.begins[chicks + 1])
        there = blocks[whose]
        yield self._found(pair.bases[there], pair.still_rows[there], self._chicks.columns[0][items])
        # … that took a giraffe or an elephant
        for holding, giraffe in (pair.giraffe_held, True), (pair.elephant_held, False):
            some = np.flatnonzero(holding[blocks])
            stepping = self._stepping
            items, whose = spread(stepping.begins[chicks[some]], stepping.begins[chicks[some] + 1])
            came, before = (column[items] for column in stepping.columns)
            good, base, row = pair.given(tables, blocks[some[whose]], came, giraffe)
            yield self._found(base, row, before[good])

    def doubles(self, number: int) -> Array:
        """Return for all positions of a pair of lions whether the mirror image of each has a lower
        number; both have numbers only where both lions are in the middle column.
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
        for begin in range(0, SIZE, _AT_ONCE):
            offsets = np.arange(begin, min(begin + _AT_ONCE, SIZE))
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
    """What the positions of one pair of lions have in common."""

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
        """Return, as `Tables.locate`, what was before a chick took a giraffe or an elephant."""
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
        """Return by block what came before moves of giraffes, elephants and lions: where it begins,
        the row, the cell stepped to; steps that took nothing first, and where these end.
        """
        mine, theirs = LIONS[self._number]
        found = _Found(tables, self._number)
        still = 11 - theirs, 11 - mine
        for sort, ids in (GIRAFFES, self.giraffes), (ELEPHANTS, self.elephants):
            for dropped, what in enumerate((sort.stepped_back, sort.dropped_back)):
                owners, cells, before = _lists(sort, what)
                moves = Csr(owners, len(sort.ways), cells, before)
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
    """What came before moves of giraffes, elephants and lions, as it is found."""

    def __init__(self, tables: Tables, number: int) -> None:
        self._tables = tables
        self._number = number
        self._pieces: list[tuple[Array, ...]] = []

    def step(self, lions: tuple[int, int], blocks: Array, pieces: list[Array], to: Array) -> None:
        """Add steps to such cells, also those that took a giraffe or an elephant there. The lions
        are where they were before, as the other side sees them.
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
        """Add moves after which giraffes and elephants were so, where that can be."""
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
        """Return what `_Pair` keeps of it."""
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
    """Yield under which pairs of lions a position is numbered that came before one of that pair,
    and whether it is mirrored there.

    Where both lions are in the middle column a position and its mirror image have numbers of their
    own, else they share one: so that each move from a number to a number is found once.
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
