// SPDX-License-Identifier: Apache-2.0
//
// The public Scope (tirxcc/scope.h) as what sema asks, a CapturedScope: captured values become sema
// values in the compilation's arena, and captured functions are parsed when a kernel first names
// them. All adapters of a compilation belong to one ScopeAdapters.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "base/arena.h"
#include "driver/compilation.h"
#include "sema/captured_scope.h"
#include "source/diagnostics.h"
#include "tirxcc/scope.h"

namespace tirxcc::driver {

class ScopeAdapter;

class ScopeAdapters {
 public:
  ScopeAdapters(source::SourceManager& sources, Arena& arena, source::Diagnostics& diags);
  ~ScopeAdapters();

  // The definition in the text; null after an error.
  const syntax::FunctionDef* parse(FunctionText text);
  sema::CapturedScope& adapter_of(std::shared_ptr<Scope> scope);

 private:
  friend class ScopeAdapter;

  // nullopt for Unknown and Unavailable.
  std::optional<sema::Value> to_value(const CapturedValue& captured);
  std::optional<sema::Value> to_int(const CapturedValue& captured);
  std::optional<sema::Value> to_items(const CapturedValue& captured, sema::ValueKind kind);
  sema::Value to_symbol(const CapturedSymbol& symbol);
  std::optional<sema::Value> to_function(const CapturedFunction& function);

  source::SourceManager& sources_;
  Arena& arena_;
  source::Diagnostics& diags_;
  std::vector<std::unique_ptr<ScopeAdapter>> adapters_;
  std::unordered_map<const void*, const sema::DynamicSymbol*> symbols_;
  std::unordered_map<const void*, const sema::FunctionValue*> functions_;
};

}  // namespace tirxcc::driver
