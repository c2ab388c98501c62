# SPDX-License-Identifier: Apache-2.0
"""Our in-memory cuda_fp16.h and cuda_bf16.h against NVIDIA's own.

Each function of ours is used by one small kernel; the kernel is compiled for sm_80 and sm_90a with
our header in NVRTC's minimal mode, and with the toolkit's in the full mode. The machine code must
be equal. A test walks our headers and demands that no function is left out.
"""

import re

import pytest

ARCHS = ["sm_80", "sm_90a"]
INTEGERS = {
    "short": "short",
    "ushort": "unsigned short",
    "int": "int",
    "uint": "unsigned int",
    "ll": "long long",
    "ull": "unsigned long long",
}
UNARY = [
    "__hneg",
    "__habs",
    "hfloor",
    "hceil",
    "htrunc",
    "hrint",
    "hsqrt",
    "hrsqrt",
    "hrcp",
    "hexp",
    "hexp2",
    "hexp10",
    "hlog",
    "hlog2",
    "hlog10",
    "hsin",
    "hcos",
    "htanh",
]
BINARY = [
    "__hadd",
    "__hsub",
    "__hmul",
    "__hadd_rn",
    "__hsub_rn",
    "__hmul_rn",
    "__hadd_sat",
    "__hsub_sat",
    "__hmul_sat",
    "__hmax",
    "__hmin",
    "__hmax_nan",
    "__hmin_nan",
    "__hdiv",
]
TERNARY = ["__hfma", "__hfma_sat", "__hfma_relu"]
COMPARE = [
    "__heq",
    "__hne",
    "__hlt",
    "__hle",
    "__hgt",
    "__hge",
    "__hequ",
    "__hneu",
    "__hltu",
    "__hleu",
    "__hgtu",
    "__hgeu",
]


def common_cases(t: str, word: str) -> dict[str, tuple[str, str, str]]:
    """name -> (type read, type written, expression of a, b, c, p, r), for both headers."""
    cases = {f: (t, t, f"{f}(a)") for f in UNARY}
    cases |= {f: (t, t, f"{f}(a, b)") for f in BINARY}
    cases |= {f: (t, t, f"{f}(a, b, c)") for f in TERNARY}
    cases |= {f: (t, "int", f"{f}(a, b)") for f in COMPARE}
    cases |= {f: (t, "int", f"{f}(a)") for f in ("__hisnan", "__hisinf")}
    cases |= {f"operator{o}": (t, t, f"a {o} b") for o in "+-*/"}
    cases |= {f"operator{o}=": (t, t, f"(c {o}= b, c)") for o in "+-*/"}
    cases |= {f"operator{o}": (t, "int", f"a {o} b") for o in ("==", "!=", "<", "<=", ">", ">=")}
    cases |= {f"operator{o}": (t, t, f"{o}b") for o in ("++", "--")}
    cases |= {"unary -": (t, t, "-a"), "unary +": (t, t, "+a")}
    cases |= {"&&": (t, "int", "a && b"), "!": (t, "int", "!a")}
    for name, integer in INTEGERS.items():
        cases[f"__{name}2{word}_rn"] = (integer, t, f"__{name}2{word}_rn(a)")
        cases[f"__{word}2{name}_rz"] = (t, integer, f"__{word}2{name}_rz(a)")
        cases[f"from {integer}"] = (integer, t, f"({t})a")
        cases[f"to {integer}"] = (t, integer, f"({integer})a")
    for other in (
        "bool",
        "signed char",
        "unsigned char",
        "char",
        "long",
        "unsigned long",
    ):
        cases[f"from {other}"] = (other, t, f"({t})a")
        cases[f"to {other}"] = (t, other, f"({other})a")
    for other in ("float", "double"):
        cases[f"from {other}"] = (other, t, f"({t})a")
        cases[f"to {other}"] = (t, other, f"({other})a")
        cases[f"store {other}"] = (other, t, "a")
    for name in ("char", "uchar"):
        byte = {"char": "signed char", "uchar": "unsigned char"}[name]
        cases[f"__{word}2{name}_rz"] = (t, byte, f"__{word}2{name}_rz(a)")
    cases["__ldg"] = (t, t, "__ldg(p + 5)")
    cases["atomicAdd"] = (t, t, "atomicAdd(r + 1, a)")
    for kind in ("", "_up", "_down", "_xor"):
        name = f"__shfl{kind}_sync"
        cases[name] = (t, t, f"{name}(0xffffffffu, a, 3)")
    return cases


def half_cases() -> dict[str, tuple[str, str, str]]:
    cases = common_cases("half", "half")
    for mode in ("", "_rn", "_rz", "_rd", "_ru"):
        cases[f"__float2half{mode}"] = ("float", "half", f"__float2half{mode}(a)")
    cases["__half2float"] = ("half", "float", "__half2float(a)")
    cases["__double2half"] = ("double", "half", "__double2half(a)")
    for kind, integer in (("short", "short"), ("ushort", "unsigned short")):
        cases[f"__half_as_{kind}"] = ("half", integer, f"__half_as_{kind}(a)")
        cases[f"__{kind}_as_half"] = (integer, "half", f"__{kind}_as_half(a)")
    return cases


