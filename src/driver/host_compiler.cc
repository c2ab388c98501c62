// SPDX-License-Identifier: Apache-2.0
#include "driver/host_compiler.h"

#include "abi/launch.h"
#include "abi/scalar.h"
#include "intrinsics/intrinsics.h"

namespace tirxcc::driver {
namespace {

using abi::HostInstr;
using abi::HostOp;
using abi::kNoSlot;
using abi::Slot;
using source::Diagnostic;
using source::Severity;
using source::Span;

constexpr Diagnostic kHostUnsupported{"host-code", Severity::Error, ErrorClass::Type,
                                      "host code cannot {}"};
constexpr Diagnostic kHostTooLarge{
    "host-code-too-large", Severity::Error, ErrorClass::Value,
    "'{}' has more than {} values to compute on the host; use a loop at run "
    "time instead of T.unroll"};

struct HostBinary {
  HostOp op;
  bool swap = false;  // a > b is b < a
};

HostBinary host_binary(ir::BinaryOp op) {
  switch (op) {
    case ir::BinaryOp::Add: return {HostOp::Add};
    case ir::BinaryOp::Sub: return {HostOp::Sub};
    case ir::BinaryOp::Mul: return {HostOp::Mul};
    case ir::BinaryOp::Div:
    case ir::BinaryOp::FloorDiv: return {HostOp::FloorDiv};
    case ir::BinaryOp::FloorMod: return {HostOp::FloorMod};
    case ir::BinaryOp::TruncDiv: return {HostOp::TruncDiv};
    case ir::BinaryOp::TruncMod: return {HostOp::TruncMod};
    case ir::BinaryOp::BitAnd: return {HostOp::BitAnd};
    case ir::BinaryOp::BitOr: return {HostOp::BitOr};
    case ir::BinaryOp::BitXor: return {HostOp::BitXor};
    case ir::BinaryOp::ShiftLeft: return {HostOp::ShiftLeft};
    case ir::BinaryOp::ShiftRight: return {HostOp::ShiftRight};
    case ir::BinaryOp::And: return {HostOp::And};
    case ir::BinaryOp::Or: return {HostOp::Or};
    case ir::BinaryOp::Eq: return {HostOp::Equal};
    case ir::BinaryOp::Ne: return {HostOp::NotEqual};
    case ir::BinaryOp::Lt: return {HostOp::Less};
    case ir::BinaryOp::Le: return {HostOp::LessEqual};
    case ir::BinaryOp::Gt: return {HostOp::Less, true};
    case ir::BinaryOp::Ge: return {HostOp::LessEqual, true};
  }
  return {HostOp::Const};
}

}  // namespace

Slot HostCompiler::new_slot(Span span) {
  if (plan_.slot_count >= abi::kMaxSlots) {
    if (plan_.slot_count == abi::kMaxSlots) {
      diags_.report(span, kHostTooLarge, plan_.function_name, abi::kMaxSlots);
    }
    plan_.slot_count = abi::kMaxSlots + 1;
    return 0;
  }
  return plan_.slot_count++;
}

Slot HostCompiler::slot_of(const ir::Var* var) const {
  const Slot* found = vars_.find(var);
  return found == nullptr ? kNoSlot : *found;
}

void HostCompiler::unsupported(Span span, std::string_view what) {
  diags_.report(span, kHostUnsupported, what);
}

Slot HostCompiler::emit(std::vector<HostInstr>& code, HostOp op, Slot a, Slot b, Span span,
                        std::int64_t imm) {
  Slot dst = new_slot(span);
  code.push_back({.op = op, .dst = dst, .a = a, .b = b, .imm = imm});
  return dst;
}

Slot HostCompiler::binary(const ir::Binary& node, std::vector<HostInstr>& code) {
  if (node.a->dtype.is_float()) {
    unsupported(node.span, "compute with floats; do it in the kernel or in the caller");
    return 0;
  }
  HostBinary op = host_binary(node.op);
  Slot a = expr(*node.a, code);
  Slot b = expr(*node.b, code);
  return op.swap ? emit(code, op.op, b, a, node.span) : emit(code, op.op, a, b, node.span);
}

Slot HostCompiler::call(const ir::Call& node, std::vector<HostInstr>& code) {
  using intrinsics::Special;
  Special special = node.callee->special;
  bool is_max = special == Special::MaxNan || special == Special::MaxNum;
  bool is_min = special == Special::MinNan || special == Special::MinNum;
  if ((!is_max && !is_min) || node.dtype.is_float()) {
    unsupported(node.span, "call this function; compute the value in the caller and pass it");
    return 0;
  }
  Slot a = expr(*node.args[0], code);
  Slot b = expr(*node.args[1], code);
  return emit(code, is_max ? HostOp::Max : HostOp::Min, a, b, node.span);
}

// Widening keeps the slot; narrowing wraps by shifting the high bits out.
Slot HostCompiler::cast(const ir::Cast& node, std::vector<HostInstr>& code) {
  if (node.dtype.is_float() || node.a->dtype.is_float()) {
    unsupported(node.span,
                "convert between floats and integers; pass the value as a parameter of its own");
    return 0;
  }
  Slot a = expr(*node.a, code);
  if (node.dtype.is_bool()) {
    Slot zero = emit(code, HostOp::Const, kNoSlot, kNoSlot, node.span, 0);
    return emit(code, HostOp::NotEqual, a, zero, node.span);
  }
  if (node.dtype.bits >= node.a->dtype.bits || node.dtype.bits == 64) return a;
  int spare = 64 - node.dtype.bits;
  if (node.dtype.is_unsigned_int()) {
    std::int64_t mask = (std::int64_t{1} << node.dtype.bits) - 1;
    Slot masks = emit(code, HostOp::Const, kNoSlot, kNoSlot, node.span, mask);
    return emit(code, HostOp::BitAnd, a, masks, node.span);
  }
  Slot amount = emit(code, HostOp::Const, kNoSlot, kNoSlot, node.span, spare);
  Slot high = emit(code, HostOp::ShiftLeft, a, amount, node.span);
  return emit(code, HostOp::ShiftRight, high, amount, node.span);
}

Slot HostCompiler::expr(const ir::Expr& node, std::vector<HostInstr>& code) {
  auto refuse = [&](std::string_view what) {
    unsupported(node.span, what);
    return Slot{0};
  };
  return ir::visit(
      node,
      Overloaded{
          [&](const ir::IntImm& e) {
            return emit(code, HostOp::Const, kNoSlot, kNoSlot, e.span, e.value);
          },
          [&](const ir::FloatImm&) { return refuse("use a float"); },
          [&](const ir::StringImm&) { return refuse("use a string"); },
          [&](const ir::VarRef& e) {
            Slot slot = slot_of(e.var);
            TIRXCC_CHECK(slot != kNoSlot, "host value {} has no slot", e.var->name);
            return slot;
          },
          [&](const ir::LocalRead& e) {
            const Slot* found = locals_.find(e.local);
            TIRXCC_CHECK(found != nullptr, "host variable {} has no slot", e.local->name);
            return *found;
          },
          [&](const ir::Load&) { return refuse("read a tensor; its memory is the device's"); },
          [&](const ir::LaunchIndex&) { return refuse("use thread and block indices"); },
          [&](const ir::Unary& e) {
            Slot a = expr(*e.a, code);
            if (e.op == ir::UnaryOp::Not) return emit(code, HostOp::Not, a, kNoSlot, e.span);
            bool is_not = e.op == ir::UnaryOp::BitNot;
            Slot other = emit(code, HostOp::Const, kNoSlot, kNoSlot, e.span, is_not ? -1 : 0);
            return emit(code, is_not ? HostOp::BitXor : HostOp::Sub, is_not ? a : other,
                        is_not ? other : a, e.span);
          },
          [&](const ir::Binary& e) { return binary(e, code); },
          [&](const ir::Select& e) {
            Slot c = expr(*e.condition, code);
            Slot a = expr(*e.a, code);
            Slot b = expr(*e.b, code);
            return emit(code, HostOp::Select, c, a, e.span, b);
          },
          [&](const ir::Cast& e) { return cast(e, code); },
          [&](const ir::Call& e) { return call(e, code); },
          [&](const ir::AddressOf&) { return refuse("take addresses"); },
          [&](const ir::VectorLoad&) { return refuse("read a tensor"); },
          [&](const ir::LaneRead&) { return refuse("use vectors"); },
      });
}

void HostCompiler::check_range(Slot slot, DType type) {
  if (type.is_bool() || type.bits == 64) return;
  std::size_t index = 0;
  while (index < plan_.types.size() && plan_.types[index] != type)
    ++index;
  if (index == plan_.types.size()) plan_.types.push_back(type);
  plan_.code.push_back(
      {.op = HostOp::CheckRange, .a = slot, .imm = static_cast<std::int64_t>(index)});
}

std::size_t HostCompiler::jump(HostOp op, Slot condition) {
  plan_.code.push_back({.op = op, .a = condition});
  return plan_.code.size() - 1;
}

void HostCompiler::patch(const std::vector<std::size_t>& jumps) {
  for (std::size_t at : jumps)
    plan_.code[at].imm = static_cast<std::int64_t>(plan_.code.size());
}

void HostCompiler::if_stmt(const ir::If& stmt) {
  std::vector<std::size_t> ends;
  for (const ir::IfClause& clause : stmt.clauses) {
    Slot condition = expr(*clause.condition, plan_.code);
    std::size_t skip = jump(HostOp::JumpIfZero, condition);
    statements(clause.body);
    ends.push_back(jump(HostOp::Jump));
    patch({skip});
  }
  statements(stmt.else_body);
  patch(ends);
}

void HostCompiler::for_stmt(const ir::For& stmt) {
  std::vector<HostInstr>& code = plan_.code;
  Slot begin = expr(*stmt.begin, code);
  Slot end = expr(*stmt.end, code);
  Slot end_copy = emit(code, HostOp::Copy, end, kNoSlot, stmt.span);
  Slot index = emit(code, HostOp::Copy, begin, kNoSlot, stmt.span);
  Slot step = emit(code, HostOp::Const, kNoSlot, kNoSlot, stmt.span, stmt.step);
  bind(stmt.var, index);
  auto top = static_cast<std::int64_t>(code.size());
  Slot more = stmt.step > 0 ? emit(code, HostOp::Less, index, end_copy, stmt.span)
                            : emit(code, HostOp::Less, end_copy, index, stmt.span);
  std::size_t leave = jump(HostOp::JumpIfZero, more);
  loops_.emplace_back();
  statements(stmt.body);
  Loop loop = std::move(loops_.back());
  loops_.pop_back();
  patch(loop.continues);
  code.push_back({.op = HostOp::Add, .dst = index, .a = index, .b = step});
  code.push_back({.op = HostOp::Jump, .imm = top});
  loop.breaks.push_back(leave);
  patch(loop.breaks);
}

void HostCompiler::while_stmt(const ir::While& stmt) {
  auto top = static_cast<std::int64_t>(plan_.code.size());
  std::size_t leave = jump(HostOp::JumpIfZero, expr(*stmt.condition, plan_.code));
  loops_.emplace_back();
  statements(stmt.body);
  Loop loop = std::move(loops_.back());
  loops_.pop_back();
  for (std::size_t at : loop.continues)
    plan_.code[at].imm = top;
  plan_.code.push_back({.op = HostOp::Jump, .imm = top});
  loop.breaks.push_back(leave);
  patch(loop.breaks);
}

void HostCompiler::assert_stmt(const ir::Assert& stmt) {
  Slot condition = expr(*stmt.condition, plan_.code);
  plan_.messages.emplace_back(stmt.text.empty() ? "assertion failed" : stmt.text);
  plan_.code.push_back({.op = HostOp::Assert,
                        .a = condition,
                        .imm = static_cast<std::int64_t>(plan_.messages.size() - 1)});
}

// How far from a tensor's first element an address is, in bytes.
Slot HostCompiler::byte_offset(const ir::AddressOf& address) {
  std::vector<HostInstr>& code = plan_.code;
  const ir::Tensor& tensor = *address.tensor;
  const ir::Span span = address.span;
  auto constant = [&](std::int64_t value) {
    return emit(code, HostOp::Const, kNoSlot, kNoSlot, span, value);
  };
  Slot offset = constant(0);
  for (std::size_t i = 0; i < address.indices.size(); ++i) {
    Slot term = expr(*address.indices[i], code);
    if (!tensor.strides.empty()) {
      term = emit(code, HostOp::Mul, term, expr(*tensor.strides[i], code), span);
    } else {
      // Row by row: what the inner dimensions hold.
      for (std::size_t inner = i + 1; inner < tensor.shape.size(); ++inner)
        term = emit(code, HostOp::Mul, term, expr(*tensor.shape[inner], code), span);
    }
    offset = emit(code, HostOp::Add, offset, term, span);
  }
  return emit(code, HostOp::Mul, offset, constant(tensor.dtype.bytes()), span);
}

// One of a launch's rare attributes; sema let through only what stands here.
void HostCompiler::option(const ir::Kernel& kernel, abi::LaunchOption which, const ir::Expr& value,
                          abi::LaunchAttributes& attributes) {
  attributes.has_options = true;
  Slot& slot = attributes.options[static_cast<std::size_t>(which)];
  if (const auto* real = ir::as<ir::FloatImm>(&value)) {
    const auto bits = static_cast<std::int64_t>(abi::float_bits(value.dtype, real->value));
    slot = emit(plan_.code, HostOp::Const, kNoSlot, kNoSlot, value.span, bits);
    return;
  }
  if (value.dtype != kHandle) {
    slot = expr(value, plan_.code);
    return;
  }
  const auto* address = ir::as<ir::AddressOf>(&value);
  const auto* pointer = ir::as<ir::VarRef>(&value);
  for (std::size_t i = 0; i < kernel.params.size(); ++i) {
    const ir::Param& param = kernel.params[i];
    const bool is_it = address != nullptr ? param.tensor == address->tensor
                                          : pointer != nullptr && param.var == pointer->var;
    if (!is_it) continue;
    attributes.addresses.push_back(
        {.option = which,
         .param = static_cast<std::uint16_t>(i),
         .byte_offset = address != nullptr ? byte_offset(*address) : kNoSlot});
    return;
  }
  unsupported(value.span, "use this address");
}

void HostCompiler::launch_stmt(const ir::Launch& stmt) {
  const ir::Kernel& kernel = *stmt.kernel;
  std::uint32_t index = *regions_.find(&kernel);
  abi::RegionSpec& region = plan_.regions[index];
  auto size = [&](const ir::Expr* value) {
    return value == nullptr ? kNoSlot : expr(*value, plan_.code);
  };
  const ir::LaunchConfig& launch = kernel.launch;
  for (int i = 0; i < 3; ++i) {
    region.grid[i] = size(launch.grid[i]);
    region.block[i] = size(launch.block[i]);
    region.attributes.cluster[i] = size(launch.cluster[i]);
  }
  region.attributes.is_cluster_in_code = launch.required_block_size;
  region.attributes.dynamic_smem_bytes = size(launch.dynamic_smem_bytes);
  region.attributes.cooperative = size(launch.cooperative);
  region.attributes.programmatic_stream_serialization =
      size(launch.programmatic_stream_serialization);
  region.attributes.priority = size(launch.priority);
  for (std::size_t i = 0; i < abi::kLaunchOptionCount; ++i) {
    const ir::Expr* value = launch.options[i];
    if (value != nullptr) {
      option(kernel, static_cast<abi::LaunchOption>(i), *value, region.attributes);
    }
  }
  for (const ir::Var* var : kernel.symbols) {
    Slot slot = slot_of(var);
    TIRXCC_CHECK(slot != kNoSlot, "kernel argument {} has no slot", var->name);
    region.args.push_back({abi::KernelArgSpec::Kind::Value, slot, var->dtype});
  }
  plan_.code.push_back({.op = HostOp::Launch, .imm = index});
}

void HostCompiler::statements(ir::StmtList body) {
  for (const ir::Stmt* stmt : body)
    statement(*stmt);
}

void HostCompiler::statement(const ir::Stmt& node) {
  auto refuse = [&](const ir::Stmt& stmt) {
    unsupported(stmt.span, "run this; it may assign, branch, loop by a fixed step, and assert");
  };
  auto assign = [&](Slot slot, const ir::Expr& value) {
    Slot from = expr(value, plan_.code);
    check_range(from, value.dtype);
    plan_.code.push_back({.op = HostOp::Copy, .dst = slot, .a = from});
  };
  ir::visit(node,
            Overloaded{
                [&](const ir::Let& s) {
                  Slot slot = new_slot(s.span);
                  assign(slot, *s.value);
                  bind(s.var, slot);
                },
                [&](const ir::DeclareLocal& s) { locals_[s.local] = new_slot(s.span); },
                [&](const ir::Assign& s) { assign(*locals_.find(s.local), *s.value); },
                [&](const ir::Store& s) { refuse(s); },
                [&](const ir::VectorStore& s) { refuse(s); },
                [&](const ir::LaneStore& s) { refuse(s); },
                [&](const ir::Evaluate& s) { refuse(s); },
                [&](const ir::Alloc& s) { refuse(s); },
                [&](const ir::If& s) { if_stmt(s); },
                [&](const ir::For& s) { for_stmt(s); },
                [&](const ir::CountedFor& s) { refuse(s); },
                [&](const ir::While& s) { while_stmt(s); },
                [&](const ir::Break&) { loops_.back().breaks.push_back(jump(HostOp::Jump)); },
                [&](const ir::Continue&) { loops_.back().continues.push_back(jump(HostOp::Jump)); },
                [&](const ir::Block& s) {
                  if (s.label != nullptr) return refuse(s);
                  statements(s.body);
                },
                [&](const ir::Leave& s) { refuse(s); },
                [&](const ir::ThreadReturn& s) { refuse(s); },
                [&](const ir::Return& s) {
                  Slot value = s.value == nullptr ? kNoSlot : expr(*s.value, plan_.code);
                  plan_.code.push_back({.op = HostOp::Return, .a = value});
                },
                [&](const ir::Assert& s) { assert_stmt(s); },
                [&](const ir::Launch& s) { launch_stmt(s); },
            });
}

}  // namespace tirxcc::driver
