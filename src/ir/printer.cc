// SPDX-License-Identifier: Apache-2.0
//
// Statements and signatures as kernel text; expressions are in expr_printer.cc, launches in
// launch_printer.cc.
#include "ir/printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "ir/builder.h"
#include "ir/expr_printer.h"
#include "ir/launch_printer.h"
#include "ir/names.h"
#include "ir/traverse.h"

namespace tirxcc::ir {
namespace {

class Printer {
 public:
  Printer(std::string& out, Names& names, Dialect dialect)
      : out_(out), names_(names), exprs_(names, out, dialect), dialect_(dialect) {}

  void signature(std::string_view name, std::span<const Param> params, DType result);
  void list(StmtList list);
  void body(StmtList list);  // one level deeper; `pass` if it prints nothing
  void set_sole_kernel(const Kernel* kernel) { sole_kernel_ = kernel; }

 private:
  template <typename... Args>
  void text(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }
  void indent() { out_.append(static_cast<std::size_t>(depth_) * 4, ' '); }
  void expr(const Expr* expr, LiteralPlace place = LiteralPlace::Alone) {
    exprs_.print(expr, place);
  }
  void tensor_type(const Tensor& tensor);
  void access(const Tensor* tensor, ExprList indices, bool is_flat);

  void on(const Let& node);
  void on(const DeclareLocal& node);
  void on(const Assign& node);
  void on(const Store& node);
  void on(const VectorStore& node);
  void on(const LaneStore& node);
  void on(const Evaluate& node);
  void on(const Alloc& node);
  void on(const If& node);
  void on(const For& node);
  void on(const CountedFor& node);
  void on(const While& node);
  void on(const Break&) { out_ += "break\n"; }
  void on(const Continue&) { out_ += "continue\n"; }
  void on(const Block& node);
  void on(const Leave& node) { text("T.leave({})\n", quoted(names_.of(node.label))); }
  void on(const ThreadReturn&) { out_ += "T.gpu_thread_return()\n"; }
  void on(const Return& node);
  void on(const Assert& node);
  void on(const Launch& node);

