// SPDX-License-Identifier: Apache-2.0
//
// The rare fields of T.cuda.LaunchConfig: launch attributes beyond sizes and flags (language.md
// 2.1), as abi/launch_options.h lists them. Words become the driver's numbers here, structures
// their parts, and what is known while compiling is checked; the rest is checked at each call.
//
//   access_policy_window=T.cuda.AccessPolicyWindow(base_ptr=A.data, num_bytes=n * 4)
#include <fmt/ranges.h>

#include <algorithm>

#include "abi/launch_structures.h"
#include "ir/traverse.h"
#include "sema/function_sema.h"
#include "sema/suggest.h"

namespace tirxcc::sema {
namespace {

using abi::LaunchOption;
using abi::LaunchOptionInfo;
using abi::LaunchOptionKind;
using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kOptionType{"launch-option-type", Severity::Error, ErrorClass::Type,
                                 "{} must be {}, got {}"};
constexpr Diagnostic kOptionWord{"launch-option-word", Severity::Error, ErrorClass::Value,
                                 "{} must be {}, got {}"};
constexpr Diagnostic kOptionRange{"launch-option-range", Severity::Error, ErrorClass::Value,
                                  "{} must be between {} and {}, got {}"};
constexpr Diagnostic kOptionFlag{"launch-option-flag", Severity::Error, ErrorClass::Type,
                                 "{} must be True or False, got {}"};
constexpr Diagnostic kOptionRatio{"launch-option-ratio", Severity::Error, ErrorClass::Type,
                                  "{} must be a number from 0 to 1, or a float32 parameter"};
constexpr Diagnostic kOptionAddress{
    "launch-option-address", Severity::Error, ErrorClass::Type,
    "{} must be an address known on the host: that of a parameter, or a number"};
constexpr Diagnostic kPartMissing{"launch-option-part", Severity::Error, ErrorClass::Type,
                                  "{} needs '{}'"};
constexpr Diagnostic kPreferredAlone{"preferred-cluster-alone", Severity::Error, ErrorClass::Value,
                                     "preferred_cluster needs cluster"};
constexpr Diagnostic kPreferredMultiple{
    "preferred-cluster-multiple", Severity::Error, ErrorClass::Value,
    "preferred_cluster must be a multiple of cluster, with the same z"};

// What a part is when it is not written.
std::optional<std::int64_t> value_unless_written(LaunchOption option) {
  constexpr std::int64_t kPersisting = 2;
  if (option == LaunchOption::WindowBase || option == LaunchOption::WindowBytes ||
      option == LaunchOption::ProgrammaticEvent || option == LaunchOption::CompletionEvent) {
    return std::nullopt;
  }
  if (option == LaunchOption::WindowHitProperty) return kPersisting;
  if (option == LaunchOption::MemSyncDomainRemote || option == LaunchOption::WindowHitRatio) {
    return 1;
  }
  return 0;
}

// As it stands in messages: `mem_sync_domain_map`'s `default`.
std::string name_of(const LaunchOptionInfo& info) {
  return info.part.empty() || info.field == "preferred_cluster"
             ? std::string(info.field)
             : fmt::format("{} of {}", info.part, info.field);
}

// `'normal', 'streaming' or 'persisting'`
std::string choice(std::span<const std::string_view> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view separator = i == 0 ? "" : i + 1 == words.size() ? " or " : ", ";
    text += fmt::format("{}'{}'", separator, words[i]);
  }
  return text;
}

const ObjectField* find_part(const Object& object, std::string_view name) {
  for (const ObjectField& field : object.fields) {
    if (field.name == name && field.value->kind != ValueKind::None) return &field;
  }
  return nullptr;
}

// Memory of a parameter, at an index that the host can compute.
bool is_host_address(const ir::Expr& expr, std::span<const ir::Param> params) {
  if (const auto* var = ir::as<ir::VarRef>(&expr)) return var->var->kind == ir::VarKind::Param;
  const auto* address = ir::as<ir::AddressOf>(&expr);
  if (address == nullptr) return false;
  const bool is_param = std::any_of(params.begin(), params.end(), [&](const ir::Param& param) {
    return param.tensor == address->tensor;
  });
  bool reads = false;
  for (const ir::Expr* index : address->indices) {
    reads =
        reads || ir::any_expr(*index, [](const ir::Expr& e) {
          return ir::is<ir::Load>(&e) || ir::is<ir::LaunchIndex>(&e) || ir::is<ir::AddressOf>(&e);
        });
  }
  return is_param && !reads;
}

}  // namespace

