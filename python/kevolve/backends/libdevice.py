"""`tl.extra.libdevice` of our backends: the functions of libdevice that the lowering knows.

Each becomes a `tt.extern_elementwise` whose symbol is the plain name of the C function; the
conversion to linalg maps it to an operation of MLIR's math dialect.
"""

from __future__ import annotations

from collections.abc import Callable

from triton.language import core, math

_FLOATS = ("fp16", "bf16", "fp32", "fp64")
# Names by the number of their arguments.
_NAMES = {
    1: (
        "acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 floor "
        "log log10 log1p log2 nearbyint rint round rsqrt sin sinh sqrt tan tanh trunc fast_expf "
        "fast_logf fast_log2f fast_log10f fast_sinf fast_cosf fast_tanf fast_tanhf"
    ),
    2: "atan2 copysign fmod pow fast_powf fast_dividef div_rn",
    3: "fma",
}
_PREDICATES = "isnan isinf finitef"
# libdevice's names of functions that <math.h> calls otherwise.
_SYMBOLS = {"fast_dividef": "fast_fdivide", "finitef": "isfinite"}

External = Callable[..., object]


def _call(name: str, arguments: list[object], result: str | None, semantic: object) -> object:
    symbol = _SYMBOLS.get(name, name)
    table = {
        tuple(core.dtype(kind) for _ in arguments): (symbol, core.dtype(result or kind))
        for kind in _FLOATS
    }
    return core.extern_elementwise("", "", arguments, table, is_pure=True, _semantic=semantic)


def _external(name: str, arity: int, result: str | None = None) -> External:
    """The function of that name, as Triton's front end calls it."""

    def unary(arg0: object, _semantic: object = None) -> object:
        return _call(name, [arg0], result, _semantic)

    def binary(arg0: object, arg1: object, _semantic: object = None) -> object:
        return _call(name, [arg0, arg1], result, _semantic)

    def ternary(arg0: object, arg1: object, arg2: object, _semantic: object = None) -> object:
        return _call(name, [arg0, arg1, arg2], result, _semantic)

    function: External = (unary, binary, ternary)[arity - 1]
    # Triton looks the functions of this module up by `__name__`.
    function.__name__ = function.__qualname__ = name
    wrapped: External = core.extern(function)
    return wrapped


def abs(arg0: object, _semantic: object = None) -> object:
    """Of integers and floats."""
    return math.abs(arg0, _semantic=_semantic)


abs = core.extern(abs)
for _arity, _names in _NAMES.items():
    globals().update({_name: _external(_name, _arity) for _name in _names.split()})
globals().update({_name: _external(_name, 1, "int32") for _name in _PREDICATES.split()})
