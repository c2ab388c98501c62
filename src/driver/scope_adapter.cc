// SPDX-License-Identifier: Apache-2.0
#include "driver/scope_adapter.h"

#include <fmt/format.h>

#include "intrinsics/intrinsics.h"
#include "intrinsics/parameter_names.h"
#include "sema/builtins.h"
#include "sema/expr_internal.h"
#include "sema/foreign_names.h"
#include "syntax/parser.h"

namespace tirxcc::driver {
namespace {

using sema::Value;
using sema::ValueKind;
using source::Severity;
using source::Span;

constexpr source::Diagnostic kNoFunction{"no-function-in-text", Severity::Error, ErrorClass::Value,
                                         "the text defines no function '{}'"};
constexpr source::Diagnostic kHostFailed{"host-code-failed", Severity::Error, ErrorClass::Runtime,
                                         "{}"};
constexpr source::Diagnostic kKernelValueToHost{
    "kernel-value-to-host", Severity::Error, ErrorClass::Type,
    "{} is called while compiling, and {} exists only when the kernel runs"};

// Two's complement text of any length would do in Python; sema's ints have 128 bits.
std::optional<int128> parse_decimal(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  int128 value = 0;
  for (const char digit : text) {
    if (digit < '0' || digit > '9') return std::nullopt;
    if (__builtin_mul_overflow(value, static_cast<int128>(10), &value)) return std::nullopt;
    const int128 step = digit - '0';
    const bool overflows = is_negative ? __builtin_sub_overflow(value, step, &value)
                                       : __builtin_add_overflow(value, step, &value);
    if (overflows) return std::nullopt;
  }
  return value;
}

std::string decimal_text(int128 value) {
  return fmt::format("{}", value);
}

// What a path below T stands for: a type, a constant, a function. nullopt: the language has no such
// name.
std::optional<Value> language_value(std::string_view path) {
  if (path.empty()) return Value::of_builtin("");
  if (path == "math") return Value::of_builtin("math");
  if (const sema::BuiltinRow* row = sema::find_builtin(path)) {
    if (row->family == sema::BuiltinFamily::Type) return Value::of_type(*parse_dtype(path));
    if (const std::optional<double> constant = sema::math_constant(row->path)) {
      return Value::of_float(*constant);
    }
    return Value::of_builtin(row->path);
  }
  for (const char dialect : {'A', 'B'}) {
    const intrinsics::Intrinsic* row = intrinsics::find(path, dialect);
    if (row != nullptr) return Value::of_builtin(row->name);
  }
  return std::nullopt;
}

// "function" for @T.function and @T.function(...), empty for a plain function.
std::string_view decorator_word(const syntax::FunctionDef& def) {
  for (const syntax::Expr* decorator : def.decorators) {
    if (const auto* call = syntax::as<syntax::Call>(decorator)) decorator = call->func;
    const auto* attribute = syntax::as<syntax::Attribute>(decorator);
    const auto* name = syntax::as<syntax::Name>(decorator);
    const std::string_view last = attribute != nullptr ? attribute->attr
                                  : name != nullptr    ? name->id
                                                       : std::string_view();
    for (const std::string_view word : {"function", "prim_func", "inline", "macro", "jit"}) {
      if (last == word) return word;
    }
  }
  return {};
}

}  // namespace

// One Scope. What sema asks twice (the reason why a name has no value) is kept.
class ScopeAdapter final : public sema::CapturedScope {
 public:
  ScopeAdapter(ScopeAdapters& owner, std::shared_ptr<Scope> scope)
      : owner_(owner), scope_(std::move(scope)) {}

  const Scope* scope() const { return scope_.get(); }

  std::optional<Value> lookup(std::string_view name) override {
    auto [place, is_new] = known_.try_emplace(name);
    if (is_new) place->second = ask(name);
    return place->second.value;
  }

