// SPDX-License-Identifier: Apache-2.0
//
// One function from decorator to ir::Function: the rounds in which its body is translated until
// the facts about its names hold (names.h), and what is put together at the end.
#include "sema/function_sema.h"

#include "base/check.h"
#include "intrinsics/intrinsics.h"
#include "ir/builder.h"
#include "ir/traverse.h"
#include "sema/expr_internal.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kNotCooperative{
    "not-cooperative", Severity::Error, ErrorClass::Value,
    "T.cuda.grid_sync() needs a launch with cooperative=True, or blocks may wait for others that "
    "have not begun"};
constexpr Diagnostic kDecorator{"unknown-decorator", Severity::Error, ErrorClass::Syntax,
                                "'{}' is decorated with {}; expected @T.function or @T.prim_func"};
constexpr Diagnostic kDecoratorNotYet{"decorator-not-supported", Severity::Error,
                                      ErrorClass::Runtime, "{} is not supported yet"};
constexpr Diagnostic kSeveralDecorators{"several-decorators", Severity::Error, ErrorClass::Syntax,
                                        "'{}' has several decorators; a kernel has one"};
constexpr Diagnostic kDecoratorOption{"decorator-option", Severity::Error, ErrorClass::Type,
                                      "{} must be True or False, got {}"};
constexpr Diagnostic kAsyncFunction{"async-function", Severity::Error, ErrorClass::Syntax,
                                    "'async def' cannot be a kernel"};
constexpr Diagnostic kResultType{"result-type", Severity::Error, ErrorClass::Type,
                                 "the result of '{}' is annotated with {}; expected a scalar type "
                                 "or None"};
constexpr Diagnostic kResultOfLaunch{"result-of-launch", Severity::Error, ErrorClass::Type,
                                     "'{}' launches kernels and cannot return a value"};
constexpr Diagnostic kMissingReturn{"missing-return", Severity::Error, ErrorClass::Type,
                                    "'{}' returns {}, but a path through it ends without 'return'"};
constexpr Diagnostic kHostRead{
    "host-read", Severity::Error, ErrorClass::Type,
    "host code cannot read '{}': its memory is the device's; read it in the kernel"};

bool is_cooperative(const ir::Kernel& kernel) {
  const ir::Expr* given = kernel.launch.cooperative;
  return given != nullptr && !ir::is_int_value(given, 0);
}

}  // namespace

FunctionSema::FunctionSema(const syntax::FunctionDef& def, CapturedScope& scope, ir::Module& module,
                           source::Diagnostics& diags, const SemaOptions& options)
    : def_(def),
      module_(module),
      diags_(diags),
      context_{.arena = module.arena,
               .diags = diags,
               .build = ir::Builder(module.arena),
               .scope = scope,
               .names = this,
               .warn_narrowing = options.warn_narrowing},
      expr_(context_) {
  entries_.reserve(32);
  variables_.reserve(32);
  stack_.reserve(32);
  frames_.reserve(16);
  trail_.reserve(32);
  outer_names_.reserve(32);
  places_.reserve(8);
  root_scope_.entries.reserve(32);
  root_scope_.captured = &scope;
}

bool FunctionSema::in_device_code() const {
  return region_.number > 0;
}

// The decorator's kind and options. False: not a kernel, and it was said why.
bool FunctionSema::read_decorator() {
  if (def_.is_async) diags_.report(def_.name_span, kAsyncFunction);
  if (def_.decorators.size() > 1) {
    diags_.report(def_.decorators[1]->span, kSeveralDecorators, def_.name);
    return false;
  }
  if (def_.decorators.empty()) return true;
  in_signature_ = true;
  const syntax::Expr* decorator = def_.decorators[0];
  const auto* call = syntax::as<syntax::Call>(decorator);
  const Value value = expr_.eval(call != nullptr ? *call->func : *decorator);
  bool is_good = false;
  if (value.is_builtin("function") || value.is_builtin("prim_func")) {
    context_.dialect = value.text == "function" ? ir::Dialect::A : ir::Dialect::B;
    is_good = call == nullptr || read_decorator_options(*call, display_name(value.text));
  } else if (value.is_builtin("jit") || value.is_builtin("inline") || value.is_builtin("macro")) {
    diags_
        .report(decorator->span, kDecoratorNotYet,
                fmt::format("a function decorated with @{}", display_name(value.text)))
        .note("write @T.function; what differs from kernel to kernel can be a name of the module");
  } else if (!value.is_error()) {
    diags_.report(decorator->span, kDecorator, def_.name, describe(value));
  }
  in_signature_ = false;
  return is_good;
}

