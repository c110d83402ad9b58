//===- SeFunctions.cpp - What the SE can take over ------------------------===//
#include "passes/LinalgToMtia/SeFunctions.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kevolve::mtia;

std::optional<SeFunction> kevolve::mtia::seFunctionOf(Operation *scalarOp) {
  using Result = std::optional<SeFunction>;
  return llvm::TypeSwitch<Operation *, Result>(scalarOp)
      .Case([](math::ExpOp) { return SeFunction::Exp; })
      .Case([](math::Exp2Op) { return SeFunction::Exp2; })
      .Case([](math::LogOp) { return SeFunction::Log; })
      .Case([](math::Log2Op) { return SeFunction::Log2; })
      .Case([](math::SinOp) { return SeFunction::Sin; })
      .Case([](math::CosOp) { return SeFunction::Cos; })
      .Case([](math::TanhOp) { return SeFunction::Tanh; })
      .Case([](math::ErfOp) { return SeFunction::Erf; })
      .Case([](math::SqrtOp) { return SeFunction::Sqrt; })
      .Case([](math::RsqrtOp) { return SeFunction::Rsqrt; })
      .Default([](Operation *) { return Result(); });
}

static bool isElementByElement(linalg::LinalgOp op) {
  return op.getNumDpsInputs() == 1 && op.getNumDpsInits() == 1 &&
         op.getNumLoops() == op.getNumParallelLoops() &&
         llvm::all_of(op.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isIdentity(); });
}

std::optional<SeFunction> kevolve::mtia::seFunctionOf(linalg::LinalgOp op,
                                                      int64_t minElements) {
  if (!op || !isElementByElement(op))
    return std::nullopt;
  auto type = cast<ShapedType>(op.getDpsInputs()[0].getType());
  Type element = type.getElementType();
  if (!type.hasStaticShape() || type.getNumElements() < minElements ||
      type.getElementType() != getElementTypeOrSelf(op.getDpsInits()[0]) ||
      !(element.isF32() || element.isF16() || element.isBF16()))
    return std::nullopt;
  Block *body = op.getBlock();
  Operation &first = body->front();
  if (body->getOperations().size() != 2 || first.getNumOperands() != 1 ||
      first.getOperand(0) != body->getArgument(0) ||
      body->getTerminator()->getOperand(0).getDefiningOp() != &first)
    return std::nullopt;
  return seFunctionOf(&first);
}
