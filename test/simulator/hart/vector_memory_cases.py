"""Random legal vector loads and stores as assembly.

Loads read, and stores write, a window of memory around `window`; after a store the
window is loaded back, so that one dump shows registers or memory alike.
"""

from __future__ import annotations

import random

import operands
import vector_cases
from vector_cases import LMUL_NAMES, LMULS, Setting

WINDOW_BYTES = 2048
INDEX_WIDTHS = (8, 16, 32, 64)


def index_pools(rng: random.Random) -> list[str]:
    """Offsets of up to 1 KiB, multiples of 8, in elements of each index width."""
    lines = []
    for width in INDEX_WIDTHS:
        top = min(1 << width, 1024) // 8
        content = b"".join(
            (8 * rng.randrange(top)).to_bytes(width // 8, "little") for _ in range(8192 // width)
        )
        lines += [".balign 64", *operands.data_directives(f"index_{width}", content)]
    return lines


def _settings(eew: int, fields: int) -> list[Setting]:
    found = []
    for sew in (8, 16, 32, 64):
        for lmul in LMULS:
            emul = lmul * eew / sew
            fits = 1 / 8 <= emul <= 8 and max(emul, 1) * fields <= 8
            if sew <= 64 * min(lmul, 1) and fits:
                found.append(Setting(sew, lmul))
    return found


def _data_register(rng: random.Random, emul: float, fields: int, lowest: int) -> int:
    count = max(1, int(emul))
    first = -(-lowest // count) * count
    return rng.randrange(first, 33 - count * fields, count)


def _mask(rng: random.Random) -> tuple[str, int]:
    return (", v0.t", 1) if rng.random() < 0.4 else ("", 0)


def _unit(rng: random.Random) -> tuple[str, Setting, list[str]]:
    eew, fields = rng.choice(INDEX_WIDTHS), rng.choice((1, 1, 1, 2, 3, 4, 5, 8))
    setting = rng.choice(_settings(eew, fields))
    mask, lowest = _mask(rng)
    vd = _data_register(rng, setting.lmul * eew / setting.sew, fields, lowest)
    segment = f"seg{fields}" if fields > 1 else ""
    store = rng.random() < 0.5
    first = "ff" if not store and rng.random() < 0.2 else ""
    name = f"v{'s' if store else 'l'}{segment}e{eew}{first}.v"
    return f"{name} v{vd}, (s1){mask}", setting, []


def _strided(rng: random.Random) -> tuple[str, Setting, list[str]]:
    eew, fields = rng.choice(INDEX_WIDTHS), rng.choice((1, 1, 2, 7))
    fitting = [s for s in _settings(eew, fields) if s.vlmax * eew <= 2048]
    setting = rng.choice(fitting)
    mask, lowest = _mask(rng)
    vd = _data_register(rng, setting.lmul * eew / setting.sew, fields, lowest)
    segment = f"seg{fields}" if fields > 1 else ""
    name = f"v{rng.choice('ls')}s{segment}e{eew}.v"
    stride = eew // 8 * rng.choice((0, 1, -1, 2, -2, 3))
    return f"{name} v{vd}, (s1), a3{mask}", setting, [f"  li a3, {stride}"]


def _indexed(rng: random.Random) -> tuple[str, Setting, list[str]]:
    eew, fields = rng.choice(INDEX_WIDTHS), rng.choice((1, 1, 2, 6))
    # The data are of SEW here, the indices of EEW.
    fitting = [
        s
        for s in _settings(eew, 1)
        if max(s.lmul, 1) * fields <= 8 and max(s.lmul, 1) * fields + s.lmul * eew / s.sew <= 24
    ]
    setting = rng.choice(fitting)
    mask, lowest = _mask(rng)
    count = max(1, int(setting.lmul * eew / setting.sew))
    while True:
        vd = _data_register(rng, setting.lmul, fields, lowest)
        index = _data_register(rng, setting.lmul * eew / setting.sew, 1, lowest)
        data = max(1, int(setting.lmul)) * fields
        if vd + data <= index or index + count <= vd:
            break
    segment = f"seg{fields}" if fields > 1 else ""
    name = f"v{rng.choice('ls')}{rng.choice('uo')}x{segment}ei{eew}.v"
    lines = []
    for k in range(count):
        lines += [f"  la a2, index_{eew} + {64 * rng.randrange(16)}"]
        lines += [f"  vl1re8.v v{index + k}, (a2)"]
    return f"{name} v{vd}, (s1), v{index}{mask}", setting, lines


def _whole(rng: random.Random) -> tuple[str, Setting, list[str]]:
    setting, n = Setting(8, 1.0), rng.choice((1, 2, 4, 8))
    vd = rng.randrange(0, 32, n)
    load = f"vl{n}re{rng.choice(INDEX_WIDTHS)}.v v{vd}, (s1)"
    return rng.choice((load, f"vs{n}r.v v{vd}, (s1)")), setting, []


def _mask_bytes(rng: random.Random) -> tuple[str, Setting, list[str]]:
    setting = rng.choice(_settings(8, 1))
    return f"v{rng.choice('ls')}m.v v{rng.randrange(32)}, (s1)", setting, []


def case(rng: random.Random) -> tuple[str, list[str]]:
    make = rng.choice((_unit, _unit, _strided, _indexed, _indexed, _whole, _mask_bytes))
    text, setting, preparation = make(rng)
    is_store = text.startswith(("vs", "vss"))
    lines = [
        "  la s1, window + 512",
        f"  la a2, pool_int + {64 * rng.randrange((operands.POOL_BYTES - 2048) // 64)}",
        "  jal load_vectors",
        *preparation,
        *vector_cases.setting_lines(rng, setting, 0),
        f"  {text}",
        *(["  csrr t6, vl", "  la a2, window", "  jal load_vectors"] if is_store else []),
        "  jal dump",
    ]
    return f"e{setting.sew} {LMUL_NAMES[setting.lmul]} {text}", lines


def data(rng: random.Random) -> str:
    window = operands.pool(rng, "int")[:WINDOW_BYTES]
    lines = [".data", *index_pools(rng), ".balign 64", *operands.data_directives("window", window)]
    return "\n".join(lines) + "\n"
