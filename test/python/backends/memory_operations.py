"""Operations that touch memory, control flow, random numbers and debugging."""

from __future__ import annotations

import numpy as np
from operation import INTEGERS, NUMBERS, Group, Operation, Values

_AT = "slot + tl.arange(0, 256)"
_ATOMIC_INTEGERS = ("int32", "int64", "uint32", "uint64")
_ATOMIC = (*_ATOMIC_INTEGERS, "fp32", "fp64")


def _atomic(name: str, function: np.ufunc, dtypes: tuple[str, ...]) -> tuple[Operation, ...]:
    """What memory holds afterwards, and what the operation returns."""
    setup = (f"tl.store({_AT}, b)", f"old = tl.{name}({_AT}, a)")
    return (
        Operation(
            f"tl.{name}",
            f"tl.load({_AT})",
            lambda x: function(x.b, x.a),
            dtypes,
            setup=setup,
        ),
        Operation(f"tl.{name}, the old value", "old", lambda x: x.b, dtypes, setup=setup),
    )


def _exchange(old: np.ndarray, new: np.ndarray) -> np.ndarray:
    return new


ATOMICS = Group(
    "Atomics",
    (
        *_atomic("atomic_add", np.add, (*_ATOMIC, "fp16", "bf16")),
        *_atomic("atomic_max", np.maximum, _ATOMIC),
        *_atomic("atomic_min", np.minimum, _ATOMIC),
        *_atomic("atomic_and", np.bitwise_and, _ATOMIC_INTEGERS),
        *_atomic("atomic_or", np.bitwise_or, _ATOMIC_INTEGERS),
        *_atomic("atomic_xor", np.bitwise_xor, _ATOMIC_INTEGERS),
        *_atomic("atomic_xchg", _exchange, _ATOMIC),
        Operation(
            "tl.atomic_cas",
            f"tl.load({_AT})",
            lambda x: np.where(x.b > x.a, x.a, x.b),
            _ATOMIC,
            setup=(
                f"tl.store({_AT}, b)",
                f"tl.atomic_cas({_AT}, tl.where(b > a, b, a), a)",
            ),
        ),
        Operation(
            "tl.atomic_add, masked",
            f"tl.load({_AT})",
            lambda x: np.where(x.a > x.b, x.b + x.a, x.b),
            _ATOMIC,
            setup=(f"tl.store({_AT}, b)", f"tl.atomic_add({_AT}, a, mask=a > b)"),
        ),
        Operation(
            "tl.atomic_add, one address",
            "tl.load(slot)",
            lambda x: np.asarray(x.c.sum(dtype=x.c.dtype)),
            _ATOMIC,
            ulp=64,
            setup=("tl.atomic_add(slot + tl.arange(0, 256) * 0, c)",),
        ),
    ),
)

_ROWS = "tl.arange(0, 16)[:, None] * 16"
MEMORY = Group(
    "Loads, stores and descriptors",
    (
        Operation(
            "tl.load, masked",
            "tl.load(pa + tl.arange(0, 256), mask=tl.arange(0, 256) < 100, other=3)",
            lambda x: np.where(np.arange(256) < 100, x.a, np.asarray(3, x.a.dtype)),
            NUMBERS,
        ),
        Operation(
            "tl.load, reversed",
            "tl.load(pa + 255 - tl.arange(0, 256))",
            lambda x: x.a[::-1],
            NUMBERS,
        ),
        Operation(
            "tl.load, gathered",
            "tl.load(pa + (tl.arange(0, 256) * 37) % 256)",
            lambda x: x.a[np.arange(256) * 37 % 256],
            NUMBERS,
        ),
        Operation(
            "tl.load, a scalar",
            "tl.load(pa + 3)",
            lambda x: x.a[3],
            NUMBERS,
        ),
        Operation(
            "tl.store, scattered",
            f"tl.load({_AT})",
            lambda x: x.a[np.argsort(np.arange(256) * 37 % 256)],
            NUMBERS,
            setup=("tl.store(slot + (tl.arange(0, 256) * 37) % 256, a)",),
        ),
        Operation(
            "tl.make_tensor_descriptor, load",
            "tl.make_tensor_descriptor(pa, (16, 16), (16, 1), (4, 16)).load([4, 0])",
            lambda x: x.t[4:8],
            ("int8", "int16", "int32", "int64", "fp16", "bf16", "fp32", "fp64"),
        ),
        Operation(
            "tl.make_tensor_descriptor, store",
            f"tl.load(slot + {_ROWS} + tl.arange(0, 16)[None, :])",
            lambda x: x.t,
            ("int8", "int32", "fp16", "bf16", "fp32"),
            setup=(
                "descriptor = tl.make_tensor_descriptor(slot, (16, 16), (16, 1), (16, 16))",
                "descriptor.store([0, 0], t)",
            ),
        ),
    ),
)


def _collatz(x: Values) -> np.ndarray:
    value, steps = 27, 0
    while value != 1:
        value = value // 2 if value % 2 == 0 else 3 * value + 1
        steps += 1
    return np.asarray(steps)


