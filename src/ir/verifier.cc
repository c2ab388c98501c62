// SPDX-License-Identifier: Apache-2.0
//
// One walk over the statements with a set of what is visible. Each statement list opens a scope
// that hides its bindings again at its end; loops and labelled blocks are kept as small counters.
#include "ir/verifier.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/builder.h"
#include "ir/constant.h"
#include "ir/traverse.h"

namespace tirxcc::ir {
namespace {

constexpr int kMostFaults = 10;

enum class Where : std::uint8_t { HostBody, HostKernel, Device };

class Verifier {
 public:
  explicit Verifier(Where where) : where_(where) {}

  void show(const void* variable) { visible_.insert(variable); }
  void show_params(std::span<const Param> params);
  void expect_result(DType type) { result_ = type; }
  void list(StmtList list);
  void launch(const LaunchConfig& config, bool check_variables);
  void tensor_shape(const Tensor& tensor);
  const std::string& faults() const { return faults_; }

  template <typename... Args>
  bool check(bool holds, fmt::format_string<Args...> text, Args&&... args) {
    if (holds) return true;
    if (++count_ > kMostFaults) return false;
    if (!path_.empty()) faults_ += fmt::format("in {}: ", path_.back());
    faults_ += fmt::format(text, std::forward<Args>(args)...) + "\n";
    return false;
  }

 private:
  void expr(const Expr* expr);
  void stmt(const Stmt& stmt);
  void bind(const void* variable, std::string_view name);
  void body(StmtList inside, bool is_loop);
  void typed(const Expr* value, DType type, std::string_view what);
  void indices(const Tensor* tensor, ExprList indices, bool is_flat);

  void on(const IntImm& node);
  void on(const FloatImm& node);
  void on(const StringImm&) { check(in_call_, "StringImm outside a call"); }
  void on(const VarRef& node);
  void on(const LocalRead& node);
  void on(const Load& node);
  void on(const LaunchIndex& node);
  void on(const Unary& node);
  void on(const Binary& node);
  void on(const Select& node);
  void on(const Cast& node);
  void on(const Call& node);
  void on(const AddressOf& node);
  void on(const VectorLoad& node);
  void on(const LaneRead& node);

  void on(const Let& node);
  void on(const DeclareLocal& node);
  void on(const Assign& node);
  void on(const Store& node);
  void on(const VectorStore& node);
  void on(const LaneStore& node);
  void on(const Evaluate& node) { expr(node.value); }
  void on(const Alloc& node);
  void on(const If& node);
  void on(const For& node);
  void on(const CountedFor& node);
  void on(const While& node);
  void on(const Break&) { check(loops_ > 0, "Break outside a loop"); }
  void on(const Continue&) { check(loops_ > 0, "Continue outside a loop"); }
  void on(const Block& node);
  void on(const Leave& node);
  void on(const ThreadReturn&) { check(where_ == Where::Device, "ThreadReturn in host code"); }
  void on(const Return& node);
  void on(const Assert& node);
  void on(const Launch& node);

