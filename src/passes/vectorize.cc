// SPDX-License-Identifier: Apache-2.0
#include "passes/vectorize.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "ir/rewriter.h"
#include "ir/traverse.h"
#include "passes/wide_access.h"

namespace tirxcc::passes {
namespace {

using namespace ir;
using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kNotVectorized{"not-vectorized", Severity::Note, ErrorClass::Value,
                                    "the loop is not vectorized: {}"};

// The registers of one group, one for each wide access.
struct Registers {
  const AccessGroup* group = nullptr;
  std::vector<const Local*> parts = {};
};

// Rewrites the body of a loop for one lane: the loop variable is a number, wide accesses are lanes
// of their register, and names made in the body are this lane's own.
class LaneCopy : public Rewriter<LaneCopy> {
 public:
  LaneCopy(Arena& arena, const LaneLoop& loop, const std::vector<Registers>& registers,
           std::int64_t lane)
      : Rewriter(arena), loop_(loop), registers_(registers), lane_(lane) {}
  using Rewriter::map;
  using Rewriter::on_expr;
  using Rewriter::on_stmt;

  const Expr* on_expr(const VarRef& node) {
    if (node.var != loop_.loop->var) return rebuild(node);
    return build().int_imm(node.dtype, loop_.begin + lane_, node.span);
  }
  const Expr* on_expr(const Load& node) {
    const Local* part = part_of(node.tensor, node.indices[0]);
    if (part == nullptr) return rebuild(node);
    return arena().make<LaneRead>(
        LaneRead{{ExprKind::LaneRead, node.dtype, node.span}, part, lane_in(part)});
  }
  const Expr* on_expr(const Unary& node) {
    const Unary* made = rebuild(node);
    return made == &node ? &node : build().fold_unary(made->op, made->a, node.span);
  }
  const Expr* on_expr(const Binary& node) {
    const Binary* made = rebuild(node);
    return made == &node ? &node : build().fold_binary(made->op, made->a, made->b, node.span);
  }
  const Expr* on_expr(const Select& node) {
    const Select* made = rebuild(node);
    if (made == &node) return &node;
    return build().fold_select(made->condition, made->a, made->b, node.span);
  }
  const Expr* on_expr(const Cast& node) {
    const Cast* made = rebuild(node);
    return made == &node || node.is_bits ? made
                                         : build().fold_cast(made->dtype, made->a, node.span);
  }
  void on_stmt(const Store& node) {
    const Local* part = part_of(node.tensor, node.indices[0]);
    if (part == nullptr) return emit(rebuild(node));
    const Expr* value = rewrite(node.value);
    const auto* same = as<LaneRead>(value);
    // `A[v] += v` leaves the first lane alone.
    if (same != nullptr && same->vector == part && same->lane == lane_in(part)) return;
    emit(build().stmt<LaneStore>(node.span, part, lane_in(part), value));
  }

  const Var* map(const Var* var) { return own(vars_, var); }
  const Local* map(const Local* local) { return own(locals_, local); }
  void on_stmt(const Let& node) {
    const Expr* value = rewrite(node.value);
    vars_[node.var] = arena().make<Var>(*node.var);
    emit(build().stmt<Let>(node.span, vars_[node.var], value));
  }
  void on_stmt(const DeclareLocal& node) {
    locals_[node.local] = arena().make<Local>(*node.local);
    emit(rebuild(node));
  }

 private:
  template <typename T>
  static const T* own(const std::unordered_map<const T*, const T*>& made, const T* object) {
    auto place = made.find(object);
    return place != made.end() ? place->second : object;
  }

  const Local* part_of(const Tensor* tensor, const Expr* offset) const {
    const AccessGroup* group = find_group(loop_, tensor, offset);
    if (group == nullptr || !group->is_wide) return nullptr;
    for (const Registers& registers : registers_) {
      if (registers.group == group)
        return registers.parts[static_cast<std::size_t>(lane_ / group->lanes)];
    }
    return nullptr;
  }
  std::uint8_t lane_in(const Local* part) const {
    return static_cast<std::uint8_t>(lane_ % part->dtype.lanes);
  }

  const LaneLoop& loop_;
  const std::vector<Registers>& registers_;
  std::int64_t lane_;
  std::unordered_map<const Var*, const Var*> vars_;
  std::unordered_map<const Local*, const Local*> locals_;
};

bool declares_name(StmtList list) {
  return std::any_of(list.begin(), list.end(),
                     [](const Stmt* stmt) { return is<Let>(stmt) || is<DeclareLocal>(stmt); });
}

// The loop with the whole numbers that its body names (`i = t * 4 + v`) put where they are used:
// offsets then say how they depend on the lane, and each lane computes them by itself.
const For& with_indices_inlined(Arena& arena, const For& loop) {
  VarMap values;
  std::vector<const Stmt*> body;
  for (const Stmt* stmt : loop.body) {
    const auto* let = as<Let>(stmt);
    bool is_index = let != nullptr && let->var->dtype.is_int() && is_pure_value(let->value);
    if (is_index) {
      values[let->var] = substitute(arena, let->value, values);
    } else {
      body.push_back(stmt);
    }
  }
  if (values.empty()) return loop;
  For copy = loop;
  copy.body = substitute(arena, arena.copy(body), values);
  return *arena.make<For>(copy);
}

class Vectorizing : public Rewriter<Vectorizing> {
 public:
  explicit Vectorizing(PassContext& context) : Rewriter(context.arena), context_(context) {}
  using Rewriter::on_expr;
  using Rewriter::on_stmt;