bool FunctionSema::read_decorator_options(const syntax::Call& call, std::string_view name) {
  static constexpr ParamSpec kParams[] = {{"private", false},
                                          {"persistent", false},
                                          {"check_well_formed", false},
                                          {"s_tir", false},
                                          {"warnings", false}};  // which the Python package reads
  Argument args[5];
  if (!bind_arguments(context_, call, name, kParams, args)) return false;
  for (std::size_t i = 0; i < 5; ++i) {
    if (!args[i]) continue;
    const Value value = expr_.eval(*args[i].expr);
    if (value.is_error()) return false;
    if (value.kind == ValueKind::Bool) continue;
    diags_.report(args[i].span(), kDecoratorOption, kParams[i].name, describe(value));
    return false;
  }
  return true;
}

bool FunctionSema::read_result() {
  if (def_.returns == nullptr) return true;
  in_signature_ = true;
  const syntax::Expr* returns = read_annotation(def_.returns);
  const Value value = returns != nullptr ? expr_.eval(*returns) : Value::error();
  in_signature_ = false;
  if (value.is_error()) return false;
  if (value.kind == ValueKind::None) return true;
  const std::optional<DType> type = expr_.as_dtype(value);
  if (!type.has_value() || !type->is_scalar() || !(type->is_numeric() || type->is_void())) {
    diags_.report(def_.returns->span, kResultType, def_.name, describe(value));
    return false;
  }
  if (type->is_void()) return true;
  if (has_device_code_) {
    diags_.report(def_.returns->span, kResultOfLaunch, def_.name);
    return false;
  }
  result_type_ = *type;
  has_result_ = true;
  return true;
}

// The alias of the language stays what it is, whatever the function does to it.
void FunctionSema::keep_namespace() {
  for (NameEntry* entry : entries_) {
    const std::optional<Value> outer = context_.scope.lookup(entry->name);
    entry->is_namespace = outer.has_value() && outer->is_builtin("");
    if (entry->is_namespace) entry->is_local = false;
  }
}

void FunctionSema::start_round() {
  stack_.clear();
  frames_.clear();
  frame_ = kNoFrame;
  variables_.clear();
  doubtful_blocks_.clear();
  trail_.clear();
  loops_.clear();
  blocks_.clear();
  bindings_.clear();
  bindings_base_ = 0;
  expansions_.clear();
  scope_ = &root_scope_;
  symbols_.clear();
  places_.clear();
  kernels_.clear();
  region_ = Region{};
  regions_ = 0;
  clock_ = 0;
  copies_ = 0;
  expanded_ = 0;
  is_reachable_ = true;
  is_static_jump_ = false;
  is_changed_ = false;
  global_symbol_ = {};
  for (NameEntry* entry : entries_) {
    entry->current = nullptr;
    entry->variable = nullptr;
    entry->has_several = false;
    entry->is_assigned = false;
  }
}

void FunctionSema::translate_round() {
  start_round();
  open_frame();
  translate_signature();
  copy_assigned_at_entry();
  translate_block(def_.body);
  if (has_result_ && is_reachable_) {
    diags_.report(def_.name_span, kMissingReturn, def_.name, to_string(result_type_));
  }
  close_frame(&body_);
}

// True if what the round assumed of the names holds; else the facts are better now.
bool FunctionSema::settle_facts() {
  for (const Variable* variable : variables_) {
    VariableFacts* facts = facts_.find(variable->key);
    if (facts == nullptr || !facts->is_guess) continue;
    if (variable->is_justified) facts->is_guess = false;
  }
  for (const Variable* variable : variables_) {
    VariableFacts* facts = facts_.find(variable->key);
    if (facts == nullptr || !facts->is_guess) continue;
    // Its other assignments were in branches that are never taken.
    facts->is_guess = facts->is_mutable = false;
    is_changed_ = true;
  }
  return !is_changed_;
}

const ir::Function* FunctionSema::translate() {
  StageScope stage("sema", def_.name);
  const int errors_before = diags_.error_count();
  for (const syntax::Param* param : def_.params)
    entry_of(param->name).is_local = true;
  scan(def_.body);
  keep_namespace();
  if (!read_decorator() || !read_result()) return nullptr;
  const std::size_t messages_before = diags_.messages().size();
  for (int round = 0;; ++round) {
    translate_round();
    if (settle_facts()) break;
    // Each round makes at least one of the facts grow, and a type grows at most a dozen times.
    TIRXCC_CHECK(round < 20 * static_cast<int>(variables_.size() + entries_.size() + 1),
                 "the facts about names do not settle");
    diags_.truncate(messages_before);
  }
  solve_symbols();
  report_undefined_symbols();
  place_declarations();
  dissolve_blocks();
  if (diags_.error_count() == errors_before) check_host_reads();
  if (diags_.error_count() != errors_before) return nullptr;
  return finish();
}

// Host code of a function that launches kernels has no access to the tensors' elements.
void FunctionSema::check_host_reads() {
  if (!has_device_code_) return;
  ir::walk_exprs(body_, [&](const Expr& expr) {
    const auto* load = ir::as<ir::Load>(&expr);
    if (load != nullptr) diags_.report(load->span, kHostRead, load->tensor->name);
  });
}

