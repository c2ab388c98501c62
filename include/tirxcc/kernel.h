// SPDX-License-Identifier: Apache-2.0
//
// Compiled functions and what is passed to them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tirxcc/diagnostic.h"

namespace tirxcc {

enum class ElementType : std::uint8_t {
  Bool,
  Int8,
  Int16,
  Int32,
  Int64,
  UInt8,
  UInt16,
  UInt32,
  UInt64,
  Float16,
  BFloat16,
  Float32,
  Float64,
};

// Elements of Float16 and BFloat16 are 16 bits to C++: the nearest number, and back.
std::uint16_t to_half(ElementType type, double value);
double from_half(ElementType type, std::uint16_t bits);

enum class DeviceType : std::uint8_t { Cpu, Cuda };

// The element type of a C++ type: element_type_of<float>() is Float32. 16-bit floats have none.
template <typename T>
constexpr ElementType element_type_of() {
  if constexpr (std::is_same_v<T, bool>) {
    return ElementType::Bool;
  } else if constexpr (std::is_same_v<T, float>) {
    return ElementType::Float32;
  } else if constexpr (std::is_same_v<T, double>) {
    return ElementType::Float64;
  } else {
    static_assert(std::is_integral_v<T> && sizeof(T) <= 8, "no element type of the language");
    constexpr ElementType kSigned[] = {ElementType::Int8, ElementType::Int16, ElementType::Int32,
                                       ElementType::Int64};
    constexpr ElementType kUnsigned[] = {ElementType::UInt8, ElementType::UInt16,
                                         ElementType::UInt32, ElementType::UInt64};
    constexpr int kLog = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return std::is_signed_v<T> ? kSigned[kLog] : kUnsigned[kLog];
  }
}

// Memory of the caller's, used during the call only. `strides` counts elements; empty: row-major
// without gaps.
struct TensorRef {
  void* data = nullptr;
  ElementType type = ElementType::Float32;
  std::span<const std::int64_t> shape;
  std::span<const std::int64_t> strides;
  bool read_only = false;
  DeviceType device = DeviceType::Cpu;
  int device_index = 0;
};

// One argument of a call: a tensor (by TensorRef, or a one-dimensional contiguous container) or a
// scalar.
class Argument {
 public:
  enum class Kind : std::uint8_t { Missing, None, Tensor, Int, UInt, Float, Bool, Pointer };

  Argument() = default;  // missing: the parameter's default value
  Argument(std::nullptr_t) : kind_(Kind::None) {}
  Argument(const TensorRef& tensor) : kind_(Kind::Tensor), tensor_(tensor) {}
  Argument(void* pointer) : kind_(Kind::Pointer) { pointer_ = pointer; }
  template <typename T>
  requires std::is_arithmetic_v<T> Argument(T value) {
    if constexpr (std::is_same_v<T, bool>) {
      kind_ = Kind::Bool;
      int_ = value ? 1 : 0;
    } else if constexpr (std::is_floating_point_v<T>) {
      kind_ = Kind::Float;
      float_ = value;
    } else if constexpr (std::is_unsigned_v<T>) {
      kind_ = Kind::UInt;
      uint_ = value;
    } else {
      kind_ = Kind::Int;
      int_ = value;
    }
  }
  // std::vector<float>, std::span<const int>, std::array<double, 8>: rank 1. The container must
  // outlive the Argument.
  template <typename Container>
  requires requires(Container& c) {
    c.data();
    c.size();
  }
  Argument(Container& container) : kind_(Kind::Tensor), is_vector_(true) {
    using Element = std::remove_pointer_t<decltype(container.data())>;
    extent_ = static_cast<std::int64_t>(container.size());
    tensor_.data = const_cast<std::remove_const_t<Element>*>(container.data());
    tensor_.type = element_type_of<std::remove_const_t<Element>>();
    tensor_.read_only = std::is_const_v<Element>;
  }

  Kind kind() const { return kind_; }
  std::int64_t int_value() const { return int_; }
  std::uint64_t uint_value() const { return uint_; }
  double float_value() const { return float_; }
  void* pointer() const { return pointer_; }
  const TensorRef& tensor() const { return tensor_; }
  std::span<const std::int64_t> shape() const {
    return is_vector_ ? std::span<const std::int64_t>(&extent_, 1) : tensor_.shape;
  }

