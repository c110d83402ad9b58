//===- Pipelines.cpp - Named pipelines, each a flat list of passes --------===//
#include "passes/RegisterPasses.h"

#include "passes/Instrument/Passes.h"
#include "passes/LinalgToMtia/Passes.h"
#include "passes/MtiaToLLVM/Passes.h"
#include "passes/TileToLoops/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace kevolve;

namespace {
struct MtiaLoweringOptions : PassPipelineOptions<MtiaLoweringOptions> {
  Option<int64_t> cbMultiplier{
      *this, "cb-multiplier",
      llvm::cl::desc("Slots of a circular buffer: 1 overlaps nothing"),
      llvm::cl::init(2)};
  Option<int64_t> vectorLmul{
      *this, "vector-lmul",
      llvm::cl::desc("Registers of a vector: 1, 2, 4 or 8"), llvm::cl::init(4)};
  Option<bool> useSe{*this, "use-se",
                     llvm::cl::desc("Transcendentals of whole tiles on the SE"),
                     llvm::cl::init(true)};
  Option<int64_t> localMemoryBytes{
      *this, "local-memory-bytes",
      llvm::cl::desc("Bytes of local memory of a PE"), llvm::cl::init(393216)};
  Option<bool> probes{*this, "probes",
                      llvm::cl::desc("The kernel measures itself"),
                      llvm::cl::init(false)};
};
} // namespace

static void addCleanup(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

/// Tensors: as few passes over tiles as possible, in the order units want.
static void addTensorStage(OpPassManager &pm,
                           const MtiaLoweringOptions &options) {
  pm.addPass(createLiftControlFlowToSCFPass());
  pm.addNestedPass<func::FuncOp>(createConvertElementwiseToLinalgPass());
  addCleanup(pm);
  pm.addNestedPass<func::FuncOp>(createMtiaFuseElementwise({options.useSe}));
  pm.addNestedPass<func::FuncOp>(createMtiaDistributePrograms());
  addCleanup(pm);
  pm.addPass(createLoopInvariantCodeMotionPass());
  pm.addNestedPass<func::FuncOp>(createMtiaCarryInPlace());
  pm.addPass(bufferization::createOneShotBufferizePass());
  addCleanup(pm);
}

/// Buffers: commands to units, vector loops on the core, and a place for all.
static void addBufferStage(OpPassManager &pm,
                           const MtiaLoweringOptions &options) {
  pm.addNestedPass<func::FuncOp>(createMtiaPlaceOnUnits({options.useSe}));
  pm.addNestedPass<func::FuncOp>(createMtiaVectorize({options.vectorLmul}));
  // What no unit does: gathers, scatters, scalars and atomics, on the core.
  pm.addPass(createTileToLoops());
  pm.addPass(createWidenBooleanBuffers());
  pm.addNestedPass<func::FuncOp>(createMtiaExpandMath());
  arith::ArithEmulateUnsupportedFloatsOptions emulation;
  emulation.sourceTypeStrs = {"bf16"};
  emulation.targetTypeStr = "f32";
  pm.addPass(arith::createArithEmulateUnsupportedFloats(emulation));
  addCleanup(pm);
  pm.addPass(createLoopInvariantCodeMotionPass());
  pm.addNestedPass<func::FuncOp>(createMtiaPipeline({options.cbMultiplier}));
  addCleanup(pm);
}

/// Waits and places: last, since they depend on where everything else is.
static void addPlacementStage(OpPassManager &pm,
                              const MtiaLoweringOptions &options) {
  pm.addNestedPass<func::FuncOp>(createMtiaInsertWaits());
  addCleanup(pm);
  if (options.probes) {
    pm.addPass(createInsertProbesPass());
    pm.addPass(createLowerProbesToRISCVPass());
  }
  pm.addNestedPass<func::FuncOp>(
      createMtiaPlanLocalMemory({options.localMemoryBytes}));
}

static void buildMtiaLowering(OpPassManager &pm,
                              const MtiaLoweringOptions &options) {
  addTensorStage(pm, options);
  addBufferStage(pm, options);
  addPlacementStage(pm, options);
}

/// From the end of the mtia stage to the LLVM dialect.
static void buildMtiaToLLVMPipeline(OpPassManager &pm) {
  pm.addPass(createConvertMtiaToLLVM());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createConvertVectorToSCFPass(
      VectorTransferToSCFOptions().enableFullUnroll()));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createMtiaDropRedundantSets());
  // bf16 has no scalar instructions; on vectors, see MARCH of the backend.
  pm.addPass(arith::createArithExpandOpsPass({/*includeBf16=*/true}));
  pm.addPass(memref::createExpandOpsPass());
  pm.addPass(createSCFToControlFlowPass());
  // Sums of vectors in any order: vfredusum, as other targets do by trees.
  ConvertVectorToLLVMPassOptions vectors;
  vectors.reassociateFPReductions = true;
  pm.addPass(createConvertVectorToLLVMPass(vectors));
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createMtiaCheckLowered());
  pm.addPass(LLVM::createDIScopeForLLVMFuncOpPass());
}

void kevolve::registerPipelines() {
  PassPipelineRegistration<MtiaLoweringOptions>(
      "mtia-lowering-pipeline",
      "Triton IR in generic form to commands and vector loops of a PE",
      buildMtiaLowering);
  PassPipelineRegistration<>(
      "mtia-to-llvm-pipeline",
      "From the end of the mtia stage to the LLVM dialect of a PE",
      buildMtiaToLLVMPipeline);
}
