//===- BoxLowering.cpp - Boxes of memory as commands of three levels ------===//
//
// A command moves planes of rows of bytes. A box has up to five dimensions,
// with bounds known only at run time. In order: clamp the bounds; drop
// dimensions of one step; merge dimensions that are contiguous on both sides;
// take one as the bytes of a row and two as rows and planes; loop over the
// rest.
//
//===----------------------------------------------------------------------===//
#include "passes/MtiaToLLVM/BoxLowering.h"

#include "simulator/isa/mtia_isa.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace kevolve;

namespace {

/// One dimension of a box: `count` steps that are `globalStride` and
/// `localStride` bytes apart.
struct Dim {
  /// Steps of the buffer; the box takes `count` of them.
  int64_t extent;
  Value count;
  Value globalStride;
  int64_t localStride;

  /// The box is known to take every step.
  bool isFull() const { return getConstant(count) == extent; }
  bool isDense(int64_t bytes) const {
    return localStride == bytes && getConstant(globalStride) == bytes;
  }
  /// Dense or not, depending on a stride that is an argument of the kernel.
  bool mayBeDense(int64_t bytes) const {
    return localStride == bytes && !getConstant(globalStride);
  }
};

/// What a command moves, dimension by dimension, outermost first.
struct Box {
  int64_t elementBytes;
  Value globalAddress;
  Value localAddress;
  SmallVector<Dim> dims;
};

/// Issues one command: row bytes, rows and planes (a missing one counts 1).
using IssueFn =
    function_ref<Value(Value rowBytes, const Dim *rows, const Dim *planes,
                       Value globalAddress, Value localAddress)>;

} // namespace

//===----------------------------------------------------------------------===//
// Making a box
//===----------------------------------------------------------------------===//

/// Adds a dimension, and moves the addresses to its first step.
static void addDim(CommandBuilder &cb, Box &box, int64_t extent,
                   OpFoldResult lower, OpFoldResult upper, Value globalStride,
                   int64_t localStride) {
  Value first = cb.clamp(cb.toI64(lower), 0, extent);
  Value end = cb.clamp(cb.toI64(upper), 0, extent);
  // Clamping has seen to it that `end` is not below 0.
  Value count = getConstant(first) == 0
                    ? end
                    : cb.maximum(cb.sub(end, first), cb.constant(0));
  box.globalAddress = cb.add(box.globalAddress, cb.mul(first, globalStride));
  box.localAddress =
      cb.add(box.localAddress, cb.mul(first, cb.constant(localStride)));
  box.dims.push_back({extent, count, globalStride, localStride});
}

static SmallVector<int64_t> localByteStrides(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  (void)type.getStridesAndOffset(strides, offset);
  for (int64_t &stride : strides)
    stride *= mtia::elementBytes(type.getElementType());
  return strides;
}

template <typename DmaOp> static Box makeBox(CommandBuilder &cb, DmaOp op) {
  MemRefType type = op.getBufferType();
  Box box{mtia::elementBytes(type.getElementType()),
          op.getBase(),
          cb.address(op.getBuffer()),
          {}};
  SmallVector<OpFoldResult> strides = op.getMixedStrides();
  SmallVector<OpFoldResult> lower = op.getMixedLower();
  SmallVector<OpFoldResult> upper = op.getMixedUpper();
  for (auto [d, localStride] : llvm::enumerate(localByteStrides(type)))
    addDim(cb, box, type.getDimSize(d), lower[d], upper[d],
           cb.toI64(strides[d]), localStride);
  return box;
}

/// A fill has no global side: it is a box that is dense wherever the buffer is.
static Box makeBox(CommandBuilder &cb, mtia::FillOp op) {
  auto type = cast<MemRefType>(op.getBuffer().getType());
  Value address = cb.address(op.getBuffer());
  Box box{mtia::elementBytes(type.getElementType()), address, address, {}};
  for (auto [d, stride] : llvm::enumerate(localByteStrides(type))) {
    int64_t extent = type.getDimSize(d);
    box.dims.push_back(
        {extent, cb.constant(extent), cb.constant(stride), stride});
  }
  return box;
}

