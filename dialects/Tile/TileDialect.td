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
  let description = [{
    What lies between values (tensors) and global memory, where addresses are
    plain 64-bit byte addresses. Strided boxes are `tile.load` and `tile.store`;
    everything else is `tile.gather` and `tile.scatter`, element by element.

    All operations that yield a tensor are in destination style: elements that
    are not loaded keep the value of the destination. After bufferization the
    same operations take memrefs in place of tensors and have no results.
  }];
}

class Tile_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tile_Dialect, mnemonic, traits>;

#endif // KEVOLVE_DIALECTS_TILE_DIALECT
