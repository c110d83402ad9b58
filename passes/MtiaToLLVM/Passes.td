//===- Passes.td - Passes of MtiaToLLVM ---------------------------*- tablegen -*-===//
#ifndef KEVOLVE_PASSES_MTIATOLLVM
#define KEVOLVE_PASSES_MTIATOLLVM

include "mlir/Pass/PassBase.td"

def ConvertMtiaToLLVM : Pass<"convert-mtia-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Lower mtia commands to custom instructions, and kernels to the MTIA ABI";
  let description = [{
    Every command becomes `llvm.inline_asm` that sets the command processor's
    parameters and issues it, encoded as simulator/isa/mtia_isa.h says. Tickets
    become `i64`. Boxes of DMA are clamped at run time; dimensions that are
    contiguous in global and in local memory are merged into longer rows; what
    does not fit the three levels of one command is looped over. Local buffers
    become memory at constant addresses.

    A function with the attribute `kevolve.kernel` becomes
    `func.func @kernel(!llvm.ptr)`: it loads its arguments from the 8-byte slots
    of the argument block.

    Example: waiting for a ticket that a loop carries.

    ```mlir
    mtia.wait %t
    // becomes
    llvm.inline_asm has_side_effects ".insn r 0x0B, 2, 0, x0, $0, x0",
      "r,~{memory}" %t : (i64) -> ()
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect", "::mlir::memref::MemRefDialect"];
}

def MtiaCheckLowered : Pass<"mtia-check-lowered", "::mlir::ModuleOp"> {
  let summary = "Report what a PE has no instruction for";
  let description = [{
    Runs where everything should be in the LLVM dialect. Operations left over,
    and LLVM intrinsics that would become calls into a C library that is not
    there, are reported with the place in the kernel's source they come from,
    rather than by the linker.
  }];
}

def MtiaDropRedundantSets : Pass<"mtia-drop-redundant-sets"> {
  let summary = "Set parameters of the command processor only when they change";
  let description = [{
    Parameters keep their value from one command to the next. Within a block, a
    `cp.set` of values that the parameters hold already is erased; issuing costs
    cycles of the core.
  }];
}

#endif // KEVOLVE_PASSES_MTIATOLLVM
