//===- Inductions.h - Loop-carried sums in closed form ---------*- C++ -*-===//
#ifndef KEVOLVE_PASSES_LINALGTOMTIA_INDUCTIONS_H
#define KEVOLVE_PASSES_LINALGTOMTIA_INDUCTIONS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace kevolve {
/// Where a loop carries an integer that every iteration moves by the same
/// amount, computes it from the induction variable instead, so that it is known
/// for iterations ahead.
void closeInductions(mlir::scf::ForOp loop);
} // namespace kevolve

#endif // KEVOLVE_PASSES_LINALGTOMTIA_INDUCTIONS_H
