//===- command_decoder.cpp - From parameter registers to commands ---------===//
#include "simulator/pe/command_decoder.h"
#include "simulator/isa/mtia_isa.h"
#include "simulator/observe/text.h"
#include "simulator/pe/se.h"

#include <cstring>

namespace kevolve::simulator {

namespace {

/// More rows than any local memory holds bytes: a wrong parameter, and a long
/// time to simulate.
constexpr uint64_t kMaxRows = uint64_t(1) << 24;

std::string misaligned(const char *what, uint64_t value, unsigned alignment) {
  return std::string(what) + " " + hex(value) + " is not a multiple of " +
         std::to_string(alignment) + " bytes";
}

} // namespace

std::string CommandDecoder::execute(const CommandRequest &request,
                                    Command &command) {
  switch (request.code) {
  case MTIA_CMD_DMA_LOAD:
    return executeDma(request, true, command);
  case MTIA_CMD_DMA_STORE:
    return executeDma(request, false, command);
  case MTIA_CMD_FILL:
    return executeFill(request, command);
  case MTIA_CMD_DPE_MATMUL:
    return executeDpe(request, command);
  case MTIA_CMD_SE_UNARY:
    return executeSe(request, command);
  }
  return "there is no command " + hex(request.code);
}

std::string CommandDecoder::toSpan(const char *what, uint64_t address,
                                   uint64_t rowBytes, uint64_t rows,
                                   int64_t rowStride, uint64_t planes,
                                   int64_t planeStride, LocalSpan &span) {
  if (rows > kMaxRows || planes > kMaxRows || rows * planes > kMaxRows)
    return std::string(what) + " has " + std::to_string(rows) + " x " +
           std::to_string(planes) + " rows: more than a command may have";
  if (rowBytes <= local.size() &&
      makeSpan(int64_t(address - MTIA_LS_BASE), rowBytes, rows, rowStride,
               planes, planeStride, local.size(), span))
    return "";
  return std::string(what) + " at " + hex(address) + " (" +
         std::to_string(planes) + " x " + std::to_string(rows) + " rows of " +
         std::to_string(rowBytes) + " bytes, strides " +
         std::to_string(planeStride) + " and " + std::to_string(rowStride) +
         ") does not lie in local memory " + range(MTIA_LS_BASE, local.size());
}

//===----------------------------------------------------------------------===//
// FI
//===----------------------------------------------------------------------===//

std::string CommandDecoder::executeDma(const CommandRequest &request,
                                       bool isLoad, Command &command) {
  const uint64_t *p = request.parameters;
  command.name = isLoad ? "dma_load" : "dma_store";
  command.unit = isLoad ? Unit::Load : Unit::Store;
  DmaShape &shape = command.dma;
  shape.address = isLoad ? request.rs2 : request.rs1;
  shape.rowBytes = p[0];
  shape.rows = p[1];
  shape.planes = p[2];
  shape.rowStride = int64_t(p[3]);
  shape.planeStride = int64_t(p[5]);
  if (p[0] == 0 || p[1] == 0 || p[2] == 0) {
    shape.rowBytes = shape.rows = shape.planes = 0;
    return "";
  }
  uint64_t address = isLoad ? request.rs1 : request.rs2;
  LocalSpan &span = isLoad ? command.written : command.read[0];
  std::string wrong = toSpan(isLoad ? "destination" : "source", address, p[0],
                             p[1], int64_t(p[4]), p[2], int64_t(p[6]), span);
  if (!wrong.empty())
    return wrong;
  (isLoad ? counters.readBytes : counters.writtenBytes) += shape.bytes();
  return moveRows(shape, isLoad, address - MTIA_LS_BASE, int64_t(p[4]),
                  int64_t(p[6]));
}

std::string CommandDecoder::moveRows(const DmaShape &shape, bool isLoad,
                                     uint64_t localOffset, int64_t rowStride,
                                     int64_t planeStride) {
  for (uint64_t plane = 0; plane < shape.planes; ++plane)
    for (uint64_t row = 0; row < shape.rows; ++row) {
      uint64_t address = shape.rowAddress(plane, row);
      const Region *region = regions.find(address, shape.rowBytes);
      if (!region)
        return "row " + std::to_string(row) + " of plane " +
               std::to_string(plane) + ": " +
               regions.explain(address, shape.rowBytes);
      if (!isLoad && !region->writable)
        return "destination " + range(address, shape.rowBytes) +
               " is in a tensor that the launch may only read";
      uint8_t *global = region->host + (address - region->address);
      uint8_t *inLocal = local.at(localOffset + plane * uint64_t(planeStride) +
                                  row * uint64_t(rowStride));
      std::memcpy(isLoad ? inLocal : global, isLoad ? global : inLocal,
                  shape.rowBytes);
    }
  return "";
}

std::string CommandDecoder::executeFill(const CommandRequest &request,
                                        Command &command) {
  const uint64_t *p = request.parameters;
  command.name = "fill";
  command.unit = Unit::Fill;
  uint64_t bytes = p[7];
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
    return "an element of a fill has 1, 2, 4 or 8 bytes, not " +
           std::to_string(bytes);
  if (request.rs1 % bytes)
    return misaligned("destination", request.rs1, unsigned(bytes));
  if (p[0] > local.size())
    return "a row of " + std::to_string(p[0]) +
           " elements is longer than local memory";
  uint64_t rowBytes = p[0] * bytes;
  std::string wrong =
      toSpan("destination", request.rs1, rowBytes, p[1], int64_t(p[4]), p[2],
             int64_t(p[6]), command.written);
  const LocalSpan &span = command.written;
  if (!wrong.empty() || span.empty())
    return wrong;
  for (uint64_t plane = 0; plane < span.planes; ++plane)
    for (uint64_t row = 0; row < span.rows; ++row)
      for (uint64_t at = 0; at < span.rowBytes; at += bytes)
        std::memcpy(local.at(span.row(plane, row) + at), &request.rs2, bytes);
  double total = double(rowBytes * p[1] * p[2]);
  command.occupancyCycles = total / chip.fiFillBytesPerCycle;
  command.latencyCycles = chip.fiCommandCycles;
  command.localBytesPerCycle = chip.fiFillBytesPerCycle;
  return "";
}

//===----------------------------------------------------------------------===//
// DPE
//===----------------------------------------------------------------------===//

static std::string decodeDpe(const uint64_t *p, DpeShape &shape) {
  uint64_t flags = p[3] >> 32;
  uint64_t type = flags & MTIA_DPE_TYPE_MASK;
  if (type > MTIA_DPE_INT8)
    return "there is no DPE operand type " + std::to_string(type);
  shape.type = DpeType(type);
  shape.m = p[1] & 0xFFFF;
  shape.n = (p[1] >> 16) & 0xFFFF;
  shape.k = p[1] >> 32;
  shape.strideA = p[2] & 0xFFFFFFFF;
  shape.strideB = p[2] >> 32;
  shape.strideC = p[3] & 0xFFFFFFFF;
  shape.accumulate = flags & MTIA_DPE_ACCUMULATE;
  shape.transposeA = flags & MTIA_DPE_TRANSPOSE_A;
  shape.transposeB = flags & MTIA_DPE_TRANSPOSE_B;
  return "";
}

static std::string checkDpe(const DpeShape &shape,
                            const CommandRequest &request) {
  unsigned bytes = shape.elementBytes();
  if (request.rs1 % 4 || shape.strideC % 4)
    return misaligned("C or its row stride",
                      request.rs1 % 4 ? request.rs1 : shape.strideC, 4);
  for (uint64_t value :
       {request.rs2, shape.strideA, request.parameters[0], shape.strideB})
    if (value % bytes)
      return misaligned("an operand or its row stride", value, bytes);
  if (shape.m > 1 && shape.strideC < shape.n * 4)
    return "rows of C overlap: stride " + std::to_string(shape.strideC) +
           " for " + std::to_string(shape.n) + " columns of 4 bytes";
  return "";
}

std::string CommandDecoder::dpeSpans(const DpeShape &shape,
                                     const CommandRequest &request,
                                     Command &command) {
  std::string wrong = toSpan("C", request.rs1, shape.n * 4, shape.m,
                             int64_t(shape.strideC), 1, 0, command.written);
  if (wrong.empty())
    wrong = toSpan("A", request.rs2, shape.rowBytesA(), shape.rowsA(),
                   int64_t(shape.strideA), 1, 0, command.read[1]);
  if (wrong.empty())
    wrong = toSpan("B", request.parameters[0], shape.rowBytesB(), shape.rowsB(),
                   int64_t(shape.strideB), 1, 0, command.read[2]);
  if (!wrong.empty())
    return wrong;
  if (command.written.overlaps(command.read[1]) ||
      command.written.overlaps(command.read[2]))
    return "C overlaps an operand";
  if (shape.accumulate)
    command.read[0] = command.written;
  return "";
}

std::string CommandDecoder::executeDpe(const CommandRequest &request,
                                       Command &command) {
  command.name = "dpe_matmul";
  command.unit = Unit::Dpe;
  DpeShape shape;
  std::string wrong = decodeDpe(request.parameters, shape);
  if (wrong.empty())
    wrong = checkDpe(shape, request);
  if (wrong.empty())
    wrong = dpeSpans(shape, request, command);
  if (!wrong.empty() || shape.m == 0 || shape.n == 0)
    return wrong;
  dpeMultiply(shape, local.at(request.rs2 - MTIA_LS_BASE),
              local.at(request.parameters[0] - MTIA_LS_BASE),
              local.at(request.rs1 - MTIA_LS_BASE));
  DpeTiming timing = dpeTiming(chip, shape);
  command.occupancyCycles = timing.occupancyCycles;
  command.latencyCycles = timing.latencyCycles;
  command.localBytesPerCycle = timing.localBytesPerCycle;
  (shape.type == DpeType::Int8 ? counters.dpeMacsInt8 : counters.dpeMacs) +=
      shape.m * shape.n * shape.k;
  return "";
}

//===----------------------------------------------------------------------===//
// SE
//===----------------------------------------------------------------------===//

std::string CommandDecoder::executeSe(const CommandRequest &request,
                                      Command &command) {
  const uint64_t *p = request.parameters;
  uint64_t count = p[0], function = p[1] & 0xFF, type = p[1] >> 8;
  command.name = seFunctionName(function);
  command.unit = Unit::Se;
  unsigned bytes = seElementBytes(type);
  if (!command.name || !bytes) {
    command.name = "se";
    return "there is no SE function " + std::to_string(function) +
           " of element type " + std::to_string(type);
  }
  for (uint64_t address : {request.rs1, request.rs2})
    if (address % bytes)
      return misaligned("operand", address, bytes);
  if (count > local.size())
    return std::to_string(count) + " elements are more than local memory holds";
  std::string wrong = toSpan("destination", request.rs1, count * bytes, 1, 0, 1,
                             0, command.written);
  if (wrong.empty())
    wrong = toSpan("source", request.rs2, count * bytes, 1, 0, 1, 0,
                   command.read[0]);
  if (!wrong.empty() || count == 0)
    return wrong;
  if (request.rs1 != request.rs2 && command.written.overlaps(command.read[0]))
    return "destination and source overlap in part";
  seApply(function, type, local.at(request.rs2 - MTIA_LS_BASE),
          local.at(request.rs1 - MTIA_LS_BASE), count);
  double rate = seElementsPerCycle(chip, type);
  command.occupancyCycles = double(count) / rate;
  command.latencyCycles = chip.sePipelineCycles;
  command.localBytesPerCycle = rate * 2 * bytes;
  counters.seElements += count;
  return "";
}

} // namespace kevolve::simulator
