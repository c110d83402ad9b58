//===- RecordFile.cpp - What probes recorded, read back -------------------===//
#include "profiling/decode/RecordFile.h"

#include <cstring>

using namespace kevolve;

static_assert(sizeof(kevolve_record_header) == 64, "the header is 64 bytes");
static_assert(sizeof(kevolve_record) == 32, "a record is 32 bytes");

/// The format is little-endian whatever the host is.
template <typename Integer>
static Integer readLittleEndian(const unsigned char *&bytes) {
  Integer value = 0;
  for (size_t i = 0; i < sizeof(Integer); ++i)
    value |= Integer(*bytes++) << (8 * i);
  return value;
}

static kevolve_record_header readHeader(const unsigned char *bytes) {
  kevolve_record_header header;
  header.magic = readLittleEndian<uint64_t>(bytes);
  header.version = readLittleEndian<uint32_t>(bytes);
  header.target = readLittleEndian<uint32_t>(bytes);
  header.clock_kind = readLittleEndian<uint32_t>(bytes);
  header.record_bytes = readLittleEndian<uint32_t>(bytes);
  header.clock_hz = readLittleEndian<uint64_t>(bytes);
  header.num_sites = readLittleEndian<uint32_t>(bytes);
  header.num_workers = readLittleEndian<uint32_t>(bytes);
  header.num_dropped = readLittleEndian<uint64_t>(bytes);
  header.reserved[0] = readLittleEndian<uint64_t>(bytes);
  header.reserved[1] = readLittleEndian<uint64_t>(bytes);
  return header;
}

static kevolve_record readRecord(const unsigned char *bytes) {
  kevolve_record record;
  record.count = readLittleEndian<uint64_t>(bytes);
  record.total_cycles = readLittleEndian<uint64_t>(bytes);
  record.first_begin = readLittleEndian<uint64_t>(bytes);
  record.last_end = readLittleEndian<uint64_t>(bytes);
  return record;
}

static std::string number(uint64_t value) { return std::to_string(value); }

static std::string checkHeader(const kevolve_record_header &header) {
  if (header.magic != KEVOLVE_RECORD_MAGIC)
    return "not a record file: it does not begin with KEVPROBE";
  if (header.version != KEVOLVE_RECORD_VERSION)
    return "version " + number(header.version) + ", but only version " +
           number(KEVOLVE_RECORD_VERSION) + " can be read";
  if (header.record_bytes != sizeof(kevolve_record))
    return "records of " + number(header.record_bytes) +
           " bytes, but they must have " + number(sizeof(kevolve_record));
  if (!targetName(header.target))
    return "unknown target " + number(header.target);
  if (header.clock_kind != KEVOLVE_CLOCK_CYCLES &&
      header.clock_kind != KEVOLVE_CLOCK_NANOSECONDS)
    return "unknown kind of clock " + number(header.clock_kind);
  return "";
}

const char *kevolve::targetName(uint32_t target) {
  switch (target) {
  case KEVOLVE_CUDA:
    return "cuda";
  case KEVOLVE_HIP:
    return "hip";
  case KEVOLVE_MTIA:
    return "mtia";
  case KEVOLVE_CPU:
    return "cpu";
  }
  return nullptr;
}

std::string kevolve::decodeRecordFile(const unsigned char *bytes, size_t size,
                                      RecordFile &file) {
  if (size < sizeof(kevolve_record_header))
    return "truncated: " + number(size) + " bytes, but the header alone has " +
           number(sizeof(kevolve_record_header));
  file.header = readHeader(bytes);
  if (std::string problem = checkHeader(file.header); !problem.empty())
    return problem;
  // Both factors are 32 bits wide, so the product cannot overflow.
  uint64_t count = uint64_t(file.header.num_sites) * file.header.num_workers;
  uint64_t payload = size - sizeof(kevolve_record_header);
  if (payload / sizeof(kevolve_record) != count ||
      payload % sizeof(kevolve_record) != 0)
    return "truncated or too long: " + number(payload) +
           " bytes of records, but " + number(file.header.num_workers) +
           " workers with " + number(file.header.num_sites) + " sites have " +
           number(count) + " records of " + number(sizeof(kevolve_record)) +
           " bytes";
  file.records.clear();
  file.records.reserve(count);
  bytes += sizeof(kevolve_record_header);
  for (uint64_t i = 0; i < count; ++i, bytes += sizeof(kevolve_record))
    file.records.push_back(readRecord(bytes));
  return "";
}
