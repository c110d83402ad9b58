//===- PlanLocalMemory.cpp - A place in local memory for every buffer -----===//
#include "dialects/Mtia/Mtia.h"
#include "passes/LinalgToMtia/LiveRanges.h"
#include "passes/LinalgToMtia/Passes.h"
#include "simulator/isa/mtia_isa.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

namespace kevolve {
#define GEN_PASS_DEF_MTIAPLANLOCALMEMORY
#include "passes/LinalgToMtia/Passes.h.inc"
} // namespace kevolve

using namespace mlir;
using namespace kevolve;

/// A vector register's worth, and more than the 32 bytes structured DMA wants.
static constexpr int64_t kAlignmentBytes = 64;

namespace {
struct Placement {
  memref::AllocOp alloc;
  mtia::LiveRange range;
  int64_t sizeBytes = 0;
  int64_t offsetBytes = 0;
  int64_t endBytes() const { return offsetBytes + sizeBytes; }
};
} // namespace

static int64_t sizeOf(MemRefType type) {
  return llvm::alignTo(type.getNumElements() *
                           mtia::elementBytes(type.getElementType()),
                       kAlignmentBytes);
}

/// The lowest offset where `buffer` meets none of the placed buffers that are
/// live together with it.
static int64_t firstFit(const Placement &buffer, ArrayRef<Placement> placed) {
  SmallVector<const Placement *> inTheWay;
  for (const Placement &other : placed)
    if (other.range.overlaps(buffer.range))
      inTheWay.push_back(&other);
  llvm::sort(inTheWay, [](const Placement *a, const Placement *b) {
    return a->offsetBytes < b->offsetBytes;
  });
  int64_t offset = MTIA_LS_ARGUMENT_BYTES;
  for (const Placement *other : inTheWay) {
    if (offset + buffer.sizeBytes <= other->offsetBytes)
      break;
    offset = std::max(offset, other->endBytes());
  }
  return offset;
}

/// Large buffers first: the usual order for offset assignment.
static SmallVector<Placement> place(SmallVector<Placement> buffers) {
  llvm::stable_sort(buffers, [](const Placement &a, const Placement &b) {
    return a.sizeBytes > b.sizeBytes;
  });
  SmallVector<Placement> placed;
  for (Placement &buffer : buffers) {
    buffer.offsetBytes = firstFit(buffer, placed);
    placed.push_back(buffer);
  }
  return placed;
}

static LogicalResult checkSize(MutableArrayRef<Placement> placed,
                               int64_t localMemoryBytes) {
  int64_t limit = localMemoryBytes - MTIA_LS_STACK_BYTES;
  Placement *last = nullptr;
  for (Placement &buffer : placed)
    if (!last || buffer.endBytes() > last->endBytes())
      last = &buffer;
  if (!last || last->endBytes() <= limit)
    return success();
  return last->alloc.emitError("kernel needs ")
         << last->endBytes() - MTIA_LS_ARGUMENT_BYTES
         << " bytes of local memory for its tiles and has "
         << limit - MTIA_LS_ARGUMENT_BYTES
         << ": reduce the tile or cb_multiplier";
}

namespace {
struct MtiaPlanLocalMemoryPass
    : kevolve::impl::MtiaPlanLocalMemoryBase<MtiaPlanLocalMemoryPass> {
  using MtiaPlanLocalMemoryBase::MtiaPlanLocalMemoryBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    SmallVector<Placement> buffers;
    if (failed(collect(func, buffers)))
      return signalPassFailure();
    SmallVector<Placement> placed = place(std::move(buffers));
    if (failed(checkSize(placed, localMemoryBytes)))
      return signalPassFailure();
    int64_t end = MTIA_LS_ARGUMENT_BYTES;
    for (Placement &buffer : placed) {
      OpBuilder b(buffer.alloc);
      b.setInsertionPointToStart(&func.getBody().front());
      Value local = mtia::LocalBufferOp::create(
          b, buffer.alloc.getLoc(), buffer.alloc.getType(),
          b.getI64IntegerAttr(buffer.offsetBytes));
      buffer.alloc.replaceAllUsesWith(local);
      buffer.alloc.erase();
      end = std::max(end, buffer.endBytes());
    }
    if (func->hasAttr("kevolve.kernel"))
      func->setAttr("mtia.local_bytes",
                    IntegerAttr::get(IntegerType::get(&getContext(), 64), end));
  }

private:
  LogicalResult collect(func::FuncOp func, SmallVector<Placement> &buffers) {
    mtia::LiveRanges ranges(func);
    WalkResult result = func.walk([&](memref::AllocOp alloc) {
      if (!alloc.getType().hasStaticShape() ||
          !alloc.getType().getLayout().isIdentity()) {
        alloc.emitError("local memory holds buffers of static shape, not ")
            << alloc.getType();
        return WalkResult::interrupt();
      }
      buffers.push_back({alloc, ranges.of(alloc), sizeOf(alloc.getType()), 0});
      return WalkResult::advance();
    });
    func.walk([](memref::DeallocOp op) { op.erase(); });
    return failure(result.wasInterrupted());
  }
};
} // namespace
