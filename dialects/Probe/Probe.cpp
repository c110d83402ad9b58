//===- Probe.cpp - The probe dialect -------------------------------------------===//
#include "dialects/Probe/Probe.h"

#include "dialects/Probe/ProbeDialect.cpp.inc"
#include "dialects/Probe/ProbeEnums.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/Probe/ProbeOps.cpp.inc"

void kevolve::probe::ProbeDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/Probe/ProbeOps.cpp.inc"
      >();
}