//===----------------------------------------------------------------------===//
// Making it smaller
//===----------------------------------------------------------------------===//

/// Whether stepping over all of `inner` is one step of `outer`, on both sides.
static bool isContiguous(const Dim &outer, const Dim &inner) {
  std::optional<int64_t> outerStride = getConstant(outer.globalStride);
  std::optional<int64_t> innerStride = getConstant(inner.globalStride);
  return outerStride && innerStride && inner.isFull() &&
         outer.localStride == inner.localStride * inner.extent &&
         *outerStride == *innerStride * inner.extent;
}

/// A dimension of one step is there or not: it makes another one empty, or it
/// does nothing.
static void dropUnits(CommandBuilder &cb, SmallVector<Dim> &dims) {
  for (size_t d = dims.size(); d-- > 0;) {
    if (dims[d].extent != 1 || (!dims[d].isFull() && dims.size() == 1))
      continue;
    Value there = dims[d].count;
    dims.erase(dims.begin() + d);
    if (!dims.empty())
      dims.front().count = cb.mul(dims.front().count, there);
  }
}

static void mergeContiguous(CommandBuilder &cb, SmallVector<Dim> &dims) {
  for (size_t d = dims.size(); d-- > 1;) {
    Dim &outer = dims[d - 1], &inner = dims[d];
    if (!isContiguous(outer, inner))
      continue;
    Value count = cb.mul(outer.count, cb.constant(inner.extent));
    outer = {outer.extent * inner.extent, count, inner.globalStride,
             inner.localStride};
    dims.erase(dims.begin() + d);
  }
}

/// `dim` as a row where its stride turns out dense, else as single elements.
static Value splitRow(CommandBuilder &cb, Dim &dim, int64_t elementBytes) {
  Value element = cb.constant(elementBytes);
  Value dense = cb.isEqual(dim.globalStride, element);
  Value row = cb.select(dense, cb.mul(dim.count, element), element);
  Value one = cb.minimum(dim.count, cb.constant(1));
  dim.count = cb.select(dense, one, dim.count);
  return row;
}

/// Takes the dense dimension, if there is one, out of the box; the bytes of a
/// row.
static Value takeRow(CommandBuilder &cb, Box &box) {
  int64_t bytes = box.elementBytes;
  auto *dense = llvm::find_if(
      box.dims, [&](const Dim &dim) { return dim.isDense(bytes); });
  if (dense != box.dims.end()) {
    Value row = cb.mul(dense->count, cb.constant(bytes));
    box.dims.erase(dense);
    return row;
  }
  auto *maybe = llvm::find_if(
      box.dims, [&](const Dim &dim) { return dim.mayBeDense(bytes); });
  return maybe != box.dims.end() ? splitRow(cb, *maybe, bytes)
                                 : cb.constant(bytes);
}

//===----------------------------------------------------------------------===//
// Issuing it
//===----------------------------------------------------------------------===//

/// Commands of a loop: each waits for the one before, so that the ticket of the
/// last stands for all.
static Value issueLoops(CommandBuilder &cb, ArrayRef<Dim> dims, Value row,
                        Value globalAddress, Value localAddress, Value ticket,
                        IssueFn issue) {
  if (dims.size() <= 2) {
    if (ticket)
      cb.wait(ticket);
    const Dim *rows = dims.empty() ? nullptr : &dims.back();
    const Dim *planes = dims.size() < 2 ? nullptr : &dims.front();
    return issue(row, rows, planes, globalAddress, localAddress);
  }
  const Dim &outer = dims.front();
  auto loop = scf::ForOp::create(cb.b, cb.loc, cb.constant(0), outer.count,
                                 cb.constant(1),
                                 ValueRange{globalAddress, localAddress,
                                            ticket ? ticket : cb.constant(0)});
  OpBuilder::InsertionGuard guard(cb.b);
  cb.b.setInsertionPointToStart(loop.getBody());
  ValueRange carried = loop.getRegionIterArgs();
  Value last = issueLoops(cb, dims.drop_front(), row, carried[0], carried[1],
                          carried[2], issue);
  Value nextGlobal = cb.add(carried[0], outer.globalStride);
  Value nextLocal = cb.add(carried[1], cb.constant(outer.localStride));
  scf::YieldOp::create(cb.b, cb.loc, ValueRange{nextGlobal, nextLocal, last});
  return loop.getResult(2);
}

