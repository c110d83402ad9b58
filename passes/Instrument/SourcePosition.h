//===- SourcePosition.h - From a location to the user's line ----*- C++ -*-===//
#ifndef KEVOLVE_PASSES_INSTRUMENT_SOURCEPOSITION_H
#define KEVOLVE_PASSES_INSTRUMENT_SOURCEPOSITION_H

#include "mlir/IR/Location.h"

#include <string>

namespace kevolve {
struct SourcePosition {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
};

/// The place in the user's own file that `location` comes from. Of a chain of
/// inlined calls it is the innermost frame that lies in `ownFile` (that of the
/// kernel), else the outermost one. An empty file when nothing is known.
SourcePosition findSourcePosition(mlir::Location location,
                                  llvm::StringRef ownFile);

/// The name of the variable that the frontend gave to `location`, if it did.
llvm::StringRef findVariableName(mlir::Location location);
} // namespace kevolve

#endif // KEVOLVE_PASSES_INSTRUMENT_SOURCEPOSITION_H
