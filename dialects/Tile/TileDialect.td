//===- TileDialect.td - The tile dialect --------------------*- tablegen -*-===//
#ifndef KEVOLVE_DIALECTS_TILE_DIALECT
#define KEVOLVE_DIALECTS_TILE_DIALECT

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::kevolve::tile";
  let summary = "Tiles of global memory as tensors";
}

class Tile_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tile_Dialect, mnemonic, traits>;

#endif // KEVOLVE_DIALECTS_TILE_DIALECT
