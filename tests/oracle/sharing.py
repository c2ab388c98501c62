# SPDX-License-Identifier: Apache-2.0
"""What threads may do with a board at a place in a program, so that none races with another.

A state tells what any thread may have done since the last barrier:

    CLEAN           nothing
    Own(p)          each thread read and wrote the slot p(r) only, p one-to-one
    READ            read any slot, wrote none
    WARP            whatever it was happened within a warp, before the last barrier of that warp
    WARP_READ       and since then lanes read slots of their own warp
    Atomic(kind)    atomics of a kind whose order does not matter
    CLOSED          more than one of these: nothing until the next barrier

States are joined where ways through a program meet; a loop begins with a state that its own end
does not exceed.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Slot:
    """A one-to-one map from threads to slots, as text; whether each stays within its warp."""

    text: str
    is_local: bool


@dataclass(frozen=True)
class Own:
    slot: Slot


@dataclass(frozen=True)
class Atomic:
    kind: str


@dataclass(frozen=True)
class Plain:
    name: str


CLEAN, READ, WARP = Plain("clean"), Plain("read"), Plain("warp")
WARP_READ, CLOSED = Plain("warp read"), Plain("closed")
State = Own | Atomic | Plain


def is_local(state: State) -> bool:
    return isinstance(state, Own) and state.slot.is_local


def join(a: State, b: State) -> State:
    """What is allowed is what both allow."""
    if a == b or b == CLEAN:
        return a
    if a == CLEAN:
        return b
    for x, y in ((a, b), (b, a)):
        if x == WARP and is_local(y):
            return y
        # Not READ with any of these: a barrier of the warp would let lanes write what other warps
        # have read.
        if x == WARP and y == WARP_READ:
            return WARP_READ
    return CLOSED


def exceeds(end: State, head: State) -> bool:
    return join(head, end) != head


def after_warp_barrier(state: State) -> State:
    return WARP if is_local(state) or state == WARP_READ else state
