//===- RegisterEverything.cpp - kevolve in the `mlir` Python package ------===//
#include "dialects/RegisterDialects.h"
#include "passes/RegisterPasses.h"
#include "python/bindings/ProbeBindings.h"

#include "mlir-c/IR.h"
#include "mlir/Bindings/Python/NanobindAdaptors.h"
#include "mlir/CAPI/IR.h"

NB_MODULE(_kevolve_mlir, m) {
  m.doc() = "kevolve's dialects and passes for the mlir package";
  kevolve::registerPasses();
  m.def("register_dialects", [](MlirContext context) {
    mlir::DialectRegistry registry;
    kevolve::registerDialects(registry);
    unwrap(context)->appendDialectRegistry(registry);
    unwrap(context)->loadAllAvailableDialects();
  });
  kevolve::bindProbes(m);
}
