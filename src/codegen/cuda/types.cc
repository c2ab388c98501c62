// SPDX-License-Identifier: Apache-2.0
//
// The spelling of types. See types.h.
#include "codegen/cuda/types.h"

#include "base/check.h"

namespace tirxcc::codegen_cuda {

namespace {

std::string_view signed_type(int bits) {
  return bits == 8 ? "signed char" : bits == 16 ? "short" : bits == 32 ? "int" : "long long";
}

std::string_view unsigned_type(int bits) {
  return bits == 8    ? "unsigned char"
         : bits == 16 ? "unsigned short"
         : bits == 32 ? "unsigned int"
                      : "unsigned long long";
}

// CUDA's vector of that many lanes, or "" if it has none.
std::string_view built_in_vector(DType type) {
  struct Row {
    DType lane;
    std::string_view two;
    std::string_view four;
  };
  static constexpr Row kRows[] = {
      {kInt8, "char2", "char4"},      {kUInt8, "uchar2", "uchar4"}, {kBool, "uchar2", "uchar4"},
      {kInt16, "short2", "short4"},   {kInt32, "int2", "int4"},     {kUInt16, "ushort2", "ushort4"},
      {kUInt32, "uint2", "uint4"},    {kInt64, "longlong2", ""},    {kUInt64, "ulonglong2", ""},
      {kFloat32, "float2", "float4"}, {kFloat64, "double2", ""}};
  for (const Row& row : kRows) {
    if (row.lane == type.lane()) return type.lanes == 2 ? row.two : type.lanes == 4 ? row.four : "";
  }
  return "";
}

}  // namespace

std::string_view c_type(DType scalar) {
  switch (scalar.code) {
    case TypeCode::Void: return "void";
    case TypeCode::Bool: return "bool";
    case TypeCode::Int: return signed_type(scalar.bits);
    case TypeCode::UInt: return unsigned_type(scalar.bits);
    case TypeCode::Float:
      return scalar.bits == 16 ? "half" : scalar.bits == 32 ? "float" : "double";
    case TypeCode::BFloat: return "nv_bfloat16";
    case TypeCode::Handle: return "void*";
    case TypeCode::Error: break;
  }
  internal_error(__FILE__, __LINE__, "a type that CUDA has no name for");
}

std::string type_of_var(const ir::Var& var) {
  const bool is_pointer = var.dtype.code == TypeCode::Handle && !var.pointee.type.is_void();
  if (!is_pointer) return std::string(c_type(var.dtype));
  return std::string(c_type(var.pointee.type)) + "*";
}

VectorType vector_type(DType vector) {
  std::string_view name = built_in_vector(vector);
  if (!name.empty()) return {.name = name, .has_lanes = true};
  switch (vector.bytes()) {
    case 2: return {.name = "unsigned short"};
    case 4: return {.name = "unsigned int"};
    case 8: return {.name = "uint2"};
    case 16: return {.name = "uint4"};
    default: break;
  }
  internal_error(__FILE__, __LINE__, "a vector that no single access moves");
}

}  // namespace tirxcc::codegen_cuda
