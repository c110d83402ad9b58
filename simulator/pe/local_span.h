//===- local_span.h - Bytes of local memory that a command uses -*- C++ -*-===//
#ifndef KEVOLVE_SIMULATOR_PE_LOCAL_SPAN_H
#define KEVOLVE_SIMULATOR_PE_LOCAL_SPAN_H

#include <cstdint>

namespace kevolve::simulator {

/// `planes` x `rows` runs of `rowBytes`, as byte offsets in local memory. Only
/// the set of bytes counts, so strides are never negative.
struct LocalSpan {
  uint64_t offset = 0;
  uint64_t rowBytes = 0;
  uint64_t rows = 1;
  uint64_t rowStride = 0;
  uint64_t planes = 1;
  uint64_t planeStride = 0;

  bool empty() const { return rowBytes == 0; }
  uint64_t end() const {
    return offset + (planes - 1) * planeStride + (rows - 1) * rowStride +
           rowBytes;
  }
  uint64_t row(uint64_t plane, uint64_t index) const {
    return offset + plane * planeStride + index * rowStride;
  }
  bool isContiguous() const { return rows == 1 && planes == 1; }

  bool overlaps(uint64_t otherOffset, uint64_t bytes) const;
  bool overlaps(const LocalSpan &other) const;
  /// Surely holds all bytes of `other` (false may also mean: not looked for).
  bool covers(const LocalSpan &other) const;
};

/// A contiguous span.
LocalSpan makeSpan(uint64_t offset, uint64_t bytes);

/// A strided one; adjacent rows become one. Strides may be negative. False if a
/// byte of it lies outside [0, limit).
bool makeSpan(int64_t offset, uint64_t rowBytes, uint64_t rows,
              int64_t rowStride, uint64_t planes, int64_t planeStride,
              uint64_t limit, LocalSpan &span);

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_PE_LOCAL_SPAN_H
