//===- Passes.h - Passes of Instrument ---------------------------*- C++
//-*-===//
#ifndef KEVOLVE_PASSES_INSTRUMENT_PASSES_H
#define KEVOLVE_PASSES_INSTRUMENT_PASSES_H

#include "mlir/Pass/Pass.h"

namespace kevolve {
#define GEN_PASS_DECL
#include "passes/Instrument/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Instrument/Passes.h.inc"
} // namespace kevolve

#endif // KEVOLVE_PASSES_INSTRUMENT_PASSES_H
