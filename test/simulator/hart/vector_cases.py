"""Random legal vector instructions as assembly, each followed by a state dump."""

from __future__ import annotations

import random
from dataclasses import dataclass

import operands
from vector_table import VectorOp, Width

VLEN = 512
RESULT_BYTES = 2048 + 64  # v0..v31, then eight 64-bit words
LMULS = (1 / 8, 1 / 4, 1 / 2, 1.0, 2.0, 4.0, 8.0)
LMUL_NAMES = {1 / 8: "mf8", 1 / 4: "mf4", 1 / 2: "mf2", 1: "m1", 2: "m2", 4: "m4", 8: "m8"}


@dataclass(frozen=True)
class Setting:
    sew: int
    lmul: float

    @property
    def vlmax(self) -> int:
        return int(VLEN * self.lmul) // self.sew

    def emul(self, width: Width) -> float:
        if width == "i16":
            return self.lmul * 16 / self.sew
        if isinstance(width, str):
            return float(width[1:]) if width[0] == "r" else 1.0
        assert width is not None
        return self.lmul * width


@dataclass(frozen=True)
class Group:
    first: int
    count: int
    eew: float  # against SEW; a mask has 0

    def meets(self, other: Group) -> bool:
        return self.first < other.first + other.count and other.first < self.first + self.count


def settings_for(op: VectorOp) -> list[Setting]:
    found = []
    for sew in op.sews:
        for lmul in LMULS:
            setting = Setting(sew, lmul)
            groups = [w for w in (op.d, op.s2, op.s1) if w is not None]
            fits = all(1 / 8 <= setting.emul(w) <= 8 for w in groups)
            if sew <= 64 * min(lmul, 1) and fits:
                found.append(setting)
    return found


def _group(rng: random.Random, setting: Setting, width: Width) -> Group:
    count = max(1, int(setting.emul(width)))
    if isinstance(width, int | float):
        eew = float(width)
    else:
        eew = {"m": 0.0, "i16": 16 / setting.sew}.get(str(width), 1.0)
    return Group(rng.randrange(0, 32, count), count, eew)


def _may_meet(op: VectorOp, d: Group, s: Group, emul: float) -> bool:
    if not d.meets(s):
        return True
    if op.disjoint:
        return False
    if op.d == "e" or d.eew == s.eew:
        return True
    if d.eew < s.eew:
        return d.first == s.first
    return emul >= 1 and s.eew > 0 and d.first + d.count == s.first + s.count


def choose_registers(
    rng: random.Random, op: VectorOp, setting: Setting, masked: bool
) -> list[Group | None]:
    """vd, vs2, vs1 that the specification allows together."""
    while True:
        widths = (op.d, op.s2, op.s1)
        groups = [None if w is None else _group(rng, setting, w) for w in widths]
        d, sources = groups[0], [(g, w) for g, w in zip(groups[1:], widths[1:]) if g]  # noqa: B905
        v0 = Group(0, 1, 0.0)
        if masked and any(g.meets(v0) and g.eew != 0 for g, _ in sources):
            continue
        keeps_v0 = (op.d in ("m", "e") and not op.name.startswith("vms")) or (op.d == "m" and op.s1)
        if masked and d and d.meets(v0) and not keeps_v0:
            continue
        if d and any(not _may_meet(op, d, g, setting.emul(w)) for g, w in sources):
            continue
        apart = len(sources) < 2 or sources[0][0].eew == sources[1][0].eew
        if apart or not sources[0][0].meets(sources[1][0]):
            return groups


def _second_operand(rng: random.Random, op: VectorOp, s1: Group | None) -> str | None:
    if op.form == "i":
        return str(rng.randrange(-16, 16))
    return {
        "v": f"v{s1.first}" if s1 else None,
        "x": "a0",
        "f": "fa0",
        "u": str(rng.randrange(32)),
        "-": None,
    }[op.form]


def instruction(rng: random.Random, op: VectorOp, setting: Setting) -> str:
    masked = op.mask == "required" or (op.mask == "optional" and rng.random() < 0.5)
    d, s2, s1 = choose_registers(rng, op, setting, masked)
    vd = "a1" if op.to_x else "fa1" if op.to_f else f"v{d.first}" if d else ""
    sources = [f"v{s2.first}" if s2 else None, _second_operand(rng, op, s1)]
    if op.accumulates:
        sources.reverse()
    text = f"{op.name} " + ", ".join([vd, *(s for s in sources if s)])
    if op.mask == "required":
        return text + ", v0"
    return text + (", v0.t" if masked else "")


