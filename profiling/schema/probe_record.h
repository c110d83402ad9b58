/*===- probe_record.h - The record area that probes write
 * ------------------===//
 *
 * The one contract between a device that records and a host that decodes.
 * Little-endian. A record file is a header, then `num_workers * num_sites`
 * records, worker-major. On the device the record area is the records alone;
 * the host adds the header when it saves them. A record whose `count` is 0 was
 * never hit. kevolve.profile.records reads and writes the same bytes.
 *===----------------------------------------------------------------------===*/
#ifndef KEVOLVE_PROFILING_SCHEMA_PROBE_RECORD_H
#define KEVOLVE_PROFILING_SCHEMA_PROBE_RECORD_H

#include <stdint.h>

#define KEVOLVE_RECORD_MAGIC                                                   \
  UINT64_C(0x45424f525056454b) /* "KEVPROBE" read as bytes */
#define KEVOLVE_RECORD_VERSION 1

enum kevolve_target {
  KEVOLVE_CUDA = 1,
  KEVOLVE_HIP = 2,
  KEVOLVE_MTIA = 3,
  KEVOLVE_CPU = 4
};
enum kevolve_clock { KEVOLVE_CLOCK_CYCLES = 1, KEVOLVE_CLOCK_NANOSECONDS = 2 };

struct kevolve_record_header {
  uint64_t magic;
  uint32_t version;
  uint32_t target;       /* enum kevolve_target */
  uint32_t clock_kind;   /* enum kevolve_clock */
  uint32_t record_bytes; /* sizeof(struct kevolve_record) */
  uint64_t clock_hz;
  uint32_t num_sites;
  uint32_t num_workers; /* programs on a GPU, PEs on MTIA */
  uint64_t num_dropped; /* records lost */
  uint64_t reserved[2];
}; /* 64 bytes */

/* What one worker saw at one site, summed over every time it passed. */
struct kevolve_record {
  uint64_t count;        /* times the site ended */
  uint64_t total_cycles; /* sum of end - begin */
  uint64_t first_begin;  /* clock at the first begin */
  uint64_t last_end;     /* clock at the last end */
}; /* 32 bytes */

#endif /* KEVOLVE_PROFILING_SCHEMA_PROBE_RECORD_H */
