// SPDX-License-Identifier: Apache-2.0
//
// The intermediate representation: what a kernel means, as a tree of small structs.
//
// It is structured (no control-flow graph): statements hold statement lists. Nodes are made in an
// arena and never changed; a pass makes new nodes and shares what it does not touch. Variables
// (Var, Local, Tensor) are objects compared by address, never by name; names serve printing only.
// Each expression carries its dtype; uniformity and value ranges are analyses, never stored here.
//
// `kFields` lists a node's children and attributes as member pointers; walking, rewriting, equality
// and the debug dump are written once over it. Code that must know every node calls
// visit(node, Overloaded{...}) with no catch-all.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>

#include "abi/dtype.h"
#include "abi/launch_options.h"
#include "base/arena.h"
#include "base/check.h"
#include "base/overloaded.h"
#include "source/source.h"

namespace tirxcc::intrinsics {
struct Intrinsic;
}

namespace tirxcc::ir {

using source::Span;

// ---------------------------------------------------------------------------------------------
// Variables

enum class Scope : std::uint8_t { Global, Shared, SharedDyn, Local };

// What a pointer points to; `type` is void where nobody knows.
struct Pointee {
  DType type = kVoid;
  Scope scope = Scope::Global;
  friend constexpr bool operator==(Pointee, Pointee) = default;
};

enum class VarKind : std::uint8_t {
  Param,   // a scalar parameter
  Symbol,  // a size that the host solves from the arguments (T.dynamic)
  Let,     // a named value
  Loop,    // a loop variable
};

// An immutable value with a name: bound once by its owner (parameter list, Let, For).
struct Var {
  std::string_view name = {};
  DType dtype = {};
  Span span = {};
  VarKind kind = VarKind::Let;
  Pointee pointee = {};  // of a variable that holds a pointer
};

// A mutable scalar. It prints as a one-element array (`int i_ptr[1];`).
struct Local {
  std::string_view name = {};
  DType dtype = {};
  Span span = {};
  bool address_taken = false;  // a pointer to it was formed; it must live in memory
};

struct Expr;

// A tensor parameter, an array made by Alloc, or a view of other memory.
struct Tensor {
  std::string_view name = {};
  DType dtype = {};
  std::span<const Expr* const> shape = {};    // extents; their dtype is int32 or int64
  std::span<const Expr* const> strides = {};  // in elements; empty: row-major without gaps
  const Expr* elem_offset = nullptr;          // null: 0
  Scope scope = Scope::Global;
  Span span = {};
  std::int32_t align = 0;  // bytes; 0: natural
  bool is_param = false;
  bool escapes = false;  // a pointer into it leaves the compiler's sight
};

// A jump target, owned by one Block statement.
struct Label {
  std::string_view name = {};  // "k_end", "k_next_2": what the CUDA text calls it
};

// ---------------------------------------------------------------------------------------------
// Expressions

// It has no stable way to break such a list.
// clang-format off
#define TIRXCC_IR_EXPRS(X) \
  X(IntImm) X(FloatImm) X(StringImm) X(VarRef) X(LocalRead) X(Load) X(LaunchIndex) \
  X(Unary) X(Binary) X(Select) X(Cast) X(Call) X(AddressOf) X(VectorLoad)          \
  X(LaneRead)
// clang-format on

enum class ExprKind : std::uint8_t {
#define X(name) name,
  TIRXCC_IR_EXPRS(X)
#undef X
};

struct Expr {
  ExprKind kind;
  DType dtype = {};
  Span span = {};
};

// A constant of an integer type or bool: `4`, `True`, `T.uint8(3)`.
struct IntImm : Expr {
  std::int64_t value = 0;  // uint64 values of 2^63 and more are stored as their bit pattern
  bool is_hex = false;     // written in hexadecimal, printed so
  static constexpr auto kFields = std::make_tuple(&IntImm::value, &IntImm::is_hex);
};

// A constant of a float type: `0.5`. `value` is already rounded to dtype.
struct FloatImm : Expr {
  double value = 0;
  static constexpr auto kFields = std::make_tuple(&FloatImm::value);
};

// A literal text, only as an argument of intrinsics (printf formats).
struct StringImm : Expr {
  std::string_view value = {};
  static constexpr auto kFields = std::make_tuple(&StringImm::value);
};

// The value of a Var: `n`, `i`.
struct VarRef : Expr {
  const Var* var = nullptr;
  static constexpr auto kFields = std::make_tuple(&VarRef::var);
};

// The present value of a mutable scalar: `total`.
struct LocalRead : Expr {
  const Local* local = nullptr;
  static constexpr auto kFields = std::make_tuple(&LocalRead::local);
};

// An element: `A[i, j]`. After pass `flatten` there is one index, the flat offset, and `is_flat`.
struct Load : Expr {
  const Tensor* tensor = nullptr;
  std::span<const Expr* const> indices = {};
  bool is_flat = false;
  static constexpr auto kFields = std::make_tuple(&Load::tensor, &Load::indices, &Load::is_flat);
};

enum class LaunchIndexKind : std::uint8_t {
  ThreadIdx,  // threadIdx.x
  BlockIdx,   // blockIdx.x
  BlockDim,   // blockDim.x
  GridDim,    // gridDim.x
  WarpId,     // linear thread id >> 5, made uniform over the warp; axis 0
};

// A built-in index of the running thread, int32: `T.cuda.thread_idx("x")`.
struct LaunchIndex : Expr {
  LaunchIndexKind index = LaunchIndexKind::ThreadIdx;
  std::uint8_t axis = 0;  // 0 x, 1 y, 2 z
  static constexpr auto kFields = std::make_tuple(&LaunchIndex::index, &LaunchIndex::axis);
};

enum class UnaryOp : std::uint8_t { Neg, BitNot, Not };

// `-a`, `~a` (dtype of a), `not a` (a is bool).
struct Unary : Expr {
  UnaryOp op = UnaryOp::Neg;
  const Expr* a = nullptr;
  static constexpr auto kFields = std::make_tuple(&Unary::op, &Unary::a);
};

enum class BinaryOp : std::uint8_t {
  Add,
  Sub,
  Mul,
  Div,       // floats only
  FloorDiv,  // `//`: ints round down; floats floor(a / b)
  FloorMod,  // `%`: sign of the divisor
  TruncDiv,
  TruncMod,  // C's / and % on ints
  BitAnd,
  BitOr,
  BitXor,
  ShiftLeft,
  ShiftRight,  // dtype of a; b any integer type
  And,
  Or,  // bool, short circuit
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,  // operands of one dtype; result bool
};

constexpr bool is_comparison(BinaryOp op) {
  return op >= BinaryOp::Eq;
}
constexpr bool is_logical(BinaryOp op) {
  return op == BinaryOp::And || op == BinaryOp::Or;
}
constexpr bool is_shift(BinaryOp op) {
  return op == BinaryOp::ShiftLeft || op == BinaryOp::ShiftRight;
}

// `a + b`. Both operands and the result have one dtype, but for comparisons (bool) and shifts.
// Integer results wrap at the width of dtype (language.md 3.2, rule 18).
struct Binary : Expr {
  BinaryOp op = BinaryOp::Add;
  const Expr* a = nullptr;
  const Expr* b = nullptr;
  static constexpr auto kFields = std::make_tuple(&Binary::op, &Binary::a, &Binary::b);
};

// `a if c else b`, lazy: only the chosen side is evaluated. Both sides have dtype.
struct Select : Expr {
  const Expr* condition = nullptr;
  const Expr* a = nullptr;
  const Expr* b = nullptr;
  static constexpr auto kFields = std::make_tuple(&Select::condition, &Select::a, &Select::b);
};

// `T.float32(x)`, written or by conversion; `is_bits` reinterprets the same bits.
// Float to int saturates, NaN gives 0; int to narrower int wraps; to bool is `!= 0`.
struct Cast : Expr {
  const Expr* a = nullptr;
  bool is_bits = false;
  static constexpr auto kFields = std::make_tuple(&Cast::a, &Cast::is_bits);
};

// A call of a device function of the intrinsic table: `T.sqrt(x)`.
struct Call : Expr {
  const intrinsics::Intrinsic* callee = nullptr;
  std::span<const Expr* const> args = {};
  static constexpr auto kFields = std::make_tuple(&Call::callee, &Call::args);
};

// The address of an element: `A.ptr_to([i])`; dtype Handle.
struct AddressOf : Expr {
  const Tensor* tensor = nullptr;
  std::span<const Expr* const> indices = {};
  bool is_flat = false;
  static constexpr auto kFields =
      std::make_tuple(&AddressOf::tensor, &AddressOf::indices, &AddressOf::is_flat);
};

// dtype.lanes consecutive elements from a flat offset, in one access. Made by pass `vectorize`.
struct VectorLoad : Expr {
  const Tensor* tensor = nullptr;
  const Expr* offset = nullptr;  // flat
  static constexpr auto kFields = std::make_tuple(&VectorLoad::tensor, &VectorLoad::offset);
};

// One lane of a vector Local: `A_v.y`.
struct LaneRead : Expr {
  const Local* vector = nullptr;
  std::uint8_t lane = 0;
  static constexpr auto kFields = std::make_tuple(&LaneRead::vector, &LaneRead::lane);
};

// ---------------------------------------------------------------------------------------------
// Statements

// It has no stable way to break such a list.
// clang-format off
#define TIRXCC_IR_STMTS(X) \
  X(Let) X(DeclareLocal) X(Assign) X(Store) X(VectorStore) X(LaneStore)         \
  X(Evaluate) X(Alloc) X(If) X(For) X(CountedFor) X(While) X(Break) X(Continue) \
  X(Block) X(Leave) X(ThreadReturn) X(Return) X(Assert) X(Launch)
// clang-format on

enum class StmtKind : std::uint8_t {
#define X(name) name,
  TIRXCC_IR_STMTS(X)
#undef X
};

struct Stmt {
  StmtKind kind;
  Span span = {};
};

using StmtList = std::span<const Stmt* const>;
using ExprList = std::span<const Expr* const>;

// `row = (t >> 4) * 4`, a name that is assigned once: visible in the rest of its statement list.
struct Let : Stmt {
  const Var* var = nullptr;
  const Expr* value = nullptr;
  static constexpr auto kFields = std::make_tuple(&Let::var, &Let::value);
};

// Makes a mutable scalar (or, after `vectorize`, a vector register), fresh and uninitialised each
// time control passes here; visible in the rest of its statement list. An Assign follows when it
// has a first value.
struct DeclareLocal : Stmt {
  const Local* local = nullptr;
  static constexpr auto kFields = std::make_tuple(&DeclareLocal::local);
};

// `total = e`: e has the dtype of the local (for a vector local: a VectorLoad).
struct Assign : Stmt {
  const Local* local = nullptr;
  const Expr* value = nullptr;
  static constexpr auto kFields = std::make_tuple(&Assign::local, &Assign::value);
};

// `A[i, j] = e`: e has the tensor's dtype. Flat after pass `flatten`, as Load.
struct Store : Stmt {
  const Tensor* tensor = nullptr;
  ExprList indices = {};
  const Expr* value = nullptr;
  bool is_flat = false;
  static constexpr auto kFields =
      std::make_tuple(&Store::tensor, &Store::indices, &Store::value, &Store::is_flat);
};

// `*(float4*)&B[o] = B_v`: all lanes of a vector local to consecutive elements.
struct VectorStore : Stmt {
  const Tensor* tensor = nullptr;
  const Expr* offset = nullptr;
  const Local* vector = nullptr;
  static constexpr auto kFields =
      std::make_tuple(&VectorStore::tensor, &VectorStore::offset, &VectorStore::vector);
};

// `B_v.y = e`.
struct LaneStore : Stmt {
  const Local* vector = nullptr;
  std::uint8_t lane = 0;
  const Expr* value = nullptr;
  static constexpr auto kFields =
      std::make_tuple(&LaneStore::vector, &LaneStore::lane, &LaneStore::value);
};

// A call for its effect: `T.cuda.cta_sync()`.
struct Evaluate : Stmt {
  const Expr* value = nullptr;
  static constexpr auto kFields = std::make_tuple(&Evaluate::value);
};

// An array of this thread or block: `r = T.alloc_local((4,), "float32")`; contents undefined.
struct Alloc : Stmt {
  const Tensor* tensor = nullptr;
  static constexpr auto kFields = std::make_tuple(&Alloc::tensor);
};

struct IfClause {
  const Expr* condition = nullptr;  // bool
  StmtList body = {};
  Span span = {};  // of the condition
};

// `if c1: ... elif c2: ... else: ...`; a flat list, so that a long elif chain is not deep.
struct If : Stmt {
  std::span<const IfClause> clauses = {};  // at least one
  StmtList else_body = {};                 // may be empty
  static constexpr auto kFields = std::make_tuple(&If::clauses, &If::else_body);
};

enum class ForKind : std::uint8_t {
  Serial,
  Vectorized,  // T.vectorized: means the serial loop; pass `vectorize` may make it wide
  Parallel,    // T.parallel: CPU threads in a host function, else serial
};

// `for i in range(begin, end, step)`. begin and end are evaluated once, before the first turn, and
// have the dtype of var; step is a constant, not 0, and the last increment cannot overflow (|step|
// is 1, or the range is known; else CountedFor).
struct For : Stmt {
  const Var* var = nullptr;
  const Expr* begin = nullptr;
  const Expr* end = nullptr;
  std::int64_t step = 1;
  ForKind loop = ForKind::Serial;
  std::int32_t unroll_pragma = -1;  // -1 none, 0 `#pragma unroll`, n `#pragma unroll n`
  bool copy_end = false;            // `end` may change in the body: print a copy, `i_end`
  StmtList body = {};
  static constexpr auto kFields =
      std::make_tuple(&For::var, &For::begin, &For::end, &For::step, &For::loop,
                      &For::unroll_pragma, &For::copy_end, &For::body);
};

// A loop with a run-time step, or one whose last increment may overflow (rule 30): `turns`
// (unsigned) is evaluated once; var starts at `start` and grows by `step` (wrapping) each turn.
struct CountedFor : Stmt {
  const Var* var = nullptr;
  const Expr* start = nullptr;
  const Expr* step = nullptr;   // invariant: a constant, VarRef or parameter
  const Expr* turns = nullptr;  // uint32 or uint64
  StmtList body = {};
  static constexpr auto kFields =
      std::make_tuple(&CountedFor::var, &CountedFor::start, &CountedFor::step, &CountedFor::turns,
                      &CountedFor::body);
};

// `while c:`; a `continue` tests c again.
struct While : Stmt {
  const Expr* condition = nullptr;
  StmtList body = {};
  static constexpr auto kFields = std::make_tuple(&While::condition, &While::body);
};

// `break` / `continue` of the innermost For, CountedFor or While.
struct Break : Stmt {
  static constexpr auto kFields = std::make_tuple();
};
struct Continue : Stmt {
  static constexpr auto kFields = std::make_tuple();
};

// A statement list that a Leave of its label ends early (jumps behind it).
struct Block : Stmt {
  const Label* label = nullptr;  // null: only a scope (a copy of an unrolled body)
  StmtList body = {};
  static constexpr auto kFields = std::make_tuple(&Block::label, &Block::body);
};
struct Leave : Stmt {
  const Label* label = nullptr;
  static constexpr auto kFields = std::make_tuple(&Leave::label);
};

// Ends this thread: `T.gpu_thread_return()`.
struct ThreadReturn : Stmt {
  static constexpr auto kFields = std::make_tuple();
};

// `return e` of a host function (value null: none).
struct Return : Stmt {
  const Expr* value = nullptr;
  static constexpr auto kFields = std::make_tuple(&Return::value);
};

// `assert c, "text"` in host code.
struct Assert : Stmt {
  const Expr* condition = nullptr;
  std::string_view text = {};
  static constexpr auto kFields = std::make_tuple(&Assert::condition, &Assert::text);
};

struct Kernel;

// Starts a kernel from host code (once per device region).
struct Launch : Stmt {
  const Kernel* kernel = nullptr;
  static constexpr auto kFields = std::make_tuple(&Launch::kernel);
};

// ---------------------------------------------------------------------------------------------
// Kernels and functions

enum class Dialect : std::uint8_t { A, B };  // @T.function, @T.prim_func

// Sizes of a launch; host expressions of int64 (1 where the kernel gives none).
struct LaunchConfig {
  const Expr* grid[3] = {nullptr, nullptr, nullptr};
  const Expr* block[3] = {nullptr, nullptr, nullptr};
  const Expr* cluster[3] = {nullptr, nullptr, nullptr};  // null: not a cluster launch
  const Expr* dynamic_smem_bytes = nullptr;
  const Expr* cooperative = nullptr;
  const Expr* programmatic_stream_serialization = nullptr;
  const Expr* priority = nullptr;
  // By abi::LaunchOption; null: not given. Flags and words are constants, an address may also be of
  // dtype Handle.
  const Expr* options[abi::kLaunchOptionCount] = {};
  std::int32_t min_blocks_per_sm = 0;  // 0: not given
  std::int32_t max_blocks_per_cluster = 0;
  std::int32_t max_registers_per_thread = 0;
  bool required_block_size = false;
  Span span = {};
  // The constant block size (product), or 0 when it is symbolic.
  std::int64_t static_threads() const;
};

enum class KernelKind : std::uint8_t {
  Device,  // __global__
  Host,    // a plain CPU function: no grid, runs once (T.parallel on threads)
};

// A parameter of the function: exactly one of tensor and var is set; neither for an optional
// tensor that was specialised to None.
struct Param {
  std::string_view name = {};
  const Tensor* tensor = nullptr;
  const Var* var = nullptr;
  Span span = {};
  const Expr* default_value = nullptr;  // IntImm or FloatImm of var's dtype, or null
};

// What determines a symbol: dimension `dim` of parameter `param` is `scale * symbol + offset`.
struct Symbol {
  const Var* var = nullptr;
  std::uint16_t param = 0;
  std::uint16_t dim = 0;
  bool from_scalar = false;  // a scalar parameter of the same name defines it
  bool from_stride = false;  // dim counts strides, not extents
  std::int64_t scale = 1;
  std::int64_t offset = 0;
};

// One device region (or the body of a CPU function).
struct Kernel {
  std::string_view name = {};  // "relu": printers add `_kernel`
  KernelKind kind = KernelKind::Device;
  Dialect dialect = Dialect::A;
  Span span = {};                      // the function's name in the source
  std::span<const Param> params = {};  // those of the function, in source order
  std::span<const Var* const> symbols =
      {};  // symbols and host values that device code uses, in order
           // of first place in the signature; printed after the params
  LaunchConfig launch = {};
  StmtList body = {};
  DType result = {};  // Host: type of the result, or kVoid
};

// A decorated function: host code that launches kernels.
struct Function {
  std::string_view name = {};
  Dialect dialect = Dialect::A;
  Span span = {};
  std::span<const Param> params = {};
  std::span<const Symbol> symbols = {};
  StmtList host_body = {};  // Let, If, For, While, Assert, Launch, Return
  std::span<const Kernel* const> kernels = {};
};

// All functions of one compilation, and the arena that owns them.
struct Module {
  Arena arena;
  std::span<const Function* const> functions = {};
};

// ---------------------------------------------------------------------------------------------
// Dispatch

template <typename T>
struct KindOf;
#define X(name)                                       \
  template <>                                         \
  struct KindOf<name> {                               \
    static constexpr ExprKind kKind = ExprKind::name; \
  };
TIRXCC_IR_EXPRS(X)
#undef X
#define X(name)                                       \
  template <>                                         \
  struct KindOf<name> {                               \
    static constexpr StmtKind kKind = StmtKind::name; \
  };
TIRXCC_IR_STMTS(X)
#undef X

// The node as a T, or null if it is another kind.
template <typename T, typename Base>
const T* as(const Base* node) {
  return node != nullptr && node->kind == KindOf<T>::kKind ? static_cast<const T*>(node) : nullptr;
}
template <typename T, typename Base>
bool is(const Base* node) {
  return as<T>(node) != nullptr;
}

// Calls f with the node's own type: visit(*expr, Overloaded{[](const Load& x) {...}, ...}).
template <typename F>
decltype(auto) visit(const Expr& expr, F&& f) {
  switch (expr.kind) {
#define X(name) \
  case ExprKind::name: return f(static_cast<const name&>(expr));
    TIRXCC_IR_EXPRS(X)
#undef X
  }
  internal_error(__FILE__, __LINE__, "expression of no kind");
}
template <typename F>
decltype(auto) visit(const Stmt& stmt, F&& f) {
  switch (stmt.kind) {
#define X(name) \
  case StmtKind::name: return f(static_cast<const name&>(stmt));
    TIRXCC_IR_STMTS(X)
#undef X
  }
  internal_error(__FILE__, __LINE__, "statement of no kind");
}

}  // namespace tirxcc::ir
