# SPDX-License-Identifier: Apache-2.0
"""Arguments that the core does not read by itself: NumPy scalars, and arrays whose element type the
buffer protocol cannot name."""

from __future__ import annotations

import operator
import sys

from tirxcc._errors import type_error

# Arrays of these types are passed as unsigned integers of the same width, with the type's name.
_CARRIERS = {"bfloat16": "uint16"}


def convert(obj: object, parameter: str, is_tensor: bool, wanted: str) -> tuple[object, str | None]:
    """(a number or an object with the buffer protocol, the name of its element type or None).

    `wanted`: the parameter's element type, for messages."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(obj, numpy.generic):
        return _number(obj), None
    if not is_tensor:
        return _scalar(obj, parameter, wanted), None
    if numpy is None and hasattr(obj, "__array_interface__"):
        import numpy
    if numpy is not None:
        if not isinstance(obj, numpy.ndarray) and hasattr(obj, "__array_interface__"):
            obj = numpy.asarray(obj)
        if isinstance(obj, numpy.ndarray):
            return _array(obj, parameter)
    try:
        memoryview(obj)
    except TypeError:
        raise type_error(
            f"argument '{parameter}': expected an array of {wanted}, got {_describe(obj)}"
            f"{_advice(obj, parameter, wanted)}"
        ) from None
    return obj, None


def _scalar(obj: object, parameter: str, wanted: str):
    """A number, or an array or tensor of one element."""
    shape = getattr(obj, "shape", None)
    is_single = shape is not None and all(extent == 1 for extent in tuple(shape))
    if is_single and hasattr(obj, "item"):
        return _number(obj)
    if shape is None and hasattr(type(obj), "__index__"):
        try:
            return operator.index(obj)
        except TypeError:
            pass
    raise type_error(
        f"argument '{parameter}': expected a number of type {wanted}, got {_describe(obj)}"
    )


def _describe(obj: object) -> str:
    """What somebody gave who meant something else."""
    kind = type(obj).__name__
    shape, dtype = getattr(obj, "shape", None), getattr(obj, "dtype", None)
    if shape is not None and dtype is not None:
        return f"an array of {dtype} with shape {tuple(shape)}"
    if isinstance(obj, str):
        return f"the string {obj[:40]!r}"
    if isinstance(obj, (list, tuple, range, set, dict)):
        return f"a Python {kind} of {len(obj)} element{'' if len(obj) == 1 else 's'}"
    return f"an object of type {kind}"


def _advice(obj: object, parameter: str, wanted: str) -> str:
    if isinstance(obj, (list, tuple, range)):
        owner = "ml_dtypes." if wanted == "bfloat16" else "np."
        name = "bool_" if wanted == "bool" else wanted
        return f"; make it an array before, {parameter} = np.array(..., dtype={owner}{name})"
    if hasattr(obj, "__array__"):
        return "; np.asarray(...) makes it one"
    return ""


def _number(scalar):
    value = scalar.item()
    return value if isinstance(value, (bool, int, float)) else float(scalar)


def _array(array, parameter: str) -> tuple[object, str | None]:
    name = array.dtype.name
    carrier = _CARRIERS.get(name)
    if carrier is not None:
        if not array.dtype.isnative:
            raise type_error(f"argument '{parameter}': its elements have the other byte order")
        return array.view(carrier), name
    if array.dtype.kind in "biuf" and array.dtype.itemsize <= 8 and name != "float8":
        return array, None
    raise type_error(f"argument '{parameter}': no element type of the language is like '{name}'")


def native_name(dtype) -> str:
    """The name of a dtype whose elements the processor can read."""
    if not dtype.isnative:
        raise type_error(f"its elements ({dtype.str}) have the other byte order")
    return dtype.name


def cuda_interface(obj: object) -> tuple | None:
    """What __cuda_array_interface__ says, in the order that HeldArgument::set_cuda_interface reads:
    address, element type, item size, shape, strides in bytes, read-only, device, stream."""
    found = obj.__cuda_array_interface__
    if not isinstance(found, dict):
        return None
    code = found["typestr"]
    known = _CODES.get(code)
    name, size = known or _describe_code(code, getattr(obj, "dtype", None))
    address, read_only = found["data"]
    return (
        int(address or 0),
        name,
        size,
        tuple(found["shape"]),
        None if found.get("strides") is None else tuple(map(int, found["strides"])),
        read_only,
        _device_of(obj),
        None if found.get("stream") is None else int(found["stream"]),
    )


# Name and item size of the codes that need no second look; "<V2" may be bfloat16.
_CODES: dict[str, tuple[str, int]] = {}


def _describe_code(code: str, declared: object) -> tuple[str, int]:
    import numpy

    dtype = numpy.dtype(code)
    if code[0] == ">" and dtype.itemsize > 1:
        raise type_error(f"its elements ({code}) have the other byte order")
    if dtype.kind == "V" and declared is not None:
        return str(declared), dtype.itemsize
    _CODES[code] = dtype.name, dtype.itemsize
    return _CODES[code]


def _device_of(obj: object) -> int:
    identity = getattr(getattr(obj, "data", None), "device_id", None)  # CuPy's
    if isinstance(identity, int):
        return identity
    return int(obj.__dlpack_device__()[1]) if hasattr(obj, "__dlpack_device__") else 0
