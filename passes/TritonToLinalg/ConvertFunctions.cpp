//===- ConvertFunctions.cpp - tt.func, tt.call and program ids ------------===//
#include "passes/TritonToLinalg/Stages.h"

#include "passes/TritonToLinalg/TritonOps.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace kevolve::triton;

/// Ids in x, y and z, then numbers of programs in x, y and z.
static constexpr unsigned kNumProgramArguments = 6;
static constexpr unsigned kNumProgramAxes = 3;

/// Program arguments are the last ones of a function.
static ValueRange getProgramArguments(Operation *op) {
  auto func = op->getParentOfType<func::FuncOp>();
  return ValueRange(func.getArguments()).take_back(kNumProgramArguments);
}

static FunctionType getTypeWithProgram(FunctionType type) {
  SmallVector<Type> inputs(type.getInputs());
  inputs.append(kNumProgramArguments, IntegerType::get(type.getContext(), 32));
  return FunctionType::get(type.getContext(), inputs, type.getResults());
}

static void setArgumentAttributes(func::FuncOp func, Operation *source) {
  auto attributes =
      dyn_cast_or_null<ArrayAttr>(getInherentAttr(source, "arg_attrs"));
  if (!attributes)
    return;
  for (auto [index, attribute] : llvm::enumerate(attributes))
    func.setArgAttrs(index, cast<DictionaryAttr>(attribute));
}

static void markKernel(func::FuncOp func, unsigned numArguments) {
  Builder builder(func.getContext());
  func->setAttr("kevolve.kernel", builder.getUnitAttr());
  func->setAttr("kevolve.num_arguments",
                builder.getI64IntegerAttr(numArguments));
}

static LogicalResult convertFunction(Operation *source) {
  auto typeAttr =
      dyn_cast_or_null<TypeAttr>(getInherentAttr(source, "function_type"));
  auto type =
      typeAttr ? dyn_cast<FunctionType>(typeAttr.getValue()) : FunctionType();
  StringRef name = getString(source, "sym_name");
  if (!type || name.empty() || source->getNumRegions() != 1 ||
      source->getRegion(0).empty())
    return source->emitError(
        "'tt.func' needs a name, a function type and a body");
  OpBuilder builder(source);
  auto func = func::FuncOp::create(builder, source->getLoc(), name,
                                   getTypeWithProgram(type));
  func.getBody().takeBody(source->getRegion(0));
  for (unsigned index = 0; index < kNumProgramArguments; ++index)
    func.getBody().front().addArgument(builder.getI32Type(), source->getLoc());
  setArgumentAttributes(func, source);
  StringRef visibility = getString(source, "sym_visibility");
  if (visibility == "private")
    func.setPrivate();
  else
    markKernel(func, type.getNumInputs());
  source->erase();
  return success();
}

static void convertReturn(Operation *op) {
  OpBuilder builder(op);
  func::ReturnOp::create(builder, op->getLoc(), op->getOperands());
  op->erase();
}

static LogicalResult convertCall(Operation *op) {
  auto callee =
      dyn_cast_or_null<FlatSymbolRefAttr>(getInherentAttr(op, "callee"));
  if (!callee)
    return op->emitError("'tt.call' needs a callee");
  SmallVector<Value> operands(op->getOperands());
  llvm::append_range(operands, getProgramArguments(op));
  OpBuilder builder(op);
  auto call = func::CallOp::create(builder, op->getLoc(), callee,
                                   op->getResultTypes(), operands);
  op->replaceAllUsesWith(call);
  op->erase();
  return success();
}

static LogicalResult convertProgramQuery(Operation *op, unsigned first) {
  int64_t axis = getInteger(op, "axis");
  if (axis < 0 || axis >= kNumProgramAxes)
    return op->emitError() << "'" << op->getName() << "' has no axis " << axis;
  op->replaceAllUsesWith(getProgramArguments(op).slice(first + axis, 1));
  op->erase();
  return success();
}

static LogicalResult convertInside(Operation *op) {
  if (isOp(op, "tt.get_program_id"))
    return convertProgramQuery(op, 0);
  if (isOp(op, "tt.get_num_programs"))
    return convertProgramQuery(op, kNumProgramAxes);
  if (isOp(op, "tt.call"))
    return convertCall(op);
  if (isOp(op, "tt.return"))
    convertReturn(op);
  return success();
}

static LogicalResult
forEachOp(Operation *root, function_ref<bool(Operation *)> matches,
          function_ref<LogicalResult(Operation *)> convert) {
  SmallVector<Operation *> found;
  root->walk([&](Operation *op) {
    if (matches(op))
      found.push_back(op);
  });
  for (Operation *op : found)
    if (failed(convert(op)))
      return failure();
  return success();
}

LogicalResult kevolve::triton::convertFunctions(ModuleOp module) {
  auto isFunction = [](Operation *op) { return isOp(op, "tt.func"); };
  if (failed(forEachOp(module, isFunction, convertFunction)))
    return failure();
  auto isInside = [](Operation *op) {
    return isTritonOp(op) && op->getParentOfType<func::FuncOp>();
  };
  return forEachOp(module, isInside, convertInside);
}
