// SPDX-License-Identifier: Apache-2.0
//
// How arrays of a type cross into a call: looked up once per type.
#pragma once

#include <Python.h>

#include "dlpack.h"

namespace tirxcc::python {

struct ArrayType {
  PyTypeObject* type = nullptr;
  // DLPack's C exchange API in version 1, if the type offers it.
  const DLPackExchangeAPI* api = nullptr;
  bool has_buffer = false;
  bool is_cupy = false;
  // torch's notions, which the exchange API does not tell of.
  PyObject* requires_grad = nullptr;  // the descriptor
  descrgetfunc get_requires_grad = nullptr;
  bool has_negation = false;  // is_neg(): the sign of every element is inverted when it is read

  // Whether a tensor's parts can be had without holding anything but the tensor.
  bool lends() const { return api != nullptr && api->dltensor_from_py_object_no_sync != nullptr; }
};

// What is known of the object's type. The reference is good until the next call.
const ArrayType& array_type_of(PyObject* object);

// cupy.ndarray or a subclass, with the attributes that cupy.cc reads.
bool is_cupy_type(PyTypeObject* type);

bool has_cuda_interface(PyObject* object);

// tirxcc._arrays.cuda_interface(object): a new tuple, or null without an error if the object has no
// __cuda_array_interface__.
PyObject* cuda_interface_of(PyObject* object);

// Ends the life of what a used DLPack capsule points to.
void delete_dl_tensor(PyObject* capsule);

}  // namespace tirxcc::python