CONTROL = Group(
    "Control flow",
    (
        Operation(
            "range",
            "total",
            lambda x: x.t[:, :8].sum(1, dtype=x.a.dtype),
            ("int32", "int64"),
            setup=(
                "total = tl.zeros((16,), a.dtype)",
                "for i in range(0, 8):",
                "    total += tl.load(pa + tl.arange(0, 16) * 16 + i)",
            ),
        ),
        Operation(
            "tl.range with options",
            "total",
            lambda x: x.t[:, :8].sum(1, dtype=x.a.dtype),
            ("int32", "int64"),
            setup=(
                "total = tl.zeros((16,), a.dtype)",
                "for i in tl.range(0, 8, num_stages=3, loop_unroll_factor=2, flatten=True):",
                "    total += tl.load(pa + tl.arange(0, 16) * 16 + i)",
            ),
        ),
        Operation(
            "tl.static_range",
            "total",
            lambda x: x.t[:, :4].sum(1, dtype=x.a.dtype),
            ("int32", "int64"),
            setup=(
                "total = tl.zeros((16,), a.dtype)",
                "for i in tl.static_range(4):",
                "    total += tl.load(pa + tl.arange(0, 16) * 16 + i)",
            ),
        ),
        Operation(
            "while of a scalar",
            "steps",
            _collatz,
            ("int32",),
            setup=(
                "value = tl.load(pc) * 0 + 27",
                "steps = 0",
                "while value != 1:",
                "    value = tl.where(value % 2 == 0, value // 2, 3 * value + 1)",
                "    steps += 1",
            ),
        ),
        Operation(
            "while that carries a tile",
            "tile",
            lambda x: x.a * np.asarray(8, x.a.dtype),
            ("int32", "int64", "fp32"),
            setup=(
                "tile = a",
                "left = 3",
                "while left > 0:",
                "    tile = tile + tile",
                "    left -= 1",
            ),
        ),
        Operation(
            "if of a scalar",
            "chosen",
            lambda x: x.a if x.c[0] > 0 else x.b,
            ("int32", "fp32"),
            setup=(
                "if tl.load(pc) > 0:",
                "    chosen = a",
                "else:",
                "    chosen = b",
            ),
        ),
    ),
)


def _philox(seed: int, offsets: np.ndarray, rounds: int = 10) -> list[np.ndarray]:
    """Philox4x32 as in Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (SC11)."""
    words = [offsets.astype(np.uint64), *(np.zeros(offsets.shape, np.uint64) for _ in range(3))]
    keys, mask = [seed & 0xFFFFFFFF, seed >> 32], np.uint64(0xFFFFFFFF)
    for _ in range(rounds):
        left, right = words[0] * np.uint64(0xD2511F53), words[2] * np.uint64(0xCD9E8D57)
        high = [right >> np.uint64(32), left >> np.uint64(32)]
        words = [
            high[0] ^ words[1] ^ np.uint64(keys[0]),
            right & mask,
            high[1] ^ words[3] ^ np.uint64(keys[1]),
            left & mask,
        ]
        keys = [(keys[0] + 0x9E3779B9) & 0xFFFFFFFF, (keys[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return words


def _philox_bits(x: Values) -> np.ndarray:
    return _philox(123, np.arange(256))[0]


def _uniform(bits: np.ndarray) -> np.ndarray:
    """31 bits as tl.random scales them: in float32, by the largest one below 2**-31."""
    signed = bits.astype(np.uint32).view(np.int32)
    return np.where(signed < 0, -signed - 1, signed).astype(np.float32) * np.float32(
        4.6566127342e-10
    )


def _rand(x: Values) -> np.ndarray:
    return _uniform(_philox_bits(x))


def _normal(x: Values) -> np.ndarray:
    """Box and Muller's method, on the first two words."""
    first, second = (_uniform(word).astype(np.float64) for word in _philox(123, np.arange(256))[:2])
    return np.sqrt(-2 * np.log(np.maximum(first, 1e-7))) * np.cos(2 * np.pi * second)


RANDOM = Group(
    "Random numbers",
    (
        Operation(
            "tl.randint", "tl.randint(123, tl.arange(0, 256))", _philox_bits, ("int32",), "uint32"
        ),
        Operation("tl.rand", "tl.rand(123, tl.arange(0, 256))", _rand, ("int32",), "fp32", ulp=1),
        Operation(
            "tl.randint4x, the last",
            "tl.randint4x(123, tl.arange(0, 256))[3]",
            lambda x: _philox(123, np.arange(256))[3],
            ("int32",),
            "uint32",
        ),
        Operation(
            "tl.randn",
            "tl.randn(123, tl.arange(0, 256))",
            _normal,
            ("int32",),
            "fp32",
            # Where the cosine is near zero, its argument's last place counts.
            ulp=4096,
        ),
    ),
)

DEBUGGING = Group(
    "Debugging",
    (
        Operation(
            "tl.device_print, which prints nothing",
            "a",
            lambda x: x.a,
            INTEGERS,
            setup=('tl.device_print("a", a)',),
        ),
        Operation(
            "tl.device_assert that holds",
            "a",
            lambda x: x.a,
            INTEGERS,
            setup=('tl.device_assert(a == a, "equal")',),
        ),
        Operation(
            "tl.static_assert and tl.static_print",
            "a",
            lambda x: x.a,
            INTEGERS,
            setup=('tl.static_assert(a.shape[0] == 256, "256")',),
        ),
        Operation(
            "tl.debug_barrier",
            f"tl.load({_AT})",
            lambda x: x.a,
            INTEGERS,
            setup=(f"tl.store({_AT}, a)", "tl.debug_barrier()"),
        ),
        Operation(
            "tl.assume", "a", lambda x: x.a, INTEGERS, setup=("tl.assume(tl.load(pc) != 0)",)
        ),
    ),
)

GROUPS = (ATOMICS, MEMORY, CONTROL, RANDOM, DEBUGGING)