  std::string& out_;
  Names& names_;
  ExprPrinter exprs_;
  Dialect dialect_;
  int depth_ = 0;
  const Kernel* sole_kernel_ = nullptr;  // its launch is a statement, not a `with`
};

void Printer::tensor_type(const Tensor& tensor) {
  bool has_layout = !tensor.strides.empty() || tensor.elem_offset != nullptr;
  out_ += has_layout || dialect_ == Dialect::B ? "T.Buffer(" : "T.Tensor(";
  exprs_.print_tuple(tensor.shape);
  text(", {}", dtype_text(tensor.dtype));
  if (!tensor.strides.empty()) {
    out_ += ", strides=";
    exprs_.print_tuple(tensor.strides);
  }
  if (tensor.elem_offset != nullptr) {
    out_ += ", elem_offset=";
    expr(tensor.elem_offset);
  }
  if (tensor.align != 0) text(", align={}", tensor.align);
  out_ += ')';
}

void Printer::signature(std::string_view name, std::span<const Param> params, DType result) {
  text("@T.{}\ndef {}(", dialect_ == Dialect::A ? "function" : "prim_func", name);
  std::string_view separator;
  for (const Param& param : params) {
    out_ += separator;
    separator = ", ";
    if (param.tensor != nullptr) {
      text("{}: ", names_.of(param.tensor));
      tensor_type(*param.tensor);
    } else if (param.var != nullptr) {
      text("{}: {}", names_.of(param.var), dtype_text(param.var->dtype));
    } else {
      text("{}: None", param.name);
    }
    if (param.default_value != nullptr) {
      out_ += " = ";
      expr(param.default_value, LiteralPlace::Stored);
    }
  }
  out_ += ')';
  if (!result.is_void() && !result.is_error()) text(" -> {}", dtype_text(result));
  out_ += ":\n";
}

// True if DeclareLocal and the Assign after it may print as `x: T.int32 = e`.
bool is_first_value(const DeclareLocal& declare, const Stmt* next) {
  const auto* assign = as<Assign>(next);
  if (assign == nullptr || assign->local != declare.local) return false;
  return !any_expr(*assign->value, [&](const Expr& e) {
    const auto* read = as<LocalRead>(&e);
    return read != nullptr && read->local == declare.local;
  });
}

void Printer::list(StmtList list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    indent();
    const auto* declare = as<DeclareLocal>(list[i]);
    if (declare != nullptr && i + 1 < list.size() && is_first_value(*declare, list[i + 1])) {
      text("{}: {} = ", names_.of(declare->local), dtype_text(declare->local->dtype));
      expr(as<Assign>(list[++i])->value, LiteralPlace::Stored);
      out_ += '\n';
      continue;
    }
    visit(*list[i], [&](const auto& node) { on(node); });
  }
}

void Printer::body(StmtList inside) {
  ++depth_;
  if (inside.empty()) {
    indent();
    out_ += "pass\n";
  }
  list(inside);
  --depth_;
}

void Printer::access(const Tensor* tensor, ExprList indices, bool is_flat) {
  text("{}{}[", names_.of(tensor), is_flat ? ".flat" : "");
  if (indices.empty()) out_ += "()";
  std::string_view separator;
  for (const Expr* index : indices) {
    out_ += separator;
    expr(index);
    separator = ", ";
  }
  out_ += ']';
}

void Printer::on(const Let& node) {
  text("{} = ", names_.of(node.var));
  expr(node.value);
  out_ += '\n';
}

void Printer::on(const DeclareLocal& node) {
  text("{}: {}\n", names_.of(node.local), dtype_text(node.local->dtype));
}

void Printer::on(const Assign& node) {
  text("{} = ", names_.of(node.local));
  expr(node.value, LiteralPlace::Stored);
  out_ += '\n';
}

void Printer::on(const Store& node) {
  access(node.tensor, node.indices, node.is_flat);
  out_ += " = ";
  expr(node.value, LiteralPlace::Stored);
  out_ += '\n';
}

void Printer::on(const VectorStore& node) {
  text("{}.flat[", names_.of(node.tensor));
  expr(node.offset);
  text(" : +{}] = {}\n", node.vector->dtype.lanes, names_.of(node.vector));
}

void Printer::on(const LaneStore& node) {
  text("{}.lane({}) = ", names_.of(node.vector), node.lane);
  expr(node.value, LiteralPlace::Stored);
  out_ += '\n';
}

void Printer::on(const Evaluate& node) {
  bool is_call = is<Call>(node.value);
  if (!is_call) out_ += "T.evaluate(";
  expr(node.value);
  out_ += is_call ? "\n" : ")\n";
}

void Printer::on(const Alloc& node) {
  const Tensor& tensor = *node.tensor;
  std::string_view function = "T.alloc_local";
  if (tensor.scope == Scope::Shared || tensor.scope == Scope::SharedDyn)
    function = "T.alloc_shared";
  if (tensor.scope == Scope::Global) function = "T.alloc_buffer";
  text("{} = {}(", names_.of(&tensor), function);
  exprs_.print_tuple(tensor.shape);
  text(", {}", dtype_text(tensor.dtype));
  if (tensor.scope == Scope::SharedDyn) out_ += ", scope=\"shared.dyn\"";
  if (tensor.align != 0) text(", align={}", tensor.align);
  out_ += ")\n";
}

void Printer::on(const If& node) {
  std::string_view keyword = "if ";
  for (const IfClause& clause : node.clauses) {
    if (keyword != "if ") indent();
    out_ += keyword;
    keyword = "elif ";
    expr(clause.condition);
    out_ += ":\n";
    body(clause.body);
  }
  if (node.else_body.empty()) return;
  indent();
  out_ += "else:\n";
  body(node.else_body);
}

void Printer::on(const For& node) {
  text("for {} in ", names_.of(node.var));
  switch (node.loop) {
    case ForKind::Serial: out_ += node.unroll_pragma < 0 ? "range(" : "T.serial("; break;
    case ForKind::Vectorized: out_ += "T.vectorized("; break;
    case ForKind::Parallel: out_ += "T.parallel("; break;
  }
  bool starts_at_0 = is_int_value(node.begin, 0);
  if (!starts_at_0 || (node.step != 1 && node.unroll_pragma < 0)) {
    expr(node.begin);
    out_ += ", ";
  }
  expr(node.end);
  if (node.step != 1) text(", {}{}", node.unroll_pragma < 0 ? "" : "step=", node.step);
  if (node.unroll_pragma == 0) out_ += ", unroll=True";
  if (node.unroll_pragma == 1) out_ += ", unroll=False";
  if (node.unroll_pragma > 1) text(", unroll={}", node.unroll_pragma);
  out_ += "):\n";
  body(node.body);
}

void Printer::on(const CountedFor& node) {
  text("for {} in T.counted(", names_.of(node.var));
  expr(node.start);
  out_ += ", ";
  expr(node.step);
  out_ += ", ";
  expr(node.turns);
  out_ += "):\n";
  body(node.body);
}

void Printer::on(const While& node) {
  out_ += "while ";
  expr(node.condition);
  out_ += ":\n";
  body(node.body);
}

void Printer::on(const Block& node) {
  if (node.label == nullptr) {
    out_ += "with T.block():\n";
  } else {
    text("with T.block({}):\n", quoted(names_.of(node.label)));
  }
  body(node.body);
}

void Printer::on(const Return& node) {
  out_ += "return";
  if (node.value != nullptr) {
    out_ += ' ';
    expr(node.value);
  }
  out_ += '\n';
}

void Printer::on(const Assert& node) {
  out_ += "assert ";
  expr(node.condition);
  if (!node.text.empty()) text(", {}", quoted(node.text));
  out_ += '\n';
}

void Printer::on(const Launch& node) {
  const Kernel& kernel = *node.kernel;
  if (kernel.kind == KernelKind::Host) {  // the body of a plain function
    out_.resize(out_.size() - static_cast<std::size_t>(depth_) * 4);
    if (kernel.body.empty()) {
      indent();
      out_ += "pass\n";
    }
    list(kernel.body);
  } else if (&kernel == sole_kernel_) {
    print_launch(out_, exprs_, kernel.launch, false);
    list(kernel.body);
  } else {
    print_launch(out_, exprs_, kernel.launch, true);
    body(kernel.body);
  }
}

// The symbols that a function's text names, in order of first use.
class SymbolFinder {
 public:
  void expr(const Expr* root) {
    if (root == nullptr) return;
    walk_exprs(*root, [&](const Expr& e) {
      const auto* ref = as<VarRef>(&e);
      if (ref != nullptr) add(ref->var);
    });
  }
  void tensor(const Tensor& tensor) {
    for (const Expr* size : tensor.shape)
      expr(size);
    for (const Expr* size : tensor.strides)
      expr(size);
    expr(tensor.elem_offset);
  }
  void params(std::span<const Param> params) {
    for (const Param& param : params) {
      if (param.tensor != nullptr) tensor(*param.tensor);
    }
  }
  void list(StmtList list) {
    walk_exprs(list, [&](const Expr& e) {
      const auto* ref = as<VarRef>(&e);
      if (ref != nullptr) add(ref->var);
    });
  }
  void launch(const LaunchConfig& config) {
    for (int axis = 0; axis < 3; ++axis) {
      expr(config.grid[axis]);
      expr(config.block[axis]);
      expr(config.cluster[axis]);
    }
    expr(config.dynamic_smem_bytes);
    expr(config.priority);
    for (const Expr* option : config.options)
      expr(option);
  }
  const std::vector<const Var*>& found() const { return found_; }