const ir::Function* FunctionSema::finish() {
  Arena& arena = module_.arena;
  auto* function = arena.make<ir::Function>();
  function->name = global_symbol_.empty() ? def_.name : global_symbol_;
  function->dialect = context_.dialect;
  function->span = def_.name_span;
  function->params = arena.copy(params_);
  std::vector<ir::Symbol> symbols;
  for (const SymbolInfo& info : symbols_)
    symbols.push_back(info.solution);
  function->symbols = arena.copy(symbols);

  if (!has_device_code_) {
    auto* kernel = arena.make<ir::Kernel>();
    kernel->kind = ir::KernelKind::Host;
    kernel->dialect = context_.dialect;
    kernel->span = def_.name_span;
    kernel->body = body_;
    kernel->result = result_type_;
    kernels_ = {kernel};
    const ir::Stmt* launch =
        context_.build.stmt<ir::Launch>(def_.name_span, static_cast<const ir::Kernel*>(kernel));
    function->host_body = arena.copy({launch});
  } else {
    function->host_body = body_;
  }
  for (std::size_t i = 0; i < kernels_.size(); ++i) {
    // Kernels are this function's own until it is handed out.
    auto& kernel = const_cast<ir::Kernel&>(*kernels_[i]);
    kernel.name = i == 0 ? function->name : name_with(function->name, fmt::format("_{}", i));
    kernel.params = function->params;
    if (kernel.kind == ir::KernelKind::Device) kernel.result = kVoid;
    place_shared_memory(kernel);
    finish_kernel(kernel);
  }
  function->kernels = arena.copy(kernels_);
  return function;
}

// Sizes and host values that the kernel's code uses, in order of first place in the signature; and
// whether it may wait for the whole grid.
void FunctionSema::finish_kernel(ir::Kernel& kernel) {
  enum class Use : std::uint8_t { None, Own, Free };
  PointerMap<Use> uses;
  std::vector<const ir::Var*> free_vars;
  free_vars.reserve(8);
  for (const ir::Param& param : params_) {
    if (param.var != nullptr) uses[param.var] = Use::Own;
  }
  const auto note = [&](const Expr& expr) {
    const auto* ref = ir::as<ir::VarRef>(&expr);
    if (ref == nullptr) return;
    Use& use = uses[ref->var];
    if (use != Use::None) return;
    use = Use::Free;
    free_vars.push_back(ref->var);
  };
  PointerMap<bool> tensors;
  const auto note_tensor = [&](const ir::Tensor* tensor) {
    bool& is_seen = tensors[tensor];
    if (is_seen) return;
    is_seen = true;
    // The first extent is not part of a row-major offset.
    if (tensor->strides.empty()) {
      for (std::size_t i = 1; i < tensor->shape.size(); ++i)
        ir::walk_exprs(*tensor->shape[i], note);
    }
    for (const Expr* stride : tensor->strides)
      ir::walk_exprs(*stride, note);
    if (tensor->elem_offset != nullptr) ir::walk_exprs(*tensor->elem_offset, note);
  };
  ir::walk_stmts(kernel.body, [&](const ir::Stmt& stmt) {
    // What binds a variable stands before what uses it.
    if (const auto* let = ir::as<ir::Let>(&stmt)) uses[let->var] = Use::Own;
    if (const auto* loop = ir::as<ir::For>(&stmt)) uses[loop->var] = Use::Own;
    if (const auto* counted = ir::as<ir::CountedFor>(&stmt)) uses[counted->var] = Use::Own;
    if (const auto* alloc = ir::as<ir::Alloc>(&stmt)) note_tensor(alloc->tensor);
    if (const auto* store = ir::as<ir::Store>(&stmt)) note_tensor(store->tensor);
    ir::for_each_operand(stmt, [&](const Expr& root) {
      ir::walk_exprs(root, [&](const Expr& expr) {
        note(expr);
        if (const auto* load = ir::as<ir::Load>(&expr)) note_tensor(load->tensor);
        if (const auto* address = ir::as<ir::AddressOf>(&expr)) note_tensor(address->tensor);
        const auto* call = ir::as<ir::Call>(&expr);
        if (call != nullptr && call->callee->name == "cuda.grid_sync" && !is_cooperative(kernel)) {
          diags_.report(call->span, kNotCooperative);
        }
      });
    });
  });
  std::vector<const ir::Var*> ordered;
  for (const SymbolInfo& info : symbols_) {
    if (const Use* use = uses.find(info.var); use != nullptr && *use == Use::Free) {
      ordered.push_back(info.var);
      uses[info.var] = Use::Own;
    }
  }
  for (const ir::Var* var : free_vars) {
    if (uses[var] == Use::Free) ordered.push_back(var);
  }
  kernel.symbols = module_.arena.copy(ordered);
}

}  // namespace tirxcc::sema