static Value lowerBox(CommandBuilder &cb, Box box, IssueFn issue) {
  dropUnits(cb, box.dims);
  mergeContiguous(cb, box.dims);
  Value row = takeRow(cb, box);
  return issueLoops(cb, box.dims, row, box.globalAddress, box.localAddress,
                    /*ticket=*/Value(), issue);
}

static Value countOf(CommandBuilder &cb, const Dim *dim) {
  return dim ? dim->count : cb.constant(1);
}

/// Strides of a level that is not there are 0, which costs no register.
static Value localStrideOf(CommandBuilder &cb, const Dim *dim) {
  return cb.constant(dim ? dim->localStride : 0);
}

static Value globalStrideOf(CommandBuilder &cb, const Dim *dim) {
  return dim ? dim->globalStride : cb.constant(0);
}

/// p0 .. p6 of a DMA command (mtia_isa.h).
static CommandBuilder::Parameters dmaParameters(CommandBuilder &cb, Value row,
                                                const Dim *rows,
                                                const Dim *planes) {
  CommandBuilder::Parameters p{};
  p[0] = row;
  p[1] = countOf(cb, rows);
  p[2] = countOf(cb, planes);
  p[3] = globalStrideOf(cb, rows);
  if (!rows)
    return p;
  p[4] = localStrideOf(cb, rows);
  p[5] = globalStrideOf(cb, planes);
  if (planes)
    p[6] = localStrideOf(cb, planes);
  return p;
}

Value kevolve::lowerDmaLoad(CommandBuilder &cb, mtia::DmaLoadOp op) {
  return lowerBox(cb, makeBox(cb, op),
                  [&](Value row, const Dim *rows, const Dim *planes,
                      Value global, Value local) {
                    return cb.issue(MTIA_CMD_DMA_LOAD,
                                    dmaParameters(cb, row, rows, planes), local,
                                    global);
                  });
}

Value kevolve::lowerDmaStore(CommandBuilder &cb, mtia::DmaStoreOp op) {
  return lowerBox(cb, makeBox(cb, op),
                  [&](Value row, const Dim *rows, const Dim *planes,
                      Value global, Value local) {
                    return cb.issue(MTIA_CMD_DMA_STORE,
                                    dmaParameters(cb, row, rows, planes),
                                    global, local);
                  });
}

Value kevolve::lowerFill(CommandBuilder &cb, mtia::FillOp op) {
  Box box = makeBox(cb, op);
  int64_t bytes = box.elementBytes;
  Value bits = cb.bits(op.getValue());
  return lowerBox(cb, std::move(box),
                  [&](Value row, const Dim *rows, const Dim *planes,
                      Value global, Value local) {
                    // Rows of a fill count elements.
                    Value elements = cb.constant(*getConstant(row) / bytes);
                    CommandBuilder::Parameters p{};
                    p[0] = elements;
                    p[1] = countOf(cb, rows);
                    p[2] = countOf(cb, planes);
                    if (rows)
                      p[4] = localStrideOf(cb, rows);
                    if (planes)
                      p[6] = localStrideOf(cb, planes);
                    p[7] = cb.constant(bytes);
                    return cb.issue(MTIA_CMD_FILL, p, local, bits);
                  });
}
