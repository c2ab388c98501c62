// SPDX-License-Identifier: Apache-2.0
//
// DLPack and the CUDA array interface. The C exchange API is the quick way: no Python object is
// made, and it tells the stream on which the producer works. It takes some 30 ns a tensor where
// __dlpack__() takes microseconds.
#include "exchange.h"

#include <array>
#include <bit>
#include <string>

#include "array_parts.h"

namespace tirxcc::python {
namespace {

// Types of arrays that a process uses are few; beyond this many the table starts anew.
constexpr std::size_t kMostTypes = 16;

// The newest table of version 1; null if there is none or Python fails.
const DLPackExchangeAPI* exchange_api_of(PyTypeObject* type) {
  PyObject* capsule =
      PyObject_GetAttrString(reinterpret_cast<PyObject*>(type), "__dlpack_c_exchange_api__");
  if (capsule == nullptr) {
    PyErr_Clear();
    return nullptr;
  }
  const DLPackExchangeAPIHeader* header = nullptr;
  if (PyCapsule_IsValid(capsule, "dlpack_exchange_api") != 0) {
    header = static_cast<const DLPackExchangeAPIHeader*>(
        PyCapsule_GetPointer(capsule, "dlpack_exchange_api"));
  }
  // The table lives as long as its type, which array_type_of keeps.
  Py_DECREF(capsule);
  while (header != nullptr && header->version.major != 1)
    header = header->prev_api;
  if (header == nullptr) return nullptr;
  const auto* api = reinterpret_cast<const DLPackExchangeAPI*>(header);
  const bool can_convert = api->dltensor_from_py_object_no_sync != nullptr ||
                           api->managed_tensor_from_py_object_no_sync != nullptr;
  return can_convert ? api : nullptr;
}

// The element type of a DLPack type, by code and by the logarithm of the bytes; -1: none.
constexpr std::int8_t kElementTypes[7][4] = {
    /* int */ {1, 2, 3, 4},
    /* uint */ {5, 6, 7, 8},
    /* float */ {-1, 9, 11, 12},
    /* opaque */ {-1, -1, -1, -1},
    /* bfloat */ {-1, 10, -1, -1},
    /* complex */ {-1, -1, -1, -1},
    /* bool */ {0, -1, -1, -1},
};
static_assert(kDLInt == 0 && kDLUInt == 1 && kDLFloat == 2 && kDLBfloat == 4 && kDLBool == 6);
static_assert(ElementType{0} == ElementType::Bool && ElementType{1} == ElementType::Int8 &&
              ElementType{5} == ElementType::UInt8 && ElementType{9} == ElementType::Float16 &&
              ElementType{10} == ElementType::BFloat16 && ElementType{11} == ElementType::Float32 &&
              ElementType{12} == ElementType::Float64);

bool find_element_type(DLDataType dtype, ElementType& type) {
  const unsigned log = static_cast<unsigned>(std::countr_zero(dtype.bits)) - 3;
  if (dtype.code > kDLBool || log > 3 || dtype.lanes != 1 || dtype.bits != 8U << log) {
    return false;
  }
  const std::int8_t found = kElementTypes[dtype.code][log];
  type = static_cast<ElementType>(found);
  return found >= 0;
}

bool dl_element_type(DLDataType dtype, ElementType& type) {
  // As a word, and what it means: that of the latest tensor.
  static std::uint32_t latest = 0;
  static ElementType meaning = ElementType::Float32;
  const auto word = std::bit_cast<std::uint32_t>(dtype);
  if (word != latest || word == 0) {
    if (!find_element_type(dtype, meaning)) {
      latest = 0;
      return false;
    }
    latest = word;
  }
  type = meaning;
  return true;
}

// Whether the object says that it is on a GPU.
bool is_on_gpu(PyObject* object) {
  PyObject* device = PyObject_CallMethod(object, "__dlpack_device__", nullptr);
  bool is_gpu = false;
  if (device != nullptr && PyTuple_Check(device) && PyTuple_Size(device) == 2) {
    const long type = PyLong_AsLong(PyTuple_GetItem(device, 0));
    is_gpu = type == kDLCuda || type == kDLCudaManaged;
  }
  Py_XDECREF(device);
  PyErr_Clear();
  return is_gpu;
}

// A capsule from __dlpack__, versioned if the producer knows that; null with an error set. A
// producer on a GPU is told the stream on which the tensor will be used.
PyObject* call_dlpack(PyObject* object, const ProducerStream& stream) {
  PyObject* method = PyObject_GetAttrString(object, "__dlpack__");
  if (method == nullptr) return nullptr;
  PyObject* keywords = Py_BuildValue("{s(ii)}", "max_version", 1, 1);
  PyObject* only_stream = PyDict_New();
  if (is_on_gpu(object)) {
    // 1 is DLPack's name for the legacy default stream.
    PyObject* number =
        stream.chosen == nullptr ? PyLong_FromLong(1) : PyLong_FromVoidPtr(stream.chosen);
    PyDict_SetItemString(keywords, "stream", number);
    PyDict_SetItemString(only_stream, "stream", number);
    Py_DECREF(number);
  }
  PyObject* none = PyTuple_New(0);
  PyObject* capsule = PyObject_Call(method, none, keywords);
  if (capsule == nullptr && PyErr_ExceptionMatches(PyExc_TypeError) != 0) {
    PyErr_Clear();
    capsule = PyObject_Call(method, none, only_stream);
  }
  Py_DECREF(none);
  Py_DECREF(keywords);
  Py_DECREF(only_stream);
  Py_DECREF(method);
  return capsule;
}

bool has_attribute(PyTypeObject* type, const char* name) {
  return PyObject_HasAttrString(reinterpret_cast<PyObject*>(type), name) != 0;
}

// Whether an attribute, or what calling it gives, is true. Errors count as false.
bool is_true(PyObject* object, PyObject* name, bool is_method) {
  PyObject* found = is_method ? PyObject_CallMethodObjArgs(object, name, nullptr)
                              : PyObject_GetAttr(object, name);
  const bool result = found == Py_True;
  Py_XDECREF(found);
  if (found == nullptr) PyErr_Clear();
  return result;
}

// Whether torch notes operations on tensors that require a gradient: not under no_grad(), nor in
// the forward() of a torch.autograd.Function.
bool is_grad_enabled() {
  static PyObject* function = nullptr;
  if (function == nullptr) {
    PyObject* torch = PyDict_GetItemString(PyImport_GetModuleDict(), "torch");
    if (torch == nullptr) return true;
    function = PyObject_GetAttrString(torch, "is_grad_enabled");
  }
  PyObject* answer = function == nullptr ? nullptr : PyObject_CallNoArgs(function);
  const bool is_enabled = answer != Py_False;
  Py_XDECREF(answer);
  if (answer == nullptr) PyErr_Clear();
  return is_enabled;
}

// Whether torch would expect a gradient of what is done with the tensor.
bool requires_grad(PyObject* object, const ArrayType& type) {
  PyObject* found =
      type.get_requires_grad(type.requires_grad, object, reinterpret_cast<PyObject*>(type.type));
  const bool is_asked_for = found == Py_True;
  Py_XDECREF(found);
  if (found == nullptr) PyErr_Clear();
  return is_asked_for && is_grad_enabled();
}

// Row-major without gaps, of more than one element: then it is no part of a complex tensor.
bool is_dense(const DLTensor& tensor) {
  if (tensor.strides == nullptr || tensor.ndim == 0) return tensor.ndim != 0;
  if (tensor.ndim == 1) return tensor.strides[0] == 1 && tensor.shape[0] > 1;
  std::int64_t next = 1;
  for (std::int32_t i = tensor.ndim - 1; i >= 0; --i) {
    if (tensor.shape[i] != 1 && tensor.strides[i] != next) return false;
    next *= tensor.shape[i];
  }
  return next > 1;
}

// A tuple of integers; false with an error set.
bool read_integers(PyObject* tuple, std::int64_t* values) {
  for (Py_ssize_t i = 0; i < PyTuple_Size(tuple); ++i)
    values[i] = PyLong_AsLongLong(PyTuple_GetItem(tuple, i));
  return PyErr_Occurred() == nullptr;
}

// Asked at each call of each tensor: by the descriptor's own function, without a look-up.
void find_requires_grad(ArrayType& made) {
  made.requires_grad =
      PyObject_GetAttrString(reinterpret_cast<PyObject*>(made.type), "requires_grad");
  PyErr_Clear();
  if (made.requires_grad == nullptr) return;
  made.get_requires_grad =
      reinterpret_cast<descrgetfunc>(PyType_GetSlot(Py_TYPE(made.requires_grad), Py_tp_descr_get));
}

}  // namespace

namespace {

const ArrayType& find_array_type(PyObject* object) {
  static std::array<ArrayType, kMostTypes> known;
  static std::size_t count = 0;
  PyTypeObject* type = Py_TYPE(object);
  for (std::size_t i = 0; i < count; ++i) {
    if (known[i].type == type) return known[i];
  }
  if (count == kMostTypes) count = 0;
  ArrayType& made = known[count++];
  auto* before = reinterpret_cast<PyObject*>(made.type);
  Py_CLEAR(made.requires_grad);
  made = {type, exchange_api_of(type), PyObject_CheckBuffer(object) != 0, is_cupy_type(type)};
  if (made.api != nullptr) {
    find_requires_grad(made);
    made.has_negation = has_attribute(type, "is_neg");
  }
  // Kept, so that no other type gets its address.
  Py_INCREF(reinterpret_cast<PyObject*>(type));
  Py_XDECREF(before);
  return made;
}

}  // namespace

const ArrayType& array_type_of(PyObject* object) {
  // A call's arrays are nearly always of one type.
  static const ArrayType* latest = nullptr;
  if (latest == nullptr || latest->type != Py_TYPE(object)) latest = &find_array_type(object);
  return *latest;
}

bool has_cuda_interface(PyObject* object) {
  // Asked of the type where possible: for an object, the answer is computed and thrown away.
  constexpr const char* kName = "__cuda_array_interface__";
  return has_attribute(Py_TYPE(object), kName) || PyObject_HasAttrString(object, kName) != 0;
}

PyObject* cuda_interface_of(PyObject* object) {
  if (!has_cuda_interface(object)) return nullptr;
  static PyObject* function = nullptr;
  if (function == nullptr) {
    PyObject* module = PyImport_ImportModule("tirxcc._arrays");
    if (module == nullptr) return nullptr;
    function = PyObject_GetAttrString(module, "cuda_interface");
    Py_DECREF(module);
    if (function == nullptr) return nullptr;
  }
  PyObject* parts = PyObject_CallFunctionObjArgs(function, object, nullptr);
  if (parts != Py_None) return parts;
  Py_DECREF(parts);
  return nullptr;
}

void delete_dl_tensor(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, "used_dltensor_versioned") != 0) {
    auto* tensor = static_cast<DLManagedTensorVersioned*>(
        PyCapsule_GetPointer(capsule, "used_dltensor_versioned"));
    if (tensor->deleter != nullptr) tensor->deleter(tensor);
  } else if (PyCapsule_IsValid(capsule, "used_dltensor") != 0) {
    auto* tensor = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, "used_dltensor"));
    if (tensor->deleter != nullptr) tensor->deleter(tensor);
  }
}

