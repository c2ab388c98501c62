// SPDX-License-Identifier: Apache-2.0
#include "abi/host_code.h"

namespace tirxcc::abi {
namespace {

struct Quotient {
  std::int64_t quotient = 0;
  std::int64_t remainder = 0;
};

// C's division; the caller has excluded b == 0 and INT64_MIN / -1.
Quotient truncated(std::int64_t a, std::int64_t b) {
  return {a / b, a % b};
}

Quotient floored(std::int64_t a, std::int64_t b) {
  Quotient q = truncated(a, b);
  if (q.remainder != 0 && (q.remainder < 0) != (b < 0)) {
    q.quotient -= 1;
    q.remainder += b;
  }
  return q;
}

HostFault divide(HostOp op, std::int64_t a, std::int64_t b, std::int64_t& out) {
  if (b == 0) return HostFault::DivisionByZero;
  if (b == -1) {
    bool wants_quotient = op == HostOp::FloorDiv || op == HostOp::TruncDiv;
    if (!wants_quotient) {
      out = 0;
      return HostFault::None;
    }
    return __builtin_sub_overflow(std::int64_t{0}, a, &out) ? HostFault::Overflow : HostFault::None;
  }
  bool is_floor = op == HostOp::FloorDiv || op == HostOp::FloorMod;
  Quotient q = is_floor ? floored(a, b) : truncated(a, b);
  out = op == HostOp::FloorDiv || op == HostOp::TruncDiv ? q.quotient : q.remainder;
  return HostFault::None;
}

// Shifts by the width and more give 0 or the sign (rule 20).
std::int64_t shift(HostOp op, std::int64_t a, std::int64_t amount) {
  bool is_huge = amount < 0 || amount > 63;
  if (op == HostOp::ShiftRight) return is_huge ? (a < 0 ? -1 : 0) : a >> amount;
  return is_huge ? 0 : static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << amount);
}

}  // namespace

bool is_arithmetic(HostOp op) {
  return op <= HostOp::Select;
}

HostFault execute(const HostInstr& instr, std::int64_t* slots) {
  std::int64_t a = instr.a == kNoSlot ? 0 : slots[instr.a];
  std::int64_t b = instr.b == kNoSlot ? 0 : slots[instr.b];
  std::int64_t& out = slots[instr.dst];
  bool overflow = false;
  switch (instr.op) {
    case HostOp::Const: out = instr.imm; break;
    case HostOp::Copy: out = a; break;
    case HostOp::Add: overflow = __builtin_add_overflow(a, b, &out); break;
    case HostOp::Sub: overflow = __builtin_sub_overflow(a, b, &out); break;
    case HostOp::Mul: overflow = __builtin_mul_overflow(a, b, &out); break;
    case HostOp::FloorDiv:
    case HostOp::FloorMod:
    case HostOp::TruncDiv:
    case HostOp::TruncMod: return divide(instr.op, a, b, out);
    case HostOp::Min: out = a < b ? a : b; break;
    case HostOp::Max: out = a > b ? a : b; break;
    case HostOp::ShiftLeft:
    case HostOp::ShiftRight: out = shift(instr.op, a, b); break;
    case HostOp::BitAnd: out = a & b; break;
    case HostOp::BitOr: out = a | b; break;
    case HostOp::BitXor: out = a ^ b; break;
    case HostOp::Equal: out = a == b; break;
    case HostOp::NotEqual: out = a != b; break;
    case HostOp::Less: out = a < b; break;
    case HostOp::LessEqual: out = a <= b; break;
    case HostOp::And: out = a != 0 && b != 0; break;
    case HostOp::Or: out = a != 0 || b != 0; break;
    case HostOp::Not: out = a == 0; break;
    case HostOp::Select: out = a != 0 ? b : slots[instr.imm]; break;
    case HostOp::Jump:
    case HostOp::JumpIfZero:
    case HostOp::CheckRange:
    case HostOp::Assert:
    case HostOp::Launch:
    case HostOp::Return: break;
  }
  return overflow ? HostFault::Overflow : HostFault::None;
}

}  // namespace tirxcc::abi
