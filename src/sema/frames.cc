// SPDX-License-Identifier: Apache-2.0
//
// Statement lists under construction. All open lists share one stack; a list that ends is copied
// into the arena. A mutable scalar is declared at the end of the round: in the innermost list that
// holds all its uses, directly before the first statement there that has one.
//
//   if c:            float x_ptr[1];
//       x = 1.0      if (c) { x_ptr[0] = 1.0f; }
//   else:            else { x_ptr[0] = 2.0f; }
//       x = 2.0      B_ptr[0] = x_ptr[0];
//   B[0] = x
#include <algorithm>

#include "sema/function_sema.h"

namespace tirxcc::sema {

std::uint32_t FunctionSema::open_frame() {
  Frame frame;
  frame.parent = frame_;
  frame.position = frame_ == kNoFrame ? 0 : list_size();
  frame.begin = static_cast<std::uint32_t>(stack_.size());
  frame_ = static_cast<std::uint32_t>(frames_.size());
  frames_.push_back(frame);
  return frame_;
}

void FunctionSema::close_frame(ir::StmtList* destination) {
  Frame& frame = frames_[frame_];
  frame.is_open = false;
  frame.destination = destination;
  *destination = module_.arena.copy(
      std::span<const ir::Stmt* const>(stack_.data() + frame.begin, stack_.size() - frame.begin));
  stack_.resize(frame.begin);
  frame_ = frame.parent;
}

void FunctionSema::splice_frame() {
  Frame& frame = frames_[frame_];
  frame.is_open = false;
  frame.is_spliced = true;
  frames_[frame.parent].has_declarations |= frame.has_declarations;
  frame_ = frame.parent;
}

const ir::Var* FunctionSema::emit_let(std::string_view name, const Expr* value, Span span,
                                      ir::VarKind kind) {
  const auto* var =
      module_.arena.make<ir::Var>(ir::Var{name, value->dtype, span, kind, ir::pointee_of(value)});
  frames_[frame_].has_declarations = true;
  emit(context_.build.stmt<ir::Let>(span, var, value));
  return var;
}

std::string_view FunctionSema::name_with(std::string_view name, std::string_view suffix) {
  std::string text(name);
  text += suffix;
  return module_.arena.copy_string(text);
}

// The variable is used by the statement that is being made.
void FunctionSema::touch(Variable& variable) {
  if (variable.frame == kNoFrame) {
    variable.frame = frame_;
    variable.position = list_size();
    return;
  }
  while (!frames_[variable.frame].is_open) {
    const Frame& frame = frames_[variable.frame];
    variable.position = frame.is_spliced ? frame.position + variable.position : frame.position;
    variable.frame = frame.parent;
  }
}

void FunctionSema::place_declarations() {
  struct Insertion {
    std::uint32_t frame;
    std::uint32_t position;
    const ir::Stmt* stmt;
  };
  std::vector<Insertion> insertions;
  insertions.reserve(variables_.size());
  for (const Variable* variable : variables_) {
    if (variable->form != VariableForm::Local || variable->frame == kNoFrame) continue;
    std::uint32_t at = variable->frame;
    std::uint32_t position = variable->position;
    while (frames_[at].is_spliced) {
      position += frames_[at].position;
      at = frames_[at].parent;
    }
    const ir::Local* local = variable->local;
    insertions.push_back({at, position, context_.build.stmt<ir::DeclareLocal>(local->span, local)});
  }
  if (insertions.empty()) return;
  std::stable_sort(insertions.begin(), insertions.end(), [](const auto& a, const auto& b) {
    return a.frame != b.frame ? a.frame < b.frame : a.position < b.position;
  });
  std::vector<const ir::Stmt*> list;
  for (std::size_t i = 0; i < insertions.size();) {
    ir::StmtList& target = *frames_[insertions[i].frame].destination;
    list.clear();
    const std::uint32_t frame = insertions[i].frame;
    std::size_t done = 0;
    for (; i < insertions.size() && insertions[i].frame == frame; ++i) {
      list.insert(list.end(), target.begin() + static_cast<std::ptrdiff_t>(done),
                  target.begin() + insertions[i].position);
      done = insertions[i].position;
      list.push_back(insertions[i].stmt);
    }
    list.insert(list.end(), target.begin() + static_cast<std::ptrdiff_t>(done), target.end());
    target = module_.arena.copy(list);
  }
}

// The frame whose list the statements of `frame` stand in.
std::uint32_t FunctionSema::list_of(std::uint32_t frame) const {
  while (frames_[frame].is_spliced)
    frame = frames_[frame].parent;
  return frame;
}

// Copies of unrolled bodies that turned out to declare nothing lose their braces.
void FunctionSema::dissolve_blocks() {
  const auto declares = [](const ir::Stmt* stmt) { return ir::is<ir::DeclareLocal>(stmt); };
  PointerMap<bool> dissolved;
  PointerMap<bool> lists;
  std::vector<std::uint32_t> order;
  // Inner blocks come first: they were closed first.
  for (const DoubtfulBlock& doubtful : doubtful_blocks_) {
    const ir::StmtList body = doubtful.block->body;
    if (std::any_of(body.begin(), body.end(), declares)) continue;
    dissolved[doubtful.block] = true;
    const std::uint32_t list = list_of(frames_[doubtful.frame].parent);
    bool& is_listed = lists[frames_[list].destination];
    if (!is_listed) order.push_back(list);
    is_listed = true;
  }
  std::vector<const ir::Stmt*> statements;
  for (const std::uint32_t list : order) {
    ir::StmtList& target = *frames_[list].destination;
    statements.clear();
    for (const ir::Stmt* stmt : target) {
      if (dissolved.find(stmt) == nullptr) {
        statements.push_back(stmt);
        continue;
      }
      const ir::StmtList body = ir::as<ir::Block>(stmt)->body;
      statements.insert(statements.end(), body.begin(), body.end());
    }
    target = module_.arena.copy(statements);
  }
}

}  // namespace tirxcc::sema
