# SPDX-License-Identifier: Apache-2.0
"""Memory that threads share, and what orders their accesses to it.

Each warp counts epochs: a barrier ends one. `known` says of each warp up to which epoch of each
other one all that happened lies before. Two accesses of which at least one writes (atomics of a
kind may meet) and that nothing orders end the run with `Undefined`.
"""

from __future__ import annotations

from collections.abc import Callable

from meaning import Val
from names_of_t import Array


class Undefined(Exception):
    """The program has no meaning that all orders of threads agree on."""


When = tuple[int, int, int, int, int]


class BlockClock:
    """What the warps of a block know of each other."""

    def __init__(self, number: int, warps: int) -> None:
        self.number = number
        self.epochs = [1] * warps
        self.known = [[0] * warps for _ in range(warps)]

    def barrier(self) -> None:
        """Of the block."""
        self.epochs = [epoch + 1 for epoch in self.epochs]
        self.known = [list(self.epochs) for _ in self.epochs]

    def warp_barrier(self, warp: int) -> None:
        self.epochs[warp] += 1
        self.known[warp][warp] = self.epochs[warp]

    def told(self, warp: int) -> list[int]:
        """What lies before a barrier that the warp reaches now; what follows does not."""
        self.epochs[warp] += 1
        known = list(self.known[warp])
        known[warp] = self.epochs[warp]
        return known

    def learn(self, warp: int, known: list[int]) -> None:
        self.known[warp] = list(map(max, self.known[warp], known))


class Clock:
    """Whose turn it is."""

    block = BlockClock(0, 1)
    thread = warp = 0
    grid = 0  # barriers of the grid so far

    def now(self) -> When:
        block, warp = self.block, self.warp
        return self.grid, block.number, self.thread, warp, block.epochs[warp]

    def may_meet(self, other: When) -> bool:
        """Whether nothing orders the other access and one that is made now."""
        grid, block, thread, warp, epoch = other
        if grid != self.grid:
            return False
        if block != self.block.number:
            return True
        return thread != self.thread and epoch >= self.block.known[self.warp][warp]

    def me(self) -> tuple[int, int]:
        return self.block.number, self.thread


CLOCK = Clock()


class OwnArray(Array):
    """Memory of which each thread has a part; atomics may be done on it."""

    def ptr_to(self, index: list) -> Callable:
        return self.pointer(tuple(index))

    def pointer(self, index) -> Callable:
        """What an atomic calls: it changes the element and gives the old value."""
        place = self.position(index)

        def change(kind: str, function: Callable) -> Val:
            self.note_change(place, kind)
            old = self.items[place]
            if old is None:
                raise LookupError("an atomic on what was never written")
            self.items[place] = function(old, self.dtype)
            return Val(self.dtype, old)

        return change

    def note_change(self, place: int, kind: str) -> None:
        pass


class SharedArray(OwnArray):
    """Memory of several threads, which notes accesses."""

    def __init__(self, dtype: str, shape: tuple[int, ...], items: list | None = None) -> None:
        super().__init__(dtype, shape, items)
        self.written: dict[int, When] = {}  # the last write to a place
        self.read: dict[int, dict] = {}  # the last read of a place by each thread since
        self.changed: dict[int, dict] = {}  # the last atomic by each thread, with its kind

    def _check(self, place: int, writes: bool, kind: str = "") -> None:
        met = [self.written[place]] if place in self.written else []
        if writes and place in self.read:
            met += self.read[place].values()
        if place in self.changed:
            met += [when for when, other in self.changed[place].values() if other != kind]
        if any(map(CLOCK.may_meet, met)):
            raise Undefined("two threads access an element in no order")

    def __getitem__(self, index) -> Val:
        if not Array.only_types:
            place = self.position(index)
            self._check(place, writes=False)
            self.read.setdefault(place, {})[CLOCK.me()] = CLOCK.now()
        return super().__getitem__(index)

    def __setitem__(self, index, value) -> None:
        place = self.position(index)
        self._check(place, writes=True)
        self.written[place] = CLOCK.now()
        self.read.pop(place, None)
        self.changed.pop(place, None)
        super().__setitem__(index, value)

    def note_change(self, place: int, kind: str) -> None:
        self._check(place, writes=True, kind=kind)
        self.changed.setdefault(place, {})[CLOCK.me()] = CLOCK.now(), kind


class Mbarrier:
    """An mbarrier at which all threads of a block wait, and whose phase has ended by then."""

    def __init__(self) -> None:
        self.count = self.arrived = self.phase = 0
        self.made: When | None = None

    def ptr_to(self, index: list) -> Mbarrier:
        return self

    def init(self, count) -> None:
        self.made, self.count = CLOCK.now(), int(count)

    def arrive(self, count) -> None:
        if self.made is None or CLOCK.may_meet(self.made):
            raise Undefined("an mbarrier that is not there yet")
        self.arrived += int(count)

    def wait(self, parity: int) -> None:
        """When all threads wait."""
        if self.arrived == self.count > 0:
            self.arrived = 0
            self.phase ^= 1
        if self.arrived or self.phase == parity:
            raise Undefined("an mbarrier whose phase does not end, or is another one")


class Named:
    """A named barrier of a block."""

    def __init__(self, threads: int, warps: int) -> None:
        self.threads, self.reached, self.waiting = threads, 0, []
        self.known = [0] * warps

    def reach(self, clock: BlockClock, warp: int) -> None:
        self.reached += 32
        self.known = list(map(max, self.known, clock.told(warp)))
