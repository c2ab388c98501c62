// SPDX-License-Identifier: Apache-2.0
//
// The texts of the helper functions. See helpers.h.
#include "codegen/cuda/helpers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/check.h"
#include "codegen/cuda/literals.h"
#include "codegen/cuda/types.h"

namespace tirxcc::codegen_cuda {

namespace {

constexpr std::array<DType, 8> kIntTypes = {kInt8,  kInt16,  kInt32,  kInt64,
                                            kUInt8, kUInt16, kUInt32, kUInt64};

// All of these follow `__device__ __forceinline__ `.
constexpr std::string_view kFloorDiv = R"({0} floordiv({0} a, {0} b) {{
  {0} q = a / b;
  return a % b != 0 && (a ^ b) < 0 ? q - 1 : q;
}}
)";

constexpr std::string_view kFloorMod = R"({0} floormod({0} a, {0} b) {{
  {0} r = a % b;
  return r != 0 && (r ^ b) < 0 ? r + b : r;
}}
)";

// {1} is the functions' suffix and the literals'.
constexpr std::string_view kFloorModFloat = R"({0} floormod({0} a, {0} b) {{
  {0} r = fmod{1}(a, b);
  if (r == 0.0{1}) {{
    return copysign{1}(0.0{1}, b);
  }}
  return (r < 0.0{1}) != (b < 0.0{1}) ? r + b : r;
}}
)";

// NaN if either side is NaN (PTX ISA, "max": from sm_80 on for f32).
constexpr std::string_view kPickNanPtx = R"(float {0}_nan(float a, float b) {{
  float r;
  asm("{0}.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}}
)";
constexpr std::string_view kPickNan = R"({0} {1}_nan({0} a, {0} b) {{
  return (a {2} b || a != a) ? a : b;
}}
)";

constexpr std::string_view kElectPtx = R"(bool elect_sync() {
  unsigned int elected;
  asm volatile(
      "{ .reg .pred p;\n"
      "  elect.sync _|p, 0xffffffff;\n"
      "  selp.u32 %0, 1, 0, p; }"
      : "=r"(elected));
  return elected != 0;
}
)";
constexpr std::string_view kElectLowest = R"(bool elect_sync() {
  unsigned int lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  return (int)lane == __ffs((int)__activemask()) - 1;
}
)";

// Small targets: the conversion to int saturates in hardware and gives 0 for NaN.
constexpr std::string_view kToSmallInt = R"({0} {1}(float x) {{
  return ({0})min(max((int)x, {2}), {3});
}}
)";
// {2} and {4} are powers of two or 0, exact in every float type; NaN fails the first comparison.
constexpr std::string_view kToInt = R"({0} {1}({5} x) {{
  if (!(x >= {2})) {{
    return {3};
  }}
  return x < {4} ? ({0})x : {6};
}}
)";

std::string int_literal(DType type, int128 value) {
  std::string text;
  append_int(text, type, static_cast<std::int64_t>(value), false);
  return text;
}

std::string float_literal(DType type, double value) {
  std::string text;
  append_float(text, type, value);
  return text;
}

std::string to_int_text(DType from, DType to) {
  std::string least = int_literal(to, to.min_int());
  std::string most = int_literal(to, to.max_int());
  if (from.is_float32() && to.bits < 32) {
    return fmt::format(fmt::runtime(kToSmallInt), c_type(to), to_int_name(to), least, most);
  }
  std::string below =
      to.is_signed_int() ? fmt::format("x < {} ? {} : 0", from.is_float32() ? "0.0f" : "0.0", least)
                         : least;
  return fmt::format(
      fmt::runtime(kToInt), c_type(to), to_int_name(to),
      float_literal(from, static_cast<double>(to.min_int())), below,
      float_literal(from, std::ldexp(1.0, to.is_signed_int() ? to.bits - 1 : to.bits)),
      c_type(from), most);
}

std::string pick_nan_text(std::string_view name, DType type, int arch) {
  if (type.is_float32() && arch >= 80) return fmt::format(fmt::runtime(kPickNanPtx), name);
  return fmt::format(fmt::runtime(kPickNan), c_type(type), name, name == "max" ? ">" : "<");
}

std::string text_of(Helper helper, int arch) {
  switch (helper) {
    case Helper::FloorDivI32: return fmt::format(fmt::runtime(kFloorDiv), "int");
    case Helper::FloorDivI64: return fmt::format(fmt::runtime(kFloorDiv), "long long");
    case Helper::FloorModI32: return fmt::format(fmt::runtime(kFloorMod), "int");
    case Helper::FloorModI64: return fmt::format(fmt::runtime(kFloorMod), "long long");
    case Helper::FloorModF32: return fmt::format(fmt::runtime(kFloorModFloat), "float", "f");
    case Helper::FloorModF64: return fmt::format(fmt::runtime(kFloorModFloat), "double", "");
    case Helper::MaxNanF32: return pick_nan_text("max", kFloat32, arch);
    case Helper::MaxNanF64: return pick_nan_text("max", kFloat64, arch);
    case Helper::MinNanF32: return pick_nan_text("min", kFloat32, arch);
    case Helper::MinNanF64: return pick_nan_text("min", kFloat64, arch);
    case Helper::ElectSync: return std::string(arch >= 90 ? kElectPtx : kElectLowest);
    case Helper::ToIntFromF32:
    case Helper::ToIntFromF64:
    case Helper::End: break;
  }
  auto index = static_cast<std::size_t>(helper) - static_cast<std::size_t>(Helper::ToIntFromF32);
  return to_int_text(index < 8 ? kFloat32 : kFloat64, kIntTypes[index % 8]);
}

std::size_t int_index(DType type) {
  for (std::size_t i = 0; i < kIntTypes.size(); ++i) {
    if (kIntTypes[i] == type) return i;
  }
  internal_error(__FILE__, __LINE__, "a conversion to something that is no integer");
}

}  // namespace

Helper to_int_helper(DType from, DType to) {
  Helper first = from.is_float64() ? Helper::ToIntFromF64 : Helper::ToIntFromF32;
  return static_cast<Helper>(static_cast<std::size_t>(first) + int_index(to));
}

std::string_view to_int_name(DType to) {
  static constexpr std::array<std::string_view, 8> kNames = {"to_int8",   "to_int16", "to_int32",
                                                             "to_int64",  "to_uint8", "to_uint16",
                                                             "to_uint32", "to_uint64"};
  return kNames[int_index(to)];
}

void HelperSet::use(std::string_view text) {
  const auto is_same = [&](std::string_view other) { return other.data() == text.data(); };
  if (std::none_of(of_rows_.begin(), of_rows_.end(), is_same)) of_rows_.push_back(text);
}

std::string HelperSet::texts(int arch) const {
  std::string result;
  for (std::size_t i = 0; i < used_.size(); ++i) {
    if (!used_.test(i)) continue;
    result.append("__device__ __forceinline__ ");
    result.append(text_of(static_cast<Helper>(i), arch)).append("\n");
  }
  for (std::string_view text : of_rows_)
    result.append("__device__ __forceinline__ ").append(text).append("\n");
  return result;
}

}  // namespace tirxcc::codegen_cuda
