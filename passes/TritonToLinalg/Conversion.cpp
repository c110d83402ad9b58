//===- Conversion.cpp - What the conversions have in common ---------------===//
#include "passes/TritonToLinalg/Conversion.h"

#include "passes/TritonToLinalg/TritonOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace kevolve::triton;

LogicalResult OpConversion::unsupported(const Twine &why) const {
  return op->emitError() << "unsupported op '" << op->getName() << "': " << why;
}

ConversionTable kevolve::triton::makeConversionTable() {
  ConversionTable table;
  addElementwiseConversions(table);
  addExternConversions(table);
  addShapeConversions(table);
  addReduceConversions(table);
  addScanConversions(table);
  addContractionConversions(table);
  addIndexingConversions(table);
  addMemoryConversions(table);
  addAtomicConversions(table);
  addDebugConversions(table);
  return table;
}

static Value createCast(OpBuilder &builder, Type type, ValueRange inputs,
                        Location loc) {
  return UnrealizedConversionCastOp::create(builder, loc, type, inputs)
      .getResult(0);
}

AddressTypeConverter::AddressTypeConverter() {
  addConversion([](Type type) { return type; });
  addConversion([](OpaqueType type) -> Type {
    return isPointer(type) ? IntegerType::get(type.getContext(), 64)
                           : Type(type);
  });
  addConversion([](RankedTensorType type) -> Type {
    if (!isPointerLike(type))
      return type;
    return type.clone(IntegerType::get(type.getContext(), 64));
  });
  addSourceMaterialization(createCast);
  addTargetMaterialization(createCast);
}

Value kevolve::triton::createEmpty(OpBuilder &builder, Location loc,
                                   RankedTensorType type) {
  return tensor::EmptyOp::create(builder, loc, type.getShape(),
                                 type.getElementType());
}

Value kevolve::triton::createFilled(OpBuilder &builder, Location loc,
                                    RankedTensorType type, Value scalar) {
  Value empty = createEmpty(builder, loc, type);
  return linalg::FillOp::create(builder, loc, scalar, empty).getResult(0);
}

Value kevolve::triton::createConstant(OpBuilder &builder, Location loc,
                                      Type type, int64_t value) {
  Type element = getElementTypeOrSelf(type);
  TypedAttr attr =
      isa<FloatType>(element)
          ? TypedAttr(builder.getFloatAttr(element, static_cast<double>(value)))
          : TypedAttr(builder.getIntegerAttr(element, value));
  if (auto shaped = dyn_cast<ShapedType>(type))
    attr = DenseElementsAttr::get(shaped, Attribute(attr));
  return arith::ConstantOp::create(builder, loc, attr);
}

Value kevolve::triton::createDestination(OpBuilder &builder, Location loc,
                                         Value value) {
  DenseElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || !elements.isSplat())
    return value;
  auto scalar = arith::ConstantOp::create(builder, loc,
                                          elements.getSplatValue<TypedAttr>());
  return createFilled(builder, loc, cast<RankedTensorType>(value.getType()),
                      scalar);
}

Value kevolve::triton::getMask(const OpConversion &conversion, unsigned index) {
  if (index >= conversion.operands.size())
    return {};
  Value mask = conversion.operands[index];
  DenseElementsAttr elements;
  bool isConstant =
      matchPattern(mask, m_Constant(&elements)) && elements.isSplat();
  bool isTrue = isConstant ? elements.getSplatValue<APInt>().isAllOnes()
                           : matchPattern(mask, m_One());
  return isTrue ? Value() : mask;
}
