// SPDX-License-Identifier: Apache-2.0
//
// Host code of a function as HostInstr: integers and bools in 64-bit slots, no floats (a host float
// can only be passed on to a kernel).
#pragma once

#include <vector>

#include "abi/plan.h"
#include "base/pointer_map.h"
#include "ir/ir.h"
#include "source/diagnostics.h"

namespace tirxcc::driver {

class HostCompiler {
 public:
  HostCompiler(abi::Plan& plan, source::Diagnostics& diags) : plan_(plan), diags_(diags) {}

  abi::Slot new_slot(source::Span span);
  void bind(const ir::Var* var, abi::Slot slot) { vars_[var] = slot; }
  // The slot of a parameter, symbol or host value; kNoSlot if it is none of these.
  abi::Slot slot_of(const ir::Var* var) const;

  // Code that evaluates `expr` into a slot is appended to `code`; VarRefs cost nothing.
  abi::Slot expr(const ir::Expr& expr, std::vector<abi::HostInstr>& code);
  // Statements go to plan.code. `regions` gives the region index of each kernel.
  void statements(ir::StmtList body);
  void add_region(const ir::Kernel* kernel, std::uint32_t region) { regions_[kernel] = region; }

 private:
  struct Loop {
    std::vector<std::size_t> breaks;     // instructions to patch with the end
    std::vector<std::size_t> continues;  // ... with the start of the next turn
  };

  void statement(const ir::Stmt& stmt);
  void if_stmt(const ir::If& stmt);
  void for_stmt(const ir::For& stmt);
  void while_stmt(const ir::While& stmt);
  void assert_stmt(const ir::Assert& stmt);
  void launch_stmt(const ir::Launch& stmt);
  void option(const ir::Kernel& kernel, abi::LaunchOption which, const ir::Expr& value,
              abi::LaunchAttributes& attributes);
  abi::Slot byte_offset(const ir::AddressOf& address);
  void unsupported(source::Span span, std::string_view what);
  abi::Slot binary(const ir::Binary& node, std::vector<abi::HostInstr>& code);
  abi::Slot call(const ir::Call& node, std::vector<abi::HostInstr>& code);
  abi::Slot cast(const ir::Cast& node, std::vector<abi::HostInstr>& code);
  abi::Slot emit(std::vector<abi::HostInstr>& code, abi::HostOp op, abi::Slot a, abi::Slot b,
                 source::Span span, std::int64_t imm = 0);
  void check_range(abi::Slot slot, DType type);
  std::size_t jump(abi::HostOp op, abi::Slot condition = abi::kNoSlot);
  void patch(const std::vector<std::size_t>& jumps);

  abi::Plan& plan_;
  source::Diagnostics& diags_;
  PointerMap<abi::Slot> vars_;            // of ir::Var
  PointerMap<abi::Slot> locals_;          // of ir::Local
  PointerMap<std::uint32_t, 4> regions_;  // of ir::Kernel
  std::vector<Loop> loops_;
};

}  // namespace tirxcc::driver
