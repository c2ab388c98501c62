# SPDX-License-Identifier: Apache-2.0
"""Plants faults in the CPU target, one at a time, and has the oracle look for each.

The sources are copied to a folder of their own and patched there: each fault is a choice made at
run time by the environment variable TIRXCC_FAULT, so that one build of the package holds them all
and the real sources none. Those in code generation are looked for by programs of the family
"threads", those in what threads do together by the family "blocks". Every fault must be found
within 500 programs; without a fault nothing must be found.

    python tests/oracle/faults.py [--folder build/faults] [--jobs 2] [--table FILE] [NUMBER...]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MOST_PROGRAMS = 500

HEADER = """// Which fault is planted; made by tests/oracle/faults.py.
#pragma once
#include <cstdlib>
namespace tirxcc {
inline bool is_planted(int number) {
  static const int chosen = [] {
    const char* text = std::getenv("TIRXCC_FAULT");
    return text == nullptr ? 0 : std::atoi(text);
  }();
  return chosen == number;
}
}  // namespace tirxcc
"""


@dataclass(frozen=True)
class Fault:
    """`right` stands once in `file`; `wrong` takes its place, where FAULT means: is it planted?"""

    what: str
    file: str
    right: str
    wrong: str
    family: str = "threads"


INT, FLOAT = "src/codegen/llvm/emit_int.cc", "src/codegen/llvm/emit_float.cc"
STMT, LOOP = "src/codegen/llvm/emit_stmt.cc", "src/codegen/llvm/emit_loop.cc"
EXPR, CALL = "src/codegen/llvm/emit_expr.cc", "src/codegen/llvm/emit_call.cc"

FAULTS = [
    Fault(
        "signed // rounds toward zero",
        INT,
        "quotient = builder_.CreateSub(quotient, builder_.CreateZExt(rounds, a->getType()));",
        "if (!FAULT) quotient = builder_.CreateSub(quotient, builder_.CreateZExt(rounds, "
        "a->getType()));",
    ),
    Fault(
        "% takes the sign of the dividend",
        INT,
        "builder_.CreateSelect(rounds, divisor, zero)",
        "builder_.CreateSelect(rounds, FAULT ? zero : divisor, zero)",
    ),
    Fault(
        "a zero divisor gives a remainder of 0",
        INT,
        "builder_.CreateSelect(is_zero, a, remainder)",
        "builder_.CreateSelect(is_zero, FAULT ? zero : a, remainder)",
    ),
    Fault(
        ">> of a signed integer brings in zeros",
        INT,
        "  return builder_.CreateAShr(a, amount);",
        "  return FAULT ? builder_.CreateLShr(a, amount) : builder_.CreateAShr(a, amount);",
    ),
    Fault(
        "shifts may be by the width and more",
        INT,
        "amount_range.low >= 0 && amount_range.high < width",
        "FAULT || (amount_range.low >= 0 && amount_range.high < width)",
    ),
    Fault(
        "unsigned < compares as signed",
        INT,
        "is_signed ? Predicate::ICMP_SLT : Predicate::ICMP_ULT",
        "is_signed || FAULT ? Predicate::ICMP_SLT : Predicate::ICMP_ULT",
    ),
    Fault(
        "signed sums never wrap, says the optimiser",
        INT,
        "const bool cannot_wrap = ranges_.cannot_wrap(expr);",
        "const bool cannot_wrap = FAULT || ranges_.cannot_wrap(expr);",
    ),
    Fault(
        "!= of floats is false for NaN",
        INT,
        "return Predicate::FCMP_UNE;",
        "return FAULT ? Predicate::FCMP_ONE : Predicate::FCMP_UNE;",
    ),
    Fault(
        "integers are widened with zeros",
        FLOAT,
        "? builder_.CreateSExtOrTrunc(value, like(type_of(to), value))",
        "&& !FAULT ? builder_.CreateSExtOrTrunc(value, like(type_of(to), value))",
    ),
    Fault(
        "float to unsigned saturates as signed",
        FLOAT,
        "to.is_signed_int() ? llvm::Intrinsic::fptosi_sat",
        "to.is_signed_int() || FAULT ? llvm::Intrinsic::fptosi_sat",
    ),
    Fault(
        "ties round up in bfloat16",
        FLOAT,
        "builder_.CreateAnd(high, 1), word(0x7fff)",
        "builder_.CreateAnd(high, FAULT ? 0 : 1), word(FAULT ? 0x8000 : 0x7fff)",
    ),
    Fault(
        "float64 to a half rounds twice",
        FLOAT,
        "builder_.CreateSelect(builder_.CreateAnd(is_inexact, is_even), odd, bits)",
        "FAULT ? bits : builder_.CreateSelect(builder_.CreateAnd(is_inexact, is_even), odd, bits)",
    ),
    Fault(
        "float % has the sign of the dividend",
        FLOAT,
        "builder_.CreateSelect(moves, moved, rest)",
        "builder_.CreateSelect(moves, FAULT ? rest : moved, rest)",
    ),
    Fault(
        "min and max of float32 lose NaN in dialect A",
        CALL,
        "(keeps_nan ? llvm::Intrinsic::minimum : llvm::Intrinsic::minnum)",
        "(keeps_nan && !FAULT ? llvm::Intrinsic::minimum : llvm::Intrinsic::minnum)",
    ),
    Fault(
        "min of signed integers compares as unsigned",
        CALL,
        "llvm::Intrinsic::smax : llvm::Intrinsic::smin",
        "llvm::Intrinsic::smax : FAULT ? llvm::Intrinsic::umin : llvm::Intrinsic::smin",
    ),
    Fault(
        "both sides of `and`, `or` are evaluated",
        EXPR,
        "  if (can_speculate(*expr.b)) {",
        "  if (FAULT || can_speculate(*expr.b)) {",
    ),
    Fault(
        "both sides of a choice are evaluated",
        EXPR,
        "can_speculate(*select.a) && can_speculate(*select.b)",
        "FAULT || (can_speculate(*select.a) && can_speculate(*select.b))",
    ),
    Fault(
        "a condition inside `or` is lost",
        EXPR,
        "emit_branch(*binary->a, yes, rest);",
        "emit_branch(*binary->a, yes, FAULT ? no : rest);",
    ),
    Fault(
        "continue leaves the loop",
        STMT,
        "jump(loops_.back().on_continue);",
        "jump(FAULT ? loops_.back().on_break : loops_.back().on_continue);",
    ),
    Fault(
        "True is stored as 255",
        EXPR,
        "return type.is_bool() ? builder_.CreateZExt(value,",
        "if (FAULT && type.is_bool()) {\n"
        "    return builder_.CreateSExt(value, like(memory_type_of(type), value));\n"
        "  }\n"
        "  return type.is_bool() ? builder_.CreateZExt(value,",
    ),
    Fault(
        "a loop down stops one turn early",
        LOOP,
        "builder_.CreateCondBr(builder_.CreateICmp(goes_on, next, end), body, exit);",
        "builder_.CreateCondBr(builder_.CreateICmp(goes_on, FAULT && loop.step < 0 ? "
        "builder_.CreateAdd(next, wide_constant(loop.step)) : next, end), body, exit);",
    ),
    Fault(
        "a loop with a run-time step goes the other way",
        LOOP,
        "builder_.CreateAdd(first, distance)",
        "FAULT ? builder_.CreateSub(first, distance) : builder_.CreateAdd(first, distance)",
    ),
]


FISSION = "src/passes/fission.cc"
WARP, KEEP = "src/passes/fission_warp.cc", "src/passes/replicate_locals.cc"
ARRAYS, ATOMIC = "src/passes/block_arrays.cc", "src/codegen/llvm/emit_atomic.cc"

BLOCK_FAULTS = [
    (
        "barriers of the block do nothing",
        FISSION,
        "      return lower_barrier(*barrier);",
        "      const bool is_block = barrier->callee->convergence == "
        "intrinsics::Convergence::Block;\n"
        "      if (FAULT && is_block) return;\n      return lower_barrier(*barrier);",
    ),
    (
        "a barrier of the warp does not end a region",
        FISSION,
        "void Fission::lower_barrier(const ir::Call& call) {\n  flush();",
        "void Fission::lower_barrier(const ir::Call& call) {\n"
        "  if (!FAULT || call.callee->convergence != intrinsics::Convergence::Warp) flush();",
    ),
    (
        "a value of the block is assigned before the threads have used the old one",
        FISSION,
        "    flush();\n    return emit_if_any(stmt.span, {&stmt});",
        "    if (!FAULT) flush();\n    return emit_if_any(stmt.span, {&stmt});",
    ),
    (
        "who has run a branch runs the next one too",
        FISSION,
        "      add(head_for(end, clause.span));",
        "      add(head_for(FAULT ? kHere : end, clause.span));",
    ),
    (
        "who continues a loop is gone for its later turns",
        FISSION,
        "  lower(body);\n  flush();\n  arrive_at({&loop, true}, span);",
        "  lower(body);\n  flush();\n  if (!FAULT) arrive_at({&loop, true}, span);",
    ),
    (
        "regions run for threads that are elsewhere",
        FISSION,
        "if (region_.empty()) region_is_guarded_ = !headings_.empty();\n  region_.push_back(stmt);",
        "if (region_.empty()) region_is_guarded_ = !FAULT && !headings_.empty();\n"
        "  region_.push_back(stmt);",
    ),
    (
        "a name is computed again from a scalar that has changed",
        KEEP,
        "if (ir::is<ir::LaunchIndex>(&expr)) return 1;",
        "if (ir::is<ir::LaunchIndex>(&expr) || (FAULT && ir::is<ir::LocalRead>(&expr))) return 1;",
    ),
    (
        "threads that differ in z only share what they keep",
        ARRAYS,
        "if (!is_single) linear = build_.fold_binary(BinaryOp::Mul, linear, extent, span);",
        "if (!is_single && !FAULT) linear = "
        "build_.fold_binary(BinaryOp::Mul, linear, extent, span);",
    ),
    (
        "a shuffle up leaves its group",
        WARP,
        "make(BinaryOp::BitAnd, thread, make(BinaryOp::Sub, i32(0, span), width));",
        "make(BinaryOp::BitAnd, thread, make(BinaryOp::Sub, i32(0, span), "
        "FAULT ? i32(kWarpSize, span) : width));",
    ),
    (
        "a shuffle xor reads later groups",
        WARP,
        "const bool always = known_width != nullptr && known_width->value == kWarpSize;",
        "const bool always = FAULT || (known_width != nullptr && known_width->value == kWarpSize);",
    ),
    (
        "the lane of a shuffle does not wrap within its group",
        WARP,
        "make(BinaryOp::BitOr, first, make(BinaryOp::BitAnd, other, within));",
        "make(BinaryOp::BitOr, first, make(BinaryOp::BitAnd, other, "
        "FAULT ? i32(kWarpSize - 1, span) : within));",
    ),
    (
        "all_sync is any_sync",
        WARP,
        'const bool is_all = name == "cuda.all_sync";',
        'const bool is_all = !FAULT && name == "cuda.all_sync";',
    ),
    (
        "a ballot counts lanes that have ended",
        WARP,
        "    if (!headings_.empty()) {\n      const Expr* is_here",
        "    if (!FAULT && !headings_.empty()) {\n      const Expr* is_here",
    ),
    (
        "the least value of a warp is at most 0",
        WARP,
        "word(is_sum ? 0 : 0xffffffff, span)",
        "word(is_sum || FAULT ? 0 : 0xffffffff, span)",
    ),
    (
        "a vote of the block is about its first thread only",
        WARP,
        "    const Expr* is_set = arrays_.element(bits, k, span);\n"
        "    if (!headings_.empty()) {\n      const BinaryOp op",
        "    const Expr* is_set = arrays_.element(bits, FAULT ? i32(0, span) : k, span);\n"
        "    if (!headings_.empty()) {\n      const BinaryOp op",
    ),
    (
        "an atomic on shared memory gives the new value",
        ATOMIC,
        "  builder_.CreateAlignedStore(atomic_result(call, old, value), address, align);\n"
        "  return old;",
        "  llvm::Value* made = atomic_result(call, old, value);\n"
        "  builder_.CreateAlignedStore(made, address, align);\n  return FAULT ? made : old;",
    ),
    (
        "the least of unsigned values is found as of signed ones, in global memory",
        ATOMIC,
        ": (is_signed ? Op::Min : Op::UMin);",
        ": (is_signed || FAULT ? Op::Min : Op::UMin);",
    ),
    (
        "compare and swap always swaps",
        ATOMIC,
        "builder_.CreateSelect(is_equal, emit(*call.args[2]), old)",
        "FAULT ? emit(*call.args[2]) : builder_.CreateSelect(is_equal, emit(*call.args[2]), old)",
    ),
]
FAULTS += [Fault(*fault, family="blocks") for fault in BLOCK_FAULTS]


def copy_tree(folder: Path) -> Path:
    """A copy of the sources with all faults in it, dormant. Files that are as they should be are
    left alone, so that a second build is short."""
    tree = folder / "tree"
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    texts = {name: (ROOT / name).read_bytes() for name in listed.split("\0") if name_counts(name)}
    texts["src/base/planted.h"] = HEADER.encode()
    for number, fault in enumerate(FAULTS, 1):
        texts[fault.file] = patched(texts[fault.file].decode(), number, fault).encode()
    for name, text in texts.items():
        path = tree / name
        if not path.exists() or path.read_bytes() != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text)
    return tree


def name_counts(name: str) -> bool:
    top = name.partition("/")[0]
    wanted = (
        "src",
        "include",
        "cmake",
        "python",
        "scripts",
        "tools",
        "examples",
        "docs",
        "CMakeLists.txt",
    )
    return top in wanted and (ROOT / name).is_file()


def patched(text: str, number: int, fault: Fault) -> str:
    if text.count(fault.right) != 1:
        sys.exit(f"fault {number} ({fault.what}): its place in {fault.file} has changed")
    text = text.replace(fault.right, fault.wrong.replace("FAULT", f"is_planted({number})"))
    include = '#include "base/planted.h"\n'
    if include in text:
        return text
    return text.replace("#include", include + "#include", 1)


def build(folder: Path, jobs: int) -> Path:
    """Builds the package and its plugin with the faults; the build's folder."""
    tree = copy_tree(folder)
    # Where a preset would put it: a compiler cache then knows most files already.
    out = tree / "build" / "release"
    environment = os.environ | {"CCACHE_BASEDIR": str(tree), "CCACHE_NOHASHDIR": "1"}
    configure = ["cmake", "-S", tree, "-B", out, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"]
    configure += [f"-DPython_EXECUTABLE={sys.executable}", "-DTIRXCC_PYTHON=ON"]
    configure += ["-DTIRXCC_TESTS=OFF"]
    for command in (configure, ["ninja", f"-j{jobs}", "-C", out, "tirxcc_cpu", "tirxcc_python"]):
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if done.returncode:
            sys.exit((done.stdout + done.stderr)[-4000:])
    return out


def programs_until_found(built: Path, number: int, family: str, jobs: int) -> tuple[int, str]:
    """How many programs the oracle needs to find fault `number`, and what it says; 0: more than
    it may need."""
    oracle = [sys.executable, Path(__file__).with_name("oracle.py"), str(MOST_PROGRAMS)]
    oracle += ["--family", family, "--jobs", str(jobs)]
    environment = os.environ | {
        "PYTHONPATH": str(built / "python"),
        "TIRXCC_CPU_PLUGIN": str(built / "src" / "codegen" / "llvm" / "libtirxcc_cpu.so"),
        "PYTHONWARNINGS": "ignore",
        "TIRXCC_FAULT": str(number),
    }
    done = subprocess.run(
        [*oracle, "--stop", "--no-shrink"],
        env=environment,
        capture_output=True,
        text=True,
    )
    for line in done.stdout.splitlines():
        if line.startswith("program "):
            seed, _, found = line.removeprefix("program ").partition(": ")
            return int(seed) + 1, found[:90]
    if done.returncode:
        sys.exit(f"the oracle failed: {done.stderr[-2000:]}")
    return 0, ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("numbers", type=int, nargs="*", help="which faults; all by default")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "faults")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="at once")
    parser.add_argument("--table", type=Path, help="write the table to this file")
    options = parser.parse_args()
    built = build(options.folder, options.jobs)
    rows, missed = [], 0
    for number in [0, *(options.numbers or range(1, len(FAULTS) + 1))]:
        fault = FAULTS[number - 1] if number else Fault("none", "", "", "", "both")
        program, found = programs_until_found(built, number, fault.family, options.jobs)
        missed += (program == 0) == (number != 0)
        shown = str(program) if program else f"none of {MOST_PROGRAMS}"
        rows.append(f"| {number} | {fault.what} | `{Path(fault.file).name}` | {shown} |")
        print(f"{number:3} {fault.what:55} {shown:12} {found}", flush=True)
    head = "| fault | what is wrong | planted in | found by program |\n| --- | --- | --- | --- |\n"
    if options.table:
        options.table.write_text(head + "\n".join(rows) + "\n")
    print(f"{len(rows) - 1} faults, {missed} not as expected")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