  Where where_;
  DType result_ = kVoid;
  std::unordered_set<const void*> visible_;
  std::unordered_set<const void*> bound_;  // ever
  std::vector<const void*> in_scope_;      // bindings of the open lists, innermost last
  std::vector<const Label*> labels_;       // open labelled blocks
  std::vector<std::string_view> path_;     // kinds of the open statements
  int loops_ = 0;
  bool in_call_ = false;
  bool any_variable_ = false;  // launch sizes of a kernel alone: host variables are not known
  std::string faults_;
  int count_ = 0;
};

std::string_view kind_name(const Stmt& stmt) {
  switch (stmt.kind) {
#define X(name) \
  case StmtKind::name: return #name;
    TIRXCC_IR_STMTS(X)
#undef X
  }
  return "?";
}

void Verifier::show_params(std::span<const Param> params) {
  for (const Param& param : params) {
    check(param.tensor == nullptr || param.var == nullptr, "parameter {} is two things",
          param.name);
    if (param.var != nullptr) {
      check(param.var->kind == VarKind::Param, "parameter {} is no Param", param.name);
      show(param.var);
    }
    if (param.tensor == nullptr) continue;
    check(param.tensor->is_param, "parameter {} is not marked as one", param.name);
    show(param.tensor);
  }
}

void Verifier::tensor_shape(const Tensor& tensor) {
  check(tensor.dtype.is_numeric() || tensor.dtype.code == TypeCode::Handle,
        "{} has elements of type {}", tensor.name, to_string(tensor.dtype));
  check(tensor.strides.empty() || tensor.strides.size() == tensor.shape.size(),
        "{} has {} strides for {} dimensions", tensor.name, tensor.strides.size(),
        tensor.shape.size());
  any_variable_ = true;
  for (ExprList sizes : {tensor.shape, tensor.strides}) {
    for (const Expr* size : sizes) {
      expr(size);
      check(size == nullptr || size->dtype == kInt32 || size->dtype == kInt64,
            "an extent of {} is {}", tensor.name, size == nullptr ? "" : to_string(size->dtype));
    }
  }
  if (tensor.elem_offset != nullptr) expr(tensor.elem_offset);
  any_variable_ = false;
}

void Verifier::launch(const LaunchConfig& config, bool check_variables) {
  any_variable_ = !check_variables;
  for (int axis = 0; axis < 3; ++axis) {
    for (const Expr* size : {config.grid[axis], config.block[axis], config.cluster[axis]}) {
      if (size == nullptr) continue;
      typed(size, kInt64, "launch size");
    }
  }
  for (const Expr* value : {config.dynamic_smem_bytes, config.cooperative,
                            config.programmatic_stream_serialization, config.priority}) {
    if (value != nullptr) expr(value);
  }
  for (const Expr* value : config.options) {
    if (value != nullptr) expr(value);
  }
  any_variable_ = false;
}

void Verifier::bind(const void* variable, std::string_view name) {
  if (!check(variable != nullptr, "binds nothing")) return;
  check(bound_.insert(variable).second && !visible_.contains(variable), "{} is bound twice", name);
  visible_.insert(variable);
  in_scope_.push_back(variable);
}

void Verifier::list(StmtList list) {
  std::size_t outer = in_scope_.size();
  for (const Stmt* one : list) {
    if (check(one != nullptr, "null statement")) stmt(*one);
  }
  for (std::size_t i = outer; i < in_scope_.size(); ++i)
    visible_.erase(in_scope_[i]);
  in_scope_.resize(outer);
}

void Verifier::body(StmtList inside, bool is_loop) {
  loops_ += is_loop;
  list(inside);
  loops_ -= is_loop;
}

void Verifier::stmt(const Stmt& stmt) {
  path_.push_back(kind_name(stmt));
  check(stmt.span.is_valid(), "no span");
  visit(stmt, [&](const auto& node) { on(node); });
  path_.pop_back();
}

void Verifier::expr(const Expr* expr) {
  if (!check(expr != nullptr, "null expression")) return;
  check(!expr->dtype.is_error(), "an expression of error type");
  visit(*expr, [&](const auto& node) { on(node); });
}

// An expression that must have one certain type.
void Verifier::typed(const Expr* value, DType type, std::string_view what) {
  expr(value);
  if (value == nullptr) return;
  check(value->dtype == type, "{} is {}, expected {}", what, to_string(value->dtype),
        to_string(type));
}

void Verifier::indices(const Tensor* tensor, ExprList indices, bool is_flat) {
  if (!check(tensor != nullptr, "no tensor")) return;
  check(visible_.contains(tensor), "tensor {} is not visible", tensor->name);
  std::size_t expected = is_flat ? 1 : tensor->shape.size();
  check(indices.size() == expected, "{} indices of {}, expected {}", indices.size(), tensor->name,
        expected);
  for (const Expr* index : indices) {
    expr(index);
    check(index == nullptr || (index->dtype.is_int() && index->dtype.is_scalar()),
          "index of {} is no integer", tensor->name);
  }
}

void Verifier::on(const IntImm& node) {
  if (!check(node.dtype.is_int_or_bool() && node.dtype.is_scalar(), "IntImm of type {}",
             to_string(node.dtype))) {
    return;
  }
  check(node.dtype.can_hold(int_value(node)), "literal {} does not fit {}", node.value,
        to_string(node.dtype));
}

void Verifier::on(const FloatImm& node) {
  if (!check(node.dtype.is_float() && node.dtype.is_scalar(), "FloatImm of type {}",
             to_string(node.dtype))) {
    return;
  }
  check(std::isnan(node.value) || round_to(node.dtype, node.value) == node.value,
        "literal {} is not rounded to {}", node.value, to_string(node.dtype));
}

void Verifier::on(const VarRef& node) {
  if (!check(node.var != nullptr, "VarRef of nothing")) return;
  check(any_variable_ || visible_.contains(node.var), "variable {} is not visible", node.var->name);
  check(node.dtype == node.var->dtype, "VarRef of {} has another type", node.var->name);
}

void Verifier::on(const LocalRead& node) {
  if (!check(node.local != nullptr, "LocalRead of nothing")) return;
  check(visible_.contains(node.local), "local {} is not visible", node.local->name);
  check(node.dtype == node.local->dtype, "LocalRead of {} has another type", node.local->name);
}

void Verifier::on(const Load& node) {
  indices(node.tensor, node.indices, node.is_flat);
  check(node.tensor == nullptr || node.dtype == node.tensor->dtype, "Load has another type");
}

void Verifier::on(const LaunchIndex& node) {
  check(where_ == Where::Device, "LaunchIndex in host code");
  check(node.dtype == kInt32 && node.axis < 3, "bad LaunchIndex");
}

void Verifier::on(const Unary& node) {
  typed(node.a, node.dtype, "operand");
  bool fits = node.op == UnaryOp::Not      ? node.dtype.is_bool()
              : node.op == UnaryOp::BitNot ? node.dtype.is_int_or_bool()
                                           : node.dtype.is_int() || node.dtype.is_float();
  check(fits, "unary operation on {}", to_string(node.dtype));
}

bool takes(BinaryOp op, DType type) {
  if (op == BinaryOp::Div) return type.is_float();
  if (op == BinaryOp::FloorDiv || op == BinaryOp::FloorMod) return type.is_int() || type.is_float();
  if (op == BinaryOp::TruncDiv || op == BinaryOp::TruncMod || is_shift(op)) return type.is_int();
  if (op == BinaryOp::BitAnd || op == BinaryOp::BitOr || op == BinaryOp::BitXor) {
    return type.is_int_or_bool();
  }
  if (is_logical(op)) return type.is_bool();
  if (op == BinaryOp::Eq || op == BinaryOp::Ne) return !type.is_void();
  return type.is_numeric();
}

void Verifier::on(const Binary& node) {
  expr(node.a);
  if (node.a == nullptr) return;
  DType operand = node.a->dtype;
  if (is_shift(node.op)) {
    expr(node.b);
    check(node.b == nullptr || node.b->dtype.is_int(), "shift by no integer");
  } else {
    typed(node.b, operand, "right operand");
  }
  check(takes(node.op, operand), "binary operation {} on {}", static_cast<int>(node.op),
        to_string(operand));
  DType expected = is_comparison(node.op) ? kBool.with_lanes(operand.lanes) : operand;
  check(node.dtype == expected, "binary operation {} on {} gives {}", static_cast<int>(node.op),
        to_string(operand), to_string(node.dtype));
}

void Verifier::on(const Select& node) {
  typed(node.condition, kBool, "condition");
  typed(node.a, node.dtype, "first choice");
  typed(node.b, node.dtype, "second choice");
}

void Verifier::on(const Cast& node) {
  expr(node.a);
  if (node.a == nullptr) return;
  if (node.is_bits) {
    check(node.dtype.bytes() == node.a->dtype.bytes(), "reinterprets {} as {}",
          to_string(node.a->dtype), to_string(node.dtype));
    return;
  }
  check(node.dtype.is_numeric() && node.a->dtype.is_numeric(), "cast of {} to {}",
        to_string(node.a->dtype), to_string(node.dtype));
}

void Verifier::on(const Call& node) {
  check(node.callee != nullptr, "call of nothing");
  check(node.span.is_valid(), "a call without a span");
  for (const Expr* arg : node.args) {
    in_call_ = true;
    if (is<StringImm>(arg)) {
      expr(arg);
    } else {
      in_call_ = false;
      expr(arg);
    }
    in_call_ = false;
  }
}

void Verifier::on(const AddressOf& node) {
  indices(node.tensor, node.indices, node.is_flat);
  check(node.dtype == kHandle, "AddressOf is no handle");
}

void Verifier::on(const VectorLoad& node) {
  indices(node.tensor, ExprList(&node.offset, 1), true);
  if (node.tensor == nullptr) return;
  check(node.dtype.lanes > 1 && node.dtype.lane() == node.tensor->dtype, "VectorLoad of {} from {}",
        to_string(node.dtype), node.tensor->name);
}

void Verifier::on(const LaneRead& node) {
  if (!check(node.vector != nullptr, "LaneRead of nothing")) return;
  check(visible_.contains(node.vector), "local {} is not visible", node.vector->name);
  check(node.lane < node.vector->dtype.lanes && node.dtype == node.vector->dtype.lane(),
        "bad lane of {}", node.vector->name);
}

void Verifier::on(const Let& node) {
  expr(node.value);
  if (!check(node.var != nullptr, "binds nothing")) return;
  // Where threads count the turns of a loop on their own, a Let names the turn.
  const bool is_named = node.var->kind == VarKind::Let || node.var->kind == VarKind::Loop;
  check(is_named, "{} is no Let variable", node.var->name);
  check(node.value == nullptr || node.value->dtype == node.var->dtype, "{} has another type",
        node.var->name);
  bind(node.var, node.var->name);
}

void Verifier::on(const DeclareLocal& node) {
  if (check(node.local != nullptr, "binds nothing")) bind(node.local, node.local->name);
}

void Verifier::on(const Assign& node) {
  expr(node.value);
  if (!check(node.local != nullptr, "assigns nothing")) return;
  check(visible_.contains(node.local), "local {} is not visible", node.local->name);
  check(node.value == nullptr || node.value->dtype == node.local->dtype, "{} is {}, assigned {}",
        node.local->name, to_string(node.local->dtype),
        node.value == nullptr ? "" : to_string(node.value->dtype));
}

void Verifier::on(const Store& node) {
  indices(node.tensor, node.indices, node.is_flat);
  if (node.tensor != nullptr) typed(node.value, node.tensor->dtype, "stored value");
}

void Verifier::on(const VectorStore& node) {
  indices(node.tensor, ExprList(&node.offset, 1), true);
  if (node.tensor == nullptr || !check(node.vector != nullptr, "stores nothing")) return;
  check(visible_.contains(node.vector), "local {} is not visible", node.vector->name);
  check(node.vector->dtype.lane() == node.tensor->dtype, "stores {} into {}", node.vector->name,
        node.tensor->name);
}

void Verifier::on(const LaneStore& node) {
  if (!check(node.vector != nullptr, "LaneStore to nothing")) return;
  check(visible_.contains(node.vector), "local {} is not visible", node.vector->name);
  check(node.lane < node.vector->dtype.lanes, "bad lane of {}", node.vector->name);
  typed(node.value, node.vector->dtype.lane(), "stored lane");
}

void Verifier::on(const Alloc& node) {
  if (!check(node.tensor != nullptr, "allocates nothing")) return;
  const Tensor& tensor = *node.tensor;
  check(!tensor.is_param, "allocates parameter {}", tensor.name);
  tensor_shape(tensor);
  bind(&tensor, tensor.name);
  if (tensor.scope != Scope::Shared && tensor.scope != Scope::Local) return;
  for (const Expr* extent : tensor.shape) {
    const IntImm* literal = as_int(extent);
    check(literal != nullptr && literal->value > 0, "an extent of {} is no positive constant",
          tensor.name);
  }
}

void Verifier::on(const If& node) {
  check(!node.clauses.empty(), "no clause");
  for (const IfClause& clause : node.clauses) {
    typed(clause.condition, kBool, "condition");
    list(clause.body);
  }
  list(node.else_body);
}

void Verifier::on(const For& node) {
  if (!check(node.var != nullptr, "no loop variable")) return;
  check(node.var->kind == VarKind::Loop, "{} is no Loop variable", node.var->name);
  check(node.var->dtype.is_int() && node.var->dtype.bits >= 32, "loop variable {} is {}",
        node.var->name, to_string(node.var->dtype));
  typed(node.begin, node.var->dtype, "begin");
  typed(node.end, node.var->dtype, "end");
  check(node.step != 0, "step 0");
  check(node.unroll_pragma >= -1, "bad unroll pragma");
  std::size_t outer = in_scope_.size();
  bind(node.var, node.var->name);
  body(node.body, true);
  visible_.erase(node.var);
  in_scope_.resize(outer);
}

void Verifier::on(const CountedFor& node) {
  if (!check(node.var != nullptr, "no loop variable")) return;
  check(node.var->kind == VarKind::Loop, "{} is no Loop variable", node.var->name);
  typed(node.start, node.var->dtype, "start");
  typed(node.step, node.var->dtype, "step");
  check(is<IntImm>(node.step) || is<VarRef>(node.step), "step is no constant and no value");
  expr(node.turns);
  check(node.turns == nullptr || node.turns->dtype == kUInt32 || node.turns->dtype == kUInt64,
        "turns is {}", node.turns == nullptr ? "" : to_string(node.turns->dtype));
  std::size_t outer = in_scope_.size();
  bind(node.var, node.var->name);
  body(node.body, true);
  visible_.erase(node.var);
  in_scope_.resize(outer);
}

void Verifier::on(const While& node) {
  typed(node.condition, kBool, "condition");
  body(node.body, true);
}

void Verifier::on(const Block& node) {
  if (node.label != nullptr) {
    check(bound_.insert(node.label).second, "label {} has two blocks", node.label->name);
    labels_.push_back(node.label);
  }
  list(node.body);
  if (node.label != nullptr) labels_.pop_back();
}

void Verifier::on(const Leave& node) {
  bool inside = std::find(labels_.begin(), labels_.end(), node.label) != labels_.end();
  check(inside, "Leave outside its block");
}

void Verifier::on(const Return& node) {
  if (!check(where_ != Where::Device, "Return in device code")) return;
  if (node.value == nullptr) {
    check(result_.is_void(), "Return without a value");
  } else if (where_ == Where::HostKernel) {
    typed(node.value, result_, "result");
  } else {
    expr(node.value);
  }
}

void Verifier::on(const Assert& node) {
  typed(node.condition, kBool, "condition");
}

void Verifier::on(const Launch& node) {
  check(where_ == Where::HostBody, "Launch outside the host body");
  if (check(node.kernel != nullptr, "launches nothing")) launch(node.kernel->launch, true);
}

}  // namespace

std::string verify(const Kernel& kernel) {
  Verifier verifier(kernel.kind == KernelKind::Device ? Where::Device : Where::HostKernel);
  verifier.show_params(kernel.params);
  for (const Var* symbol : kernel.symbols)
    verifier.show(symbol);
  for (const Param& param : kernel.params) {
    if (param.tensor != nullptr) verifier.tensor_shape(*param.tensor);
  }
  if (kernel.kind == KernelKind::Host) verifier.expect_result(kernel.result);
  verifier.launch(kernel.launch, false);
  verifier.list(kernel.body);
  if (verifier.faults().empty()) return {};
  return fmt::format("kernel {}:\n{}", kernel.name, verifier.faults());
}

std::string verify(const Function& function) {
  Verifier verifier(Where::HostBody);
  verifier.show_params(function.params);
  for (const Symbol& symbol : function.symbols) {
    verifier.check(symbol.scale != 0, "a symbol with factor 0");
    if (verifier.check(symbol.var != nullptr, "a symbol of no variable")) verifier.show(symbol.var);
  }
  verifier.list(function.host_body);
  std::unordered_set<const Kernel*> known(function.kernels.begin(), function.kernels.end());
  walk_stmts(function.host_body, [&](const Stmt& stmt) {
    const auto* launch = as<Launch>(&stmt);
    if (launch == nullptr) return;
    verifier.check(known.contains(launch->kernel), "launches a kernel of another function");
  });
  std::string faults;
  if (!verifier.faults().empty()) {
    faults = fmt::format("function {}:\n{}", function.name, verifier.faults());
  }
  for (const Kernel* kernel : function.kernels)
    faults += verify(*kernel);
  return faults;
}

}  // namespace tirxcc::ir
