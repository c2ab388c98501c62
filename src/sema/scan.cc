// SPDX-License-Identifier: Apache-2.0
//
// A look at the text of a function before it is translated: which names it assigns (they are its
// own, whatever they mean outside), how often, and whether it launches kernels.
#include "base/overloaded.h"
#include "sema/function_sema.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kSharedName{"shared-name", Severity::Note, ErrorClass::Name,
                                 "'{0}' here is the '{0}' of the function around"};

// The last word of the callee: "device_entry" for T.device_entry(...).
std::string_view callee_word(const syntax::Expr& expr) {
  const auto* call = syntax::as<syntax::Call>(&expr);
  if (call == nullptr) return {};
  if (const auto* attribute = syntax::as<syntax::Attribute>(call->func)) return attribute->attr;
  return {};
}

syntax::Exprs tuple_elements(const syntax::Expr& target) {
  if (const auto* tuple = syntax::as<syntax::Tuple>(&target)) return tuple->elements;
  if (const auto* list = syntax::as<syntax::List>(&target)) return list->elements;
  return {};
}

bool is_param_or_nonlocal(const syntax::FunctionDef& def, std::string_view name) {
  for (const syntax::Param* param : def.params) {
    if (param->name == name) return true;
  }
  for (const syntax::Stmt* stmt : def.body) {
    const auto* nonlocal = syntax::as<syntax::Nonlocal>(stmt);
    if (nonlocal == nullptr) continue;
    for (const std::string_view said : nonlocal->names) {
      if (said == name) return true;
    }
  }
  return false;
}

}  // namespace

void FunctionSema::scan_call(const syntax::Expr& expr) {
  const std::string_view word = callee_word(expr);
  if (word == "device_entry" || word == "launch_thread" || word == "thread_binding") {
    has_device_code_ = true;
  }
}

void FunctionSema::scan_target(const syntax::Expr& target, bool is_counted) {
  if (const auto* name = syntax::as<syntax::Name>(&target)) {
    NameEntry& entry = entry_of(name->id);
    entry.is_local = true;
    if (!entry.first_site.is_valid()) entry.first_site = name->span;
    if (is_counted) ++entry.sites;
    return;
  }
  syntax::Exprs elements;
  if (const auto* tuple = syntax::as<syntax::Tuple>(&target)) elements = tuple->elements;
  if (const auto* list = syntax::as<syntax::List>(&target)) elements = list->elements;
  for (const syntax::Expr* element : elements)
    scan_target(*element, is_counted);
  if (const auto* starred = syntax::as<syntax::Starred>(&target)) {
    scan_target(*starred->value, is_counted);
  }
}

void FunctionSema::scan(syntax::Stmts body) {
  using namespace syntax;
  for (const Stmt* stmt : body) {
    if (const auto* assign = as<Assign>(stmt)) {
      for (const syntax::Expr* target : assign->targets)
        scan_target(*target, true);
      scan_call(*assign->value);
    } else if (const auto* expr = as<ExprStmt>(stmt)) {
      scan_call(*expr->value);
    } else if (const auto* augmented = as<AugAssign>(stmt)) {
      // It reads what an earlier assignment gave, so the name has two.
      scan_target(*augmented->target, true);
    } else if (const auto* annotated = as<AnnAssign>(stmt)) {
      scan_target(*annotated->target, false);
    } else if (const auto* branch = as<If>(stmt)) {
      for (const syntax::IfClause& clause : branch->clauses)
        scan(clause.body);
      scan(branch->orelse);
    } else if (const auto* loop = as<syntax::For>(stmt)) {
      scan_target(*loop->target, false);
      scan_call(*loop->iter);
      scan(loop->body);
    } else if (const auto* repeat = as<syntax::While>(stmt)) {
      scan(repeat->body);
    } else if (const auto* with = as<With>(stmt)) {
      for (const WithItem& item : with->items) {
        scan_call(*item.context_expr);
        if (item.target != nullptr) scan_target(*item.target, false);
      }
      scan(with->body);
    } else if (const auto* function = as<FunctionDef>(stmt)) {
      NameEntry& entry = entry_of(function->name);
      entry.is_local = true;
      entry.first_site = function->name_span;
    }
  }
}

// Python would make a name of the function's own.
void FunctionSema::note_shared_name(const syntax::FunctionDef& def, const syntax::Expr& target) {
  for (const syntax::Expr* element : tuple_elements(target))
    note_shared_name(def, *element);
  const auto* name = syntax::as<syntax::Name>(&target);
  if (name == nullptr || !entry_of(name->id).is_local || is_param_or_nonlocal(def, name->id)) {
    return;
  }
  diags_.report(name->span, kSharedName, name->id)
      .label(entry_of(name->id).first_site, "it is first assigned here")
      .note("write 'nonlocal {0}' in '{1}' to say so, or take another name", name->id, def.name);
}

void FunctionSema::note_shared_names(const syntax::FunctionDef& def, syntax::Stmts body) {
  using namespace syntax;
  for (const Stmt* stmt : body) {
    if (const auto* assign = as<Assign>(stmt)) {
      for (const syntax::Expr* target : assign->targets)
        note_shared_name(def, *target);
    } else if (const auto* annotated = as<AnnAssign>(stmt)) {
      note_shared_name(def, *annotated->target);
    } else if (const auto* branch = as<If>(stmt)) {
      for (const syntax::IfClause& clause : branch->clauses)
        note_shared_names(def, clause.body);
      note_shared_names(def, branch->orelse);
    } else if (const auto* loop = as<syntax::For>(stmt)) {
      note_shared_names(def, loop->body);
    } else if (const auto* repeat = as<syntax::While>(stmt)) {
      note_shared_names(def, repeat->body);
    }
  }
}

}  // namespace tirxcc::sema
