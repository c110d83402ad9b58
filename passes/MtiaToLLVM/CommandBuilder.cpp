//===- CommandBuilder.cpp - Custom instructions as inline assembly --------===//
#include "passes/MtiaToLLVM/CommandBuilder.h"

#include "dialects/Mtia/Mtia.h"
#include "simulator/isa/mtia_isa.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace kevolve;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Value CommandBuilder::constant(int64_t value) {
  return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
}

Value CommandBuilder::toI64(Value value) {
  if (value.getType().isInteger(64))
    return value;
  if (value.getType().isIndex())
    return b.createOrFold<arith::IndexCastOp>(loc, b.getI64Type(), value);
  return b.createOrFold<arith::ExtSIOp>(loc, b.getI64Type(), value);
}

Value CommandBuilder::toI64(OpFoldResult value) {
  if (std::optional<int64_t> fixed = getConstantIntValue(value))
    return constant(*fixed);
  return toI64(cast<Value>(value));
}

Value CommandBuilder::add(Value lhs, Value rhs) {
  return b.createOrFold<arith::AddIOp>(loc, lhs, rhs);
}

Value CommandBuilder::sub(Value lhs, Value rhs) {
  return b.createOrFold<arith::SubIOp>(loc, lhs, rhs);
}

Value CommandBuilder::mul(Value lhs, Value rhs) {
  return b.createOrFold<arith::MulIOp>(loc, lhs, rhs);
}

Value CommandBuilder::maximum(Value lhs, Value rhs) {
  return b.createOrFold<arith::MaxSIOp>(loc, lhs, rhs);
}

Value CommandBuilder::minimum(Value lhs, Value rhs) {
  return b.createOrFold<arith::MinSIOp>(loc, lhs, rhs);
}

Value CommandBuilder::isEqual(Value lhs, Value rhs) {
  return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, lhs, rhs);
}

Value CommandBuilder::select(Value condition, Value yes, Value no) {
  return b.createOrFold<arith::SelectOp>(loc, condition, yes, no);
}

Value CommandBuilder::clamp(Value value, int64_t low, int64_t high) {
  return minimum(maximum(value, constant(low)), constant(high));
}

Value CommandBuilder::bits(Value scalar) {
  Type type = scalar.getType();
  Type integer = b.getIntegerType(type.getIntOrFloatBitWidth());
  if (type != integer)
    scalar = b.createOrFold<arith::BitcastOp>(loc, integer, scalar);
  if (integer.isInteger(64))
    return scalar;
  return b.createOrFold<arith::ExtUIOp>(loc, b.getI64Type(), scalar);
}

Value CommandBuilder::address(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  Value start =
      toI64(memref::ExtractAlignedPointerAsIndexOp::create(b, loc, memref)
                .getResult());
  SmallVector<int64_t> strides;
  int64_t offset;
  // The verifiers of the commands have seen a strided layout.
  (void)type.getStridesAndOffset(strides, offset);
  if (offset == 0)
    return start;
  Value elements =
      ShapedType::isDynamic(offset)
          ? toI64(memref::ExtractStridedMetadataOp::create(b, loc, memref)
                      .getOffset())
          : constant(offset);
  int64_t bytes = mtia::elementBytes(type.getElementType());
  return add(start, mul(elements, constant(bytes)));
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

Value CommandBuilder::assembly(const Twine &text, StringRef constraints,
                               ValueRange operands, bool result,
                               bool sideEffects) {
  auto asmOp = LLVM::InlineAsmOp::create(
      b, loc, result ? TypeRange(b.getI64Type()) : TypeRange(), operands,
      text.str(), constraints, sideEffects, /*is_align_stack=*/false,
      LLVM::TailCallKind::None, /*asm_dialect=*/LLVM::AsmDialectAttr(),
      /*operand_attrs=*/ArrayAttr());
  return result ? asmOp.getRes() : Value();
}

/// `.insn r opcode, funct3, funct7, rd, rs1, rs2`
static std::string instruction(unsigned funct3, unsigned funct7,
                               StringRef registers) {
  return (".insn r " + Twine(MTIA_OPCODE) + ", " + Twine(funct3) + ", " +
          Twine(funct7) + ", " + registers)
      .str();
}

/// Without a memory clobber: setting a parameter touches no memory. `z` prints
/// the constant 0 as the register x0.
void CommandBuilder::set(unsigned pair, Value even, Value odd) {
  assembly(instruction(MTIA_F3_SET, pair, "x0, ${0:z}, ${1:z}"), "rJ,rJ",
           {even, odd}, /*result=*/false);
}

Value CommandBuilder::issue(unsigned command, const Parameters &parameters,
                            Value rs1, Value rs2) {
  for (unsigned pair = 0; pair < parameters.size() / 2; ++pair) {
    Value even = parameters[2 * pair], odd = parameters[2 * pair + 1];
    if (even || odd)
      set(pair, even ? even : constant(0), odd ? odd : constant(0));
  }
  return assembly(instruction(MTIA_F3_ISSUE, command, "$0, $1, ${2:z}"),
                  "=r,r,rJ,~{memory}", {rs1, rs2}, /*result=*/true);
}

void CommandBuilder::wait(Value ticket) {
  assembly(instruction(MTIA_F3_WAIT, 0, "x0, $0, x0"), "r,~{memory}", {ticket},
           /*result=*/false);
}

void CommandBuilder::waitAll() {
  assembly(instruction(MTIA_F3_WAIT_ALL, 0, "x0, x0, x0"), "~{memory}", {},
           /*result=*/false);
}

Value CommandBuilder::readCsr(unsigned csr) {
  return assembly("csrr $0, " + Twine(csr), "=r", {}, /*result=*/true,
                  /*sideEffects=*/false);
}

std::optional<unsigned> kevolve::getSetPair(Operation *op) {
  auto asmOp = dyn_cast<LLVM::InlineAsmOp>(op);
  if (!asmOp)
    return std::nullopt;
  for (unsigned pair = 0; pair < MTIA_NUM_PARAMETERS / 2; ++pair)
    if (asmOp.getAsmString() ==
        instruction(MTIA_F3_SET, pair, "x0, ${0:z}, ${1:z}"))
      return pair;
  return std::nullopt;
}

std::optional<int64_t> kevolve::getConstant(Value value) {
  return getConstantIntValue(OpFoldResult(value));
}
