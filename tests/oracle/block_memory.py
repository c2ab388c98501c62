# SPDX-License-Identifier: Apache-2.0
"""Random accesses to memory that threads share, such that none races (sharing.py has the rules).

Also expressions that are the same in all threads of a block ("even"): made as any other, but of
even names, of tables, and of boards at an even place.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from block_kernel import SLOTS, WARP, BlockFrame, Board
from kernel import ARRAYS, ROW, SHORT
from meaning import FLOATS, HALVES, TYPES, WIDTH
from programs import Generator
from sharing import CLEAN, CLOSED, READ, WARP_READ, Atomic, Own, Slot, State
from sharing import WARP as WARP_STATE

KINDS = {"shared": 6, "dynamic": 1.8, "scalar": 1.5, "global": 2}
COUNTED = {"int32": 1, "uint32": 3, "int64": 1, "uint64": 2, "float32": 1, "float64": 1}
INTEGER_KINDS = {"sum": 1, "and": 1.6, "or": 1.4, "xor": 1.2, "min": 1, "max": 1}
FLOAT_KINDS = ("sum", "min", "max")
NAMES_OF_KIND = {"sum": ["add", "add", "sub"]}


class Accesses(Generator):
    """What is in sight of boards, and accesses to them."""

    frame: BlockFrame

    def __init__(self, seed: int | str) -> None:
        self.boards: list[Board] = []  # in sight; the lists below are of their names
        self.every_board: list[Board] = []
        self.states: dict[str, State] = {}
        self.even_names: set[str] = set()
        self.evens: list[tuple[str, str]] = []  # even names that may be assigned
        self.is_even = False  # what is being made must be even
        # Even names that nothing in memory takes part in: the compiler may keep one for a block.
        self.pure_names: set[str] = set()
        self.is_pure = False  # what is being made is of pure names only
        super().__init__(seed)

    def note(self, *constructs: str) -> None:
        """What a thread does for itself is counted in the family "threads"."""

    def mark(self, *constructs: str) -> None:
        """Notes what threads do together."""
        self.constructs.update(constructs)

    @contextlib.contextmanager
    def only_even(self, is_pure: bool = False) -> Iterator[None]:
        """Expressions that are made within are even."""
        names = ("scalars", "constants", "indices", "literals", "locals", "me")
        outer = {name: getattr(self, name) for name in names}
        self.scalars, self.locals = [], []
        known = self.pure_names if is_pure else self.even_names
        self.constants = [pair for pair in self.constants if pair[0] in known]
        self.indices = [pair for pair in self.indices if pair[0] in self.even_names]
        self.literals = [name for name in self.literals if name in self.even_names]
        self.me, self.is_even, self.is_pure = self.pick("bm"), True, is_pure
        yield
        self.is_even = self.is_pure = False
        for name, value in outer.items():
            setattr(self, name, value)

    # Boards

    def slots(self) -> list[Slot]:
        """One-to-one maps from threads to slots."""
        count = self.frame.threads
        is_warp = count <= WARP
        slots = [
            Slot("r", True),
            Slot("r", True),
            Slot(f"({count - 1} - r)", is_warp),
            Slot(f"((r + {self.random.randrange(1, 9)}) % {count})", is_warp),
        ]
        slots += [Slot(f"(r ^ {bit})", True) for bit in (1, 2, 4, 8, 16) if count % (2 * bit) == 0]
        if len(self.frame.block) == 2:
            slots.append(Slot(f"(x * {self.frame.block[1]} + y)", is_warp))
        return slots

    def new_board(self, depth: int, kind: str = "") -> None:
        if not kind:
            kind = "dynamic" if self.frame.by_symbol and self.chance(0.4) else self.weighted(KINDS)
        dtype = self.any_type()
        name = self.fresh("G" if kind == "global" else "S", dtype)
        del self.types[name]
        self.mark(f"{kind} memory")
        if kind == "scalar":
            board = Board(name, dtype, kind, "", 1)
        else:
            board = self.array_board(name, dtype, kind)
        self.every_board.append(board)
        self.boards.append(board)
        self.states[name] = CLEAN
        if kind == "global":
            return self.store(depth)  # the board holds what the launch was given
        self.emit(depth, board.allocation())
        if kind == "scalar":
            self.write_scalar(depth, board)
        else:
            self.fill(depth, board)

    def array_board(self, name: str, dtype: str, kind: str) -> Board:
        count = self.frame.threads
        form = self.pick(["p", "p", "k, p", "p, k", "row, column"])
        planes = self.pick([2, 4]) if "k" in form else 1
        width, padding = 1, 0
        if form == "row, column":
            width = self.pick([n for n in (2, 3, 4, 8, 16, count) if count % n == 0])
            padding = self.pick([0, 0, 1, 2])
        self.mark("two-dimensional board" if form != "p" else "one-dimensional board")
        by_symbol = kind == "dynamic" and self.frame.by_symbol and form != "row, column"
        if by_symbol:
            self.mark("dynamic memory by a symbol")
        return Board(name, dtype, kind, form, count, planes, width, padding, by_symbol=by_symbol)

    def fill(self, depth: int, board: Board) -> None:
        """Each thread writes its own slots; until then nobody reads."""
        self.states[board.name] = CLOSED
        self.write_planes(depth, board)
        self.states[board.name] = Own(Slot("r", True))

    def write_planes(self, depth: int, board: Board) -> None:
        if board.planes > 1 and self.chance(0.5):
            plane = self.fresh("k", "int32")
            head = self.pick(["range", "T.unroll"])
            self.emit(depth, f"for {plane} in {head}({board.planes}):")
            value = self.expression(board.dtype, 1)
            self.emit(depth + 1, f"{board.name}[{board.index('r', plane)}] = {value}")
            return
        for plane in range(board.planes):
            value = self.expression(board.dtype, 1)
            self.emit(depth, f"{board.name}[{board.index('r', str(plane))}] = {value}")

    def write_scalar(self, depth: int, board: Board) -> None:
        self.states[board.name] = CLOSED
        value = self.expression(board.dtype, 1)
        self.emit(depth, f"if r == {self.random.randrange(self.frame.threads)}:")
        self.emit(depth + 1, f"{board.name} = {value}")

    def plane(self, board: Board) -> str:
        return self.index(board.planes) if board.planes > 1 else "0"

    # Reading

    def read_of(self, board: Board) -> str | None:
        """An element, if the state allows one."""
        state = self.states[board.name]
        if self.is_even:
            if state not in (CLEAN, READ):
                return None
            self.states[board.name] = READ
            self.mark("even read of a board")
            return board.name if board.form == "" else self.place_on(board, self.even_slot(board))
        if board.form == "":
            if state not in (CLEAN, READ):
                return None
            self.states[board.name] = READ
            return board.name
        slot = self.readable_slot(board, state)
        return slot and self.place_on(board, slot)

    def place_on(self, board: Board, slot: str) -> str:
        return f"{board.name}[{board.index(slot, self.plane(board))}]"

    def readable_slot(self, board: Board, state: State) -> str | None:
        if isinstance(state, Own):
            return state.slot.text
        if state in (CLEAN, READ):
            if state == CLEAN and board.form != "slots" and self.chance(0.2):
                slot = self.pick(self.slots())
                self.states[board.name] = Own(slot)
                return slot.text
            self.states[board.name] = READ
            self.mark("read of another thread's slot")
            return self.any_slot(board)
        if state in (WARP_STATE, WARP_READ) and board.form != "slots":
            self.states[board.name] = WARP_READ
            self.mark("read of another lane's slot")
            return self.slot_in_warp()
        return None

    def any_slot(self, board: Board) -> str:
        count = board.slots
        if board.form != "slots" and self.chance(0.5):
            return self.pick(self.slots()).text
        fitting = [name for name, bound in self.indices if bound <= count]
        if fitting and self.chance(0.5):
            return self.pick(fitting)
        if self.chance(0.25):
            return str(self.random.randrange(count))
        name = self.pick([self.me, *self.int32_names()])
        if count & (count - 1) == 0 and self.chance(0.5):
            return f"(({name} + {self.random.randrange(count)}) & {count - 1})"
        return f"(({name} + {self.random.randrange(count)}) % {count})"

    def even_slot(self, board: Board) -> str:
        if self.chance(0.4):
            return str(self.random.randrange(board.slots))
        fitting = [name for name, bound in self.indices if bound <= board.slots]
        if fitting and self.chance(0.6):
            return self.pick(fitting)
        return f"(({self.pick(['b', 'm', *self.int32_names()])}) % {board.slots})"

    def slot_in_warp(self) -> str:
        count = self.frame.threads
        slots = ["(r - l)", "(w * 32)", *(slot.text for slot in self.slots() if slot.is_local)]
        if count % WARP == 0:
            name = self.pick([self.me, *self.int32_names()])
            slots += [f"(w * 32 + (({name} + {self.random.randrange(WARP)}) & 31))"] * 2
        return self.pick(slots)

    # Writing

    def writable_slot(self, board: Board) -> str | None:
        state = self.states[board.name]
        if board.form in ("", "slots"):
            return None
        if isinstance(state, Own):
            return state.slot.text
        if state not in (CLEAN, WARP_STATE):
            return None
        slot = self.pick(self.slots())
        if state == WARP_STATE and not slot.is_local:
            slot = Slot("r", True)
        if slot.text != "r":
            self.mark("another thread's slot written")
        self.states[board.name] = Own(slot)
        return slot.text

    # What expressions and statements for single threads read and write besides

    def any_type(self) -> str:
        if self.boards and self.chance(0.35):
            return self.pick(self.boards).dtype
        if self.locals and self.chance(0.4):
            return self.pick(self.locals)[1]
        return super().any_type()

    def element(self, dtype: str) -> str:
        if self.is_even and (self.is_pure or self.chance(0.4)):
            if self.chance(0.3):
                return f"T.{dtype}({self.literal(dtype)})"
            return f"T.{dtype}({self.pick(['b', 'm', *self.int32_names()])})"
        if self.chance(0.6):
            fitting = [board for board in self.boards if board.dtype == dtype]
            self.random.shuffle(fitting)
            for board in fitting:
                if read := self.read_of(board):
                    return read
        return super().element(dtype)

    def target(self, dtype: str) -> str:
        if self.chance(0.5):
            fitting = [board for board in self.boards if board.dtype == dtype]
            self.random.shuffle(fitting)
            for board in fitting:
                if slot := self.writable_slot(board):
                    return self.place_on(board, slot)
        return super().target(dtype)

    def place(self, array: str, index: str) -> str:
        if self.is_even and array in ARRAYS:
            return f"C{array}[{index}]"
        return super().place(array, index)

    def small(self, dtype: str = "int32") -> str:
        return f"(T.{dtype}({self.leaf(self.any_type())}) & 3)"

    # Atomics

    def new_counter(self, depth: int) -> None:
        """A few elements of shared memory."""
        dtype = self.weighted(COUNTED)
        name = self.fresh("S", dtype)
        del self.types[name]
        board = Board(name, dtype, "shared", "slots", SLOTS)
        self.mark("shared counter")
        self.every_board.append(board)
        self.boards.append(board)
        self.states[name] = CLOSED
        self.emit(depth, board.allocation())
        with self.only_even():
            value = self.counted_value(dtype)
        plane = self.fresh("k", "int32")
        self.emit(depth, f"for {plane} in range(r, {SLOTS}, {self.frame.threads}):")
        self.emit(depth + 1, f"{name}[{plane}] = {value}")

    def counted_value(self, dtype: str) -> str:
        """Of floats: small whole numbers, whose sums are exact."""
        if dtype not in FLOATS:
            return self.expression(dtype, 1)
        return f"T.{dtype}({self.small()})"

    def global_counter(self, kind: str, dtypes: tuple[str, ...], is_new: bool = False) -> Board:
        known = [b for b in self.every_board if b.operation == kind and b.dtype in dtypes]
        if known and not is_new and self.chance(0.7):
            return self.pick(known)
        dtype = self.pick(dtypes)
        name = self.fresh("Z", dtype)
        del self.types[name]
        board = Board(name, dtype, "counter", "slots", SLOTS, operation=kind)
        self.every_board.append(board)
        return board

    def shared_counter(self, kind: str) -> Board | None:
        """One on which atomics of the kind may be done here."""
        open_ = [
            board
            for board in self.boards
            if board.form == "slots"
            and self.states[board.name] in (CLEAN, Atomic(kind))
            and (board.dtype not in FLOATS or kind in FLOAT_KINDS)
        ]
        if not open_:
            return None
        board = self.pick(open_)
        self.states[board.name] = Atomic(kind)
        return board

    def pointer(self, board: Board, slot: str) -> str:
        if self.chance(0.3):
            self.mark("T.address_of")
            return f"T.address_of({board.name}[{slot}])"
        return f"{board.name}.ptr_to([{slot}])"

    def open_counters(self, depth: int) -> None:
        """Where there may be a barrier, one before the next atomics."""

    def counter_for(self, kind: str) -> Board:
        board = self.shared_counter(kind) if self.chance(0.8) else None
        if board is None:
            floats = ("float32", "float64") if kind in FLOAT_KINDS else ()
            board = self.global_counter(kind, ("int32", "uint32", "int64", "uint64", *floats))
        return board

    def count(self, depth: int) -> None:
        """An atomic whose old value nobody uses."""
        kind = self.weighted(INTEGER_KINDS)
        self.open_counters(depth)
        board = self.counter_for(kind)
        where = "global" if board.is_global else "shared"
        self.mark(f"atomic {kind} in {where} memory")
        if board.dtype in FLOATS:
            self.mark("atomic on float")
        if self.chance(0.3):
            self.mark("atomic of some threads")
            self.emit(depth, f"if {self.condition(1)}:")
            depth += 1
        value = self.counted_value(board.dtype)
        slot = self.pick([str(self.random.randrange(SLOTS)), self.index(SLOTS)])
        name = self.pick(NAMES_OF_KIND.get(kind, [kind]))
        self.emit(depth, f"T.cuda.atomic_{name}({self.pointer(board, slot)}, {value})")

    def ticket(self, depth: int) -> None:
        """An atomic whose old values, taken together, no order changes."""
        kind = self.pick(["ticket", *["own bit"] * 3, "cas", "exch"])
        if kind == "own bit":
            return self.own_bit(depth)
        self.open_counters(depth)
        # Constant operands: which thread gets which old value depends on the order, the sum not.
        # That holds for one such statement: a second one on the same elements would take values
        # from its sum or give it some, in an order that nothing sets.
        whole = ("int32", "uint32", "int64", "uint64")
        board = self.global_counter(kind, whole, is_new=True)
        if self.chance(0.5):
            open_ = [
                board
                for board in self.boards
                if board.form == "slots" and board.dtype in whole and self.may_take(board, kind)
            ]
            if open_:
                board = self.pick(open_)
                self.states[board.name] = Atomic(f"{kind}, once")
        self.mark(f"atomic {kind} with its old value")
        old = self.fresh("a", board.dtype)
        at = self.pointer(board, self.index(SLOTS))
        call = {
            "ticket": f"atomic_add({at}, 1)",
            "cas": f"atomic_cas({at}, T.{board.dtype}(3), T.{board.dtype}(5))",
            "exch": f"atomic_exch({at}, T.{board.dtype}(3))",
        }[kind]
        self.emit(depth, f"{old} = T.cuda.{call}")
        total = self.global_counter("sum", whole)
        value = f"T.{total.dtype}({old} == 3)" if kind == "cas" else f"T.{total.dtype}({old})"
        where = self.pointer(total, str(self.random.randrange(SLOTS)))
        self.emit(depth, f"T.cuda.atomic_add({where}, {value})")

    def own_atomic(self, depth: int) -> None:
        """On an element that no other thread uses: any operation of any values, with its result."""
        dtype = self.pick([d for d in TYPES if d in FLOATS or WIDTH[d] >= 32])
        boards = [b for b in self.boards if b.form not in ("", "slots")]
        if boards and self.chance(0.5):
            known = self.pick(boards).dtype
            dtype = known if known in FLOATS or WIDTH[known] >= 32 else dtype
        elif dtype not in FLOATS and self.chance(0.5):  # there are plenty of integers elsewhere
            dtype = self.pick(FLOATS)
        fitting = [b for b in boards if b.dtype == dtype]
        place = self.place(SHORT[dtype], str(self.random.randrange(ROW)))
        if fitting and (slot := self.writable_slot(board := self.pick(fitting))):
            self.mark("atomic on an own slot")
            place = self.place_on(board, slot)
        names = ["add", "sub"]
        if dtype not in HALVES:
            names += ["min", "max", "exch", "cas"]
        if dtype not in FLOATS:
            names += ["and", "or", "xor"]
        name = self.pick(names)
        self.mark(f"atomic on own {dtype}" if dtype in FLOATS else "atomic on own integer")
        value = self.expression(dtype, 1)
        if name == "cas" or (dtype in FLOATS and name in ("min", "max")):
            # A swap needs what it expects; of the order of NaN and zeros nothing is said.
            self.emit(depth, f"{place} = T.{dtype}({self.small()})")
            if name == "cas":
                value = f"T.{dtype}({self.random.randrange(4)}), {value}"
            else:
                value = f"T.{dtype}({self.small()})"
        array, _, index = place[:-1].partition("[")
        pointer = f"{array}.ptr_to([{index}])"
        if self.chance(0.3):
            pointer = f"T.address_of({place})"
        call = f"T.cuda.atomic_{name}({pointer}, {value})"
        if self.chance(0.3):
            return self.emit(depth, call)
        old = self.fresh("a", dtype)
        self.emit(depth, f"{old}: T.let = {call}")
        self.constants.append((old, dtype))

    def may_take(self, board: Board, kind: str) -> bool:
        return self.states[board.name] in (CLEAN, Atomic(kind))

    def own_bit(self, depth: int) -> None:
        """Each lane has a bit in the word of its warp, so the old one is its own."""
        self.open_counters(depth)
        open_ = [
            board
            for board in self.boards
            if board.form == "slots"
            and board.dtype in ("uint32", "uint64")
            and self.may_take(board, "bit")
        ]
        if not open_ or self.frame.threads > SLOTS * WARP:
            return self.count(depth)
        board = self.pick(open_)
        # Of one kind between two barriers: an `and` would clear the bits of others.
        self.states[board.name] = Atomic("bit")
        self.mark("atomic own bit with its old value")
        old = self.fresh("a", board.dtype)
        bit = f"(T.{board.dtype}(1) << l)"
        self.emit(depth, f"{old} = T.cuda.atomic_xor({self.pointer(board, 'w')}, {bit})")
        name = self.fresh("v", board.dtype)
        self.emit(depth, f"{name}: T.let = ({old} >> l) & T.{board.dtype}(1)")
        self.constants.append((name, board.dtype))
