//===- command.cpp - What the command processor runs ----------------------===//
#include "simulator/pe/command.h"

namespace kevolve::simulator {

const char *unitName(Unit unit) {
  static constexpr const char *kNames[kNumUnits] = {"fi.load", "fi.store",
                                                    "fi.fill", "dpe", "se"};
  return kNames[unsigned(unit)];
}

static bool readsOver(const Command &reader, const LocalSpan &written) {
  for (const LocalSpan &span : reader.read)
    if (span.overlaps(written))
      return true;
  return false;
}

bool Command::isCovered() const {
  return written.empty() && read[0].empty() && read[1].empty() &&
         read[2].empty();
}

bool Command::readsFrom(uint64_t offset, uint64_t bytes) const {
  for (const LocalSpan &span : read)
    if (span.overlaps(offset, bytes))
      return true;
  return false;
}

bool Command::conflictsWith(const Command &other) const {
  return written.overlaps(other.written) || readsOver(*this, other.written) ||
         readsOver(other, written);
}

bool Command::onlyAccumulatesOn(const Command &other) const {
  // read[0] of an accumulating command is C itself; the operands follow.
  return unit == Unit::Dpe && other.unit == Unit::Dpe &&
         !read[1].overlaps(other.written) && !read[2].overlaps(other.written);
}

} // namespace kevolve::simulator
