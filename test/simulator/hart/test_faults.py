"""What stops a hart, and what it says then."""

from __future__ import annotations

import signal
from pathlib import Path

import guest
import pytest

E8_M1 = "vsetvli t0, zero, e8, m1, ta, ma; "

ILLEGAL_CODE = {
    "zeros": ".word 0",
    "ones": ".word 0xffffffff",
    "reserved compressed": ".half 0x8000",
    "static rounding mode 5": ".word 0x02005053 | 5 << 12",
    "reserved frm": "csrwi frm, 5; fadd.s fa0, fa0, fa0",
    "write to a read-only csr": "csrw cycle, a0",
    "unknown csr": "csrr a0, 0x7c0",
    "vill": "li a0, -1; vsetvl zero, a0, a0; vadd.vv v0, v0, v0",
    "misaligned group": "vsetvli t0, zero, e8, m4, ta, ma; vadd.vv v1, v4, v8",
    "misaligned source": "vsetvli t0, zero, e8, m2, ta, ma; vadd.vv v2, v5, v8",
    "masked onto v0": E8_M1 + ".word 0x57 | 1 << 20 | 2 << 15",
    "fp of 8 bits": E8_M1 + "vfadd.vv v0, v1, v2",
    "widening of 64 bits": "vsetvli t0, zero, e64, m1, ta, ma; vwadd.vv v0, v2, v4",
    "widening to lmul 16": "vsetvli t0, zero, e8, m8, ta, ma; vwadd.vv v0, v8, v16",
    "widening onto its source": E8_M1 + ".word 0xc4000057 | 0x02200000 | 8 << 15 | 0x2100",
    "narrowing onto the high half": E8_M1 + "vnsrl.wi v3, v2, 1",
    "slide onto its source": E8_M1 + ".word 0x38000057 | 0x02200000 | 1 << 15 | 0x3100",
    "gather onto its index": E8_M1 + ".word 0x30000057 | 1 << 25 | 3 << 20 | 2 << 15 | 2 << 7",
    "segments of nine registers": "vsetvli t0, zero, e8, m4, ta, ma; vlseg3e8.v v0, (sp)",
    "segment past v31": E8_M1 + "vlseg4e8.v v29, (sp)",
    "reduction from vstart": (E8_M1 + "csrwi vstart, 1; vredsum.vs v0, v1, v2"),
    "reserved funct6": ".word 0x57 | 0x3f << 26 | 1 << 25 | 6 << 12",
    "vmv.v.v with a vs2": E8_M1 + ".word 0x5e000057 | 3 << 20",
    "extension by 8 of 32 bits": "vsetvli t0, zero, e32, m1, ta, ma; vzext.vf8 v0, v2",
}


def assemble(tmp_path: Path, body: str) -> Path:
    lines = [".text", ".globl _start", "_start:", *body.split(";")]
    lines += ["li a0, 0", "li a7, 93", "ecall"]
    asm = tmp_path / "fault.S"
    # Illegal on purpose, so the assembler must not judge register groups.
    asm.write_text("\n".join(f"  {line.strip()}" for line in lines) + "\n")
    return guest.build(asm, "-mno-relax")


@pytest.mark.parametrize("name", ILLEGAL_CODE)
def test_illegal(name: str, tmp_path: Path, runner: Path) -> None:
    elf = assemble(tmp_path, ILLEGAL_CODE[name])
    ours = guest.run_on_hart(runner, elf)
    assert ours.status == 125, name
    assert "illegal instruction at pc 0x10" in ours.errors
    assert "encoding 0x" in ours.errors
    if not guest.qemu_is_missing():
        assert guest.run_on_qemu(elf).status == -signal.SIGILL


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("li a0, 64; ld a1, 0(a0)", "load access at pc 0x10004"),
        ("li a0, 64; sw a1, 0(a0)", "store access at pc 0x10004"),
        ("li a0, 64; jr a0", "fetch access at pc 0x40"),
        ("addi a0, sp, 1; amoadd.w a1, a1, (a0)", "misaligned store"),
        ("vsetvli t0, zero, e32, m1, ta, ma; addi a0, sp, 2; vle32.v v0, (a0)", "misaligned load"),
        (E8_M1 + "li a0, 64; vle8.v v0, (a0)", "load access"),
        ("ebreak", "breakpoint"),
        (".word 0x0b", "illegal instruction"),
        ("1: j 1b", "budget"),
    ],
)
def test_message(body: str, message: str, tmp_path: Path, runner: Path) -> None:
    ours = guest.run_on_hart(runner, assemble(tmp_path, body), "--max-instructions=1000")
    assert ours.status == 125
    assert message in ours.errors
    assert len(ours.errors.splitlines()) == 1


def test_misaligned_scalar_access_works(tmp_path: Path, runner: Path) -> None:
    body = "li a1, 0x123456789a; sd a1, -15(sp); ld a2, -15(sp); beq a1, a2, 1f; ebreak; 1:"
    assert guest.run_on_hart(runner, assemble(tmp_path, body)).status == 0


def test_fault_only_first_shortens_vl(tmp_path: Path, runner: Path) -> None:
    """The last 12 bytes below the end of the stack: three words of sixteen."""
    body = """li a0, 0x7fff0000 - 12; vsetvli t0, zero, e32, m1, ta, ma; vmv.v.i v8, 7;
    vle32ff.v v8, (a0); csrr a1, vl; li a2, 3; beq a1, a2, 1f; ebreak;
    1: vsetvli t0, zero, e32, m1, ta, ma; vslidedown.vi v9, v8, 3; vmv.x.s a1, v9; li a2, 7;
    beq a1, a2, 2f; ebreak; 2:"""
    assert guest.run_on_hart(runner, assemble(tmp_path, body.replace("\n", ""))).status == 0


def test_ctzw_of_zero_is_32(tmp_path: Path, runner: Path) -> None:
    body = "li a1, 1 << 63; ctzw a0, a1; li a2, 32; beq a0, a2, 1f; ebreak; 1:"
    assert guest.run_on_hart(runner, assemble(tmp_path, body)).status == 0
