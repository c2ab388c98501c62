// SPDX-License-Identifier: Apache-2.0
//
// Definite assignment: is a name assigned on every path that reaches a read? Each name has one bit;
// names that a construct assigns are on a trail, so that the end of a branch undoes exactly them.
// A join keeps what all branches that reach it assigned.
#include <algorithm>

#include "sema/function_sema.h"

namespace tirxcc::sema {

void FunctionSema::set_assigned(NameEntry& entry, Span span) {
  entry.assigned_span = span;
  if (entry.is_assigned) return;
  entry.is_assigned = true;
  trail_.push_back(&entry);
}

// The present point is one of those that the flow joins; `mark` is where its construct began.
void FunctionSema::join_into(Flow& flow, std::size_t mark) {
  if (!is_reachable_) return;
  if (!flow.is_reached) {
    flow.is_reached = true;
    flow.names.assign(trail_.begin() + static_cast<std::ptrdiff_t>(mark), trail_.end());
    return;
  }
  std::erase_if(flow.names, [](const NameEntry* entry) { return !entry->is_assigned; });
}

void FunctionSema::forget_since(std::size_t mark) {
  for (std::size_t i = mark; i < trail_.size(); ++i)
    trail_[i]->is_assigned = false;
  trail_.resize(mark);
}

void FunctionSema::continue_from(const Flow& flow) {
  is_reachable_ = flow.is_reached;
  for (NameEntry* entry : flow.names) {
    if (!entry->is_assigned) set_assigned(*entry, entry->assigned_span);
  }
}

}  // namespace tirxcc::sema
