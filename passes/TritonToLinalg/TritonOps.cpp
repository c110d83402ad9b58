//===- TritonOps.cpp - Reading Triton operations by name ------------------===//
#include "passes/TritonToLinalg/TritonOps.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

bool kevolve::triton::isTritonOp(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  return dialect == "tt" || dialect == "ttg";
}

bool kevolve::triton::isOp(Operation *op, StringRef name) {
  return op->getName().getStringRef() == name;
}

Attribute kevolve::triton::getInherentAttr(Operation *op, StringRef name) {
  auto properties =
      dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute());
  return properties ? properties.get(name) : op->getAttr(name);
}

int64_t kevolve::triton::getInteger(Operation *op, StringRef name,
                                    int64_t absent) {
  auto integer = dyn_cast_or_null<IntegerAttr>(getInherentAttr(op, name));
  return integer ? integer.getInt() : absent;
}

StringRef kevolve::triton::getString(Operation *op, StringRef name) {
  auto string = dyn_cast_or_null<StringAttr>(getInherentAttr(op, name));
  return string ? string.getValue() : StringRef();
}

bool kevolve::triton::isPointer(Type type) {
  auto opaque = dyn_cast<OpaqueType>(type);
  return opaque && opaque.getDialectNamespace() == "tt" &&
         opaque.getTypeData().starts_with("ptr<");
}

bool kevolve::triton::isPointerLike(Type type) {
  return isPointer(getElementTypeOrSelf(type));
}

Type kevolve::triton::getPointee(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (!isPointer(element))
    return {};
  // "ptr<f32>", or "ptr<f32, 3>" with an address space: the parser stops after
  // the type.
  StringRef body =
      cast<OpaqueType>(element).getTypeData().drop_front(strlen("ptr<"));
  size_t charactersRead = 0;
  return parseType(body, type.getContext(), &charactersRead);
}

int64_t kevolve::triton::getSizeInBytes(Type type) {
  if (!type.isIntOrFloat())
    return 8;
  return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}
