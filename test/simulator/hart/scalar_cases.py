"""Random scalar instructions as assembly, each with its result and flags stored."""

from __future__ import annotations

import random

import operands

RESULT_BYTES = 32  # x result, f result, fcsr, memory word

BINARY = (
    "add", "sub", "sll", "slt", "sltu", "xor", "srl", "sra", "or", "and", "addw", "subw",
    "sllw", "srlw", "sraw", "mul", "mulh", "mulhsu", "mulhu", "mulw", "div", "divu", "rem",
    "remu", "divw", "divuw", "remw", "remuw", "add.uw", "sh1add", "sh2add", "sh3add",
    "sh1add.uw", "sh2add.uw", "sh3add.uw", "andn", "orn", "xnor", "min", "minu", "max", "maxu",
    "rol", "ror", "rolw", "rorw", "bclr", "bext", "binv", "bset",
)  # fmt: skip
IMMEDIATE = ["addi", "slti", "sltiu", "xori", "ori", "andi", "addiw"]
SHIFT64 = ["slli", "srli", "srai", "rori", "bclri", "bexti", "binvi", "bseti", "slli.uw"]
SHIFT32 = ["slliw", "srliw", "sraiw", "roriw"]
UNARY = (
    "clz", "ctz", "cpop", "sext.b", "sext.h", "zext.h", "clzw", "cpopw", "orc.b", "rev8", "neg",
    "not", "seqz", "sext.w", "zext.w",
)  # fmt: skip
LOADS = ["lb", "lh", "lw", "ld", "lbu", "lhu", "lwu"]
STORES = ["sb", "sh", "sw", "sd"]
AMOS = ["amoadd", "amoswap", "amoxor", "amoor", "amoand", "amomin", "amomax", "amominu", "amomaxu"]
# Compressed: the assembler takes only what fits, so registers are a0, a1.
COMPRESSED = (
    "c.add a0, a1", "c.mv a0, a1", "c.sub a0, a1", "c.xor a0, a1", "c.or a0, a1",
    "c.and a0, a1", "c.subw a0, a1", "c.addw a0, a1", "c.addi a0, -7", "c.addiw a0, 31",
    "c.li a0, -32", "c.lui a0, 31", "c.lui a0, 0xfffe1", "c.srli a0, 63", "c.srai a0, 33",
    "c.andi a0, -3", "c.slli a0, 40", "c.nop",
)  # fmt: skip
FLOAT_BINARY = ["fadd", "fsub", "fmul", "fdiv"]
FLOAT_EXACT = ["fsgnj", "fsgnjn", "fsgnjx", "fmin", "fmax"]
FLOAT_COMPARE = ["feq", "flt", "fle"]
FUSED = ["fmadd", "fmsub", "fnmadd", "fnmsub"]
MODES = ["rne", "rtz", "rdn", "rup", "rmm", "dyn"]
FORMATS = {"h": "f16", "s": "f32", "d": "f64"}


def _integer(rng: random.Random) -> str:
    kind = rng.choices(range(7), (8, 8, 4, 4, 4, 1, 4))[0]
    if kind <= 1:
        return f"{rng.choice(BINARY)} a0, a0, a1"
    if kind == 2:
        return f"{rng.choice(IMMEDIATE)} a0, a1, {rng.randrange(-2048, 2048)}"
    if kind == 3:
        name, bits = rng.choice([(n, 64) for n in SHIFT64] + [(n, 32) for n in SHIFT32])
        return f"{name} a0, a1, {rng.randrange(bits)}"
    if kind == 4:
        return f"{rng.choice(UNARY)} a0, a1"
    if kind == 5:
        # qemu before 8.0 counts past bit 31 if the low word is zero.
        return "ori a1, a1, 64; ctzw a0, a1"
    return rng.choice(COMPRESSED)


def _memory(rng: random.Random) -> str:
    """Around `scratch`, whose address s1 holds; a2 is aligned for an AMO."""
    kind = rng.randrange(5)
    if kind == 0:
        return f"{rng.choice(LOADS)} a0, {rng.randrange(-16, 17)}(s1)"
    if kind == 1:
        return f"{rng.choice(STORES)} a1, {rng.randrange(-8, 1)}(s1)"
    order = rng.choice(("", ".aq", ".rl", ".aqrl"))
    if kind == 2:
        return f"lr.d{order} a0, (s1); sc.d a0, a1, (s1)"
    return f"{rng.choice(AMOS)}.{rng.choice('wd')}{order} a0, a1, (s1)"


