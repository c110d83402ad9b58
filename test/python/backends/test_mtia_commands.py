"""The commands of the units, tickets and the calling convention, on the simulator."""

import numpy as np
import pytest
import torch
from kevolve.errors import LaunchError
from stage import kernel, launch


def matmul_ir(element, result, m, n, k, flags):
    a = f"memref<{f'{k}x{m}' if 'transpose_a' in flags else f'{m}x{k}'}x{element}>"
    b = f"memref<{f'{n}x{k}' if 'transpose_b' in flags else f'{k}x{n}'}x{element}>"
    c = f"memref<{m}x{n}x{result}>"
    size = {"f16": 2, "bf16": 2, "i8": 1}[element]
    places = f"""
      %a = mtia.local_buffer {{offset = 1024 : i64}} : {a}
      %b = mtia.local_buffer {{offset = 65536 : i64}} : {b}
      %c = mtia.local_buffer {{offset = 131072 : i64}} : {c}"""

    def whole(kind, pointer, bytes_, buf, verb):
        rows, columns = kind.removeprefix("memref<").split("x")[:2]
        box = f"strides [{int(columns) * bytes_}, {bytes_}] lower [0, 0] upper [{rows}, {columns}]"
        if verb == "load":
            return f"mtia.dma_load {pointer} {box} into {buf} : {kind} -> !mtia.ticket"
        return f"mtia.dma_store {buf} to {pointer} {box} : {kind} -> !mtia.ticket"

    return kernel(
        ["%x: i64", "%y: i64", "%z: i64", "%out: i64"],
        f"""{places}
      %0 = {whole(a, "%x", size, "%a", "load")}
      %1 = {whole(b, "%y", size, "%b", "load")}
      %2 = {whole(c, "%z", 4, "%c", "load")}
      %3 = mtia.dpe_matmul %a, %b into %c {{{", ".join(flags)}}} : {a}, {b}, {c} -> !mtia.ticket
      %4 = {whole(c, "%out", 4, "%c", "store")}
      mtia.wait %4""",
    )


@pytest.mark.parametrize("element", ["f16", "bf16", "i8"])
@pytest.mark.parametrize(
    "flags", [(), ("accumulate",), ("transpose_a", "transpose_b"), ("accumulate", "transpose_b")]
)
@pytest.mark.parametrize(("m", "n", "k"), [(32, 32, 32), (7, 19, 45)])
def test_matmul(device, element, flags, m, n, k):
    # Small integers: every sum is exact, in any order.
    generator = torch.Generator().manual_seed(m + n + k)
    dtype = {"f16": torch.float16, "bf16": torch.bfloat16, "i8": torch.int8}[element]
    result = torch.int32 if element == "i8" else torch.float32
    a = torch.randint(-4, 5, (m, k), generator=generator)
    b = torch.randint(-4, 5, (k, n), generator=generator)
    c = torch.randint(-4, 5, (m, n), generator=generator)
    expected = (a @ b + (c if "accumulate" in flags else 0)).to(result)
    x = (a.T if "transpose_a" in flags else a).to(dtype).contiguous()
    y = (b.T if "transpose_b" in flags else b).to(dtype).contiguous()
    # All PEs run this kernel and write the same: what they read must stay.
    out = torch.zeros(m, n, dtype=result)
    ir = matmul_ir(element, {"i8": "i32"}.get(element, "f32"), m, n, k, flags)
    launch(ir, "*i8 *i8 *i8 *i8", x, y, c.to(result), out)
    assert torch.equal(out, expected)


