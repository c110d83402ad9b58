//===- command_decoder.h - From parameter registers to commands -*- C++ -*-===//
//
// Checks a command of a core, carries out its effect and describes its work to
// the scheduler. The encodings are those of simulator/isa/mtia_isa.h.
//
//===----------------------------------------------------------------------===//
#ifndef KEVOLVE_SIMULATOR_PE_COMMAND_DECODER_H
#define KEVOLVE_SIMULATOR_PE_COMMAND_DECODER_H

#include "simulator/memory/regions.h"
#include "simulator/observe/counters.h"
#include "simulator/pe/command.h"
#include "simulator/pe/dpe.h"
#include "simulator/pe/local_memory.h"
#include "simulator/timing/chip.h"

#include <string>

namespace kevolve::simulator {

/// What a core hands to the command processor.
struct CommandRequest {
  uint8_t code = 0; // MTIA_CMD_*
  uint64_t rs1 = 0;
  uint64_t rs2 = 0;
  const uint64_t *parameters = nullptr;
};

class CommandDecoder {
public:
  CommandDecoder(const Chip &chip, LocalMemory &local,
                 const RegionTable &regions, PeCounters &counters)
      : chip(chip), local(local), regions(regions), counters(counters) {}

  /// Fills `command` and does what it says. Returns what is wrong with the
  /// request, "" if nothing; then nothing, or a part of a DMA, was done.
  std::string execute(const CommandRequest &request, Command &command);

private:
  std::string executeDma(const CommandRequest &request, bool isLoad,
                         Command &command);
  std::string moveRows(const DmaShape &shape, bool isLoad, uint64_t localOffset,
                       int64_t rowStride, int64_t planeStride);
  std::string executeFill(const CommandRequest &request, Command &command);
  std::string executeDpe(const CommandRequest &request, Command &command);
  std::string executeSe(const CommandRequest &request, Command &command);

  std::string toSpan(const char *what, uint64_t address, uint64_t rowBytes,
                     uint64_t rows, int64_t rowStride, uint64_t planes,
                     int64_t planeStride, LocalSpan &span);
  std::string dpeSpans(const DpeShape &shape, const CommandRequest &request,
                       Command &command);

  const Chip &chip;
  LocalMemory &local;
  const RegionTable &regions;
  PeCounters &counters;
};

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_PE_COMMAND_DECODER_H
