//===- decode.cpp - From an encoding to a decoded instruction -------------===//
#include "simulator/hart/instruction.h"
#include "simulator/hart/vector_operation.h"

using namespace kevolve::simulator;

namespace {

/// All patterns, by the five bits above "11" of the major opcode.
class PatternIndex {
public:
  PatternIndex() {
    for (const Patterns *family :
         {&integerPatterns(), &bitManipulationPatterns(), &atomicPatterns(),
          &floatPatterns(), &systemPatterns(), &vectorPatterns()})
      for (const InstructionPattern &pattern : *family)
        buckets[bucket(pattern.encoding.match)].push_back(&pattern);
  }

  const InstructionPattern *find(uint32_t encoding) const {
    for (const InstructionPattern *pattern : buckets[bucket(encoding)])
      if ((encoding & pattern->encoding.mask) == pattern->encoding.match)
        return pattern;
    return nullptr;
  }

private:
  static unsigned bucket(uint32_t encoding) { return encoding >> 2 & 31; }
  std::array<std::vector<const InstructionPattern *>, 32> buckets;
};

int64_t bits(uint32_t encoding, unsigned low, unsigned count) {
  return encoding >> low & ((1u << count) - 1);
}

int64_t sign(uint32_t encoding) { return int64_t(int32_t(encoding)) >> 31; }

int64_t immediate(Format format, uint32_t e) {
  switch (format) {
  case Format::R:
    return 0;
  case Format::I:
    return int64_t(int32_t(e)) >> 20;
  case Format::S:
    return sign(e) * 2048 + (bits(e, 25, 6) << 5 | bits(e, 7, 5));
  case Format::B:
    return sign(e) * 4096 +
           (bits(e, 7, 1) << 11 | bits(e, 25, 6) << 5 | bits(e, 8, 4) << 1);
  case Format::U:
    return int64_t(int32_t(e & 0xfffff000));
  case Format::J:
    return sign(e) * (1 << 20) +
           (bits(e, 12, 8) << 12 | bits(e, 20, 1) << 11 | bits(e, 21, 10) << 1);
  case Format::Shift:
    return bits(e, 20, 6);
  case Format::Csr:
    return bits(e, 20, 12);
  }
  return 0;
}

struct Cost {
  CycleClass cycleClass;
  uint32_t issueCycles;
  uint32_t latency;
};

Cost costOf(Timing timing, const CostModel &c) {
  switch (timing) {
  case Timing::Integer:
    return {CycleClass::Integer, c.scalarCycles, 1};
  case Timing::Multiply:
    return {CycleClass::MultiplyDivide, c.scalarCycles, c.multiplyLatency};
  case Timing::Divide:
    return {CycleClass::MultiplyDivide, c.divideCycles, 1};
  case Timing::Float:
    return {CycleClass::Float, c.scalarCycles, c.floatLatency};
  case Timing::FloatDivide:
    return {CycleClass::Float, c.floatDivideCycles, 1};
  case Timing::Branch:
    return {CycleClass::Branch, c.scalarCycles, 1};
  case Timing::Load:
    return {CycleClass::LoadStore, c.scalarCycles, c.loadLatency};
  case Timing::Store:
    return {CycleClass::LoadStore, c.scalarCycles, 1};
  case Timing::System:
    return {CycleClass::System, c.systemCycles, 1};
  case Timing::Custom:
    return {CycleClass::Custom, c.customCycles, 1};
  case Timing::VectorSet:
    return {CycleClass::Vector, c.vectorSetCycles, 1};
  case Timing::Vector: // the handler charges what depends on vl
    return {CycleClass::Vector, c.vectorStartupCycles, 1};
  case Timing::VectorLoadStore:
    return {CycleClass::VectorLoadStore, c.vectorStartupCycles, 1};
  }
  return {CycleClass::Integer, 1, 1};
}

const InstructionPattern *find(uint32_t encoding) {
  static const PatternIndex index;
  const bool compressed = (encoding & 3) != 3;
  const uint32_t full =
      compressed ? expandCompressed(uint16_t(encoding)) : encoding;
  return full == 0 ? nullptr : index.find(full);
}

uint32_t expanded(uint32_t encoding) {
  return (encoding & 3) != 3 ? expandCompressed(uint16_t(encoding)) : encoding;
}

bool reads(const InstructionPattern &pattern, uint32_t e, char file,
           int64_t reg) {
  const int64_t sources[] = {bits(e, 15, 5), bits(e, 20, 5), bits(e, 27, 5)};
  for (unsigned i = 0; i < 3; ++i)
    if (pattern.operands[i + 1] == file && sources[i] == reg)
      return true;
  return false;
}

} // namespace

void kevolve::simulator::raiseIllegal(Hart &hart, const Instruction &) {
  hart.raise(FaultKind::IllegalInstruction, 0, "illegal instruction");
}

Instruction kevolve::simulator::decode(uint32_t encoding,
                                       const CostModel &cost) {
  Instruction result;
  result.encoding = encoding;
  result.length = (encoding & 3) != 3 ? 2 : 4;
  result.handler = raiseIllegal;
  const InstructionPattern *pattern = find(encoding);
  if (!pattern)
    return result;
  const uint32_t e = expanded(encoding);
  const Cost charged = costOf(pattern->timing, cost);
  result.handler = pattern->handler;
  result.imm = immediate(pattern->format, e);
  result.cycles = uint16_t(charged.issueCycles);
  result.cycleClass = charged.cycleClass;
  result.rd = uint8_t(bits(e, 7, 5));
  result.rs1 = uint8_t(bits(e, 15, 5));
  result.rs2 = uint8_t(bits(e, 20, 5));
  result.rs3 = uint8_t(bits(e, 27, 5));
  result.funct3 = uint8_t(bits(e, 12, 3));
  if (pattern->handler == executeVectorOperation)
    selectVectorOperation(result);
  return result;
}

uint32_t kevolve::simulator::dependencyStall(uint32_t first, uint32_t next,
                                             const CostModel &cost) {
  const InstructionPattern *producer = find(first);
  const InstructionPattern *consumer = find(next);
  if (!producer || !consumer)
    return 0;
  const uint32_t latency = costOf(producer->timing, cost).latency;
  const char file = producer->operands[0];
  const int64_t rd = bits(expanded(first), 7, 5);
  if (latency <= 1 || file == '-' || (file == 'x' && rd == 0))
    return 0;
  return reads(*consumer, expanded(next), file, rd) ? latency - 1 : 0;
}
