//===- Tile.h - The tile dialect -----------------------------*- C++ -*-===//
#ifndef KEVOLVE_DIALECTS_TILE_TILE_H
#define KEVOLVE_DIALECTS_TILE_TILE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/Tile/TileDialect.h.inc"
#include "dialects/Tile/TileEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Tile/TileAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/Tile/TileTypes.h.inc"
#define GET_OP_CLASSES
#include "dialects/Tile/TileOps.h.inc"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace kevolve::tile {
/// Attaches the models by which one-shot bufferization turns tile operations
/// on tensors into the same operations on memrefs.
void registerBufferizableOpInterfaceModels(mlir::DialectRegistry &registry);
} // namespace kevolve::tile

#endif // KEVOLVE_DIALECTS_TILE_TILE_H
