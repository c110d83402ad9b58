"""What the assembler calls the vector instructions, and what operands they take.

Written from the V specification, independently of the simulator's tables.
Widths are multiples of SEW; "m" is a mask, "e" element 0 of one register, None no
vector operand.
"""

from __future__ import annotations

from dataclasses import dataclass

Width = float | str | None


@dataclass(frozen=True)
class VectorOp:
    name: str
    form: str  # of the second operand: v, x, f, i (signed), u (unsigned), - (none)
    d: Width = 1
    s2: Width = 1
    s1: Width = None
    kind: str = "int"  # or float, which chooses the operands
    sews: tuple[int, ...] = (8, 16, 32, 64)
    mask: str = "optional"  # or never, required (v0 an operand)
    disjoint: bool = False  # vd may not lie on a source
    accumulates: bool = False  # written vd, vs1, vs2
    to_x: bool = False
    to_f: bool = False


FLOAT = (16, 32, 64)
NARROW = (8, 16, 32)
FLOAT_NARROW = (16, 32)
ARITHMETIC = ("vfadd", "vfsub", "vfmul", "vfdiv")
MACC = ("vfmacc", "vfnmacc", "vfmsac", "vfnmsac")
FUSED = (*MACC, "vfmadd", "vfnmadd", "vfmsub", "vfnmsub")
OPS: list[VectorOp] = []


def _forms(name: str, forms: str, **fields: object) -> None:
    for form in forms:
        suffix = {"v": ".vv", "x": ".vx", "i": ".vi", "u": ".vi", "f": ".vf"}[form]
        s1 = fields.get("s1", 1) if form == "v" else None
        OPS.append(VectorOp(name + suffix, form, **{**fields, "s1": s1}))  # type: ignore[arg-type]


def _integer() -> None:
    for name in ("vadd", "vand", "vor", "vxor"):
        _forms(name, "vxi")
    _forms("vrsub", "xi")
    names = "vsub vminu vmin vmaxu vmax vmul vmulh vmulhu vmulhsu vdivu vdiv vremu vrem"
    for name in names.split():
        _forms(name, "vx")
    for name in ("vsll", "vsrl", "vsra", "vssrl", "vssra"):
        _forms(name, "vxu")
    for name in ("vsaddu", "vsadd"):
        _forms(name, "vxi")
    for name in ("vssubu", "vssub", "vaaddu", "vaadd", "vasubu", "vasub", "vsmul"):
        _forms(name, "vx")
    for name in ("vmseq", "vmsne", "vmsleu", "vmsle"):
        _forms(name, "vxi", d="m")
    for name in ("vmsltu", "vmslt"):
        _forms(name, "vx", d="m")
    for name in ("vmsgtu", "vmsgt"):
        _forms(name, "xi", d="m")
    for name in ("vmacc", "vnmsac", "vmadd", "vnmsub"):
        _forms(name, "vx", accumulates=True)


def _carries() -> None:
    for name, forms in (("vadc", "vxi"), ("vsbc", "vx"), ("vmerge", "vxi")):
        for form in forms:
            s1 = 1 if form == "v" else None
            OPS.append(VectorOp(f"{name}.v{form}m", form, s1=s1, mask="required"))
    for name, forms in (("vmadc", "vxi"), ("vmsbc", "vx")):
        for form in forms:
            s1 = 1 if form == "v" else None
            OPS.append(VectorOp(f"{name}.v{form}m", form, "m", s1=s1, mask="required"))
            OPS.append(VectorOp(f"{name}.v{form}", form, "m", s1=s1, mask="never"))


def _widening() -> None:
    wide = {"d": 2, "sews": NARROW}
    for name in ("vwaddu", "vwadd", "vwsubu", "vwsub"):
        _forms(name, "vx", **wide)
        for form in "vx":
            s1 = 1 if form == "v" else None
            OPS.append(VectorOp(f"{name}.w{form}", form, 2, 2, s1, sews=NARROW))
    for name in ("vwmulu", "vwmulsu", "vwmul"):
        _forms(name, "vx", **wide)
    for name in ("vwmaccu", "vwmacc", "vwmaccsu"):
        _forms(name, "vx", accumulates=True, **wide)
    _forms("vwmaccus", "x", accumulates=True, **wide)
    for name in ("vnsrl", "vnsra", "vnclipu", "vnclip"):
        for form in "vxu":
            s1 = 1 if form == "v" else None
            suffix = ".wi" if form == "u" else f".w{form}"
            OPS.append(VectorOp(name + suffix, form, 1, 2, s1, sews=NARROW))
    for name in ("vzext", "vsext"):
        OPS.append(VectorOp(f"{name}.vf2", "-", 1, 1 / 2, sews=(16, 32, 64)))
        OPS.append(VectorOp(f"{name}.vf4", "-", 1, 1 / 4, sews=(32, 64)))
        OPS.append(VectorOp(f"{name}.vf8", "-", 1, 1 / 8, sews=(64,)))


def _masks() -> None:
    for name in ["vmand", "vmnand", "vmandn", "vmor", "vmnor", "vmorn", "vmxor", "vmxnor"]:
        OPS.append(VectorOp(f"{name}.mm", "v", "m", "m", "m", mask="never"))
    for name in ("vcpop.m", "vfirst.m"):
        OPS.append(VectorOp(name, "-", None, "m", to_x=True))
    for name in ("vmsbf.m", "vmsif.m", "vmsof.m"):
        OPS.append(VectorOp(name, "-", "m", "m", disjoint=True))
    OPS.append(VectorOp("viota.m", "-", 1, "m", disjoint=True))
    OPS.append(VectorOp("vid.v", "-", 1, None))


