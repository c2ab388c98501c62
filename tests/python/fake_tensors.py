# SPDX-License-Identifier: Apache-2.0
"""Tensors of libraries that are not installed here: one that offers DLPack's C exchange API, as
torch does, one with a CUDA array interface, as CuPy has it. Their memory is NumPy's; `device` says
where they claim to be."""

from __future__ import annotations

import ctypes as c
import sys
import types

import numpy as np

CPU, CUDA = 1, 2


class Device(c.Structure):
    _fields_ = [("type", c.c_int32), ("index", c.c_int32)]


class DataType(c.Structure):
    _fields_ = [("code", c.c_uint8), ("bits", c.c_uint8), ("lanes", c.c_uint16)]


class Tensor(c.Structure):
    _fields_ = [
        ("data", c.c_void_p),
        ("device", Device),
        ("rank", c.c_int32),
        ("dtype", DataType),
        ("shape", c.POINTER(c.c_int64)),
        ("strides", c.POINTER(c.c_int64)),
        ("byte_offset", c.c_uint64),
    ]


FROM_OBJECT = c.PYFUNCTYPE(c.c_int, c.py_object, c.POINTER(Tensor))
STREAM = c.PYFUNCTYPE(c.c_int, c.c_int32, c.c_int32, c.POINTER(c.c_void_p))


class Table(c.Structure):
    """DLPackExchangeAPI."""


Table._fields_ = [
    ("major", c.c_uint32),
    ("minor", c.c_uint32),
    ("previous", c.POINTER(Table)),
    ("allocate", c.c_void_p),
    ("managed_from_object", c.c_void_p),
    ("managed_to_object", c.c_void_p),
    ("tensor_from_object", FROM_OBJECT),
    ("current_stream", STREAM),
]

CODES = {"i": 0, "u": 1, "f": 2, "b": 6}


class Exchanged:
    """An array whose type has __dlpack_c_exchange_api__."""

    current_stream = 0
    conversions = 0

    def __init__(self, data: np.ndarray, device: int = CPU, refuses: bool = False) -> None:
        self.data = data
        self.refuses = refuses
        rank = data.ndim
        sizes = c.c_int64 * rank
        strides = [s // data.itemsize for s in data.strides]
        self.keep = sizes(*data.shape), sizes(*strides)
        self.tensor = Tensor(
            data.ctypes.data,
            Device(device, 0),
            rank,
            DataType(CODES[data.dtype.kind], data.itemsize * 8, 1),
            *(c.cast(part, c.POINTER(c.c_int64)) for part in self.keep),
            0,
        )


def _convert(obj: Exchanged, out: object) -> int:
    Exchanged.conversions += 1
    if obj.refuses:
        return -1
    out[0] = obj.tensor
    return 0


def _stream(_type: int, _device: int, out: object) -> int:
    out[0] = Exchanged.current_stream
    return 0


new_capsule = c.pythonapi.PyCapsule_New
new_capsule.restype = c.py_object
new_capsule.argtypes = [c.c_void_p, c.c_void_p, c.c_void_p]

# A version that nobody knows yet, with the one that we know behind it.
known = Table(1, 3, None, None, None, None, FROM_OBJECT(_convert), STREAM(_stream))
newest = Table(2, 0, c.pointer(known), None, None, None, FROM_OBJECT(), STREAM())
# A capsule does not copy its name.
capsule_name = c.create_string_buffer(b"dlpack_exchange_api")
Exchanged.__dlpack_c_exchange_api__ = new_capsule(c.addressof(newest), capsule_name, None)


class OnCuda:
    """An array with __cuda_array_interface__."""

    def __init__(self, data: np.ndarray, stream: int | None = None, offset: int = 0) -> None:
        self.data = data
        self.dtype = data.dtype
        self.__cuda_array_interface__ = {
            "shape": data.shape,
            "typestr": data.dtype.str,
            "data": (data.ctypes.data + offset, not data.flags.writeable),
            "strides": None if data.flags.c_contiguous else data.strides,
            "stream": stream,
            "version": 3,
        }


class MemoryPointer:
    """Where a CuPy array lies."""

    def __init__(self, address: int, device: int) -> None:
        self.ptr = address
        self.device_id = device


class CupyArray:
    """An array with the attributes of cupy.ndarray. Its __cuda_array_interface__ is not asked."""

    current_stream = 0
    questions = 0  # for the stream

    def __init__(self, data: np.ndarray, device: int = 0, offset: int = 0) -> None:
        self.memory = data
        self.data = MemoryPointer(data.ctypes.data + offset, device)
        self.dtype = data.dtype
        self.shape = data.shape
        self.strides = data.strides

    _c_contiguous = property(lambda self: bool(self.memory.flags.c_contiguous))

    @property
    def __cuda_array_interface__(self) -> dict:
        raise AssertionError("asked for what takes long")

    __dlpack__ = __cuda_array_interface__


class CupyStream:
    """What cupy.cuda.get_current_stream() gives."""

    def __init__(self) -> None:
        CupyArray.questions += 1
        self.ptr = CupyArray.current_stream


def install_cupy() -> None:
    """`import cupy`, as far as it matters."""
    cupy = types.ModuleType("cupy")
    cupy.ndarray = CupyArray
    cupy.cuda = types.ModuleType("cupy.cuda")
    cupy.cuda.get_current_stream = CupyStream
    sys.modules |= {"cupy": cupy, "cupy.cuda": cupy.cuda}
