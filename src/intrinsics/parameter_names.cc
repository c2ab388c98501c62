// SPDX-License-Identifier: Apache-2.0
//
// See parameter_names.h. A row whose operands are not what their shapes are called stands in
// kNames; everything else needs nothing here.
#include "intrinsics/parameter_names.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace tirxcc::intrinsics {
namespace {

using Named = std::pair<std::string_view, std::string_view>;
constexpr std::array kNames = {
    Named{"atan2", "y, x"},
    Named{"copysign", "magnitude, sign"},
    Named{"cuda.__shfl_down_sync", "mask, value, delta, width"},
    Named{"cuda.__shfl_up_sync", "mask, value, delta, width"},
    Named{"cuda.__shfl_xor_sync", "mask, value, lane_bits, width"},
    Named{"cuda.atomic_cas", "pointer, expected, value"},
    Named{"cuda.mbarrier_wait", "pointer, parity"},
    Named{"cuda.nano_sleep", "nanoseconds"},
    Named{"cuda.warpgroup_sync", "barrier"},
    Named{"ldexp", "x, exponent"},
    Named{"nextafter", "x, toward"},
    Named{"pow", "base, exponent"},
    Named{"ptx.bar.arrive", "barrier, threads"},
    Named{"ptx.bar.sync", "barrier, threads"},
    Named{"ptx.mbarrier.arrive", "pointer, count"},
    Named{"ptx.mbarrier.arrive.expect_tx", "pointer, bytes"},
    Named{"ptx.mbarrier.complete_tx", "pointer, bytes"},
    Named{"ptx.mbarrier.init", "pointer, count"},
};

std::string_view name_of(Shape shape, std::size_t place) {
  static constexpr std::array<std::string_view, kMostParams> kLetters = {"a", "b", "c", "d", "e"};
  switch (shape) {
    case Shape::None: return {};
    case Shape::AnyNumber:
    case Shape::AnyFloat:
    case Shape::AnyInt:
    case Shape::SameAsFirst: return kLetters[place];
    case Shape::Bool: return "condition";
    case Shape::Int32: return "lane";
    case Shape::UInt32:
    case Shape::Float32:
    case Shape::AnyLane:
    case Shape::Element: return "value";
    case Shape::Text: return "format";
    case Shape::Pointer: return "pointer";
    case Shape::Mask: return "mask";
    case Shape::Width: return "width";
    case Shape::WarpSize: return "warp_size";
  }
  __builtin_unreachable();
}

}  // namespace

std::string parameter_names(const Intrinsic& row) {
  if (!row.same_as.empty()) {
    const char dialect = row.only_in == OnlyIn::DialectB ? 'B' : 'A';
    const std::string meant = parameter_names(*find(row.same_as, dialect));
    return row.arity() == 0 ? meant : meant + ", warp_size";
  }
  const auto* named = std::find_if(kNames.begin(), kNames.end(),
                                   [&](const Named& one) { return one.first == row.name; });
  if (named != kNames.end()) return std::string(named->second);
  const auto count = static_cast<std::size_t>(row.arity());
  if (count == 1 && name_of(row.params[0], 0) == "a") return "x";
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text.append(i == 0 ? "" : ", ").append(name_of(row.params[i], i));
  return row.is_variadic ? text + ", *values" : text;
}

std::string list_of_types(TypeSet set) {
  constexpr std::array kTypes = {kBool,   kInt8,   kInt16,   kInt32,    kInt64,   kUInt8,  kUInt16,
                                 kUInt32, kUInt64, kFloat16, kBFloat16, kFloat32, kFloat64};
  std::vector<std::string> names;
  for (const DType type : kTypes) {
    if ((set & types_of({type})) != 0) names.push_back(to_string(type));
  }
  std::string text = names.front();
  for (std::size_t i = 1; i < names.size(); ++i)
    text.append(i + 1 == names.size() ? " or " : ", ").append(names[i]);
  return text;
}

}  // namespace tirxcc::intrinsics
