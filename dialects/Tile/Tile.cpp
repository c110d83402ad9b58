//===- Tile.cpp - The tile dialect ----------------------------------------===//
#include "dialects/Tile/Tile.h"

#include "mlir/Transforms/InliningUtils.h"

#include "dialects/Tile/TileDialect.cpp.inc"
#include "dialects/Tile/TileEnums.cpp.inc"

using namespace mlir;

namespace {
/// Tile operations mean the same wherever they are.
struct TileInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void kevolve::tile::TileDialect::initialize() {
  addInterfaces<TileInlinerInterface>();
  addOperations<
#define GET_OP_LIST
#include "dialects/Tile/TileOps.cpp.inc"
      >();
}
