// SPDX-License-Identifier: Apache-2.0
#include "arrays.h"

#include <bit>

#include "array_parts.h"
#include "exchange.h"

namespace tirxcc::python {
namespace {

constexpr std::array<std::string_view, 13> kTypeNames = {
    "bool",   "int8",   "int16",   "int32",    "int64",   "uint8",  "uint16",
    "uint32", "uint64", "float16", "bfloat16", "float32", "float64"};

// The element type of a struct-module format of one element; false if the language has none.
bool parse_format(const char* format, Py_ssize_t size, ElementType& type) {
  if (format == nullptr) format = "B";
  if (*format == '@' || *format == '=' || *format == '<') ++format;
  if (format[0] == '\0' || format[1] != '\0') return false;
  switch (*format) {
    case '?': type = ElementType::Bool; return size == 1;
    case 'b':
    case 'h':
    case 'i':
    case 'l':
    case 'q': type = integer_type(true, size); return true;
    case 'B':
    case 'H':
    case 'I':
    case 'L':
    case 'Q': type = integer_type(false, size); return true;
    case 'e': type = ElementType::Float16; return true;
    case 'f': type = ElementType::Float32; return true;
    case 'd': type = ElementType::Float64; return true;
    default: return false;
  }
}

}  // namespace

bool refuse(const ParameterInfo& parameter, ErrorKind kind, const std::string& what) {
  set_error(kind, "argument '" + parameter.name + "': " + what);
  return false;
}

bool refuse_with_cause(const ParameterInfo& parameter, PyObject* object) {
  if (PyErr_Occurred() == nullptr) {
    PyObject* name =
        PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(object)), "__name__");
    const char* text = name == nullptr ? nullptr : PyUnicode_AsUTF8AndSize(name, nullptr);
    const std::string what = text == nullptr ? "an object" : text;
    Py_XDECREF(name);
    PyErr_Clear();
    return refuse(parameter, ErrorKind::Value, "this " + what + " cannot be shared by DLPack");
  }
  const bool is_type = PyErr_ExceptionMatches(PyExc_TypeError) != 0;
  const bool is_about_array = is_type || PyErr_ExceptionMatches(PyExc_BufferError) != 0 ||
                              PyErr_ExceptionMatches(PyExc_ValueError) != 0 ||
                              PyErr_ExceptionMatches(PyExc_RuntimeError) != 0;
  if (!is_about_array) return false;
  return refuse(parameter, is_type ? ErrorKind::Type : ErrorKind::Value, take_error_text());
}

ElementType integer_type(bool is_signed, Py_ssize_t size) {
  const int log = std::countr_zero(static_cast<unsigned>(size));
  const ElementType first = is_signed ? ElementType::Int8 : ElementType::UInt8;
  return static_cast<ElementType>(static_cast<int>(first) + log);
}

std::string describe_format(const char* format, PyObject* object) {
  const bool is_swapped = format != nullptr && (*format == '>' || *format == '!');
  std::string name = format == nullptr ? "" : format;
  if (PyObject* dtype = PyObject_GetAttrString(object, "dtype")) {
    if (PyObject* text = PyObject_Str(dtype)) {
      if (const char* utf8 = PyUnicode_AsUTF8AndSize(text, nullptr)) name = utf8;
      Py_DECREF(text);
    }
    Py_DECREF(dtype);
  }
  PyErr_Clear();
  if (is_swapped) {
    return "its elements (" + name +
           ") have the other byte order; use a.astype(a.dtype.newbyteorder('='))";
  }
  return "no element type of the language is like '" + name + "'";
}

bool parse_element_type(std::string_view name, ElementType& type) {
  for (std::size_t i = 0; i < kTypeNames.size(); ++i) {
    if (kTypeNames[i] != name) continue;
    type = static_cast<ElementType>(i);
    return true;
  }
  return false;
}

void HeldArgument::release() {
  if (has_buffer_) PyBuffer_Release(&buffer_);
  has_buffer_ = false;
  if (managed_ != nullptr && managed_->deleter != nullptr) managed_->deleter(managed_);
  managed_ = nullptr;
  if (owner_ != nullptr) {
    if (PyCapsule_CheckExact(owner_) != 0) delete_dl_tensor(owner_);
    Py_CLEAR(owner_);
  }
}

std::int64_t* HeldArgument::make_shape(int rank) {
  if (rank <= kInlineRank) return shape_.data();
  long_parts().shape.resize(static_cast<std::size_t>(rank));
  return long_->shape.data();
}

std::int64_t* HeldArgument::make_strides(int rank) {
  if (rank <= kInlineRank) return strides_.data();
  long_parts().strides.resize(static_cast<std::size_t>(rank));
  return long_->strides.data();
}

bool HeldArgument::set(PyObject* object, const ParameterInfo& parameter, Argument& argument,
                       ProducerStream& stream) {
  if (parameter.is_tensor) {
    const ArrayType& type = array_type_of(object);
    if (type.lends()) return borrow(object, type, parameter, argument, stream);
    if (type.api != nullptr) return set_managed(object, type, parameter, argument, stream);
    if (type.is_cupy && stream.is_for_gpu) return set_cupy(object, parameter, argument, stream);
    if (type.has_buffer) return set_tensor(object, parameter, argument, stream);
  }
  if (object == Py_None) {
    argument = Argument(nullptr);
    return true;
  }
  if (PyFloat_CheckExact(object)) {
    argument = Argument(PyFloat_AsDouble(object));
    return true;
  }
  if (PyLong_Check(object)) return set_integer(object, parameter, argument);
  if (!parameter.is_tensor && PyFloat_Check(object)) {
    argument = Argument(PyFloat_AsDouble(object));
    return true;
  }
  return set_tensor(object, parameter, argument, stream);
}

