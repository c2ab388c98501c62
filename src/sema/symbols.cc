// SPDX-License-Identifier: Apache-2.0
//
// Symbolic sizes: which place in the signature determines each (language.md 1.2, rule 15). A bare
// `n` comes first, else one linear form such as `n * 4` or `n + 1`, else a scalar parameter of the
// same name.
#include <algorithm>

#include "sema/function_sema.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kUndefined{"undefined-variable", Severity::Error, ErrorClass::Name,
                                "undefined variable {}"};
constexpr Diagnostic kSymbolParameter{
    "symbol-parameter-type", Severity::Error, ErrorClass::Type,
    "the parameter '{}' defines a size of the same name and must be an integer, not {}"};

// scale * var + offset, with var null for a constant.
struct Linear {
  const ir::Var* var = nullptr;
  int128 scale = 0;
  int128 offset = 0;
};

// Nearly always in order already, and std::stable_sort asks for memory first.
template <typename T, typename Less>
void sort_if_needed(std::vector<T>& items, Less less) {
  if (!std::is_sorted(items.begin(), items.end(), less)) {
    std::stable_sort(items.begin(), items.end(), less);
  }
}

std::optional<Linear> linear_form(const ir::Expr& expr) {
  if (const ir::IntImm* literal = ir::as_int(&expr)) return Linear{nullptr, 0, literal->value};
  if (const auto* ref = ir::as<ir::VarRef>(&expr)) return Linear{ref->var, 1, 0};
  if (const auto* cast = ir::as<ir::Cast>(&expr)) {
    const bool is_widening = cast->dtype.is_int() && cast->a->dtype.is_int() &&
                             cast->dtype.bits >= cast->a->dtype.bits && !cast->is_bits;
    return is_widening ? linear_form(*cast->a) : std::nullopt;
  }
  const auto* binary = ir::as<ir::Binary>(&expr);
  if (binary == nullptr) return std::nullopt;
  const auto a = linear_form(*binary->a);
  const auto b = linear_form(*binary->b);
  if (!a.has_value() || !b.has_value()) return std::nullopt;
  if (a->var != nullptr && b->var != nullptr) return std::nullopt;
  const ir::Var* var = a->var != nullptr ? a->var : b->var;
  if (binary->op == ir::BinaryOp::Add) {
    return Linear{var, a->scale + b->scale, a->offset + b->offset};
  }
  if (binary->op == ir::BinaryOp::Sub) {
    return Linear{var, a->scale - b->scale, a->offset - b->offset};
  }
  if (binary->op == ir::BinaryOp::Mul) {
    const Linear& factor = a->var == nullptr ? *a : *b;
    const Linear& other = a->var == nullptr ? *b : *a;
    if (other.offset > kInt64.max_int() || other.offset < kInt64.min_int()) return std::nullopt;
    return Linear{var, other.scale * factor.offset, other.offset * factor.offset};
  }
  return std::nullopt;
}

}  // namespace

// The symbol's entry in this function, made at its first use.
SymbolInfo& FunctionSema::symbol_info(const DynamicSymbol& symbol, Span use) {
  for (SymbolInfo& info : symbols_) {
    if (info.symbol == &symbol) return info;
  }
  SymbolInfo info;
  info.symbol = &symbol;
  info.first_use = use;
  for (std::size_t i = 0; i < params_.size() && info.var == nullptr; ++i) {
    const ir::Param& param = params_[i];
    if (param.name != symbol.name || param.var == nullptr) continue;
    if (!param.var->dtype.is_int()) {
      diags_.report(param.span, kSymbolParameter, symbol.name, to_string(param.var->dtype));
    }
    info.var = param.var;
    info.is_determined = true;
    info.solution = {.var = param.var, .param = static_cast<std::uint16_t>(i), .from_scalar = true};
  }
  if (info.var == nullptr) {
    info.var = module_.arena.make<ir::Var>(
        ir::Var{symbol.name, symbol.dtype, symbol.span, ir::VarKind::Symbol});
  }
  symbols_.push_back(info);
  return symbols_.back();
}

const ir::Var* FunctionSema::symbol_var(const DynamicSymbol& symbol, Span use) {
  return symbol_info(symbol, use).var;
}

// Dialect B: `n = T.int32()` before T.match_buffer.
void FunctionSema::declare_symbol(const syntax::Name& target, DType type) {
  const auto* symbol =
      module_.arena.make<DynamicSymbol>(DynamicSymbol{target.id, type, target.span});
  Value value;
  value.kind = ValueKind::Symbol;
  value.symbol = symbol;
  bind_meta(entry_of(target.id), key_of(&target), value, target.span);
}

void FunctionSema::solve_symbols() {
  // Places in the order of the signature, whatever the order of T.match_buffer calls.
  sort_if_needed(places_, [](const ShapePlace& a, const ShapePlace& b) {
    if (a.param != b.param) return a.param < b.param;
    if (a.is_stride != b.is_stride) return b.is_stride;
    return a.dim < b.dim;
  });
  for (const bool is_bare_round : {true, false}) {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const ShapePlace& place = places_[i];
      const std::optional<Linear> form = linear_form(*place.expr);
      if (!form.has_value() || form->var == nullptr || form->scale == 0) continue;
      if (!kInt64.can_hold(form->scale) || !kInt64.can_hold(form->offset)) continue;
      if (is_bare_round != (form->scale == 1 && form->offset == 0)) continue;
      for (SymbolInfo& info : symbols_) {
        if (info.var != form->var || info.is_determined) continue;
        info.is_determined = true;
        info.solution = {.var = info.var,
                         .param = place.param,
                         .dim = place.dim,
                         .from_scalar = false,
                         .from_stride = place.is_stride,
                         .scale = static_cast<std::int64_t>(form->scale),
                         .offset = static_cast<std::int64_t>(form->offset)};
      }
    }
  }
  order_symbols();
}

// By first place in the signature.
void FunctionSema::order_symbols() {
  std::uint32_t place_number = 0;
  const auto visit_symbols = [&](const ir::Expr& root, auto&& self) -> void {
    if (const auto* ref = ir::as<ir::VarRef>(&root)) {
      for (SymbolInfo& info : symbols_) {
        if (info.var == ref->var) info.first_place = std::min(info.first_place, place_number);
      }
    } else if (const auto* binary = ir::as<ir::Binary>(&root)) {
      self(*binary->a, self);
      self(*binary->b, self);
    } else if (const auto* cast = ir::as<ir::Cast>(&root)) {
      self(*cast->a, self);
    }
  };
  for (const ShapePlace& place : places_) {
    visit_symbols(*place.expr, visit_symbols);
    ++place_number;
  }
  sort_if_needed(symbols_, [](const SymbolInfo& a, const SymbolInfo& b) {
    return a.first_place < b.first_place;
  });
}

void FunctionSema::report_undefined_symbols() {
  // A parameter that was refused might have determined it.
  for (const ir::Param& param : params_) {
    if (param.tensor == nullptr && param.var == nullptr) return;
  }
  for (const SymbolInfo& info : symbols_) {
    if (info.is_determined) continue;
    auto message = diags_.report(info.first_use, kUndefined, info.symbol->name);
    message.note(
        "a size is known from a bare '{0}' or one form such as '{0} * 4' in the shape of "
        "a tensor parameter, or from a scalar parameter named '{0}'",
        info.symbol->name);
  }
}

}  // namespace tirxcc::sema
