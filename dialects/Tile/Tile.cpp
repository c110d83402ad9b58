//===- Tile.cpp - The tile dialect ----------------------------------------===//
#include "dialects/Tile/Tile.h"

#include "dialects/Tile/TileDialect.cpp.inc"
#include "dialects/Tile/TileEnums.cpp.inc"

void kevolve::tile::TileDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/Tile/TileOps.cpp.inc"
      >();
}
