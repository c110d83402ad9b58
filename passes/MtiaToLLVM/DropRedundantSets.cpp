//===- DropRedundantSets.cpp - Parameters that hold their value already ---===//
#include "passes/MtiaToLLVM/Passes.h"

#include "passes/MtiaToLLVM/CommandBuilder.h"

#include "simulator/isa/mtia_isa.h"

namespace kevolve {
#define GEN_PASS_DEF_MTIADROPREDUNDANTSETS
#include "passes/MtiaToLLVM/Passes.h.inc"
} // namespace kevolve

using namespace mlir;
using namespace kevolve;

namespace {

/// The operands of the last `cp.set` of every pair of parameters.
struct HeldParameters {
  std::array<SmallVector<Value>, MTIA_NUM_PARAMETERS / 2> pairs;

  /// Records a set; false if the pair holds these values already.
  bool update(unsigned pair, OperandRange values) {
    if (llvm::equal(pairs[pair], values))
      return false;
    pairs[pair].assign(values.begin(), values.end());
    return true;
  }
};

struct MtiaDropRedundantSetsPass
    : public kevolve::impl::MtiaDropRedundantSetsBase<
          MtiaDropRedundantSetsPass> {
  void runOnOperation() override {
    getOperation()->walk([](Block *block) { dropIn(*block); });
  }

  static void dropIn(Block &block) {
    HeldParameters held;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      // Whatever runs in between may set parameters too.
      if (op.getNumRegions() != 0 || isa<CallOpInterface>(op))
        held = HeldParameters();
      std::optional<unsigned> pair = getSetPair(&op);
      if (pair && !held.update(*pair, op.getOperands()))
        op.erase();
    }
  }
};

} // namespace
