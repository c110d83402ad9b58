//===- KernelAbi.h - Kernels as functions of an argument block --*- C++ -*-===//
#ifndef KEVOLVE_PASSES_MTIATOLLVM_KERNELABI_H
#define KEVOLVE_PASSES_MTIATOLLVM_KERNELABI_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace kevolve {

/// Gives a function with `kevolve.kernel` the calling convention of
/// simulator/isa/mtia_isa.h: one pointer to a block of 8-byte slots.
mlir::LogicalResult lowerKernelAbi(mlir::func::FuncOp kernel);

} // namespace kevolve

#endif // KEVOLVE_PASSES_MTIATOLLVM_KERNELABI_H
