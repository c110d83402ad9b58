//===- ExpandMath.cpp - Math without an instruction, as arithmetic --------===//
#include "passes/LinalgToMtia/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace kevolve {
#define GEN_PASS_DEF_MTIAEXPANDMATH
#include "passes/LinalgToMtia/Passes.h.inc"
} // namespace kevolve

using namespace mlir;
using namespace kevolve;

/// Functions written with others: tan by sin and cos, pow by exp and log, ..
static constexpr StringRef kByOtherFunctions[] = {
    "acosh", "asinh", "atanh", "cosh", "exp2", "fpowi",
    "powf",  "rsqrt", "sinh",  "tan",  "ctlz"};

/// Functions with a polynomial in f32.
static bool hasPolynomial(StringRef name) {
  static constexpr StringRef kNames[] = {
      "math.acos", "math.asin",  "math.atan", "math.atan2", "math.cbrt",
      "math.cos",  "math.erf",   "math.erfc", "math.exp",   "math.expm1",
      "math.log",  "math.log1p", "math.log2", "math.sin",   "math.tanh"};
  return llvm::is_contained(kNames, name);
}

namespace {
struct MtiaExpandMathPass
    : kevolve::impl::MtiaExpandMathBase<MtiaExpandMathPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    math::populateExpansionPatterns(patterns, kByOtherFunctions);
    populateMathF32ExpansionPatterns(patterns, hasPolynomial);
    populateMathPolynomialApproximationPatterns(patterns, hasPolynomial);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
