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

// The stream on which the producers of a call's CUDA tensors work; the launch goes there unless the
// caller names one.
class ProducerStream {
 public:
  // Producers are asked only when the launch needs to know.
  bool is_wanted = false;
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
  void* stream() const { return is_known_ ? stream_ : nullptr; }
  bool disagree() const { return disagree_; }

 private:
  const void* asked_ = nullptr;
  int asked_device_ = -1;
  void* stream_ = nullptr;
  bool is_known_ = false;
  bool disagree_ = false;
};

// Memory of one argument, held until the call is over. Not movable: views point into it. A call
// makes one for each argument, most of which use a word or two of it: what a kind of argument does
// not need is left without a value.
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
  // Bytes of the tensor, 0 for a scalar and for what lies on a GPU.
  std::int64_t bytes() const { return bytes_; }

 private:
  static constexpr int kInlineRank = 8;

  bool set_scalar(PyObject* object, const ParameterInfo& parameter, Argument& argument);
  bool set_tensor(PyObject* object, const ParameterInfo& parameter, Argument& argument,
                  ProducerStream& stream);
  bool set_buffer(PyObject* object, const ParameterInfo& parameter, Argument& argument);
  bool set_exchanged(PyObject* object, const ArrayType& type, const ParameterInfo& parameter,
                     Argument& argument, ProducerStream& stream);
  bool set_dlpack(PyObject* object, const ParameterInfo& parameter, Argument& argument,
                  ProducerStream& stream);
  bool set_dl_tensor(PyObject* object, const DLTensor& source, const ParameterInfo& parameter,
                     bool read_only, Argument& argument);
  bool set_cuda_interface(PyObject* interface, const ParameterInfo& parameter, Argument& argument,
                          ProducerStream& stream);
  // Through tirxcc/_arrays.py: element types that the buffer protocol has no code for, NumPy
  // scalars.
  bool set_converted(PyObject* object, const ParameterInfo& parameter, Argument& argument);
  bool set_view(const ParameterInfo& parameter, int item_size, TensorRef& tensor);
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
  PyObject* owner_ = nullptr;  // a converted object, a DLPack capsule, or an exchanged tensor
  DLManagedTensorVersioned* managed_ = nullptr;
  std::int64_t bytes_ = 0;
  std::unique_ptr<Long> long_;
  // A converted object's element type, for arrays that are exported as integers of the same width.
  bool has_type_ = false;
  ElementType type_ = ElementType::Float32;
  Py_buffer buffer_;  // if has_buffer_
  std::array<std::int64_t, kInlineRank> strides_;
};

// "float32" -> Float32; false if there is no such element type.
bool parse_element_type(std::string_view name, ElementType& type);

}  // namespace tirxcc::python