namespace {

bool refuse_device(const ParameterInfo& parameter, const DLTensor& source) {
  return refuse(parameter, ErrorKind::Value,
                "it is on DLPack device type " + std::to_string(source.device.device_type));
}

// The tensor as an argument; `object` is for messages. On the way of each tensor of each call, as
// is the next, so both are put where they are called.
[[gnu::always_inline]] inline bool set_dl_tensor(PyObject* object, const DLTensor& source,
                                                 const ParameterInfo& parameter, bool read_only,
                                                 Argument& argument) {
  ElementType type;
  if (!dl_element_type(source.dtype, type)) {
    return refuse(parameter, ErrorKind::Type, describe_format(nullptr, object));
  }
  const std::int32_t device = source.device.device_type;
  const bool is_cuda = device == kDLCuda || device == kDLCudaManaged;
  if (!is_cuda && device != kDLCpu && device != kDLCudaHost)
    return refuse_device(parameter, source);
  const auto rank = static_cast<std::size_t>(source.ndim);
  new (&argument) Argument(TensorRef{
      .data = static_cast<char*>(source.data) + source.byte_offset,
      .type = type,
      .shape = {source.shape, rank},
      .strides = {source.strides, source.strides == nullptr ? 0 : rank},
      .read_only = read_only,
      .device = is_cuda ? DeviceType::Cuda : DeviceType::Cpu,
      .device_index = is_cuda ? source.device.device_id : 0,
  });
  return true;
}

// What is left to ask of a tensor of the exchange API: torch's inverted signs, and the stream.
[[gnu::always_inline]] inline bool finish_exchange(PyObject* object, const ArrayType& type,
                                                   const DLTensor& source,
                                                   const ParameterInfo& parameter,
                                                   ProducerStream& stream) {
  static PyObject* const is_neg = PyUnicode_InternFromString("is_neg");
  // Such views come from complex tensors and have gaps; only tensors that have are asked.
  if (type.has_negation && !is_dense(source) && is_true(object, is_neg, true)) {
    return refuse(parameter, ErrorKind::Value,
                  "it is a view with inverted signs; pass its resolve_neg()");
  }
  const DLPackExchangeAPI& api = *type.api;
  if (source.device.device_type == kDLCuda && api.current_work_stream != nullptr &&
      stream.must_ask(&api, source.device.device_id)) {
    void* current = nullptr;
    if (api.current_work_stream(kDLCuda, source.device.device_id, &current) != 0) {
      return refuse_with_cause(parameter, object);
    }
    stream.note(current);
  }
  return true;
}

bool refuse_gradient(const ParameterInfo& parameter) {
  return refuse(parameter, ErrorKind::Value,
                "it requires a gradient, which a kernel does not compute; pass its detach(), or "
                "call under torch.no_grad()");
}

}  // namespace

