"""`tl.extra.libdevice` on MTIA: the functions of libdevice that the lowering knows.

Each becomes a `tt.extern_elementwise` whose symbol is the plain name of the C function; the
conversion to linalg maps it to an operation of MLIR's math dialect.
"""

from __future__ import annotations

from collections.abc import Callable

from triton.language import core

_FLOATS = ("fp16", "bf16", "fp32", "fp64")
_UNARY = (
    "abs acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 floor log "
    "log10 log1p log2 nearbyint rint round rsqrt sin sinh sqrt tan tanh trunc"
)
_BINARY = "atan2 copysign fmod pow"

External = Callable[..., object]


def _call(name: str, arguments: list[object], semantic: object) -> object:
    table = {
        tuple(core.dtype(kind) for _ in arguments): (name, core.dtype(kind)) for kind in _FLOATS
    }
    return core.extern_elementwise("", "", arguments, table, is_pure=True, _semantic=semantic)


def _unary(name: str) -> External:
    def function(arg0: object, _semantic: object = None) -> object:
        return _call(name, [arg0], _semantic)

    return _named(function, name)


def _binary(name: str) -> External:
    def function(arg0: object, arg1: object, _semantic: object = None) -> object:
        return _call(name, [arg0, arg1], _semantic)

    return _named(function, name)


def _named(function: External, name: str) -> External:
    """Triton looks functions of this module up by `__name__`."""
    function.__name__ = function.__qualname__ = name
    wrapped: External = core.extern(function)
    return wrapped


globals().update({name: _unary(name) for name in _UNARY.split()})
globals().update({name: _binary(name) for name in _BINARY.split()})
