// SPDX-License-Identifier: Apache-2.0
//
// Python objects as arguments of a call, without copying: DLPack's C exchange API, the buffer
// protocol, __dlpack__, the array interfaces, and scalars.
#pragma once

#include <Python.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dlpack.h"
#include "exchange.h"
#include "tirxcc/kernel.h"

namespace tirxcc::python {

// What a call knows of the producers of its tensors. Above all the stream on which those of CUDA
// tensors work; the launch goes there unless the caller names one.
class ProducerStream {
 public:
  // Producers are asked only when the launch needs to know.
  bool is_wanted = false;
  // Whether the call is for a GPU.
  bool is_for_gpu = false;
  // The caller's choice, for producers that order their work after a stream that they are told.
  void* chosen = nullptr;

  // Whether this producer has still to be asked for its stream on a device.
  bool must_ask(const void* producer, int device) {
    if (producer == asked_ && device == asked_device_) return false;
    asked_ = producer;
    asked_device_ = device;
    return is_wanted;
  }
  void note(void* stream) {
    disagree_ = disagree_ || (is_known_ && stream_ != stream);
    stream_ = stream;
    is_known_ = true;
  }
  // Whether the next tensor of the call must be asked if it requires a gradient: a few are, then
  // torch is asked once whether that counts at all.
  bool must_ask_gradient(bool (*is_enabled)()) {
    constexpr int kFew = 2;
    if (tensors_++ == kFew) no_gradients_ = !is_enabled();
    return !no_gradients_;
  }
  void* stream() const { return is_known_ ? stream_ : nullptr; }
  bool disagree() const { return disagree_; }

 private:
  const void* asked_ = nullptr;
  int asked_device_ = -1;
  void* stream_ = nullptr;
  bool is_known_ = false;
  bool disagree_ = false;
  bool no_gradients_ = false;
  int tensors_ = 0;
};

// A tensor of a type that lends (ArrayType::lends) as an argument, good for as long as the object
// lives and is not changed. False with a Python error set if it cannot be one.
bool borrow(PyObject* object, const ArrayType& type, const ParameterInfo& parameter,
            Argument& argument, ProducerStream& stream);

// A Python integer or bool as an argument. False with a Python error set if it cannot be one.
bool set_integer(PyObject* object, const ParameterInfo& parameter, Argument& argument);

// Memory of one argument, held until the call is over. Not movable: views point into it. Made for
// arguments that are not simply borrowed; what a kind of argument does not need is left without a
// value.
class HeldArgument {
 public:
  HeldArgument() {}  // not "= default", which may fill it all with zeros first
  HeldArgument(const HeldArgument&) = delete;
  HeldArgument& operator=(const HeldArgument&) = delete;
  ~HeldArgument() { release(); }

  // The object as an argument for `parameter`. False with a Python error set if it cannot be one.
  bool set(PyObject* object, const ParameterInfo& parameter, Argument& argument,
           ProducerStream& stream);
  void release();

 private:
  static constexpr int kInlineRank = 8;

  bool set_tensor(PyObject* object, const ParameterInfo& parameter, Argument& argument,
                  ProducerStream& stream);
  bool set_buffer(PyObject* object, const ParameterInfo& parameter, Argument& argument);
  bool set_managed(PyObject* object, const ArrayType& type, const ParameterInfo& parameter,
                   Argument& argument, ProducerStream& stream);
  bool set_dlpack(PyObject* object, const ParameterInfo& parameter, Argument& argument,
                  ProducerStream& stream);
  bool set_cuda_interface(PyObject* interface, const ParameterInfo& parameter, Argument& argument,
                          ProducerStream& stream);
  bool set_cupy(PyObject* object, const ParameterInfo& parameter, Argument& argument,
                ProducerStream& stream);
  bool set_cupy_places(PyObject* object, std::int64_t item_size, TensorRef& tensor);
  // Through tirxcc/_arrays.py: element types that the buffer protocol has no code for, NumPy
  // scalars.
  bool set_converted(PyObject* object, const ParameterInfo& parameter, Argument& argument);
  bool set_view(const ParameterInfo& parameter, int item_size, TensorRef& tensor);
  // Room for as many numbers, here or in long_parts().
  std::int64_t* make_shape(int rank);
  std::int64_t* make_strides(int rank);

  // What does not fit in the object itself.
  struct Long {
    std::vector<std::int64_t> shape;  // of an array interface
    std::vector<std::int64_t> strides;
  };
  Long& long_parts() {
    if (long_ == nullptr) long_ = std::make_unique<Long>();
    return *long_;
  }

  bool has_buffer_ = false;
  PyObject* owner_ = nullptr;  // a converted object or a DLPack capsule
  DLManagedTensorVersioned* managed_ = nullptr;
  std::unique_ptr<Long> long_;
  // A converted object's element type, for arrays that are exported as integers of the same width.
  bool has_type_ = false;
  ElementType type_ = ElementType::Float32;
  Py_buffer buffer_;  // if has_buffer_
  std::array<std::int64_t, kInlineRank> shape_;
  std::array<std::int64_t, kInlineRank> strides_;
};

// "float32" -> Float32; false if there is no such element type.
bool parse_element_type(std::string_view name, ElementType& type);

}  // namespace tirxcc::python