bool borrow(PyObject* object, const ArrayType& type, const ParameterInfo& parameter,
            Argument& argument, ProducerStream& stream) {
  if (type.get_requires_grad != nullptr && stream.must_ask_gradient(is_grad_enabled) &&
      requires_grad(object, type)) {
    return refuse_gradient(parameter);
  }
  DLTensor source;
  if (type.api->dltensor_from_py_object_no_sync(object, &source) != 0) {
    return refuse_with_cause(parameter, object);
  }
  return finish_exchange(object, type, source, parameter, stream) &&
         set_dl_tensor(object, source, parameter, false, argument);
}

bool HeldArgument::set_managed(PyObject* object, const ArrayType& type,
                               const ParameterInfo& parameter, Argument& argument,
                               ProducerStream& stream) {
  if (type.get_requires_grad != nullptr && requires_grad(object, type)) {
    return refuse_gradient(parameter);
  }
  if (type.api->managed_tensor_from_py_object_no_sync(object, &managed_) != 0) {
    managed_ = nullptr;
    return refuse_with_cause(parameter, object);
  }
  const DLTensor& source = managed_->dl_tensor;
  return finish_exchange(object, type, source, parameter, stream) &&
         set_dl_tensor(object, source, parameter, (managed_->flags & kDLFlagReadOnly) != 0,
                       argument);
}