  // Expressions hold no loops.
  template <typename T>
  const Expr* on_expr(const T& node) {
    return &node;
  }
  void on_stmt(const Let& node) {
    if (node.var->dtype.is_int()) multiples_.define(node.var, multiples_.of(node.value));
    emit(&node);
  }
  void on_stmt(const For& node) {
    if (node.loop != ForKind::Vectorized) {
      std::int64_t step = node.step & -node.step;
      multiples_.define(node.var, std::min(multiples_.of(node.begin), step));
      return emit(rebuild(node));
    }
    if (context_.options.scalar) return emit_serial(node);
    const For& inlined = with_indices_inlined(arena(), node);
    LaneLoop lanes = analyse_lanes(inlined, multiples_, context_.options.no_restrict);
    if (lanes.obstacle.empty()) return emit_lanes(lanes);
    // Of the variants of a kernel, the default one speaks.
    if (!context_.options.no_restrict && !context_.options.index64)
      context_.diags.report(lanes.obstacle_span, kNotVectorized, lanes.obstacle);
    emit_serial(node);
  }

 private:
  void emit_serial(const For& node) {
    For copy = node;
    copy.loop = ForKind::Serial;
    copy.unroll_pragma = 0;
    copy.body = rewrite(node.body);
    emit(arena().make<For>(copy));
  }

  // The offset of a group's element in one lane.
  const Expr* offset_in_lane(const LaneLoop& lanes, const AccessGroup& group, std::int64_t lane) {
    static const std::vector<Registers> kNone;
    return LaneCopy(arena(), lanes, kNone, lane).rewrite(group.first_offset);
  }

  void emit_lanes(const LaneLoop& lanes) {
    std::vector<Registers> registers;
    for (const AccessGroup& group : lanes.groups) {
      if (group.is_wide) registers.push_back(declare(lanes, group));
    }
    for (std::int64_t lane = 0; lane < lanes.lanes; ++lane) {
      LaneCopy copy(arena(), lanes, registers, lane);
      StmtList body = copy.rewrite(lanes.loop->body);
      if (declares_name(body)) {
        emit(build().stmt<Block>(lanes.loop->span, nullptr, body));
      } else {
        for (const Stmt* stmt : body)
          emit(stmt);
      }
    }
    for (const Registers& each : registers) {
      if (each.group->is_stored) store(lanes, each);
    }
  }

  Registers declare(const LaneLoop& lanes, const AccessGroup& group) {
    Registers result{.group = &group};
    DType type = group.tensor->dtype.with_lanes(static_cast<std::uint16_t>(group.lanes));
    std::string name = fmt::format("{}_v", group.tensor->name);
    for (std::int64_t lane = 0; lane < lanes.lanes; lane += group.lanes) {
      auto* local = arena().make<Local>();
      local->name = arena().copy_string(name);
      local->dtype = type;
      local->span = group.span;
      result.parts.push_back(local);
      emit(build().stmt<DeclareLocal>(group.span, local));
      if (!group.is_loaded) continue;
      const Expr* load =
          arena().make<VectorLoad>(VectorLoad{{ExprKind::VectorLoad, type, group.span},
                                              group.tensor,
                                              offset_in_lane(lanes, group, lane)});
      emit(build().stmt<Assign>(group.span, local, load));
    }
    return result;
  }

  void store(const LaneLoop& lanes, const Registers& registers) {
    const AccessGroup& group = *registers.group;
    std::int64_t lane = 0;
    for (const Local* part : registers.parts) {
      emit(build().stmt<VectorStore>(group.span, group.tensor, offset_in_lane(lanes, group, lane),
                                     part));
      lane += group.lanes;
    }
  }

  PassContext& context_;
  Multiples multiples_;
};

bool has_lane_loop(StmtList list) {
  bool found = false;
  walk_stmts(list, [&](const Stmt& stmt) {
    const auto* loop = as<For>(&stmt);
    found = found || (loop != nullptr && loop->loop == ForKind::Vectorized);
  });
  return found;
}

}  // namespace

const Kernel& vectorize(const Kernel& kernel, PassContext& context) {
  if (!has_lane_loop(kernel.body)) return kernel;
  return with_body(context.arena, kernel, Vectorizing(context).rewrite(kernel.body));
}

int wide_alignment(const Kernel& kernel, const Tensor& tensor) {
  int widest = 0;
  walk_stmts(kernel.body, [&](const Stmt& stmt) {
    if (const auto* store = as<VectorStore>(&stmt); store != nullptr && store->tensor == &tensor)
      widest = std::max(widest, store->vector->dtype.bytes());
    for_each_operand(stmt, [&](const Expr& expr) {
      const auto* load = as<VectorLoad>(&expr);
      if (load != nullptr && load->tensor == &tensor)
        widest = std::max(widest, load->dtype.bytes());
    });
  });
  return widest;
}

}  // namespace tirxcc::passes
