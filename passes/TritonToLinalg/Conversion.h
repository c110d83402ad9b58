//===- Conversion.h - How one Triton operation is converted ----*- C++ -*-===//
#ifndef KEVOLVE_PASSES_TRITONTOLINALG_CONVERSION_H
#define KEVOLVE_PASSES_TRITONTOLINALG_CONVERSION_H

#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/StringMap.h"

namespace kevolve::triton {

/// One operation to convert: its converted operands, and what it becomes.
struct OpConversion {
  mlir::Operation *op;
  mlir::ValueRange operands;
  mlir::ConversionPatternRewriter &rewriter;
  const mlir::TypeConverter &types;

  mlir::Location loc() const { return op->getLoc(); }
  mlir::Type resultType(unsigned index = 0) const {
    return types.convertType(op->getResult(index).getType());
  }
  mlir::RankedTensorType tensorType(unsigned index = 0) const {
    return mlir::cast<mlir::RankedTensorType>(resultType(index));
  }
  mlir::LogicalResult replaceWith(mlir::ValueRange values) const {
    rewriter.replaceOp(op, values);
    return mlir::success();
  }
  /// Reports that a form of a known operation is not supported.
  mlir::LogicalResult unsupported(const llvm::Twine &why) const;
};

using ConvertFunction = mlir::LogicalResult (*)(const OpConversion &);

/// From the name of an operation to the function that converts it.
using ConversionTable = llvm::StringMap<ConvertFunction>;

void addElementwiseConversions(ConversionTable &table);
void addExternConversions(ConversionTable &table);
void addShapeConversions(ConversionTable &table);
void addReduceConversions(ConversionTable &table);
void addScanConversions(ConversionTable &table);
void addContractionConversions(ConversionTable &table);
void addIndexingConversions(ConversionTable &table);
void addMemoryConversions(ConversionTable &table);
void addAtomicConversions(ConversionTable &table);
void addDebugConversions(ConversionTable &table);

/// Every operation that is known.
ConversionTable makeConversionTable();

/// Pointers become i64 addresses, alone and in tensors.
class AddressTypeConverter : public mlir::TypeConverter {
public:
  AddressTypeConverter();
};

/// A tensor of `type` whose contents do not matter.
mlir::Value createEmpty(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::RankedTensorType type);

/// A tensor of `type` that holds `scalar` everywhere.
mlir::Value createFilled(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::RankedTensorType type, mlir::Value scalar);

/// The constant `value` (converted to the element type) as a scalar or a splat
/// of `type`.
mlir::Value createConstant(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Type type, int64_t value);

/// `value` as something to write over: a splat constant becomes a filled
/// tensor.
mlir::Value createDestination(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::Value value);

/// The mask that is operand `index`; null if there is none or all of it is
/// true.
mlir::Value getMask(const OpConversion &conversion, unsigned index);

/// Clones a combiner, whose first half of arguments is what came `before` and
/// whose second half is one more element of each operand; gives its results.
llvm::SmallVector<mlir::Value> cloneCombiner(mlir::OpBuilder &builder,
                                             mlir::Block &combiner,
                                             mlir::ValueRange before,
                                             mlir::ValueRange elements);

} // namespace kevolve::triton

#endif // KEVOLVE_PASSES_TRITONTOLINALG_CONVERSION_H
