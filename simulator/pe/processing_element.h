//===- processing_element.h - A PE ------------------------------*- C++ -*-===//
#ifndef KEVOLVE_SIMULATOR_PE_PROCESSING_ELEMENT_H
#define KEVOLVE_SIMULATOR_PE_PROCESSING_ELEMENT_H

#include "simulator/hart/bus.h"
#include "simulator/hart/hart.h"
#include "simulator/machine/program.h"
#include "simulator/memory/memory_system.h"
#include "simulator/pe/command_decoder.h"
#include "simulator/pe/command_scheduler.h"
#include "simulator/pe/direct_access.h"

#include <array>
#include <memory>
#include <optional>
#include <string>

namespace kevolve::simulator {

/// What all PEs of a launch share.
struct LaunchContext {
  Program *program = nullptr;
  std::vector<uint64_t> arguments; // slots of the argument block
  uint64_t entry = 0;
  uint32_t numPes = 0;
  uint64_t startCycles = 0;
  uint64_t instructionBudget = 0; // of one PE
  std::shared_ptr<CodeCache> code;
  Trace *trace = nullptr;
};

/// Why a launch ended before its kernel did.
struct MachineFault {
  std::string kind;
  uint32_t pe = 0;
  uint32_t core = 0;
  uint64_t pc = 0;
  std::string message; // one line with all of the above
};

/// One core with its command processor, units and local memory. The second core
/// of a PE would be a second Hart here, with its own parameter registers and
/// tickets (`Core`); everything else is shared already.
class ProcessingElement : public Bus {
public:
  ProcessingElement(const Chip &chip, uint32_t index, FiPort port);

  void beginLaunch(const LaunchContext &context);

  /// Handles an event of this PE.
  void onEvent(EventKind kind, uint64_t timeCycles);

  bool isHalted() const { return halted; }
  const std::optional<MachineFault> &fault() const { return raised; }
  /// The fault of a core that waits for something that will not come.
  MachineFault deadlock() const;
  const PeCounters &finalCounters();

  //--- Bus -------------------------------------------------------------------
  uint8_t *translate(Hart &hart, uint64_t address, uint64_t bytes,
                     Access access) override;
  uint64_t accessCycles(Hart &hart, uint64_t address, uint64_t bytes,
                        Access access) override;
  CustomAction onCustom(Hart &hart,
                        const CustomInstruction &instruction) override;
  std::optional<uint64_t> readCsr(Hart &hart, uint32_t csr) override;

private:
  /// What a core waits for.
  struct Wait {
    enum Kind { Nothing, Ticket, All, Room } kind = Nothing;
    uint64_t command = 0;
    Unit unit = Unit::Load;
    bool scheduled = false; // its end is known and in the event queue
  };

  void writeArguments();
  void runCore(uint64_t timeCycles);
  void endWait(uint64_t timeCycles);
  void handleStop(StopReason reason);
  void raiseFault(const std::string &kind, const std::string &message);
  uint64_t runUntil() const;

  std::optional<double> waitEnd();
  CustomAction beginWait(Wait newWait);
  void scheduleWaitEnd();
  CustomAction issue(const CustomInstruction &instruction);
  CustomAction waitForTicket(uint64_t ticket);
  CustomAction waitForAll();
  void updateWindow();

  uint8_t *translateLocal(uint64_t address, uint64_t bytes, Access access);
  uint8_t *translateDram(uint64_t address, uint64_t bytes, Access access);
  uint8_t *failAccess(uint64_t address, FaultKind kind,
                      const std::string &message);

  const Chip &chip;
  uint32_t index;
  FiPort port;
  LocalMemory local;
  PeCounters counters;
  CommandDecoder decoder;
  CommandScheduler scheduler;
  DirectAccess directAccess;
  std::unique_ptr<Hart> hart;
  const LaunchContext *context = nullptr;

  std::array<uint64_t, 8> parameters{};
  uint64_t lastTicket = 0; // tickets are command ids: one core issues
  Wait wait;
  bool halted = false;
  std::optional<MachineFault> raised;
};

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_PE_PROCESSING_ELEMENT_H
