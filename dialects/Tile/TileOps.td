//===- TileOps.td - Operations of the tile dialect ----------*- tablegen -*-===//
#ifndef KEVOLVE_DIALECTS_TILE_OPS
#define KEVOLVE_DIALECTS_TILE_OPS

include "dialects/Tile/TileDialect.td"

#endif // KEVOLVE_DIALECTS_TILE_OPS
