// SPDX-License-Identifier: Apache-2.0
//
// Statement lists, the dispatch over statements, and statements that need few words: `with`,
// `assert`, nested functions, and those that are not part of the language.
#include "base/overloaded.h"
#include "sema/expr_internal.h"
#include "sema/function_sema.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kUnsupported{"unsupported-statement", Severity::Error, ErrorClass::Syntax,
                                  "Unsupported statement: {} ('{}')"};
constexpr Diagnostic kNonlocal{"nonlocal-name", Severity::Error, ErrorClass::Syntax,
                               "no binding for nonlocal '{}' found"};
constexpr Diagnostic kUnsupportedWith{
    "unsupported-with", Severity::Error, ErrorClass::Syntax,
    "Unsupported statement: With ('with' takes T.device_entry, T.launch_thread or T.attr)"};
constexpr Diagnostic kWithNotYet{"with-not-supported", Severity::Error, ErrorClass::Runtime,
                                 "'with {}(...)' is not supported yet"};
constexpr Diagnostic kAssertText{"assert-text", Severity::Error, ErrorClass::Type,
                                 "the message of an assert must be a string literal, got {}"};

// What a kernel does instead of a statement that it cannot have.
std::string_view instead_of(std::string_view keyword) {
  if (keyword == "import" || keyword == "from") return "import at the top of the file";
  if (keyword == "raise") return "write 'assert condition, \"text\"'";
  if (keyword == "try") {
    return "nothing in a kernel raises; ask before, by 'if', or write 'assert condition, "
           "\"text\"'";
  }
  if (keyword == "match") return "write 'if', 'elif' and 'else'";
  if (keyword == "global" || keyword == "nonlocal") {
    return "a kernel reads names of the module without it, and gives results through its tensors";
  }
  if (keyword == "del") return "leave it out; arrays of a kernel end with it";
  if (keyword == "class" || keyword == "type") return "define it outside of the kernel";
  return {};
}

}  // namespace

void FunctionSema::translate_stmt(const syntax::Stmt& stmt) {
  syntax::visit(stmt, [&](const auto& node) { translate(node); });
}

void FunctionSema::translate_block(syntax::Stmts body) {
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (region_.number == 0 && has_device_code_ && starts_region(*body[i], body.subspan(i))) return;
    translate_stmt(*body[i]);
    if (is_static_jump_ || diags_.is_full()) return;
  }
}

// T.device_entry(...), or the older `bx = T.launch_thread(...)`: the rest of the list is a kernel.
bool FunctionSema::starts_region(const syntax::Stmt& stmt, syntax::Stmts rest) {
  if (const auto* expr = syntax::as<syntax::ExprStmt>(&stmt)) {
    if (builtin_callee(*expr->value) != "device_entry") return false;
    translate_device_entry(*syntax::as<syntax::Call>(expr->value), rest.subspan(1));
    return true;
  }
  const auto* assign = syntax::as<syntax::Assign>(&stmt);
  if (assign == nullptr || builtin_callee(*assign->value) != "launch_thread") return false;
  begin_region(assign->value->span);
  translate_block(rest);
  end_region();
  return true;
}

void FunctionSema::unsupported(const syntax::Stmt& stmt, std::string_view node,
                               std::string_view keyword) {
  const auto length = static_cast<std::uint32_t>(keyword.size());
  auto report =
      diags_.report(Span{stmt.span.begin, stmt.span.begin + length}, kUnsupported, node, keyword);
  if (const std::string_view advice = instead_of(keyword); !advice.empty())
    report.note("{}", advice);
}

// A name that the kernel assigns is the kernel's in functions inside it, said or not.
void FunctionSema::translate(const syntax::Nonlocal& stmt) {
  if (scope_->parent == nullptr) {
    unsupported(stmt, "Nonlocal", "nonlocal");
    return;
  }
  for (const std::string_view name : stmt.names) {
    bool is_found = false;
    for (NameScope* around = scope_->parent; around != nullptr; around = around->parent) {
      NameEntry** entry = around->names.find(name.data());
      is_found = is_found || (entry != nullptr && (*entry)->is_local);
    }
    if (!is_found) diags_.report(stmt.span, kNonlocal, name);
  }
}

void FunctionSema::translate(const syntax::Assert& stmt) {
  const Value value = expr_.eval(*stmt.test);
  std::string_view text = diags_.sources().text_of(stmt.test->span);
  if (stmt.message != nullptr) {
    const Value message = expr_.eval(*stmt.message);
    if (message.is_error()) return;
    if (message.kind != ValueKind::String) {
      diags_.report(stmt.message->span, kAssertText, describe(message));
      return;
    }
    text = message.text;
  }
  if (value.is_error() || expr_.known_truth(value) == true) return;
  const Expr* condition = expr_.condition(value, stmt.test->span);
  if (condition == nullptr) return;
  emit(context_.build.stmt<ir::Assert>(stmt.span, condition, module_.arena.copy_string(text)));
}

void FunctionSema::translate(const syntax::With& stmt) {
  if (!stmt.is_async) {
    translate_with_items(stmt, 0);
    return;
  }
  diags_.report(stmt.keyword_span, kUnsupportedWith);
}

void FunctionSema::translate_with_items(const syntax::With& stmt, std::size_t at) {
  if (at == stmt.items.size()) {
    translate_block(stmt.body);
    return;
  }
  const syntax::WithItem& item = stmt.items[at];
  const std::string_view callee = builtin_callee(*item.context_expr);
  const auto* call = syntax::as<syntax::Call>(item.context_expr);
  if (callee == "device_entry" && region_.number == 0 && at + 1 == stmt.items.size()) {
    translate_device_entry(*call, stmt.body);
  } else if (callee == "launch_thread") {
    const bool is_first = region_.number == 0;
    if (is_first) begin_region(call->span);
    const Value value = expr_.eval(*call);
    if (item.target != nullptr) bind_scope_id(*item.target, value, call->span);
    translate_with_items(stmt, at + 1);
    if (is_first) end_region();
  } else if (callee == "block") {
    translate_printed_block(*call, stmt, at);
  } else if (callee == "attr") {
    translate_attributes(callee, *call);
    translate_with_items(stmt, at + 1);
  } else if (!callee.empty()) {
    diags_.report(item.context_expr->span, kWithNotYet, display_name(callee));
  } else {
    // `with T.Kernel(...)`: the name has been complained about.
    const bool is_member = call != nullptr && syntax::is<syntax::Attribute>(call->func);
    if (is_member && expr_.eval(*call->func).is_error()) return;
    diags_.report(item.context_expr->span, kUnsupportedWith);
  }
}

}  // namespace tirxcc::sema
