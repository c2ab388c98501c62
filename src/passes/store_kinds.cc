// SPDX-License-Identifier: Apache-2.0
#include "passes/store_kinds.h"

#include <algorithm>

#include "intrinsics/intrinsics.h"
#include "ir/builder.h"
#include "ir/traverse.h"

namespace tirxcc::passes {

using namespace ir;

namespace {

constexpr int kMostDepth = 8;

bool reads_itself(const Store& store, const Expr& value, int depth) {
  if (depth > kMostDepth) return false;
  if (const auto* load = as<Load>(&value)) {
    return load->tensor == store.tensor &&
           std::equal(load->indices.begin(), load->indices.end(), store.indices.begin(),
                      store.indices.end(),
                      [](const Expr* a, const Expr* b) { return equal(a, b); });
  }
  if (!is_arithmetic(value)) return false;
  bool found = false;
  for_each_child(
      value, [&](const Expr& child) { found = found || reads_itself(store, child, depth + 1); });
  return found;
}

}  // namespace

bool is_arithmetic(const Expr& expr) {
  if (is<Unary>(&expr) || is<Cast>(&expr)) return true;
  if (const auto* call = as<Call>(&expr)) {
    return call->callee->effect == intrinsics::Effect::Pure &&
           call->callee->convergence == intrinsics::Convergence::Thread;
  }
  const auto* binary = as<Binary>(&expr);
  return binary != nullptr && (binary->op == BinaryOp::Add || binary->op == BinaryOp::Sub ||
                               binary->op == BinaryOp::Mul || binary->op == BinaryOp::Div);
}

bool reads_itself(const Store& store) {
  return reads_itself(store, *store.value, 0);
}

Span target_of(const Store& store, const source::SourceManager& sources) {
  if (store.indices.empty()) return store.span;
  const Span last = store.indices.back()->span;
  const std::string_view all = sources.text_of(store.span);
  if (!last.is_valid() || last.begin < store.span.begin || last.end > store.span.end) {
    return store.span;
  }
  const std::size_t bracket = all.find(']', last.end - store.span.begin);
  if (bracket == all.npos) return store.span;
  return {store.span.begin, store.span.begin + static_cast<std::uint32_t>(bracket) + 1};
}

}  // namespace tirxcc::passes