def bfloat16_cases() -> dict[str, tuple[str, str, str]]:
    t = "nv_bfloat16"
    cases = common_cases(t, "bfloat16")
    for mode in ("", "_rn", "_rz"):
        cases[f"__float2bfloat16{mode}"] = ("float", t, f"__float2bfloat16{mode}(a)")
    cases["__bfloat162float"] = (t, "float", "__bfloat162float(a)")
    cases["__double2bfloat16"] = ("double", t, "__double2bfloat16(a)")
    for kind, integer in (("short", "short"), ("ushort", "unsigned short")):
        cases[f"__bfloat16_as_{kind}"] = (t, integer, f"__bfloat16_as_{kind}(a)")
        cases[f"__{kind}_as_bfloat16"] = (integer, t, f"__{kind}_as_bfloat16(a)")
    return cases


HEADERS = {"cuda_fp16.h": half_cases(), "cuda_bf16.h": bfloat16_cases()}
HELPERS = {
    "__half_exp2_float",
    "__half_log2_float",
    "__half_sin_float",
    "__bfloat16_from_odd",
    "__bfloat16_exp10",
}


def kernel(name: str, case: tuple[str, str, str]) -> str:
    read, written, expression = case
    return (
        f'extern "C" __global__ void {name}(const {read}* __restrict__ p, {written}* r) {{\n'
        f"  {read} a = p[0], b = p[1], c = p[2];\n  r[0] = {expression};\n}}\n"
    )


def source(header: str) -> tuple[str, dict[str, str]]:
    """One text with a kernel per case, and which kernel belongs to which case."""
    names = {f"k{i}": case for i, case in enumerate(HEADERS[header])}
    text = f"#include <{header}>\n"
    text += "".join(kernel(name, HEADERS[header][case]) for name, case in names.items())
    return text, names


@pytest.mark.parametrize("header", HEADERS)
def test_every_function_has_a_case(header, nvrtc):
    text = nvrtc.our_headers()[header]
    names = set(re.findall(r"\b(?:__\w*(?:half|bfloat16)\w*|__h\w+|h[a-z]+\d*)\b", text))
    names |= set(re.findall(r"\b(?:__shfl\w+|__ldg|atomicAdd)\b", text))
    names |= set(re.findall(r"operator[^\w\s(]+", text))
    # Words of the comments, the types themselves, and halves of names that a macro pastes.
    names -= {"half", "header", "have", "has", "hardware", "holds", "huge", "harmless"}
    names -= {n for n in names if n.strip("_").removeprefix("nv_") in ("half", "bfloat16")}
    names -= {n for n in names if n.endswith("_raw") or n in ("__half2", "__bfloat162")}
    cases = HEADERS[header]
    covered = set(re.findall(r"\w+", " ".join(case[2] for case in cases.values())))
    covered |= {"operator" + o for o in ("+", "-")} | {c for c in cases if c.startswith("operator")}
    assert names - covered - HELPERS == set()


@pytest.mark.slow
@pytest.mark.parametrize("arch", ARCHS)
@pytest.mark.parametrize("header", HEADERS)
def test_same_machine_code_as_nvidias_header(header, arch, nvrtc, disassembler):
    folders = nvrtc.find_real_headers()
    text, names = source(header)
    ours = nvrtc.compile_request(nvrtc.Request(text, arch=arch, options=["--disable-warnings"]))
    if not folders:
        pytest.skip("no cuda_fp16.h of NVIDIA's: pip install nvidia-cuda-runtime")
    options = [f"-I{folders[0]}", "--disable-warnings"]
    request = nvrtc.Request(text, arch=arch, options=options, minimal=False, headers={})
    theirs = disassembler.normalised_sass(nvrtc.compile_request(request))
    actual = disassembler.normalised_sass(ours)
    different = {
        names[name]: disassembler.difference(actual[name], theirs[name])
        for name in names
        if actual[name] != theirs[name]
    }
    assert not different, "\n".join(f"--- {k}\n{v}" for k, v in different.items())


@pytest.mark.slow
@pytest.mark.parametrize("arch", ["sm_75", "sm_100a", "sm_120"])
@pytest.mark.parametrize("header", HEADERS)
def test_compiles_for_older_and_newer_chips(header, arch, nvrtc):
    assert nvrtc.compile_request(nvrtc.Request(source(header)[0], arch=arch)).startswith(b"\x7fELF")


def test_both_headers_in_one_text(nvrtc):
    text = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n"
    text += kernel("both", ("half", "nv_bfloat16", "(nv_bfloat16)(float)(a + b)"))
    assert nvrtc.compile_request(nvrtc.Request(text)).startswith(b"\x7fELF")
