//===- Mtia.cpp - The mtia dialect -------------------------------------------===//
#include "dialects/Mtia/Mtia.h"

#include "dialects/Mtia/MtiaDialect.cpp.inc"
#include "dialects/Mtia/MtiaEnums.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/Mtia/MtiaOps.cpp.inc"

void kevolve::mtia::MtiaDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/Mtia/MtiaOps.cpp.inc"
      >();
}