def _permutations() -> None:
    _forms("vslideup", "xu", disjoint=True)
    _forms("vslidedown", "xu")
    _forms("vslide1up", "x", disjoint=True)
    _forms("vslide1down", "x")
    _forms("vfslide1up", "f", disjoint=True, kind="float", sews=FLOAT)
    _forms("vfslide1down", "f", kind="float", sews=FLOAT)
    _forms("vrgather", "vxu", disjoint=True)
    OPS.append(VectorOp("vrgatherei16.vv", "v", 1, 1, "i16", disjoint=True))
    OPS.append(VectorOp("vcompress.vm", "v", 1, 1, "m", mask="never", disjoint=True))
    OPS.append(VectorOp("vmv.x.s", "-", None, 1, mask="never", to_x=True))
    OPS.append(VectorOp("vmv.s.x", "x", 1, None, mask="never"))
    OPS.append(VectorOp("vmv.v.v", "v", 1, None, 1, mask="never"))
    OPS.append(VectorOp("vmv.v.x", "x", 1, None, mask="never"))
    OPS.append(VectorOp("vmv.v.i", "i", 1, None, mask="never"))
    for n in (1, 2, 4, 8):
        OPS.append(VectorOp(f"vmv{n}r.v", "-", f"r{n}", f"r{n}", mask="never"))


def _reductions() -> None:
    for name in ["sum", "and", "or", "xor", "minu", "min", "maxu", "max"]:
        OPS.append(VectorOp(f"vred{name}.vs", "v", "e", 1, "e"))
    for name in ("vwredsumu", "vwredsum"):
        OPS.append(VectorOp(f"{name}.vs", "v", "e", 1, "e", sews=NARROW))
    for name in ("vfredusum", "vfredosum", "vfredmin", "vfredmax"):
        OPS.append(VectorOp(f"{name}.vs", "v", "e", 1, "e", "float", FLOAT))
    for name in ("vfwredusum", "vfwredosum"):
        OPS.append(VectorOp(f"{name}.vs", "v", "e", 1, "e", "float", FLOAT_NARROW))


def _floats() -> None:
    common = {"kind": "float", "sews": FLOAT}
    for name in [
        "vfadd",
        "vfsub",
        "vfmul",
        "vfdiv",
        "vfmin",
        "vfmax",
        "vfsgnj",
        "vfsgnjn",
        "vfsgnjx",
    ]:
        _forms(name, "vf", **common)
    for name in ("vfrsub", "vfrdiv"):
        _forms(name, "f", **common)
    for name in ("vmfeq", "vmfne", "vmflt", "vmfle"):
        _forms(name, "vf", d="m", **common)
    for name in ("vmfgt", "vmfge"):
        _forms(name, "f", d="m", **common)
    for name in [
        "vfmacc",
        "vfnmacc",
        "vfmsac",
        "vfnmsac",
        "vfmadd",
        "vfnmadd",
        "vfmsub",
        "vfnmsub",
    ]:
        _forms(name, "vf", accumulates=True, **common)
    for name in ["vfsqrt.v", "vfrsqrt7.v", "vfrec7.v", "vfclass.v"]:
        OPS.append(VectorOp(name, "-", **common))
    OPS.append(VectorOp("vfmerge.vfm", "f", mask="required", **common))
    OPS.append(VectorOp("vfmv.v.f", "f", 1, None, mask="never", **common))
    OPS.append(VectorOp("vfmv.s.f", "f", 1, None, mask="never", **common))
    OPS.append(VectorOp("vfmv.f.s", "-", None, 1, mask="never", to_f=True, **common))
    wide = {"kind": "float", "sews": FLOAT_NARROW, "d": 2}
    for name in ("vfwadd", "vfwsub", "vfwmul"):
        _forms(name, "vf", **wide)
    for name in ("vfwadd", "vfwsub"):
        for form in "vf":
            s1 = 1 if form == "v" else None
            OPS.append(VectorOp(f"{name}.w{form}", form, 2, 2, s1, "float", FLOAT_NARROW))
    for name in ("vfwmacc", "vfwnmacc", "vfwmsac", "vfwnmsac"):
        _forms(name, "vf", accumulates=True, **wide)


def _conversions() -> None:
    def add(name: str, d: float, s2: float, sews: tuple[int, ...], kind: str = "float") -> None:
        OPS.append(VectorOp(name, "-", d, s2, kind=kind, sews=sews))

    for to in ("xu.f", "x.f", "rtz.xu.f", "rtz.x.f"):
        add(f"vfcvt.{to}.v", 1, 1, FLOAT)
        add(f"vfwcvt.{to}.v", 2, 1, FLOAT_NARROW)
        add(f"vfncvt.{to}.w", 1, 2, NARROW)
    for to in ("f.xu", "f.x"):
        add(f"vfcvt.{to}.v", 1, 1, FLOAT, "int")
        add(f"vfwcvt.{to}.v", 2, 1, NARROW, "int")
        add(f"vfncvt.{to}.w", 1, 2, FLOAT_NARROW, "int")
    add("vfwcvt.f.f.v", 2, 1, FLOAT_NARROW)
    add("vfncvt.f.f.w", 1, 2, FLOAT_NARROW)
    add("vfncvt.rod.f.f.w", 1, 2, FLOAT_NARROW)


for family in (
    _integer,
    _carries,
    _widening,
    _masks,
    _permutations,
    _reductions,
    _floats,
    _conversions,
):
    family()
