// SPDX-License-Identifier: Apache-2.0
//
// Arrays of the `run` command: where they come from (generated, .npy, raw bytes) and where they go.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tirxcc/kernel.h"

namespace tirxcc::tool {

// An owned array. Strides are set only for Fortran-ordered files.
struct Array {
  ElementType type = ElementType::Float32;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  std::size_t bytes = 0;
  std::shared_ptr<std::byte[]> data;
  std::uint8_t mark = 0;  // of the strips beside it

  std::int64_t size() const;
  TensorRef ref() const;
  Expected<Array> clone() const;
};

// What was written beside an array: how many bytes in front of its start and behind its end.
struct Damage {
  std::size_t before = 0;
  std::size_t behind = 0;

  bool is_any() const { return before > 0 || behind > 0; }
};
// Arrays of make_array lie between two strips of known bytes.
Damage find_damage(const Array& array);

std::size_t element_size(ElementType type);
std::string_view element_name(ElementType type);  // "float32"

// An array of zeros; an Error when the shape is too large for this machine.
Expected<Array> make_array(ElementType type, std::vector<std::int64_t> shape);

// The value of `--arg NAME=SPEC` for a parameter:
//   normal:float32[1000,64]      normal distribution, mean 0, deviation 1
//   uniform:float32[8]           [0, 1); uniform=-2..2:... sets the bounds
//   integers:int32[8]            0..99; integers=-5..5:... sets inclusive bounds
//   zeros: ones: arange:         and full=2.5:float32[8]
//   data.npy                     a NumPy file
//   raw:data.bin:float32[1000]   bytes in the machine's order
//   3, -1.5, true, none          scalars
// The type may be left out (`normal:[1000]`): it is then the parameter's own.
struct ArgumentValue {
  bool is_array = false;
  Array array;
  Argument scalar;
};
// What would do for a parameter: "A=normal:float32[1000,64]", "n=1".
std::string example_spec(const ParameterInfo& parameter);
Expected<ArgumentValue> make_argument(std::string_view spec, const ParameterInfo& parameter,
                                      std::uint64_t seed);

// Reads format 1.0 to 3.0; `wanted` only decides how two-byte void elements are read (bfloat16).
Expected<Array> load_npy(const std::string& path, ElementType wanted);
// The bytes of a .npy file for the array (a Fortran-ordered one keeps its order).
std::string npy_header(const Array& array);
// Writes .npy (by the file's ending) or raw bytes, through a temporary file and a rename.
Expected<void> save_array(const std::string& path, const Array& array);

// "float32[1000,64]".
std::string type_text(const Array& array);
// One line for people: "float32[1000]  0.5 -1.25 ... 3.0  (min -3.1, max 2.9)".
std::string summarize(const Array& array);

}  // namespace tirxcc::tool