 private:
  void add(const Var* var) {
    if (var->kind != VarKind::Symbol || std::count(found_.begin(), found_.end(), var) != 0) return;
    found_.push_back(var);
  }
  std::vector<const Var*> found_;
};

constexpr std::string_view kImport = "from tirxcc.script import tirx as T\n\n";

// Functions of one file share the lines of equal symbols.
void print_symbols(std::string& out, Names& names, const SymbolFinder& finder,
                   std::span<const Param> params) {
  std::size_t start = out.size();
  for (const Var* symbol : finder.found()) {
    for (const Param& param : params) {  // `n` the scalar defines `n` the size
      if (param.var != nullptr && param.var->name == symbol->name) {
        names.alias(symbol, names.of(param.var));
      }
    }
    std::string line = fmt::format("{} = T.dynamic(\"{}\"", names.of(symbol), symbol->name);
    if (symbol->dtype != kInt32) line += fmt::format(", \"{}\"", to_string(symbol->dtype));
    line += ")\n";
    if (out.find("\n" + line) == std::string::npos) out += line;
  }
  if (out.size() != start) out += '\n';
}

void print_function(std::string& out, const Function& function) {
  Names names;
  SymbolFinder finder;
  finder.params(function.params);
  for (const Kernel* kernel : function.kernels) {
    finder.launch(kernel->launch);
    finder.list(kernel->body);
  }
  finder.list(function.host_body);
  print_symbols(out, names, finder, function.params);
  DType result = kVoid;
  for (const Kernel* kernel : function.kernels) {
    if (kernel->kind == KernelKind::Host) result = kernel->result;
  }
  Printer printer(out, names, function.dialect);
  printer.signature(function.name, function.params, result);
  // A launch that ends the function may be a plain statement.
  const auto* last = function.host_body.empty() ? nullptr : as<Launch>(function.host_body.back());
  if (last != nullptr && function.kernels.size() == 1) printer.set_sole_kernel(last->kernel);
  printer.body(function.host_body);
}

}  // namespace

std::string print(const Function& function) {
  const Function* one = &function;
  return print(std::span<const Function* const>(&one, 1));
}

std::string print(std::span<const Function* const> functions) {
  std::string out(kImport);
  std::string_view separator;
  for (const Function* function : functions) {
    out += separator;
    separator = "\n";
    print_function(out, *function);
  }
  return out;
}

std::string print(const Kernel& kernel) {
  Stmt head{StmtKind::Launch, kernel.span};
  Launch launch{head, &kernel};
  const Stmt* host[] = {&launch};
  const Kernel* kernels[] = {&kernel};
  Function function{.name = kernel.name, .dialect = kernel.dialect, .span = kernel.span};
  function.params = kernel.params;
  function.host_body = host;
  function.kernels = kernels;
  return print(function);
}

std::string dump(const Expr* expr) {
  std::string out;
  Names names;
  ExprPrinter(names, out, Dialect::A).print(expr);
  return out;
}

std::string dump(const Stmt* stmt) {
  std::string out;
  Names names;
  if (stmt != nullptr) Printer(out, names, Dialect::A).list(StmtList(&stmt, 1));
  return out;
}

}  // namespace tirxcc::ir
