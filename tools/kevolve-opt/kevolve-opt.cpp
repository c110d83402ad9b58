//===- kevolve-opt.cpp - mlir-opt with kevolve's dialects and passes ------===//
#include "dialects/RegisterDialects.h"
#include "passes/RegisterPasses.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  kevolve::registerDialects(registry);
  mlir::registerAllPasses();
  kevolve::registerPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "kevolve optimizer driver\n", registry));
}
