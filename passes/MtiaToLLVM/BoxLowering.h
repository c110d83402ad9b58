//===- BoxLowering.h - Boxes of memory as commands of three levels -*- C++
//-*-===//
#ifndef KEVOLVE_PASSES_MTIATOLLVM_BOXLOWERING_H
#define KEVOLVE_PASSES_MTIATOLLVM_BOXLOWERING_H

#include "passes/MtiaToLLVM/CommandBuilder.h"

#include "dialects/Mtia/Mtia.h"

namespace kevolve {

/// Each emits the commands of one operation and returns the ticket that stands
/// for all of them.
mlir::Value lowerDmaLoad(CommandBuilder &cb, mtia::DmaLoadOp op);
mlir::Value lowerDmaStore(CommandBuilder &cb, mtia::DmaStoreOp op);
mlir::Value lowerFill(CommandBuilder &cb, mtia::FillOp op);

} // namespace kevolve

#endif // KEVOLVE_PASSES_MTIATOLLVM_BOXLOWERING_H
