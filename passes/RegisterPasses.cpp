//===- RegisterPasses.cpp - The one list of kevolve's passes --------------===//
#include "passes/RegisterPasses.h"

#include "passes/Instrument/Passes.h"
#include "passes/LinalgToMtia/Passes.h"
#include "passes/MtiaToLLVM/Passes.h"
#include "passes/TileToLoops/Passes.h"
#include "passes/TraceSynthesis/Passes.h"
#include "passes/TritonToLinalg/Passes.h"

void kevolve::registerPasses() {
  registerInstrumentPasses();
  registerLinalgToMtiaPasses();
  registerMtiaToLLVMPasses();
  registerTileToLoopsPasses();
  registerTraceSynthesisPasses();
  registerTritonToLinalgPasses();
  registerPipelines();
}
