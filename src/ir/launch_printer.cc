// SPDX-License-Identifier: Apache-2.0
//
// See launch_printer.h. What a launch does not ask for is not printed.
#include "ir/launch_printer.h"

#include <fmt/format.h>

#include "abi/launch_structures.h"
#include "ir/builder.h"

namespace tirxcc::ir {
namespace {

class LaunchPrinter {
 public:
  LaunchPrinter(std::string& out, ExprPrinter& exprs) : out_(out), exprs_(exprs) {}
  void launch(const LaunchConfig& config, bool as_block);

 private:
  template <typename... Args>
  void text(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }
  void sizes(std::string_view label, const Expr* const (&sizes)[3]);
  void host_value(std::string_view label, const Expr* value);
  void begin_structure(std::string_view field);
  void option(const abi::LaunchOptionInfo& info, const Expr* value);
  void options(const LaunchConfig& config);
  void attributes(const LaunchConfig& config);

  std::string& out_;
  ExprPrinter& exprs_;
};

// `grid=n`, `grid=(n, 4)`; trailing ones are left out.
void LaunchPrinter::sizes(std::string_view label, const Expr* const (&sizes)[3]) {
  int count = 3;
  while (count > 1 && (sizes[count - 1] == nullptr || is_int_value(sizes[count - 1], 1)))
    --count;
  out_ += label;
  if (count > 1) out_ += '(';
  for (int axis = 0; axis < count; ++axis) {
    if (axis > 0) out_ += ", ";
    if (sizes[axis] == nullptr) {
      out_ += '1';
    } else {
      exprs_.print_host(sizes[axis]);
    }
  }
  if (count > 1) out_ += ')';
}

void LaunchPrinter::host_value(std::string_view label, const Expr* value) {
  if (value == nullptr) return;
  out_ += label;
  exprs_.print_host(value);
}

void LaunchPrinter::option(const abi::LaunchOptionInfo& info, const Expr* value) {
  const auto* number = as<IntImm>(value);
  if (info.kind == abi::LaunchOptionKind::Word && number != nullptr) {
    text("\"{}\"", info.words[static_cast<std::size_t>(number->value)]);
    return;
  }
  exprs_.print_host(value);
}

// `T.cuda.MemSyncDomainMap(`, or `(` of a tuple.
void LaunchPrinter::begin_structure(std::string_view field) {
  const std::string_view type = abi::structure_of(field);
  if (!type.empty()) text("T.{}", type);
  out_ += '(';
}

// The rare attributes: `, mem_sync_domain="remote"`, structures with all their parts.
void LaunchPrinter::options(const LaunchConfig& config) {
  std::string_view open;  // the field whose structure is being printed
  for (const abi::LaunchOptionInfo& info : abi::kLaunchOptions) {
    const Expr* value = config.options[static_cast<std::size_t>(info.option)];
    if (!open.empty() && info.field != open) {
      out_ += ')';
      open = {};
    }
    if (value == nullptr) continue;
    if (open.empty()) {
      text(", {}=", info.field);
      if (!info.part.empty()) open = info.field;
      if (!info.part.empty()) begin_structure(info.field);
    } else {
      out_ += ", ";
    }
    if (!abi::structure_of(info.field).empty()) text("{}=", info.part);
    option(info, value);
  }
  if (!open.empty()) out_ += ')';
}

void LaunchPrinter::attributes(const LaunchConfig& config) {
  std::string_view separator = ", kernel_attrs=T.cuda.KernelAttributes(";
  auto attribute = [&](std::string_view name, std::int32_t value) {
    if (value == 0) return;
    text("{}{}={}", separator, name, value);
    separator = ", ";
  };
  attribute("min_blocks_per_sm", config.min_blocks_per_sm);
  attribute("max_blocks_per_cluster", config.max_blocks_per_cluster);
  attribute("max_registers_per_thread", config.max_registers_per_thread);
  if (config.required_block_size) {
    text("{}required_block_size=True", separator);
    separator = ", ";
  }
  if (separator == ", ") out_ += ')';
}

void LaunchPrinter::launch(const LaunchConfig& config, bool as_block) {
  out_ += as_block ? "with T.device_entry(" : "T.device_entry(";
  out_ += "launch=T.cuda.LaunchConfig(";
  sizes("grid=", config.grid);
  sizes(", block=", config.block);
  if (config.cluster[0] != nullptr) sizes(", cluster=", config.cluster);
  host_value(", dynamic_smem_bytes=", config.dynamic_smem_bytes);
  host_value(", cooperative=", config.cooperative);
  host_value(", programmatic_stream_serialization=", config.programmatic_stream_serialization);
  host_value(", priority=", config.priority);
  options(config);
  out_ += ')';
  attributes(config);
  out_ += as_block ? "):\n" : ")\n";
}

}  // namespace

void print_launch(std::string& out, ExprPrinter& exprs, const LaunchConfig& config, bool as_block) {
  LaunchPrinter(out, exprs).launch(config, as_block);
}

}  // namespace tirxcc::ir