 private:
  Kind kind_ = Kind::Missing;
  bool is_vector_ = false;
  union {
    std::int64_t int_ = 0;
    std::uint64_t uint_;
    double float_;
    void* pointer_;
  };
  std::int64_t extent_ = 0;
  TensorRef tensor_;
};

struct LaunchOptions {
  // CUDA: the stream (CUstream) to launch on; null: the legacy default stream.
  void* stream = nullptr;
  // CUDA: host tensors are copied to device 0 and what the kernel writes is copied back before
  // launch returns. Without it a host tensor is refused.
  bool copy_host_tensors = false;
  // CPU: looked at between blocks; once it is true, the launch ends early with an error.
  const std::atomic<bool>* stop = nullptr;
  // Receives what is odd about a launch that did nothing: the grid came out as 0 although a tensor
  // has elements. Once for each function; unchanged otherwise.
  std::optional<Diagnostic>* remark = nullptr;
  // Tests: run this variant although the arguments do not ask for it ("index64", "alias",
  // "scalar", "big_grid", joined by '+').
  std::string_view force_variant = {};
};

// A scalar result of a CPU function.
struct Scalar {
  bool has_value = false;
  ElementType type = ElementType::Int32;
  std::int64_t int_value = 0;  // integers and bool
  double float_value = 0;      // floats
};

struct ParameterInfo {
  std::string name;
  bool is_tensor = false;
  ElementType type = ElementType::Float32;
  std::vector<std::string> shape;  // tensors: "n", "64", "n * 2"
  bool is_written = false;
  bool has_default = false;
};

// Where the time of a compilation went, in milliseconds.
struct CompileTimes {
  double front_end_ms = 0;  // parse and sema of the whole file
  double passes_ms = 0;     // of this function
  double code_ms = 0;       // CUDA text, or LLVM to machine code, of this function
};

// A kernel that a call launches, and with which sizes: formulas of the parameters and symbols in
// the kernel language, such as "(n + 255) // 256".
struct KernelInfo {
  std::string name;                  // "relu_kernel", as in the CUDA text
  std::vector<std::string> grid;     // x, y, z; trailing ones are left out
  std::vector<std::string> block;    // likewise
  std::vector<std::string> cluster;  // likewise; empty: no cluster launch
  std::int64_t shared_bytes = 0;     // of static shared arrays, without padding between them
  std::string dynamic_shared_bytes;  // a formula; empty: none
};

// What one kernel of a function uses on a GPU.
struct KernelResources {
  std::string kernel;     // "relu_kernel"
  int registers = 0;      // of a thread
  int shared_bytes = 0;   // static, of a block
  int spilled_bytes = 0;  // of a thread: registers and arrays that lie in local memory
  int constant_bytes = 0;
  int max_block_threads = 0;  // given the registers
  int block_threads = 0;      // of the launch that occupancy is told for; 0: not a constant
  int blocks_per_multiprocessor = 0;
  double occupancy = 0;  // resident threads over the most that a multiprocessor can hold
};

struct TimingOptions {
  int warm_up = 3;
  int runs = 30;
  bool cold_cache = true;  // the L2 cache is overwritten before each run
  void* stream = nullptr;
  // Runs on copies of host tensors on device 0, which go no further: the host's arrays do not
  // change. Without it a host tensor is refused.
  bool copy_host_tensors = false;
};

// Runs of a kernel on the GPU's clock.
struct Timing {
  std::vector<float> milliseconds;  // of each run, in order
  double bytes = 0;  // of the tensors: read and written once each, twice where a kernel does both
};

// One compiled function of a file. Cheap to copy; safe to launch from many threads at once.
class Kernel {
 public:
  std::string_view name() const;
  std::string_view signature() const;  // "relu(A: Tensor([n], float32), ...)"
  const std::vector<ParameterInfo>& parameters() const;

  // Checks the arguments, then runs (CPU: until done; CUDA: asynchronously on the stream).
  Expected<Scalar> launch(std::span<const Argument> args, const LaunchOptions& options = {}) const;
  Expected<Scalar> launch(std::initializer_list<Argument> args,
                          const LaunchOptions& options = {}) const {
    return launch(std::span<const Argument>(args.begin(), args.size()), options);
  }

  // CUDA: the time of launches with these arguments on the GPU's own clock. What the kernel writes
  // is written as often as it runs.
  Expected<Timing> time(std::span<const Argument> args, const TimingOptions& options = {}) const;

  // CUDA: what each kernel of the default variant uses on a device, in order of the regions.
  Expected<std::vector<KernelResources>> resources(int device = 0) const;

  // Compiles the default variant now rather than at the first launch.
  Expected<void> prepare() const;
  // Compiles what a launch with these arguments would run; checks them as the launch would.
  Expected<void> prepare(std::span<const Argument> args) const;

  // The CUDA C++ of the default variant (on every target), the LLVM IR of the CPU target, the IR
  // in the kernel language.
  Expected<std::string> cuda_source() const;
  Expected<std::string> llvm_ir() const;
  std::string ir() const;
  // CPU: which scheme each kernel got and why (loops, barriers, what threads keep, guards,
  // streaming stores, variants), in lines for people.
  Expected<std::string> explain() const;
  // PTX or cubin by NVRTC, for the module's architecture.
  Expected<std::string> ptx() const;
  Expected<std::string> cubin() const;

  // The kernels that a call launches, in order.
  std::vector<KernelInfo> kernels() const;

  // Names of the variants that launches of this function have run ("default", "index64", ...).
  std::vector<std::string> variants_run() const;
  CompileTimes times() const;

  struct Impl;
  explicit Kernel(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

 private:
  std::shared_ptr<Impl> impl_;
};

}  // namespace tirxcc
