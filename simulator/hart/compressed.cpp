//===- compressed.cpp - Expands RV64C to 32-bit encodings -----------------===//
//
// Every compressed instruction is defined as a 32-bit one; the field layouts
// are those of "C Standard Extension for Compressed Instructions", v2.0.
//
//===----------------------------------------------------------------------===//
#include "simulator/hart/instruction.h"

namespace {

using u32 = uint32_t;

u32 field(u32 e, unsigned low, unsigned count) {
  return e >> low & ((1u << count) - 1);
}
u32 rdFull(u32 e) { return field(e, 7, 5); }
u32 rs2Full(u32 e) { return field(e, 2, 5); }
u32 rdPrime(u32 e) { return field(e, 2, 3) + 8; } // also rs2'
u32 rs1Prime(u32 e) { return field(e, 7, 3) + 8; }

u32 iType(u32 opcode, u32 funct3, u32 rd, u32 rs1, u32 imm) {
  return opcode | rd << 7 | funct3 << 12 | rs1 << 15 | (imm & 0xfff) << 20;
}
u32 rType(u32 opcode, u32 funct3, u32 funct7, u32 rd, u32 rs1, u32 rs2) {
  return opcode | rd << 7 | funct3 << 12 | rs1 << 15 | rs2 << 20 | funct7 << 25;
}
u32 sType(u32 opcode, u32 funct3, u32 rs1, u32 rs2, u32 imm) {
  return opcode | field(imm, 0, 5) << 7 | funct3 << 12 | rs1 << 15 | rs2 << 20 |
         field(imm, 5, 7) << 25;
}
u32 bType(u32 funct3, u32 rs1, u32 imm) {
  return 0x63 | field(imm, 11, 1) << 7 | field(imm, 1, 4) << 8 | funct3 << 12 |
         rs1 << 15 | field(imm, 5, 6) << 25 | field(imm, 12, 1) << 31;
}
u32 jType(u32 rd, u32 imm) {
  return 0x6f | rd << 7 | field(imm, 12, 8) << 12 | field(imm, 11, 1) << 20 |
         field(imm, 1, 10) << 21 | field(imm, 20, 1) << 31;
}

u32 signExtend(u32 value, unsigned width) {
  const u32 top = 1u << (width - 1);
  return (value ^ top) - top;
}

u32 immediate6(u32 e) {
  return signExtend(field(e, 2, 5) | field(e, 12, 1) << 5, 6);
}
u32 shiftAmount(u32 e) { return field(e, 2, 5) | field(e, 12, 1) << 5; }
u32 offsetWord(u32 e) {
  return field(e, 10, 3) << 3 | field(e, 6, 1) << 2 | field(e, 5, 1) << 6;
}
u32 offsetDouble(u32 e) { return field(e, 10, 3) << 3 | field(e, 5, 2) << 6; }
u32 stackLoadWord(u32 e) {
  return field(e, 12, 1) << 5 | field(e, 4, 3) << 2 | field(e, 2, 2) << 6;
}
u32 stackLoadDouble(u32 e) {
  return field(e, 12, 1) << 5 | field(e, 5, 2) << 3 | field(e, 2, 3) << 6;
}
u32 stackStoreWord(u32 e) { return field(e, 9, 4) << 2 | field(e, 7, 2) << 6; }
u32 stackStoreDouble(u32 e) {
  return field(e, 10, 3) << 3 | field(e, 7, 3) << 6;
}
u32 jumpOffset(u32 e) {
  return signExtend(field(e, 3, 3) << 1 | field(e, 11, 1) << 4 |
                        field(e, 2, 1) << 5 | field(e, 7, 1) << 6 |
                        field(e, 6, 1) << 7 | field(e, 9, 2) << 8 |
                        field(e, 8, 1) << 10 | field(e, 12, 1) << 11,
                    12);
}
u32 branchOffset(u32 e) {
  return signExtend(field(e, 3, 2) << 1 | field(e, 10, 2) << 3 |
                        field(e, 2, 1) << 5 | field(e, 5, 2) << 6 |
                        field(e, 12, 1) << 8,
                    9);
}

constexpr u32 kLoad = 0x03, kLoadFp = 0x07, kStore = 0x23, kStoreFp = 0x27;
constexpr u32 kOpImm = 0x13, kOpImm32 = 0x1b, kOp = 0x33, kOp32 = 0x3b;
constexpr u32 kJalr = 0x67, kLui = 0x37;

u32 quadrant0(u32 e) {
  const u32 rs1 = rs1Prime(e), rd = rdPrime(e);
  switch (field(e, 13, 3)) {
  case 0: { // c.addi4spn
    const u32 imm = field(e, 11, 2) << 4 | field(e, 7, 4) << 6 |
                    field(e, 6, 1) << 2 | field(e, 5, 1) << 3;
    return imm ? iType(kOpImm, 0, rd, 2, imm) : 0;
  }
  case 1: // c.fld
    return iType(kLoadFp, 3, rd, rs1, offsetDouble(e));
  case 2: // c.lw
    return iType(kLoad, 2, rd, rs1, offsetWord(e));
  case 3: // c.ld
    return iType(kLoad, 3, rd, rs1, offsetDouble(e));
  case 5: // c.fsd
    return sType(kStoreFp, 3, rs1, rd, offsetDouble(e));
  case 6: // c.sw
    return sType(kStore, 2, rs1, rd, offsetWord(e));
  case 7: // c.sd
    return sType(kStore, 3, rs1, rd, offsetDouble(e));
  }
  return 0;
}

u32 addi16spOrLui(u32 e) {
  if (rdFull(e) != 2) {
    const u32 imm = immediate6(e);
    return imm ? kLui | rdFull(e) << 7 | imm << 12 : 0;
  }
  const u32 imm = signExtend(field(e, 6, 1) << 4 | field(e, 2, 1) << 5 |
                                 field(e, 5, 1) << 6 | field(e, 3, 2) << 7 |
                                 field(e, 12, 1) << 9,
                             10);
  return imm ? iType(kOpImm, 0, 2, 2, imm) : 0;
}

u32 arithmetic(u32 e) {
  const u32 rd = rs1Prime(e), rs2 = rdPrime(e);
  switch (field(e, 10, 2)) {
  case 0: // c.srli
    return iType(kOpImm, 5, rd, rd, shiftAmount(e));
  case 1: // c.srai
    return iType(kOpImm, 5, rd, rd, shiftAmount(e) | 0x400);
  case 2: // c.andi
    return iType(kOpImm, 7, rd, rd, immediate6(e));
  }
  const u32 which = field(e, 5, 2);
  if (field(e, 12, 1)) // c.subw, c.addw
    return which > 1 ? 0 : rType(kOp32, 0, which == 0 ? 0x20 : 0, rd, rd, rs2);
  const u32 funct3[] = {0, 4, 6, 7}; // c.sub, c.xor, c.or, c.and
  return rType(kOp, funct3[which], which == 0 ? 0x20 : 0, rd, rd, rs2);
}

u32 quadrant1(u32 e) {
  const u32 rd = rdFull(e);
  switch (field(e, 13, 3)) {
  case 0: // c.addi, c.nop
    return iType(kOpImm, 0, rd, rd, immediate6(e));
  case 1: // c.addiw
    return rd ? iType(kOpImm32, 0, rd, rd, immediate6(e)) : 0;
  case 2: // c.li
    return iType(kOpImm, 0, rd, 0, immediate6(e));
  case 3:
    return addi16spOrLui(e);
  case 4:
    return arithmetic(e);
  case 5: // c.j
    return jType(0, jumpOffset(e));
  case 6: // c.beqz
    return bType(0, rs1Prime(e), branchOffset(e));
  }
  return bType(1, rs1Prime(e), branchOffset(e)); // c.bnez
}

u32 jumpMoveAdd(u32 e) {
  const u32 rd = rdFull(e), rs2 = rs2Full(e);
  if (!field(e, 12, 1)) {
    if (rs2) // c.mv
      return rType(kOp, 0, 0, rd, 0, rs2);
    return rd ? iType(kJalr, 0, 0, rd, 0) : 0; // c.jr
  }
  if (rs2) // c.add
    return rType(kOp, 0, 0, rd, rd, rs2);
  return rd ? iType(kJalr, 0, 1, rd, 0) : 0x00100073; // c.jalr, c.ebreak
}

u32 quadrant2(u32 e) {
  const u32 rd = rdFull(e);
  switch (field(e, 13, 3)) {
  case 0: // c.slli
    return iType(kOpImm, 1, rd, rd, shiftAmount(e));
  case 1: // c.fldsp
    return iType(kLoadFp, 3, rd, 2, stackLoadDouble(e));
  case 2: // c.lwsp
    return rd ? iType(kLoad, 2, rd, 2, stackLoadWord(e)) : 0;
  case 3: // c.ldsp
    return rd ? iType(kLoad, 3, rd, 2, stackLoadDouble(e)) : 0;
  case 4:
    return jumpMoveAdd(e);
  case 5: // c.fsdsp
    return sType(kStoreFp, 3, 2, rs2Full(e), stackStoreDouble(e));
  case 6: // c.swsp
    return sType(kStore, 2, 2, rs2Full(e), stackStoreWord(e));
  }
  return sType(kStore, 3, 2, rs2Full(e), stackStoreDouble(e)); // c.sdsp
}

} // namespace

uint32_t kevolve::simulator::expandCompressed(uint16_t encoding) {
  switch (encoding & 3) {
  case 0:
    return quadrant0(encoding);
  case 1:
    return quadrant1(encoding);
  }
  return quadrant2(encoding);
}