  std::optional<Unavailable> unavailable(std::string_view name) const override {
    auto place = known_.find(name);
    if (place == known_.end() || place->second.reason.empty()) return std::nullopt;
    return Unavailable{place->second.reason, {}, false};
  }

  std::vector<std::string_view> names() const override {
    std::vector<std::string_view> result;
    for (const std::string& name : scope_->names())
      result.push_back(owner_.arena_.copy_string(name));
    return result;
  }

  bool is_interrupted() override { return scope_->is_interrupted(); }

  std::optional<Value> attribute(const Value& host, std::string_view name, Span span) override {
    return from_host(scope_->attribute(host.host, name), span);
  }

  std::optional<Value> call(const Value& host, sema::Values args, Span span) override {
    std::vector<CapturedValue> captured;
    for (const Value& arg : args) {
      std::optional<CapturedValue> value = to_captured(arg);
      if (!value) {
        report_kernel_value(host, arg, span);
        return Value::error();
      }
      captured.push_back(std::move(*value));
    }
    return from_host(scope_->call(host.host, captured), span);
  }

 private:
  // `np.sqrt(A[i])`: says what the kernel has for it.
  void report_kernel_value(const Value& host, const Value& arg, Span span) {
    auto report =
        owner_.diags_.report(span, kKernelValueToHost, sema::describe(host), sema::describe(arg));
    std::string_view callee = owner_.sources_.text_of(span);
    callee = callee.substr(0, callee.find('('));
    const std::size_t dot = callee.rfind('.');
    const std::string advice =
        dot == std::string_view::npos ? "" : sema::advice_for_member(callee.substr(dot + 1), 'A');
    report.note(
        "{}", advice.empty() ? "a function of the kernel's values is one with @T.inline" : advice);
  }

  struct Known {
    std::optional<Value> value;
    std::string_view reason;
  };

  Known ask(std::string_view name) {
    const CapturedValue captured = scope_->lookup(name);
    std::optional<Value> value = owner_.to_value(captured);
    if (value || captured.kind == CapturedValue::Kind::Unknown) return {value, {}};
    std::string_view reason = "has a value that kernels cannot use";
    if (captured.kind == CapturedValue::Kind::Unavailable) reason = captured.text;
    return {std::nullopt, owner_.arena_.copy_string(reason)};
  }

  std::optional<Value> from_host(const CapturedValue& captured, Span span) {
    if (captured.kind == CapturedValue::Kind::Failed) {
      owner_.diags_.report(span, kHostFailed, captured.text);
      return Value::error();
    }
    return owner_.to_value(captured);
  }

  static std::optional<CapturedValue> to_captured(const Value& value);
  static std::optional<CapturedValue> items_to_captured(const Value& value,
                                                        CapturedValue::Kind kind);

