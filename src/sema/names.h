// SPDX-License-Identifier: Apache-2.0
//
// What sema knows of the names of one function (language.md 4.1, rules 26-28).
//
// Python's scope is the function: all assignments of a name are one variable. Whether that variable
// is a value (one assignment that dominates every read in the same turn of its loop) or a mutable
// scalar, and of which type, is only known at the end of the body. So a body is translated in
// rounds: each round assumes VariableFacts and notes where they do not hold; then the body is
// translated again with better ones. Facts only grow, so the rounds end; kernels take one or two.
#pragma once

#include <string_view>
#include <vector>

#include "base/pointer_map.h"
#include "sema/captured_scope.h"
#include "sema/value.h"

namespace tirxcc::sema {

inline constexpr std::uint32_t kNoFrame = 0xffffffff;

// What a round learnt about a variable, kept for the next one. The key is the syntax node of the
// variable's first assignment (or its parameter, or loop target).
struct VariableFacts {
  bool is_mutable = false;
  // A parameter or host value that device code assigns: the kernel works on a copy.
  bool is_mutable_in_device = false;
  // is_mutable was assumed because the name has several assignments in the text; they may be dead.
  bool is_guess = false;
  bool is_known = false;
  DType type;  // the promotion of all values assigned; Error: nothing yet
};

// A mutable scalar under construction.
struct MutableLocal : ir::Local {
  std::uint32_t last_assigned = 0;  // on the clock of the function
};

enum class VariableForm : std::uint8_t {
  Meta,   // a compile-time value, tensor, list: reads give `value`
  Value,  // bound by a Let (or parameter list, loop): reads give `value`
  Local,  // a mutable scalar
};

struct NameEntry;

// One variable of the function being translated, in one round.
struct Variable {
  NameEntry* name = nullptr;
  const void* key = nullptr;
  Span span;  // of the assignment that made it
  VariableForm form = VariableForm::Meta;
  bool is_loop = false;       // a loop variable; undefined after its loop
  bool is_param = false;      // assigned at entry: a parameter
  bool is_annotated = false;  // its type was declared
  bool is_let = false;        // T.let: cannot be assigned again
  bool is_tensor_name = false;
  bool is_cell = false;       // a scalar in shared memory: reads and assignments are of its element
  bool is_justified = false;  // is_guess holds: a second assignment or a read out of scope was seen
  Value value;                // Meta, Value
  MutableLocal* local = nullptr;
  // The statement list where it was first assigned.
  std::uint32_t first_frame = kNoFrame;
  // Local: the innermost statement list that holds all its uses so far, and the first statement
  // there that holds one.
  std::uint32_t frame = kNoFrame;
  std::uint32_t position = 0;
  std::uint32_t region = 0;  // 0: host code
  std::uint32_t made = 0;    // on the clock of the function
  std::uint32_t last_read = 0;
  const ir::Var* snapshot = nullptr;  // host Local: its value at the launch of the present region
  std::uint32_t snapshot_region = 0;
};

// One name of the function.
struct NameEntry {
  std::string_view name;
  // Kept over the rounds.
  bool is_namespace = false;  // the alias of the language: `T`
  bool is_local = false;      // assigned somewhere in the function
  std::uint32_t sites = 0;    // assignments without annotation in the text
  Span first_site;
  bool is_one_variable = false;  // a read sees several declarations: they are one variable

  // Of the present round.
  Variable* current = nullptr;   // what a read here means
  Variable* variable = nullptr;  // the latest ordinary (not loop) variable
  bool has_several = false;      // variables, of different assignments
  bool is_assigned = false;      // on every path to here
  Span assigned_span;            // of the latest assignment seen
  bool is_captured_known = false;
  Value captured;
  CapturedScope* captured_scope = nullptr;  // where the name is looked up if it is not local
};

// The names of the function, or of one expansion of an inline function in it.
struct NameScope {
  PointerMap<NameEntry*> names;
  std::vector<NameEntry*> params;   // of the inline function
  std::vector<NameEntry*> entries;  // all that belong to this expansion
  PointerMap<const void*> keys;     // of facts: the syntax nodes of the function, in this expansion
  PointerMap<NameScope*> children;  // expansions in this one, by their call
  NameScope* parent = nullptr;      // of a function inside a kernel: the names around it
  CapturedScope* captured = nullptr;
  bool is_scanned = false;
};

// The names that are assigned on every path that reaches a point: joins of branches, exits of
// loops. Only names that were not yet assigned at the start of the construct are looked at.
struct Flow {
  bool is_reached = false;
  std::vector<NameEntry*> names = {};
};

}  // namespace tirxcc::sema
