//===- TritonBuilder.cpp - Scalar Triton operations by name ---------------===//
#include "passes/Instrument/TritonBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

Value kevolve::TritonBuilder::create(StringRef name, ValueRange operands,
                                     Type result,
                                     ArrayRef<NamedAttribute> properties) {
  OperationState state(loc, name);
  state.addOperands(operands);
  if (result)
    state.addTypes(result);
  if (!properties.empty())
    state.propertiesAttr = builder.getDictionaryAttr(properties);
  Operation *op = builder.create(state);
  return result ? op->getResult(0) : Value();
}

Value kevolve::TritonBuilder::inlineAssembly(StringRef text,
                                             StringRef constraints) {
  return create(
      "tt.elementwise_inline_asm", {}, builder.getI64Type(),
      {builder.getNamedAttr("asm_string", builder.getStringAttr(text)),
       builder.getNamedAttr("constraints", builder.getStringAttr(constraints)),
       builder.getNamedAttr("packed_element", builder.getI32IntegerAttr(1)),
       builder.getNamedAttr("pure", builder.getBoolAttr(false))});
}

Value kevolve::TritonBuilder::perAxis(StringRef name, int32_t axis) {
  Value value =
      create(name, {}, builder.getI32Type(),
             builder.getNamedAttr("axis", builder.getI32IntegerAttr(axis)));
  return arith::ExtSIOp::create(builder, loc, builder.getI64Type(), value);
}

Value kevolve::TritonBuilder::linearProgramId() {
  Value linear = perAxis("tt.get_program_id", 2);
  for (int32_t axis : {1, 0}) {
    Value programs = perAxis("tt.get_num_programs", axis);
    Value outer = arith::MulIOp::create(builder, loc, linear, programs);
    linear = add(outer, perAxis("tt.get_program_id", axis));
  }
  return linear;
}

Value kevolve::TritonBuilder::addPointer(Value pointer, Value elements) {
  return create("tt.addptr", {pointer, elements}, pointer.getType(), {});
}

Value kevolve::TritonBuilder::load(Value pointer) {
  return create(
      "tt.load", pointer, builder.getI64Type(),
      {builder.getNamedAttr("isVolatile", builder.getBoolAttr(false)),
       builder.getNamedAttr("operandSegmentSizes",
                            builder.getDenseI32ArrayAttr({1, 0, 0}))});
}

void kevolve::TritonBuilder::store(Value pointer, Value value) {
  create("tt.store", {pointer, value}, Type(), {});
}

Value kevolve::TritonBuilder::constant(int64_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI64IntegerAttr(value));
}

Value kevolve::TritonBuilder::add(Value left, Value right) {
  return arith::AddIOp::create(builder, loc, left, right);
}

Value kevolve::TritonBuilder::subtract(Value left, Value right) {
  return arith::SubIOp::create(builder, loc, left, right);
}

Value kevolve::TritonBuilder::selectIfZero(Value count, Value first,
                                           Value other) {
  Value isZero = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                       count, constant(0));
  return arith::SelectOp::create(builder, loc, isZero, first, other);
}

Type kevolve::TritonBuilder::i64Pointer(MLIRContext *context) {
  return OpaqueType::get(StringAttr::get(context, "tt"), "ptr<i64>");
}

/// `{tt.divisibility = 16}`: what Triton gives to pointers that torch
/// allocates.
static DictionaryAttr argumentAttributes(Builder &builder) {
  return builder.getDictionaryAttr(
      builder.getNamedAttr("tt.divisibility", builder.getI32IntegerAttr(16)));
}

static ArrayAttr appended(Builder &builder, ArrayAttr attributes,
                          size_t numArguments) {
  SmallVector<Attribute> all(numArguments, builder.getDictionaryAttr({}));
  if (attributes)
    llvm::copy(attributes, all.begin());
  all.push_back(argumentAttributes(builder));
  return builder.getArrayAttr(all);
}

Value kevolve::appendArgument(Operation *function, Type type, StringRef name) {
  Builder builder(function->getContext());
  NamedAttrList properties(
      cast<DictionaryAttr>(function->getPropertiesAsAttribute()));
  auto signature = cast<TypeAttr>(properties.get("function_type"));
  auto functionType = cast<FunctionType>(signature.getValue());
  size_t numArguments = functionType.getNumInputs();
  auto inputs = llvm::to_vector(functionType.getInputs());
  inputs.push_back(type);
  properties.set("function_type", TypeAttr::get(builder.getFunctionType(
                                      inputs, functionType.getResults())));
  properties.set("arg_attrs", appended(builder,
                                       dyn_cast_or_null<ArrayAttr>(
                                           properties.get("arg_attrs")),
                                       numArguments));
  (void)function->setPropertiesFromAttribute(
      properties.getDictionary(function->getContext()), nullptr);
  Location location =
      NameLoc::get(builder.getStringAttr(name), function->getLoc());
  return function->getRegion(0).front().addArgument(type, location);
}