FUNCTIONS = {
    "exp": torch.exp,
    "exp2": torch.exp2,
    "log": torch.log,
    "log2": torch.log2,
    "sin": torch.sin,
    "cos": torch.cos,
    "tanh": torch.tanh,
    "sigmoid": torch.sigmoid,
    "erf": torch.erf,
    "sqrt": torch.sqrt,
    "rsqrt": torch.rsqrt,
    "reciprocal": torch.reciprocal,
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_se_function(device, name, dtype):
    element = {torch.float32: "f32", torch.float16: "f16", torch.bfloat16: "bf16"}[dtype]
    x = torch.linspace(0.1, 4.0, 200, dtype=torch.float64).to(dtype)
    out, kind = torch.zeros_like(x), f"memref<200x{element}>"
    box = f"strides [{x.element_size()}] lower [0] upper [200]"
    ir = kernel(
        ["%x: i64", "%o: i64"],
        f"""
      %a = mtia.local_buffer {{offset = 1024 : i64}} : {kind}
      %0 = mtia.dma_load %x {box} into %a : {kind} -> !mtia.ticket
      %1 = mtia.se_unary <{name}> %a into %a : {kind}, {kind} -> !mtia.ticket
      %2 = mtia.dma_store %a to %o {box} : {kind} -> !mtia.ticket
      mtia.wait %2""",
    )
    launch(ir, "*fp32 *fp32", x, out)
    expected = FUNCTIONS[name](x.to(torch.float64))
    tolerance = 4 * torch.finfo(dtype).eps
    torch.testing.assert_close(out.to(torch.float64), expected, rtol=tolerance, atol=tolerance)


SLOT_TYPES = {
    "i8": ("i8", -5),
    "i16": ("i16", -300),
    "i32": ("i32", -70000),
    "i64": ("i64", -(2**40)),
    "fp16": ("f16", 1.5),
    "fp32": ("f32", -2.75),
    "fp64": ("f64", 1e300),
}


def test_every_scalar_type_arrives(device):
    parameters = [f"%{name}: {kind}" for name, (kind, _) in SLOT_TYPES.items()]
    lines = ["%base = llvm.inttoptr %out : i64 to !llvm.ptr"]
    # The hart itself may store to global memory.
    for i, (name, (kind, _)) in enumerate(SLOT_TYPES.items()):
        lines.append(f"%p{i} = llvm.getelementptr %base[{8 * i}] : (!llvm.ptr) -> !llvm.ptr, i8")
        lines.append(f"llvm.store %{name}, %p{i} : {kind}, !llvm.ptr")
    ir = kernel(["%out: i64", *parameters], "\n".join(lines))
    out = np.zeros(8 * len(SLOT_TYPES), dtype=np.uint8)
    values = [value for _, value in SLOT_TYPES.values()]
    launch(ir, " ".join(["*i8", *SLOT_TYPES]), torch.from_numpy(out), *values)
    for i, (name, (_, value)) in enumerate(SLOT_TYPES.items()):
        dtype = np.dtype(name.replace("fp", "f").replace("i", "int").replace("f", "float"))
        assert out[8 * i :][: dtype.itemsize].view(dtype)[0] == value


def test_every_pe_works_and_the_grid_arrives(device):
    ir = kernel(
        ["%out: i64"],
        """
      %pe = mtia.pe_id : index
      %n = mtia.num_pes : index
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %pe64 = arith.index_cast %pe : index to i64
      %n64 = arith.index_cast %n : index to i64
      %g64 = arith.extsi %grid_y : i32 to i64
      %buf = mtia.local_buffer {offset = 1024 : i64} : memref<3xi64>
      memref.store %pe64, %buf[%c0] : memref<3xi64>
      memref.store %n64, %buf[%c1] : memref<3xi64>
      memref.store %g64, %buf[%c2] : memref<3xi64>
      %bytes = arith.constant 24 : i64
      %offset = arith.muli %pe64, %bytes : i64
      %at = arith.addi %out, %offset : i64
      %t = mtia.dma_store %buf to %at strides [8] lower [0] upper [3]
        : memref<3xi64> -> !mtia.ticket
      mtia.wait %t""",
    )
    out = torch.full((64, 3), -1, dtype=torch.int64)
    launch(ir, "*i64", out, grid=(32, 2, 1))
    assert out[:, 0].tolist() == list(range(64))
    assert set(out[:, 1].tolist()) == {64}
    assert set(out[:, 2].tolist()) == {2}


PIPELINED_SUM = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %tile_bytes = arith.constant 256 : i64
  %n64 = arith.index_cast %tiles : i32 to index
  %two = mtia.local_buffer {offset = 1024 : i64} : memref<2x64xf32>
  %sum = mtia.local_buffer {offset = 2048 : i64} : memref<16xf32>
  vector.store %zero, %sum[%c0] : memref<16xf32>, vector<16xf32>
  %first_slot = memref.subview %two[0, 0] [1, 64] [1, 1]
    : memref<2x64xf32> to memref<64xf32, strided<[1]>>
  %first = mtia.dma_load %x strides [4] lower [0] upper [64] into %first_slot
    : memref<64xf32, strided<[1]>> -> !mtia.ticket
  %last = scf.for %i = %c0 to %n64 step %c1 iter_args(%ticket = %first) -> !mtia.ticket {
    %next = arith.addi %i, %c1 : index
    %slot = arith.remui %next, %c2 : index
    %here = arith.remui %i, %c2 : index
    %next64 = arith.index_cast %next : index to i64
    %offset = arith.muli %next64, %tile_bytes : i64
    %at = arith.addi %x, %offset : i64
    %more = arith.cmpi slt, %next, %n64 : index
    %upper = arith.select %more, %c64, %c0 : index
    %into = memref.subview %two[%slot, 0] [1, 64] [1, 1]
      : memref<2x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    %t = mtia.dma_load %at strides [4] lower [0] upper [%upper] into %into
      : memref<64xf32, strided<[1], offset: ?>> -> !mtia.ticket
    mtia.wait %ticket
    scf.for %j = %c0 to %c64 step %c16 {
      %v = vector.load %two[%here, %j] : memref<2x64xf32>, vector<16xf32>
      %s = vector.load %sum[%c0] : memref<16xf32>, vector<16xf32>
      %w = arith.addf %v, %s : vector<16xf32>
      vector.store %w, %sum[%c0] : memref<16xf32>, vector<16xf32>
    }
    scf.yield %t : !mtia.ticket
  }
  mtia.wait %last
  %o = mtia.dma_store %sum to %out strides [4] lower [0] upper [16] : memref<16xf32> -> !mtia.ticket
  mtia.wait %o
"""


@pytest.mark.parametrize("tiles", [1, 2, 9])
def test_tickets_carried_by_a_loop(device, tiles):
    """A software pipeline: the next tile loads while this one is summed."""
    ir = kernel(["%x: i64", "%out: i64", "%tiles: i32"], PIPELINED_SUM)
    x, out = torch.arange(64 * tiles, dtype=torch.float32), torch.zeros(16)
    launch(ir, "*fp32 *fp32 i32", x, out, tiles)
    assert torch.equal(out, x.view(-1, 16).sum(0))


def test_a_missing_wait_is_a_fault(device):
    ir = kernel(
        ["%x: i64", "%out: i64"],
        """
      %c0 = arith.constant 0 : index
      %a = mtia.local_buffer {offset = 1024 : i64} : memref<64xf32>
      %t = mtia.dma_load %x strides [4] lower [0] upper [64] into %a
        : memref<64xf32> -> !mtia.ticket
      %v = memref.load %a[%c0] : memref<64xf32>
      %p = llvm.inttoptr %out : i64 to !llvm.ptr
      llvm.store %v, %p : f32, !llvm.ptr""",
    )
    with pytest.raises(LaunchError, match="kernel kernel faulted"):
        launch(ir, "*fp32 *fp32", torch.zeros(64), torch.zeros(1))


def test_memory_that_was_not_passed_is_a_fault(device):
    ir = kernel(
        ["%x: i64"],
        """
      %a = mtia.local_buffer {offset = 1024 : i64} : memref<64xf32>
      %t = mtia.dma_load %x strides [4] lower [0] upper [64] into %a
        : memref<64xf32> -> !mtia.ticket
      mtia.wait %t""",
    )
    with pytest.raises(LaunchError, match="faulted"):
        launch(ir, "*fp32", torch.zeros(32))
