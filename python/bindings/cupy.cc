// SPDX-License-Identifier: Apache-2.0
//
// CuPy's arrays, by their attributes. CuPy answers for __cuda_array_interface__ and __dlpack__ in
// Python objects that are made for the question and take microseconds; what is wanted of an array
// also stands in attributes of its C structure: data.ptr, data.device_id, dtype, shape, strides.
#include <array>

#include "array_parts.h"
#include "exchange.h"

namespace tirxcc::python {
namespace {

// NumPy's dtypes that were met, and what they mean; beyond this many the table starts anew.
constexpr std::size_t kMostTypes = 16;
struct KnownType {
  PyObject* dtype = nullptr;
  ElementType type = ElementType::Float32;
  std::int64_t size = 4;
};

struct Names {
  PyObject* data = PyUnicode_InternFromString("data");
  PyObject* ptr = PyUnicode_InternFromString("ptr");
  PyObject* device_id = PyUnicode_InternFromString("device_id");
  PyObject* dtype = PyUnicode_InternFromString("dtype");
  PyObject* itemsize = PyUnicode_InternFromString("itemsize");
  PyObject* shape = PyUnicode_InternFromString("shape");
  PyObject* strides = PyUnicode_InternFromString("strides");
  PyObject* is_contiguous = PyUnicode_InternFromString("_c_contiguous");
};

const Names& names() {
  static const Names the_names;
  return the_names;
}

// An attribute that is an integer; -1 with an error set if there is none.
long long integer_of(PyObject* object, PyObject* name) {
  PyObject* value = PyObject_GetAttr(object, name);
  if (value == nullptr) return -1;
  const long long number = PyLong_AsLongLong(value);
  Py_DECREF(value);
  return number;
}

// By the dtype's name, which tirxcc._arrays knows; null with an error set.
const KnownType* describe_type(const ParameterInfo& parameter, PyObject* dtype, KnownType& known) {
  PyObject* module = PyImport_ImportModule("tirxcc._arrays");
  if (module == nullptr) return nullptr;
  PyObject* name = PyObject_CallMethod(module, "native_name", "O", dtype);
  Py_DECREF(module);
  const char* text = name == nullptr ? nullptr : PyUnicode_AsUTF8AndSize(name, nullptr);
  bool is_known = text != nullptr && parse_element_type(text, known.type);
  if (text != nullptr && !is_known) {
    refuse(parameter, ErrorKind::Type,
           std::string("no element type of the language is like '") + text + "'");
  }
  Py_XDECREF(name);
  if (is_known) known.size = integer_of(dtype, names().itemsize);
  if (PyErr_Occurred() != nullptr) return nullptr;
  Py_XDECREF(known.dtype);
  known.dtype = Py_NewRef(dtype);
  return &known;
}

const KnownType* type_of(const ParameterInfo& parameter, PyObject* dtype) {
  static std::array<KnownType, kMostTypes> table;
  static std::size_t next = 0;
  for (const KnownType& known : table) {
    if (known.dtype == dtype) return &known;
  }
  KnownType& known = table[next];
  const KnownType* found = describe_type(parameter, dtype, known);
  if (found != nullptr) next = (next + 1) % kMostTypes;
  return found;
}

// A tuple of integers into `values`, which has room for them.
bool read_tuple(PyObject* tuple, std::int64_t* values, Py_ssize_t count) {
  for (Py_ssize_t i = 0; i < count; ++i)
    values[i] = PyLong_AsLongLong(PyTuple_GetItem(tuple, i));
  return PyErr_Occurred() == nullptr;
}

// The stream on which CuPy works now.
bool ask_stream(ProducerStream& stream) {
  static PyObject* const get_current = [] {
    PyObject* module = PyImport_ImportModule("cupy.cuda");
    PyObject* found =
        module == nullptr ? nullptr : PyObject_GetAttrString(module, "get_current_stream");
    Py_XDECREF(module);
    return found;
  }();
  PyObject* current =
      get_current == nullptr ? nullptr : PyObject_CallFunctionObjArgs(get_current, nullptr);
  if (current == nullptr) return false;
  const long long address = integer_of(current, names().ptr);
  Py_DECREF(current);
  if (PyErr_Occurred() != nullptr) return false;
  stream.note(reinterpret_cast<void*>(static_cast<std::intptr_t>(address)));
  return true;
}

}  // namespace

bool is_cupy_type(PyTypeObject* type) {
  PyObject* modules = PyImport_GetModuleDict();
  PyObject* module = PyDict_GetItemString(modules, "cupy");
  if (module == nullptr) return false;
  PyObject* base = PyObject_GetAttrString(module, "ndarray");
  const bool is_array = base != nullptr && PyType_Check(base) &&
                        PyType_IsSubtype(type, reinterpret_cast<PyTypeObject*>(base)) != 0;
  Py_XDECREF(base);
  PyErr_Clear();
  auto* object = reinterpret_cast<PyObject*>(type);
  return is_array && PyObject_HasAttrString(object, "_c_contiguous") != 0;
}

bool HeldArgument::set_cupy_places(PyObject* object, std::int64_t item_size, TensorRef& tensor) {
  PyObject* shape = PyObject_GetAttr(object, names().shape);
  if (shape == nullptr) return false;
  const Py_ssize_t rank = PyTuple_Size(shape);
  if (rank >= 0) {
    std::int64_t* extents = make_shape(static_cast<int>(rank));
    read_tuple(shape, extents, rank);
    tensor.shape = {extents, static_cast<std::size_t>(rank)};
  }
  Py_DECREF(shape);
  PyObject* is_contiguous = PyObject_GetAttr(object, names().is_contiguous);
  const bool is_dense = is_contiguous == Py_True;
  Py_XDECREF(is_contiguous);
  if (PyErr_Occurred() != nullptr) return false;
  if (is_dense) return true;
  PyObject* strides = PyObject_GetAttr(object, names().strides);
  if (strides != nullptr && PyTuple_Size(strides) == rank) {
    std::int64_t* steps = make_strides(static_cast<int>(rank));
    read_tuple(strides, steps, rank);
    // A field of a structured type has other strides; CuPy has no such arrays.
    for (Py_ssize_t i = 0; i < rank; ++i)
      steps[i] /= item_size;
    tensor.strides = {steps, static_cast<std::size_t>(rank)};
  }
  Py_XDECREF(strides);
  return PyErr_Occurred() == nullptr;
}

bool HeldArgument::set_cupy(PyObject* object, const ParameterInfo& parameter, Argument& argument,
                            ProducerStream& stream) {
  PyObject* dtype = PyObject_GetAttr(object, names().dtype);
  const KnownType* known = dtype == nullptr ? nullptr : type_of(parameter, dtype);
  Py_XDECREF(dtype);
  if (known == nullptr) return refuse_with_cause(parameter, object);
  TensorRef tensor;
  tensor.type = known->type;
  tensor.device = DeviceType::Cuda;
  if (!set_cupy_places(object, known->size, tensor)) return refuse_with_cause(parameter, object);
  PyObject* data = PyObject_GetAttr(object, names().data);
  if (data != nullptr) {
    tensor.data =
        reinterpret_cast<void*>(static_cast<std::intptr_t>(integer_of(data, names().ptr)));
    tensor.device_index = static_cast<int>(integer_of(data, names().device_id));
    Py_DECREF(data);
  }
  if (PyErr_Occurred() != nullptr) return refuse_with_cause(parameter, object);
  static const char kProducer = 0;
  if (stream.must_ask(&kProducer, tensor.device_index) && !ask_stream(stream)) {
    return refuse_with_cause(parameter, object);
  }
  argument = Argument(tensor);
  return true;
}

}  // namespace tirxcc::python