def _float(rng: random.Random) -> str:
    f, mode = rng.choice("hsd"), rng.choice(MODES)
    other = rng.choice([g for g in "hsd" if g != f])
    i = rng.choice(("w", "wu", "l", "lu"))
    widening = "hsd".index(f) > "hsd".index(other)
    return rng.choice(
        (
            f"{rng.choice(FLOAT_BINARY)}.{f} fa0, fa0, fa1, {mode}",
            f"{rng.choice(FUSED)}.{f} fa0, fa0, fa1, fa2, {mode}",
            f"{rng.choice(FUSED)}.{f} fa0, fa0, fa1, fa2, {mode}",
            f"fsqrt.{f} fa0, fa1, {mode}",
            f"{rng.choice(FLOAT_EXACT)}.{f} fa0, fa0, fa1",
            f"{rng.choice(FLOAT_COMPARE)}.{f} a0, fa0, fa1",
            f"fclass.{f} a0, fa0",
            f"fcvt.{i}.{f} a0, fa0, {mode}",
            f"fcvt.{f}.{i} fa0, a1" + ("" if f == "d" and i[0] == "w" else f", {mode}"),
            f"fcvt.{f}.{other} fa0, fa1" + ("" if widening else f", {mode}"),
            f"fmv.x.{ {'h': 'h', 's': 'w', 'd': 'd'}[f] } a0, fa0",
            f"fmv.{ {'h': 'h', 's': 'w', 'd': 'd'}[f] }.x fa0, a1",
            f"fl{ {'h': 'h', 's': 'w', 'd': 'd'}[f] } fa0, (s1)",
            f"fs{ {'h': 'h', 's': 'w', 'd': 'd'}[f] } fa0, (s1)",
        )
    )


def _branch(rng: random.Random) -> str:
    name = rng.choice(["beq", "bne", "blt", "bge", "bltu", "bgeu"])
    return f"{name} a0, a1, 1f; addi a0, a0, 5; 1: jal a2, 1f; addi a0, a0, 9; 1:"


def _kind_of(text: str) -> str:
    for letter, kind in FORMATS.items():
        if f".{letter} " in text:
            return kind
    return "f64"


def case(rng: random.Random) -> tuple[str, list[str]]:
    make = rng.choice((_integer, _integer, _memory, _float, _float, _float, _branch))
    text = make(rng)
    kind = _kind_of(text)
    if text.startswith("fcvt.") and text.split()[0][5] in "hsd" and text.split()[0][7] in "hsd":
        kind = FORMATS[text.split()[0][7]]
    a1 = operands.word64(rng)
    a0 = a1 if rng.random() < 0.1 else operands.word64(rng)
    lines = [f"  li a0, {operands.boxed(rng, kind)}", "  fmv.d.x fa0, a0"]
    lines += [f"  li a0, {operands.boxed(rng, kind)}", "  fmv.d.x fa1, a0"]
    lines += [f"  li a0, {operands.boxed(rng, kind)}", "  fmv.d.x fa2, a0"]
    lines += [f"  li a0, {operands.word64(rng)}", "  sd a0, (s1)", f"  li a0, {a0}"]
    lines += [f"  li a1, {a1}", f"  csrwi fcsr, {rng.randrange(5)}<<5 & 31"]
    lines += [f"  csrwi frm, {rng.randrange(5)}", "  csrwi fflags, 0"]
    lines += [f"  {part.strip()}" for part in text.split(";")]
    lines += ["  jal dump"]
    return text, lines


PROLOGUE = """
.text
.globl _start
_start:
  la s0, results
  la s1, scratch + 64
  j begin
dump:
  sd a0, 0(s0)
  fsd fa0, 8(s0)
  csrr a2, fcsr
  sd a2, 16(s0)
  ld a2, 0(s1)
  sd a2, 24(s0)
  addi s0, s0, 32
  ret
begin:
"""

SCRATCH = """
.data
.balign 64
scratch: .zero 128
"""
