// SPDX-License-Identifier: Apache-2.0
#include "driver/empty_launch.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/builder.h"

namespace tirxcc::driver {
namespace {

// The first tensor that has elements; null: there is one without.
const abi::ParamSpec* non_empty(const abi::Plan& plan, std::span<const abi::Argument> args) {
  const abi::ParamSpec* first = nullptr;
  for (std::size_t i = 0; i < args.size() && i < plan.params.size(); ++i) {
    if (args[i].kind != abi::ArgumentKind::Tensor) continue;
    const std::int64_t* end = args[i].tensor->shape + plan.params[i].shape.size();
    if (std::find(args[i].tensor->shape, end, 0) != end) return nullptr;
    if (first == nullptr) first = &plan.params[i];
  }
  return first;
}

// `(h + 15) // 16`, and what T.ceildiv becomes: 0 where the size is.
bool is_ceiling(const ir::Expr* grid) {
  if (grid == nullptr) return false;
  while (ir::is<ir::Cast>(grid))
    grid = ir::as<ir::Cast>(grid)->a;
  const auto* quotient = ir::as<ir::Binary>(grid);
  if (quotient == nullptr || quotient->op != ir::BinaryOp::FloorDiv) return false;
  const auto* sum = ir::as<ir::Binary>(quotient->a);
  const ir::IntImm* divisor = ir::as_int(quotient->b);
  if (sum == nullptr || divisor == nullptr || sum->op != ir::BinaryOp::Add) return false;
  const ir::IntImm* rest = ir::as_int(sum->b);
  if (rest == nullptr) rest = ir::as_int(sum->a);
  return rest != nullptr && rest->value >= divisor->value - 1;
}

}  // namespace

std::optional<Diagnostic> remark_on(const abi::EmptyLaunch& empty,
                                    std::span<const abi::Argument> args,
                                    const Compilation& compilation, Unit& unit) {
  if (!empty.is_set || !compilation.options().warnings) return std::nullopt;
  const abi::ParamSpec* tensor = non_empty(unit.plan, args);
  if (tensor == nullptr) return std::nullopt;
  const source::SourceManager& sources = compilation.sources();
  const ir::LaunchConfig& launch = unit.function->kernels[empty.region]->launch;
  const ir::Expr* grid = launch.grid[empty.axis];
  if (is_ceiling(grid) || unit.has_told_empty.exchange(true)) return std::nullopt;
  const source::Span span = grid != nullptr && grid->span.is_valid() ? grid->span : launch.span;
  const std::string_view text = sources.text_of(span);
  const bool is_short = grid != nullptr && grid->span == span && text.size() <= 60 &&
                        text.find('\n') == std::string_view::npos;
  source::Message message{
      .id = "empty-grid",
      .severity = source::Severity::Warning,
      .error_class = ErrorClass::Value,
      .span = span,
      .text = fmt::format("{} is 0, so no thread of '{}' runs, though {} has elements",
                          is_short ? fmt::format("'{}'", text) : "the grid", unit.function->name,
                          tensor->name),
      .labels = {},
      .notes = {}};
  if (text.find("//") != std::string_view::npos) {
    message.notes.emplace_back("'//' rounds down; T.ceildiv(a, b) rounds up");
  }
  const source::LineColumn place = sources.position(span);
  const source::SourceFile* file = sources.file_of(span);
  return Diagnostic{.severity = Severity::Warning,
                    .kind = ErrorKind::Value,
                    .id = std::string(message.id),
                    .path = file == nullptr ? std::string() : file->path,
                    .line = static_cast<int>(place.line),
                    .column = static_cast<int>(place.column),
                    .text = message.text,
                    .rendered = source::Diagnostics(sources).render(message)};
}

}  // namespace tirxcc::driver
