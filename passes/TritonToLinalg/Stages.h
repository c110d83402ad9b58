//===- Stages.h - The stages of the conversion -----------------*- C++ -*-===//
#ifndef KEVOLVE_PASSES_TRITONTOLINALG_STAGES_H
#define KEVOLVE_PASSES_TRITONTOLINALG_STAGES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace kevolve::triton {

/// Turns tt.func, tt.return and tt.call into those of the func dialect (pointer
/// types stay). Every function gets six more arguments, the program's ids and
/// the numbers of programs, which tt.get_program_id and tt.get_num_programs
/// become. Public functions are marked as kernels.
mlir::LogicalResult convertFunctions(mlir::ModuleOp module);

/// Raises loads and stores whose addresses and masks have a structure to
/// tile.load and tile.store, and makes pointer tensors that loops carry
/// scalars.
void raiseAccesses(mlir::func::FuncOp func);

/// Makes loops yield their tensors where they carry them, for one-shot
/// bufferization.
void tieCarriedTensors(mlir::ModuleOp module);

} // namespace kevolve::triton

#endif // KEVOLVE_PASSES_TRITONTOLINALG_STAGES_H
