//===- Pipelines.cpp - Named pipelines, each a flat list of passes --------===//
#include "passes/RegisterPasses.h"

#include "passes/MtiaToLLVM/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace kevolve;

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
  PassPipelineRegistration<>(
      "mtia-to-llvm-pipeline",
      "From the end of the mtia stage to the LLVM dialect of a PE",
      buildMtiaToLLVMPipeline);
}