  ScopeAdapters& owner_;
  std::shared_ptr<Scope> scope_;
  std::unordered_map<std::string_view, Known> known_;
};

std::optional<CapturedValue> ScopeAdapter::items_to_captured(const Value& value,
                                                             CapturedValue::Kind kind) {
  CapturedValue captured = CapturedValue::of_kind(kind);
  for (const Value& item : value.items) {
    std::optional<CapturedValue> converted = to_captured(item);
    if (!converted) return std::nullopt;
    captured.items.push_back(std::move(*converted));
  }
  return captured;
}

std::optional<CapturedValue> ScopeAdapter::to_captured(const Value& value) {
  using Kind = CapturedValue::Kind;
  CapturedValue captured;
  switch (value.kind) {
    case ValueKind::None: return CapturedValue::of_kind(Kind::None);
    case ValueKind::Ellipsis: return CapturedValue::of_kind(Kind::Ellipsis);
    case ValueKind::Bool:
      captured.kind = Kind::Bool;
      captured.bool_value = value.bool_value;
      return captured;
    case ValueKind::Int:
      captured.kind = Kind::Int;
      captured.int_value = static_cast<std::int64_t>(value.int_value);
      if (captured.int_value != value.int_value) captured.text = decimal_text(value.int_value);
      return captured;
    case ValueKind::Float:
      captured.kind = Kind::Float;
      captured.float_value = value.float_value;
      return captured;
    case ValueKind::String: return CapturedValue::of_kind(Kind::String, std::string(value.text));
    case ValueKind::Type: return CapturedValue::of_kind(Kind::Type, to_string(value.dtype));
    case ValueKind::Builtin: return CapturedValue::of_kind(Kind::Language, std::string(value.text));
    case ValueKind::Tuple: return items_to_captured(value, Kind::Tuple);
    case ValueKind::List: return items_to_captured(value, Kind::List);
    case ValueKind::Dict: return items_to_captured(value, Kind::Dict);
    case ValueKind::Range:
      captured.kind = Kind::Range;
      for (const std::int64_t part : {value.range.begin, value.range.end, value.range_step}) {
        CapturedValue& item = captured.items.emplace_back();
        item.kind = Kind::Int;
        item.int_value = part;
      }
      return captured;
    case ValueKind::Host:
      captured.kind = Kind::Host;
      captured.handle = value.host;
      captured.text = std::string(value.text);
      return captured;
    case ValueKind::Expr:
      if (value.constant == nullptr) return std::nullopt;
      return to_captured(*value.constant);
    case ValueKind::Error:
    case ValueKind::Tensor:
    case ValueKind::Region:
    case ValueKind::Symbol:
    case ValueKind::Function:
    case ValueKind::Method:
    case ValueKind::Object: return std::nullopt;
  }
  return std::nullopt;
}

ScopeAdapters::ScopeAdapters(source::SourceManager& sources, Arena& arena,
                             source::Diagnostics& diags)
    : sources_(sources), arena_(arena), diags_(diags) {}

ScopeAdapters::~ScopeAdapters() = default;

const syntax::FunctionDef* ScopeAdapters::parse(FunctionText text) {
  const source::SourceFile& file = sources_.add(std::move(text.path), std::move(text.text),
                                                static_cast<std::uint32_t>(text.first_line));
  const int errors = diags_.error_count();
  const syntax::Module* tree = syntax::parse_indented(file, arena_, diags_);
  if (diags_.error_count() != errors) return nullptr;
  for (const syntax::Stmt* stmt : tree->body) {
    const auto* def = syntax::as<syntax::FunctionDef>(stmt);
    if (def != nullptr && def->name == text.name) return def;
  }
  diags_.report({file.base, file.base}, kNoFunction, text.name);
  return nullptr;
}

sema::CapturedScope& ScopeAdapters::adapter_of(std::shared_ptr<Scope> scope) {
  for (const std::unique_ptr<ScopeAdapter>& adapter : adapters_) {
    if (adapter->scope() == scope.get()) return *adapter;
  }
  adapters_.push_back(std::make_unique<ScopeAdapter>(*this, std::move(scope)));
  return *adapters_.back();
}

std::optional<Value> ScopeAdapters::to_int(const CapturedValue& captured) {
  if (captured.text.empty()) return Value::of_int(captured.int_value);
  const std::optional<int128> value = parse_decimal(captured.text);
  return value ? std::optional(Value::of_int(*value)) : std::nullopt;
}

std::optional<Value> ScopeAdapters::to_items(const CapturedValue& captured, ValueKind kind) {
  std::vector<Value> items;
  for (const CapturedValue& item : captured.items) {
    std::optional<Value> value = to_value(item);
    if (!value) return std::nullopt;
    items.push_back(*value);
  }
  return Value::sequence(kind, arena_.copy(items));
}

Value ScopeAdapters::to_symbol(const CapturedSymbol& symbol) {
  const sema::DynamicSymbol*& known = symbols_[symbol.key];
  if (known == nullptr) {
    const DType type = parse_dtype(symbol.dtype).value_or(kInt32);
    known = arena_.make<sema::DynamicSymbol>(
        sema::DynamicSymbol{arena_.copy_string(symbol.name), type, {}});
  }
  Value value;
  value.kind = ValueKind::Symbol;
  value.symbol = known;
  return value;
}

std::optional<Value> ScopeAdapters::to_function(const CapturedFunction& function) {
  const sema::FunctionValue*& known = functions_[function.key];
  if (known == nullptr) {
    const std::string_view name = arena_.copy_string(function.name);
    const syntax::FunctionDef* def =
        parse({function.text, function.path, function.first_line, name});
    if (def == nullptr) return Value::error();
    sema::FunctionValue made;
    made.def = def;
    made.decorator = decorator_word(*def);
    made.scope = &adapter_of(function.scope);
    known = arena_.make<sema::FunctionValue>(made);
  }
  Value value;
  value.kind = ValueKind::Function;
  value.function = known;
  return value;
}

std::optional<Value> ScopeAdapters::to_value(const CapturedValue& captured) {
  using Kind = CapturedValue::Kind;
  Value value;
  switch (captured.kind) {
    case Kind::Unknown:
    case Kind::Unavailable:
    case Kind::Failed: return std::nullopt;
    case Kind::None: return Value::none();
    case Kind::Ellipsis: value.kind = ValueKind::Ellipsis; return value;
    case Kind::Bool: return Value::of_bool(captured.bool_value);
    case Kind::Int: return to_int(captured);
    case Kind::Float: return Value::of_float(captured.float_value);
    case Kind::String: return Value::of_string(arena_.copy_string(captured.text));
    case Kind::Type: {
      const std::optional<DType> type = parse_dtype(captured.text);
      return type ? std::optional(Value::of_type(*type)) : std::nullopt;
    }
    case Kind::Tuple: return to_items(captured, ValueKind::Tuple);
    case Kind::List: return to_items(captured, ValueKind::List);
    case Kind::Dict: return to_items(captured, ValueKind::Dict);
    case Kind::Range:
      value.kind = ValueKind::Range;
      value.range = {captured.items[0].int_value, captured.items[1].int_value};
      value.range_step = captured.items[2].int_value;
      return value;
    case Kind::Symbol: return to_symbol(captured.symbol);
    case Kind::Language: return language_value(captured.text);
    case Kind::Function: return to_function(*captured.function);
    case Kind::Host:
      value.kind = ValueKind::Host;
      value.host = captured.handle;
      value.text = arena_.copy_string(captured.text);
      return value;
  }
  return std::nullopt;
}

}  // namespace tirxcc::driver

