"""LLVM IR to ELF: where it lies, that it is reproducible, and how it fails."""

import struct

import pytest
from kevolve.backends.mtia import codegen, lowering
from kevolve.errors import CompileError

KERNEL = """
func.func @kernel(%out: i64, %n: i64) attributes {kevolve.kernel} {
  %c0 = arith.constant 0 : index
  %buf = mtia.local_buffer {offset = 1024 : i64} : memref<4xi64>
  memref.store %n, %buf[%c0] : memref<4xi64>
  %t = mtia.dma_store %buf to %out strides [8] lower [0] upper [4] : memref<4xi64> -> !mtia.ticket
  mtia.wait %t
  return
}
"""


@pytest.fixture(scope="module")
def assembly():
    return codegen.make_assembly(lowering.make_llir(KERNEL))


@pytest.fixture(scope="module")
def elf(assembly):
    return codegen.make_elf(assembly, "kernel")


def test_code_is_linked_where_the_simulator_puts_it(elf):
    assert elf[:4] == b"\x7fELF"
    machine, entry = struct.unpack_from("<H", elf, 18)[0], struct.unpack_from("<Q", elf, 24)[0]
    assert machine == 243  # EM_RISCV
    assert 0x10000 <= entry < 0x10000000


def test_commands_are_custom_0_instructions(assembly, elf):
    assert ".insn r 11, 1, 1," in assembly
    words = [struct.unpack_from("<I", elf, at)[0] for at in range(0, len(elf) - 3, 2)]
    # opcode custom-0, funct3 = issue, funct7 = MTIA_CMD_DMA_STORE.
    assert any(word & 0xFE00707F == 0x01 << 25 | 1 << 12 | 0x0B for word in words)


def test_the_same_ir_gives_the_same_bytes(assembly, elf):
    again = codegen.make_assembly(lowering.make_llir(KERNEL))
    assert again == assembly
    assert codegen.make_elf(again, "kernel") == elf


def test_missing_functions_are_one_line():
    with pytest.raises(CompileError, match="undefined symbol: nowhere") as caught:
        codegen.make_elf("\t.globl kernel\nkernel:\n\ttail nowhere\n", "kernel")
    assert "\n" not in str(caught.value)


def test_bad_ir_is_one_line():
    with pytest.raises(CompileError, match=r"asm: .*error"):
        codegen.make_assembly("define void @kernel() { what }")


def test_errors_of_passes_name_the_kernels_line():
    text = """
    func.func @kernel(%x: f32, %out: i64) attributes {kevolve.kernel} {
      %y = math.exp %x : f32 loc("softmax.py":12:3)
      %p = llvm.inttoptr %out : i64 to !llvm.ptr
      llvm.store %y, %p : f32, !llvm.ptr
      return
    }"""
    with pytest.raises(CompileError) as caught:
        lowering.make_llir(text)
    assert (caught.value.file, caught.value.line) == ("softmax.py", 12)
    assert "needs a C library" in str(caught.value)
