// SPDX-License-Identifier: Apache-2.0
#include "boundary.h"

#include <structmember.h>

#include <cstddef>

namespace tirxcc::python {
namespace {

struct Boundary {
  PyObject base;
  vectorcallfunc vectorcall;
  PyObject* function;
};

Boundary* self_of(PyObject* object) {
  return reinterpret_cast<Boundary*>(object);
}

PyObject* call_boundary(PyObject* object, PyObject* const* args, std::size_t flags,
                        PyObject* keywords) {
  PyObject* result = PyObject_Vectorcall(self_of(object)->function, args, flags, keywords);
  if (result == nullptr) trim_error();
  return result;
}

PyObject* make(PyTypeObject* type, PyObject* args, PyObject*) {
  PyObject* function = nullptr;
  if (PyArg_ParseTuple(args, "O", &function) == 0) return nullptr;
  auto allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
  PyObject* object = allocate(type, 0);
  if (object == nullptr) return nullptr;
  self_of(object)->vectorcall = call_boundary;
  self_of(object)->function = Py_NewRef(function);
  return object;
}

int traverse(PyObject* object, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(self_of(object)->function);
  return 0;
}

int clear(PyObject* object) {
  Py_CLEAR(self_of(object)->function);
  return 0;
}

void deallocate(PyObject* object) {
  PyTypeObject* type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  clear(object);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(object);
  Py_DECREF(type);
}

// Name, documentation, signature: the function's, and its class, by which help() knows a function.
PyObject* get_attribute(PyObject* object, PyObject* name) {
  PyObject* function = self_of(object)->function;
  if (PyUnicode_CompareWithASCIIString(name, "__wrapped__") == 0) return Py_NewRef(function);
  return PyObject_GetAttr(function, name);
}

int set_attribute(PyObject* object, PyObject* name, PyObject* value) {
  return PyObject_SetAttr(self_of(object)->function, name, value);
}

// As a method: bound to its object.
PyObject* get_bound(PyObject* object, PyObject* instance, PyObject*) {
  if (instance == nullptr || instance == Py_None) return Py_NewRef(object);
  PyObject* types = PyImport_ImportModule("types");
  if (types == nullptr) return nullptr;
  PyObject* method = PyObject_CallMethod(types, "MethodType", "OO", object, instance);
  Py_DECREF(types);
  return method;
}

PyObject* represent(PyObject* object) {
  return PyObject_Repr(self_of(object)->function);
}

// inspect.getdoc() goes by object.__getattribute__, past get_attribute.
PyObject* get_doc(PyObject* object, void*) {
  return PyObject_GetAttrString(self_of(object)->function, "__doc__");
}

PyGetSetDef kGetters[] = {{"__doc__", get_doc, nullptr, nullptr, nullptr},
                          {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyMemberDef kMembers[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Boundary, vectorcall), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

PyType_Slot kSlots[] = {{Py_tp_new, reinterpret_cast<void*>(make)},
                        {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
                        {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                        {Py_tp_clear, reinterpret_cast<void*>(clear)},
                        {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                        {Py_tp_getattro, reinterpret_cast<void*>(get_attribute)},
                        {Py_tp_setattro, reinterpret_cast<void*>(set_attribute)},
                        {Py_tp_descr_get, reinterpret_cast<void*>(get_bound)},
                        {Py_tp_repr, reinterpret_cast<void*>(represent)},
                        {Py_tp_members, kMembers},
                        {Py_tp_getset, kGetters},
                        {0, nullptr}};

PyType_Spec kSpec = {"tirxcc._core.Boundary", sizeof(Boundary), 0,
                     Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL, kSlots};

}  // namespace

void trim_error() {
  PyObject* type = nullptr;
  PyObject* value = nullptr;
  PyObject* traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  PyObject* module = PyImport_ImportModule("tirxcc._errors");
  PyObject* error = module == nullptr ? nullptr : PyObject_GetAttrString(module, "Error");
  PyErr_Clear();
  if (value != nullptr && error != nullptr && PyObject_IsInstance(value, error) == 1) {
    Py_CLEAR(traceback);
    PyException_SetTraceback(value, Py_None);
    PyException_SetContext(value, nullptr);
    PyException_SetCause(value, nullptr);
  }
  Py_XDECREF(error);
  Py_XDECREF(module);
  PyErr_Restore(type, value, traceback);
}

bool add_boundary_type(PyObject* module) {
  PyObject* type = PyType_FromSpec(&kSpec);
  const bool is_added =
      type != nullptr && PyModule_AddType(module, reinterpret_cast<PyTypeObject*>(type)) == 0;
  Py_XDECREF(type);
  return is_added;
}

}  // namespace tirxcc::python