def avl(rng: random.Random, setting: Setting) -> int:
    top = setting.vlmax
    return rng.choice((0, 1, top, top, rng.randint(0, top), rng.randint(1, 8), 10000))


def _pool_kind(op: VectorOp, setting: Setting) -> str:
    if op.kind == "int":
        return "int"
    width = op.s2 if isinstance(op.s2, (int, float)) else 1
    return f"f{int(setting.sew * width)}"


def setting_lines(rng: random.Random, setting: Setting, vstart: int) -> list[str]:
    vstart %= setting.vlmax  # qemu before 8.0 leaves a vstart beyond vl as it is
    agnostic = rng.choice(("ta, ma", "tu, mu", "ta, mu", "tu, ma"))
    return [
        f"  li t0, {setting.vlmax if vstart else avl(rng, setting)}",
        f"  vsetvli t0, t0, e{setting.sew}, {LMUL_NAMES[setting.lmul]}, {agnostic}",
        f"  csrwi vxrm, {rng.randrange(4)}",
        f"  csrwi frm, {rng.choice((0, 0, 1, 2, 3, 4))}",
        *([f"  csrwi vstart, {vstart}"] if vstart else []),
    ]


def _restarts(op: VectorOp, rng: random.Random) -> bool:
    """Whether to run from a vstart above 0, where the instruction allows it."""
    starts_at_0 = op.d in ("e", None) or op.disjoint or op.name.startswith(("vmv", "vfmv.s"))
    return not starts_at_0 and rng.random() < 0.06


def case(rng: random.Random, op: VectorOp, setting: Setting) -> tuple[str, list[str]]:
    """One instruction with fresh operands; its text and its lines."""
    kind = _pool_kind(op, setting)
    scalar = operands.word64(rng) if rng.random() < 0.5 else rng.randrange(2 * setting.vlmax + 1)
    float_kind = f"f{setting.sew}" if op.kind == "float" and setting.sew > 8 else "f64"
    text = instruction(rng, op, setting)
    lines = [
        f"  li a0, {scalar}",
        f"  li t1, {operands.boxed(rng, float_kind)}",
        "  fmv.d.x fa0, t1",
        f"  la a2, pool_{kind} + {64 * rng.randrange((operands.POOL_BYTES - 2048) // 64)}",
        "  jal load_vectors",
        *setting_lines(rng, setting, rng.randrange(8) if _restarts(op, rng) else 0),
        f"  {text}",
        *(["  csrwi frm, 1"] if ".rtz." in text else []),
        "  jal dump",
    ]
    return f"e{setting.sew} {LMUL_NAMES[setting.lmul]} {text}", lines


PROLOGUE = """
.text
.globl _start
_start:
  la s0, results
  j begin
load_vectors:
  vl8re8.v v0, (a2)
  addi a2, a2, 512
  vl8re8.v v8, (a2)
  addi a2, a2, 512
  vl8re8.v v16, (a2)
  addi a2, a2, 512
  vl8re8.v v24, (a2)
  li a1, 0
  fmv.d.x fa1, zero
  csrwi fflags, 0
  csrwi vxsat, 0
  ret
dump:
  csrr t1, vstart
  csrr t2, vl
  csrr t3, vtype
  csrr t4, fcsr
  csrr t5, vcsr
  vs8r.v v0, (s0)
  addi s0, s0, 512
  vs8r.v v8, (s0)
  addi s0, s0, 512
  vs8r.v v16, (s0)
  addi s0, s0, 512
  vs8r.v v24, (s0)
  addi s0, s0, 512
  sd t1, 0(s0)
  sd t2, 8(s0)
  sd t3, 16(s0)
  sd t4, 24(s0)
  sd t5, 32(s0)
  sd a1, 40(s0)
  fsd fa1, 48(s0)
  addi s0, s0, 64
  ret
begin:
"""

EPILOGUE = """
  li a0, 1
  la a1, results
  sub a2, s0, a1
  li a7, 64
  ecall
  li a0, 0
  li a7, 93
  ecall
"""


def program(rng: random.Random, cases: list[list[str]], result_bytes: int = RESULT_BYTES) -> str:
    lines = [PROLOGUE, *(line for case_lines in cases for line in case_lines), EPILOGUE, ".data"]
    for kind in operands.WIDTHS:
        lines += [".balign 64", *operands.data_directives(f"pool_{kind}", operands.pool(rng, kind))]
    lines += [".bss", ".balign 64", f"results: .zero {len(cases) * result_bytes}"]
    return "\n".join(lines) + "\n"
