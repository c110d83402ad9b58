//===- RegisterDialects.cpp - The one list of kevolve's dialects ----------===//
#include "dialects/RegisterDialects.h"

#include "dialects/Mtia/Mtia.h"
#include "dialects/Probe/Probe.h"
#include "dialects/Tile/Tile.h"

#include "mlir/IR/DialectRegistry.h"

void kevolve::registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<mtia::MtiaDialect, probe::ProbeDialect, tile::TileDialect>();
  tile::registerBufferizableOpInterfaceModels(registry);
}
