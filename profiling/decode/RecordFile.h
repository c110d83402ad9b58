//===- RecordFile.h - What probes recorded, read back -----------*- C++ -*-===//
#ifndef KEVOLVE_PROFILING_DECODE_RECORDFILE_H
#define KEVOLVE_PROFILING_DECODE_RECORDFILE_H

#include "profiling/schema/probe_record.h"

#include <cstddef>
#include <string>
#include <vector>

namespace kevolve {
/// A record file (profiling/schema/probe_record.h) in memory.
struct RecordFile {
  kevolve_record_header header = {};
  std::vector<kevolve_record> records; // worker-major

  const kevolve_record &at(uint32_t worker, uint32_t site) const {
    return records[size_t(worker) * header.num_sites + site];
  }
};

/// Reads the `size` bytes at `bytes` into `file`. Gives what is wrong with
/// them, and an empty text when nothing is. Any bytes are safe to pass.
std::string decodeRecordFile(const unsigned char *bytes, size_t size,
                             RecordFile &file);

/// The name of a target in a header: cuda, hip, mtia, cpu; null for other
/// numbers.
const char *targetName(uint32_t target);
} // namespace kevolve

#endif // KEVOLVE_PROFILING_DECODE_RECORDFILE_H
