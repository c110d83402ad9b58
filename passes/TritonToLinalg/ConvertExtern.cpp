//===- ConvertExtern.cpp - Library functions by name ----------------------===//
//
// tt.extern_elementwise names a function of a device library: CUDA's libdevice
// (`__nv_expf`) or AMD's ocml (`__ocml_exp_f32`). Both follow C's <math.h>, and
// so do the operations of the math dialect.
//
//===----------------------------------------------------------------------===//
#include "passes/TritonToLinalg/Conversion.h"

#include "passes/TritonToLinalg/TritonOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace kevolve::triton;

/// The C name of a library function: "__nv_expf" and "__ocml_exp_f32" are
/// "exp". The `f` of libdevice's single precision names goes if the name
/// without it is in `known`.
static StringRef getPlainName(StringRef symbol,
                              const llvm::StringMap<StringRef> &known) {
  if (symbol.consume_front("__ocml_")) {
    size_t suffix = symbol.rfind("_f");
    return symbol.take_front(suffix);
  }
  symbol.consume_front("__nv_");
  if (!known.contains(symbol) && symbol.ends_with("f"))
    return symbol.drop_back();
  return symbol;
}

/// From C names to operations.
static const llvm::StringMap<StringRef> &getOperations() {
  static const llvm::StringMap<StringRef> operations = {
      {"exp", "math.exp"},          {"exp2", "math.exp2"},
      {"expm1", "math.expm1"},      {"log", "math.log"},
      {"log2", "math.log2"},        {"log10", "math.log10"},
      {"log1p", "math.log1p"},      {"sqrt", "math.sqrt"},
      {"rsqrt", "math.rsqrt"},      {"cbrt", "math.cbrt"},
      {"sin", "math.sin"},          {"cos", "math.cos"},
      {"tan", "math.tan"},          {"asin", "math.asin"},
      {"acos", "math.acos"},        {"atan", "math.atan"},
      {"atan2", "math.atan2"},      {"sinh", "math.sinh"},
      {"cosh", "math.cosh"},        {"tanh", "math.tanh"},
      {"asinh", "math.asinh"},      {"acosh", "math.acosh"},
      {"atanh", "math.atanh"},      {"erf", "math.erf"},
      {"erfc", "math.erfc"},        {"pow", "math.powf"},
      {"floor", "math.floor"},      {"ceil", "math.ceil"},
      {"trunc", "math.trunc"},      {"round", "math.round"},
      {"rint", "math.roundeven"},   {"nearbyint", "math.roundeven"},
      {"fabs", "math.absf"},        {"copysign", "math.copysign"},
      {"fma", "math.fma"},          {"abs", "math.absi"},
      {"fmax", "arith.maxnumf"},    {"fmin", "arith.minnumf"},
      {"fmod", "arith.remf"},       {"max", "arith.maxsi"},
      {"min", "arith.minsi"},       {"umax", "arith.maxui"},
      {"umin", "arith.minui"},      {"fast_exp", "math.exp"},
      {"fast_log", "math.log"},     {"fast_sin", "math.sin"},
      {"fast_cos", "math.cos"},     {"fast_tan", "math.tan"},
      {"fast_pow", "math.powf"},    {"fast_log2", "math.log2"},
      {"fast_log10", "math.log10"}, {"fast_fdivide", "arith.divf"},
      {"div_rn", "arith.divf"},     {"sqrt_rn", "math.sqrt"},
      {"fast_tanh", "math.tanh"}};
  return operations;
}

/// Predicates are i32 in libdevice, i1 or i32 in Triton's signatures: `flag` as
/// `type`.
static Value createFlag(const OpConversion &c, Value flag) {
  if (flag.getType() == c.resultType())
    return flag;
  return arith::ExtUIOp::create(c.rewriter, c.loc(), c.resultType(), flag);
}

/// isnan, isinf and isfinite; null if `name` is none of them.
static Value createPredicate(const OpConversion &c, StringRef name) {
  OpBuilder &b = c.rewriter;
  Value x = c.operands[0];
  if (name == "isnan")
    return createFlag(c, math::IsNaNOp::create(b, c.loc(), x));
  if (name == "isinf")
    return createFlag(c, math::IsInfOp::create(b, c.loc(), x));
  if (name == "isfinite" || name == "finite")
    return createFlag(c, math::IsFiniteOp::create(b, c.loc(), x));
  return {};
}

static LogicalResult convertExtern(const OpConversion &c) {
  StringRef symbol = getString(c.op, "symbol");
  const auto &operations = getOperations();
  StringRef name = getPlainName(symbol, operations);
  auto found = operations.find(name);
  if (found == operations.end()) {
    Value predicate =
        c.operands.size() == 1 ? createPredicate(c, name.rtrim('d')) : Value();
    return predicate ? c.replaceWith(predicate)
                     : c.unsupported("no function '" + symbol + "' is known");
  }
  OperationState state(c.loc(), found->second, c.operands,
                       TypeRange{c.resultType()});
  return c.replaceWith(c.rewriter.create(state)->getResults());
}

void kevolve::triton::addExternConversions(ConversionTable &table) {
  table["tt.extern_elementwise"] = convertExtern;
}
