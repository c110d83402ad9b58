//===- chip_file.h - The subset of JSON that chip files use -----*- C++ -*-===//
//
// { "key": { "value": number or string, "source": "P", "reason": "..." }, ... }
//
// Strict on purpose: a chip file is read by people first, so a misspelt key, a
// second value for a key or a value without a source is an error with a line
// number.
//
//===----------------------------------------------------------------------===//
#ifndef KEVOLVE_SIMULATOR_TIMING_CHIP_FILE_H
#define KEVOLVE_SIMULATOR_TIMING_CHIP_FILE_H

#include <map>
#include <stdexcept>
#include <string>

namespace kevolve::simulator {

class ChipError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// One parameter of a chip file.
struct ChipEntry {
  bool isNumber = false;
  double number = 0;
  std::string text;
  std::string source; // P published, D derived, M model choice
  std::string reason;
  unsigned line = 0;
};

std::map<std::string, ChipEntry> parseChipFile(const std::string &text,
                                               const std::string &name);

[[noreturn]] void failChip(const std::string &name, unsigned line,
                           const std::string &message);

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_TIMING_CHIP_FILE_H