bool HeldArgument::set_dlpack(PyObject* object, const ParameterInfo& parameter, Argument& argument,
                              ProducerStream& stream) {
  PyObject* capsule = call_dlpack(object, stream);
  if (capsule == nullptr) return refuse_with_cause(parameter, object);
  if (PyCapsule_IsValid(capsule, "dltensor_versioned") != 0) {
    auto* managed =
        static_cast<DLManagedTensorVersioned*>(PyCapsule_GetPointer(capsule, "dltensor_versioned"));
    PyCapsule_SetName(capsule, "used_dltensor_versioned");
    owner_ = capsule;
    if (managed->version.major != 1) {
      return refuse(parameter, ErrorKind::Type, "its DLPack version is not 1");
    }
    return set_dl_tensor(object, managed->dl_tensor, parameter,
                         (managed->flags & kDLFlagReadOnly) != 0, argument);
  }
  if (PyCapsule_IsValid(capsule, "dltensor") != 0) {
    auto* managed = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, "dltensor"));
    PyCapsule_SetName(capsule, "used_dltensor");
    owner_ = capsule;
    return set_dl_tensor(object, managed->dl_tensor, parameter, false, argument);
  }
  Py_DECREF(capsule);
  return refuse(parameter, ErrorKind::Type, "__dlpack__ gave no DLPack capsule");
}

// interface: (address, type name, item size, shape, strides in bytes or None, read-only, device,
// stream or None).
bool HeldArgument::set_cuda_interface(PyObject* interface, const ParameterInfo& parameter,
                                      Argument& argument, ProducerStream& stream) {
  auto part = [&](Py_ssize_t i) { return PyTuple_GetItem(interface, i); };
  TensorRef tensor;
  const char* name = PyUnicode_AsUTF8AndSize(part(1), nullptr);
  if (name == nullptr) return false;
  if (!parse_element_type(name, tensor.type)) {
    return refuse(parameter, ErrorKind::Type,
                  std::string("no element type of the language is like '") + name + "'");
  }
  tensor.data = PyLong_AsVoidPtr(part(0));
  const std::int64_t size = PyLong_AsLongLong(part(2));
  const auto rank = static_cast<std::size_t>(PyTuple_Size(part(3)));
  std::int64_t* shape = make_shape(static_cast<int>(rank));
  if (!read_integers(part(3), shape)) return refuse_with_cause(parameter, interface);
  tensor.shape = {shape, rank};
  if (part(4) != Py_None) {
    std::int64_t* strides = make_strides(static_cast<int>(rank));
    if (!read_integers(part(4), strides)) return refuse_with_cause(parameter, interface);
    for (std::size_t i = 0; i < rank; ++i) {
      if (strides[i] % size != 0 && shape[i] > 1) {
        return refuse(parameter, ErrorKind::Value,
                      "a stride is no multiple of the element size " + std::to_string(size));
      }
      strides[i] /= size;
    }
    tensor.strides = {strides, rank};
  }
  tensor.read_only = part(5) == Py_True;
  tensor.device = DeviceType::Cuda;
  tensor.device_index = static_cast<int>(PyLong_AsLong(part(6)));
  if (part(7) != Py_None && stream.is_wanted) {
    // 1 is the legacy default stream, which others call 0.
    void* current = PyLong_AsVoidPtr(part(7));
    stream.note(current == reinterpret_cast<void*>(1) ? nullptr : current);
  }
  if (PyErr_Occurred() != nullptr) return refuse_with_cause(parameter, interface);
  argument = Argument(tensor);
  return true;
}

}  // namespace tirxcc::python