std::vector<std::string_view> launch_structure_parts(std::string_view type) {
  std::vector<std::string_view> parts;
  for (const abi::LaunchStructure& structure : abi::kLaunchStructures) {
    if (structure.type != type) continue;
    for (const LaunchOptionInfo& info : abi::kLaunchOptions) {
      if (info.field == structure.field) parts.push_back(info.part);
    }
  }
  return parts;
}

const ir::Expr* FunctionSema::option_word(const LaunchOptionInfo& info, const Value& value,
                                          Span span) {
  const auto at = std::find(info.words.begin(), info.words.end(), value.text);
  if (value.kind == ValueKind::String && at != info.words.end()) {
    return context_.build.int_imm(kInt64, at - info.words.begin(), span);
  }
  auto message = diags_.report(span, value.kind == ValueKind::String ? kOptionWord : kOptionType,
                               name_of(info), choice(info.words), describe(value));
  if (value.kind != ValueKind::String) return nullptr;
  NearestName near(value.text);
  for (const std::string_view word : info.words)
    near.offer(word);
  if (!near.result().empty()) message.note("did you mean '{}'?", near.result());
  return nullptr;
}

const ir::Expr* FunctionSema::option_number(const LaunchOptionInfo& info, const Value& value,
                                            Span span) {
  const std::optional<int128> known = expr_.known_int(value);
  if (known.has_value() && expr_.type_of(value).is_int() &&
      (*known < info.least || *known > info.largest)) {
    diags_.report(span, kOptionRange, name_of(info), info.least, info.largest,
                  fmt::format("{}", static_cast<std::int64_t>(*known)));
    return nullptr;
  }
  if (known.has_value() && expr_.type_of(value).is_int()) {
    return context_.build.int_imm(kInt64, static_cast<std::int64_t>(*known), span);
  }
  return launch_size(value, span, name_of(info));
}

const ir::Expr* FunctionSema::option_ratio(const LaunchOptionInfo& info, const Value& value,
                                           Span span) {
  const DType type = expr_.type_of(value);
  const Expr* ratio = type.is_scalar() && type.is_numeric()
                          ? expr_.convert(value, kFloat32, span, Conversion::Explicit)
                          : nullptr;
  const auto* known = ir::as<ir::FloatImm>(ratio);
  const auto* var = ir::as<ir::VarRef>(ratio);
  const bool is_param = var != nullptr && var->var->kind == ir::VarKind::Param;
  if (is_param || (known != nullptr && known->value >= 0.0 && known->value <= 1.0)) return ratio;
  diags_.report(span, kOptionRatio, name_of(info));
  return nullptr;
}

const ir::Expr* FunctionSema::option_address(const LaunchOptionInfo& info, const Value& value,
                                             Span span) {
  const DType type = expr_.type_of(value);
  if (type.is_int() && type.is_scalar()) {
    const Expr* number = expr_.convert(value, kUInt64, span, Conversion::Explicit);
    return number == nullptr ? nullptr : host_formula(number, span, name_of(info));
  }
  if (value.kind == ValueKind::Expr && type == kHandle &&
      is_host_address(*value.expr, {params_.data(), params_.size()})) {
    return value.expr;
  }
  auto message = diags_.report(span, kOptionAddress, name_of(info));
  if (value.kind == ValueKind::Tensor) {
    message.note("the address of a tensor's memory is '{}.data'", value.tensor->name);
  }
  return nullptr;
}

