"""Arguments in the argument block, against numpy's and torch's conversions."""

import numpy
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from kevolve.backends.slots import Slots
from kevolve.errors import LaunchError
from triton.tools.tensor_descriptor import TensorDescriptor


def pack_one(kind, value):
    return Slots([kind], "mtia").pack([value])[0]


@pytest.mark.parametrize("bits", [8, 16, 32, 64])
@given(data=st.data())
def test_signed_integers_are_sign_extended(bits, data):
    value = data.draw(st.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1))
    assert pack_one(f"i{bits}", value) == value % 2**64


@pytest.mark.parametrize("bits", [8, 16, 32, 64])
@given(data=st.data())
def test_unsigned_integers_are_zero_extended(bits, data):
    value = data.draw(st.integers(0, 2**bits - 1))
    assert pack_one(f"u{bits}", value) == value


@pytest.mark.parametrize(("kind", "value"), [("i1", True), ("u1", True), ("u1", 1)])
def test_true_is_one(kind, value):
    assert pack_one(kind, value) == 1


@given(st.floats(width=64))
def test_doubles(value):
    assert pack_one("fp64", value) == int(numpy.float64(value).view(numpy.uint64))


@given(st.floats(width=64, allow_nan=False))
def test_narrow_floats_round_as_numpy_does(value):
    with numpy.errstate(over="ignore"):
        assert pack_one("fp32", value) == int(numpy.float32(value).view(numpy.uint32))
        assert pack_one("fp16", value) == int(numpy.float16(value).view(numpy.uint16))


@given(st.floats(width=32, allow_nan=False))
def test_bf16_rounds_as_torch_does(value):
    expected = torch.tensor(value, dtype=torch.float32).to(torch.bfloat16)
    assert pack_one("bf16", value) == int(expected.view(torch.uint16))


@pytest.mark.parametrize("kind", ["fp16", "bf16", "fp32", "fp64"])
def test_nan_stays_nan(kind):
    dtypes = {"fp16": torch.float16, "bf16": torch.bfloat16, "fp32": torch.float32}
    dtype = dtypes.get(kind, torch.float64)
    raw = pack_one(kind, float("nan")).to_bytes(8, "little")[: dtype.itemsize]
    assert torch.frombuffer(bytearray(raw), dtype=dtype).isnan().all()


def test_tensors_are_addresses_and_constants_have_no_slot():
    tensor = torch.zeros(16)
    slots = Slots(["*fp32", "constexpr", "i32", ("*fp32", "constexpr", "i64")], "mtia")
    packed = slots.pack([tensor[4:], 128, -1, (tensor, None, 7)])
    assert packed == [tensor.data_ptr() + 16, 2**64 - 1, tensor.data_ptr(), 7]
    assert [t.data_ptr() for t in slots.tensors([tensor[4:], 128, -1, (tensor, None, 7)])] == [
        tensor.data_ptr() + 16,
        tensor.data_ptr(),
    ]


def test_a_null_pointer_is_zero():
    assert pack_one("*fp32", None) == 0


def test_tensors_of_other_devices_are_refused():
    with pytest.raises(LaunchError, match="takes CPU tensors, got one on meta"):
        pack_one("*fp32", torch.empty(4, device="meta"))


def test_unknown_types_are_refused():
    with pytest.raises(LaunchError, match="no arguments of type fp8e4nv"):
        pack_one("fp8e4nv", 1.0)


def test_descriptors_are_pointer_shape_and_strides():
    tensor = torch.zeros(8, 32)
    descriptor = TensorDescriptor(tensor, [8, 30], [32, 1], [4, 16])
    slots = Slots(["tensordesc<fp32[4, 16]>", "i32"], "mtia")
    shape_and_strides = [8, 30, 32, 1]
    expected = [tensor.data_ptr(), *shape_and_strides, 0, 0, *shape_and_strides, 5]
    assert slots.pack([descriptor, 5]) == expected
    assert [t.data_ptr() for t in slots.tensors([descriptor, 5])] == [tensor.data_ptr()]
