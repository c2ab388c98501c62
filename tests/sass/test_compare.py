# SPDX-License-Identifier: Apache-2.0
"""The SASS comparison itself: it forgives names of registers and nothing else."""

import pytest

HEADER = "\t.type k,@function\n"

LISTING = (
    HEADER
    + """
k:
        /*0000*/                   S2R R7, SR_TID.X ;
        /*0010*/                   LDC.64 R2, c[0x0][0x210] ;
.L_x_1:
        /*0020*/                   IMAD.WIDE R2, R7, 0x4, R2 ;
        /*0030*/                   LDG.E R5, desc[UR4][R2.64] ;
        /*0040*/                   IADD3 R7, R7, R3, RZ ;
        /*0050*/              @!P0 BRA `(.L_x_1) ;
        /*0060*/                   EXIT ;
.L_x_2:
        /*0070*/                   BRA `(.L_x_2);
        /*0080*/                   NOP;
"""
)

CHANGES = {
    "opcode": ("IADD3 R7", "IADD3.X R7"),
    "constant": ("0x4, R2", "0x8, R2"),
    "parameter": ("[0x210]", "[0x218]"),
    "predicate sense": ("@!P0", "@P0"),
    "other register": ("IADD3 R7, R7, R3", "IADD3 R7, R5, R3"),
    "other half of a pair": ("R7, R3, RZ", "R7, R2, RZ"),
    "zero register": ("R3, RZ", "R3, R3"),
    "branch target": (
        ".L_x_1:\n        /*0020*/",
        "        /*0018*/ NOP ;\n        /*0020*/",
    ),
}


def normalised(disassembler, text):
    return disassembler.normalise_function(disassembler.split_functions(text)["k"])


def test_drops_padding_labels_and_addresses(disassembler):
    assert normalised(disassembler, LISTING) == [
        "S2R r0, SR_TID.X",
        "LDC.64 r1, c[0x0][0x210]",
        "IMAD.WIDE r1, r0, 0x4, r1",
        "LDG.E r3, desc[ur0][r1.64]",
        "IADD3 r0, r0, r2, RZ",
        "@!p0 BRA #2",
        "EXIT",
    ]


def test_forgives_register_names(disassembler):
    other = LISTING
    for old, new in [
        ("R7", "R9"),
        ("R2", "R14"),
        ("R3", "R15"),
        ("P0", "P3"),
        ("UR4", "UR16"),
    ]:
        other = other.replace(old, new)
    assert "IADD3 R9, R9, R15" in other
    assert normalised(disassembler, other) == normalised(disassembler, LISTING)


@pytest.mark.parametrize("change", CHANGES)
def test_notices(disassembler, change):
    old, new = CHANGES[change]
    assert old in LISTING
    changed = LISTING.replace(old, new)
    if change == "branch target":
        changed = changed.replace("        /*0030*/", ".L_x_1:\n        /*0030*/")
    ours = normalised(disassembler, changed)
    assert disassembler.difference(ours, normalised(disassembler, LISTING)) != ""


def test_a_changed_instruction_in_compiled_code_is_seen(nvrtc, disassembler):
    text = (nvrtc.ROOT / "tests/twins/early_exit.cu").read_text()
    original = disassembler.normalised_sass(nvrtc.compile_cuda(text))["early_exit_kernel"]
    renamed = text.replace(" i ", " index ").replace("(i ", "(index ").replace("[i]", "[index]")
    assert renamed != text
    same = disassembler.normalised_sass(nvrtc.compile_cuda(renamed))["early_exit_kernel"]
    assert disassembler.difference(same, original) == ""
    changed = text.replace("* 2.0f", "* 3.0f")
    other = disassembler.normalised_sass(nvrtc.compile_cuda(changed))["early_exit_kernel"]
    assert disassembler.difference(other, original) != ""