namespace tirxcc {

namespace {

// "atomic_and(pointer, value): bitwise and ...; for int32 or uint32", for each row of the table.
std::vector<std::string> intrinsic_docs() {
  std::vector<std::string> docs;
  for (const intrinsics::Intrinsic& row : intrinsics::table()) {
    std::string doc = fmt::format("{}({}): {}", row.name.substr(row.name.rfind('.') + 1),
                                  intrinsics::parameter_names(row), row.doc);
    if (row.types != 0) doc += "; for " + intrinsics::list_of_types(row.types);
    if (row.min_sm > 70) doc += fmt::format("; on GPUs from sm_{} on", row.min_sm);
    docs.push_back(std::move(doc));
  }
  return docs;
}

}  // namespace

std::vector<LanguageName> language_names() {
  static const std::vector<std::string> docs = intrinsic_docs();
  std::vector<LanguageName> names;
  for (const sema::BuiltinRow& row : sema::builtins()) {
    names.push_back({row.path, {}, row.family == sema::BuiltinFamily::Type});
  }
  std::string_view last;
  auto doc = docs.begin();
  for (const intrinsics::Intrinsic& row : intrinsics::table()) {
    // Two rows of one name differ by dialect.
    if (row.name != last) names.push_back({row.name, *doc, false});
    last = row.name;
    ++doc;
  }
  return names;
}

std::string note_for_unknown_name(std::string_view owner, std::string_view name) {
  return sema::note_for_member(owner, name, 'A');
}

}  // namespace tirxcc