const ir::Expr* FunctionSema::launch_option(const LaunchOptionInfo& info, const Value& value,
                                            Span span) {
  if (value.is_error()) return nullptr;
  switch (info.kind) {
    case LaunchOptionKind::Number: return option_number(info, value, span);
    case LaunchOptionKind::Word: return option_word(info, value, span);
    case LaunchOptionKind::Ratio: return option_ratio(info, value, span);
    case LaunchOptionKind::Address: return option_address(info, value, span);
    case LaunchOptionKind::Flag: break;
  }
  const std::optional<bool> truth = expr_.known_truth(value);
  if (truth.has_value() && value.kind != ValueKind::String) {
    return context_.build.bool_imm(*truth, span);
  }
  diags_.report(span, kOptionFlag, name_of(info), describe(value));
  return nullptr;
}

// A field that is a structure: each of its parts, written or not.
void FunctionSema::read_option_structure(const ObjectField& field, std::string_view type) {
  const Value& value = *field.value;
  if (value.is_error()) return;
  if (value.kind != ValueKind::Object || value.object->type != type) {
    diags_.report(field.span, kOptionType, field.name, fmt::format("a {}(...)", display_name(type)),
                  describe(value));
    return;
  }
  for (const LaunchOptionInfo& info : abi::kLaunchOptions) {
    if (info.field != field.name) continue;
    const ir::Expr*& out = region_.kernel->launch.options[static_cast<std::size_t>(info.option)];
    if (const ObjectField* part = find_part(*value.object, info.part)) {
      out = launch_option(info, *part->value, part->span);
      continue;
    }
    const std::optional<std::int64_t> otherwise = value_unless_written(info.option);
    if (!otherwise.has_value()) {
      diags_.report(value.object->span, kPartMissing, display_name(type), info.part);
    } else if (info.kind == LaunchOptionKind::Ratio) {
      out = context_.build.float_imm(kFloat32, static_cast<double>(*otherwise), field.span);
    } else if (info.kind == LaunchOptionKind::Flag) {
      out = context_.build.bool_imm(*otherwise != 0, field.span);
    } else {
      out = context_.build.int_imm(kInt64, *otherwise, field.span);
    }
  }
}

// A cluster of as many blocks where the device has room for it, else of `cluster`.
void FunctionSema::read_preferred_cluster(const ObjectField& field, const ObjectField* cluster) {
  ir::LaunchConfig& launch = region_.kernel->launch;
  if (cluster == nullptr) {
    diags_.report(field.span, kPreferredAlone);
    return;
  }
  const Expr* sizes[3] = {nullptr, nullptr, nullptr};
  if (field.value->is_error() || !read_dimensions(field, sizes)) return;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const LaunchOptionInfo& info = abi::kLaunchOptions[axis];
    if (sizes[axis] == nullptr) sizes[axis] = context_.build.int_imm(kInt64, 1, field.span);
    const ir::IntImm* size = ir::as_int(sizes[axis]);
    const ir::IntImm* least = ir::as_int(launch.cluster[axis]);
    const bool is_known = size != nullptr && (least != nullptr || launch.cluster[axis] == nullptr);
    const std::int64_t unit = least == nullptr ? 1 : std::max<std::int64_t>(least->value, 1);
    if (is_known && (axis == 2 ? size->value != unit : size->value % unit != 0)) {
      diags_.report(field.span, kPreferredMultiple).label(cluster->span, "the cluster is here");
      return;
    }
    launch.options[static_cast<std::size_t>(info.option)] = sizes[axis];
  }
}

void FunctionSema::read_launch_option(const ObjectField& field, const ObjectField* cluster) {
  if (field.name == "preferred_cluster") return read_preferred_cluster(field, cluster);
  const std::string_view structure = abi::structure_of(field.name);
  if (!structure.empty()) return read_option_structure(field, structure);
  for (const LaunchOptionInfo& info : abi::kLaunchOptions) {
    if (info.field != field.name) continue;
    region_.kernel->launch.options[static_cast<std::size_t>(info.option)] =
        launch_option(info, *field.value, field.span);
  }
}

}  // namespace tirxcc::sema