bool set_integer(PyObject* object, const ParameterInfo& parameter, Argument& argument) {
  if (PyBool_Check(object)) {
    argument = Argument(object == Py_True);
    return true;
  }
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
  if (overflow == 0) {
    argument = Argument(static_cast<std::int64_t>(value));
    return true;
  }
  const unsigned long long large = PyLong_AsUnsignedLongLong(object);
  if (PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    return refuse(parameter, ErrorKind::Value, "the integer takes more than 64 bits");
  }
  argument = Argument(static_cast<std::uint64_t>(large));
  return true;
}

bool HeldArgument::set_tensor(PyObject* object, const ParameterInfo& parameter, Argument& argument,
                              ProducerStream& stream) {
  if (!parameter.is_tensor) return set_converted(object, parameter, argument);
  if (PyObject_CheckBuffer(object) != 0) {
    if (PyObject_GetBuffer(object, &buffer_, PyBUF_RECORDS_RO) == 0) {
      has_buffer_ = true;
      return set_buffer(object, parameter, argument);
    }
    PyErr_Clear();
    // CuPy's arrays have the protocol and refuse it, unless they lie in memory of both sides.
    if (!has_cuda_interface(object)) return set_converted(object, parameter, argument);
  }
  if (PyObject* interface = cuda_interface_of(object)) {
    owner_ = interface;
    return set_cuda_interface(interface, parameter, argument, stream);
  }
  if (PyErr_Occurred() != nullptr) return refuse_with_cause(parameter, object);
  if (PyObject_HasAttrString(object, "__dlpack__") != 0) {
    return set_dlpack(object, parameter, argument, stream);
  }
  return set_converted(object, parameter, argument);
}

// Byte strides of the buffer as element strides; none for row-major arrays without gaps.
bool HeldArgument::set_view(const ParameterInfo& parameter, int item_size, TensorRef& tensor) {
  const int rank = buffer_.ndim;
  std::int64_t* strides = make_strides(rank);
  bool is_dense = true;
  std::int64_t next = item_size;
  // An exporter may leave strides out where there are no gaps, though they were asked for (ctypes).
  for (int i = rank - 1; i >= 0; --i) {
    const Py_ssize_t stride = buffer_.strides == nullptr ? next : buffer_.strides[i];
    if (buffer_.shape[i] != 1 && stride != next) is_dense = false;
    if (stride % item_size != 0) {
      if (buffer_.shape[i] > 1) {
        return refuse(parameter, ErrorKind::Value,
                      "the stride of dimension " + std::to_string(i) + " is " +
                          std::to_string(stride) + " bytes, not a multiple of the element size " +
                          std::to_string(item_size));
      }
      strides[i] = next / item_size;
    } else {
      strides[i] = stride / item_size;
    }
    next *= buffer_.shape[i];
  }
  const std::size_t size = static_cast<std::size_t>(rank);
  static_assert(sizeof(Py_ssize_t) == sizeof(std::int64_t));
  tensor.shape = {reinterpret_cast<const std::int64_t*>(buffer_.shape), size};
  if (!is_dense) tensor.strides = {strides, size};
  return true;
}

bool HeldArgument::set_buffer(PyObject* object, const ParameterInfo& parameter,
                              Argument& argument) {
  TensorRef tensor;
  tensor.data = buffer_.buf;
  if (!parse_format(buffer_.format, buffer_.itemsize, tensor.type)) {
    return refuse(parameter, ErrorKind::Type, describe_format(buffer_.format, object));
  }
  if (has_type_) tensor.type = type_;
  tensor.read_only = buffer_.readonly != 0;
  if (!set_view(parameter, static_cast<int>(buffer_.itemsize), tensor)) return false;
  argument = Argument(tensor);
  return true;
}

bool HeldArgument::set_converted(PyObject* object, const ParameterInfo& parameter,
                                 Argument& argument) {
  if (owner_ != nullptr) return refuse(parameter, ErrorKind::Type, "cannot be converted");
  PyObject* module = PyImport_ImportModule("tirxcc._arrays");
  if (module == nullptr) return false;
  const std::string_view type_name = kTypeNames[static_cast<std::size_t>(parameter.type)];
  PyObject* pair = PyObject_CallMethod(module, "convert", "Osis", object, parameter.name.c_str(),
                                       parameter.is_tensor ? 1 : 0, type_name.data());
  Py_DECREF(module);
  if (pair == nullptr) return false;
  owner_ = Py_NewRef(PyTuple_GetItem(pair, 0));
  PyObject* type = PyTuple_GetItem(pair, 1);
  if (type != Py_None)
    has_type_ = parse_element_type(PyUnicode_AsUTF8AndSize(type, nullptr), type_);
  Py_DECREF(pair);
  if (PyFloat_Check(owner_)) {
    argument = Argument(PyFloat_AsDouble(owner_));
    return true;
  }
  if (PyLong_Check(owner_)) return set_integer(owner_, parameter, argument);
  if (PyObject_GetBuffer(owner_, &buffer_, PyBUF_RECORDS_RO) != 0) return false;
  has_buffer_ = true;
  return set_buffer(object, parameter, argument);
}

}  // namespace tirxcc::python
