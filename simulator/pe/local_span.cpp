//===- local_span.cpp - Bytes of local memory that a command uses ---------===//
#include "simulator/pe/local_span.h"

#include <utility>

namespace kevolve::simulator {

namespace {

/// Does some r in [0, rows) put [start + r * stride, + rowBytes) over
/// [offset, end)?
bool rowsOverlap(uint64_t start, const LocalSpan &span, uint64_t offset,
                 uint64_t end) {
  if (start >= end)
    return false;
  if (span.rows == 1 || span.rowStride == 0)
    return start + span.rowBytes > offset;
  // The first row that ends after `offset`.
  uint64_t first = 0;
  if (start + span.rowBytes <= offset)
    first = (offset - start - span.rowBytes) / span.rowStride + 1;
  return first < span.rows && start + first * span.rowStride < end;
}

/// Makes a dimension run upwards: the same bytes from their lowest on.
bool normalise(__int128 &offset, uint64_t count, int64_t stride,
               uint64_t &positive) {
  positive = stride < 0 ? uint64_t(0) - uint64_t(stride) : uint64_t(stride);
  if (stride < 0)
    offset -= __int128(positive) * (count - 1);
  return offset >= 0;
}

void mergeRows(LocalSpan &span) {
  if (span.rows > 1 && span.rowStride == span.rowBytes) {
    span.rowBytes *= span.rows;
    span.rows = 1;
    span.rowStride = 0;
  }
  if (span.rows == 1 && span.planes > 1) {
    span.rows = std::exchange(span.planes, 1);
    span.rowStride = std::exchange(span.planeStride, 0);
    if (span.rowStride == span.rowBytes) {
      span.rowBytes *= span.rows;
      span.rows = 1;
      span.rowStride = 0;
    }
  }
}

} // namespace

bool LocalSpan::overlaps(uint64_t otherOffset, uint64_t bytes) const {
  uint64_t otherEnd = otherOffset + bytes;
  if (empty() || bytes == 0 || otherEnd <= offset || otherOffset >= end())
    return false;
  for (uint64_t plane = 0; plane < planes; ++plane)
    if (rowsOverlap(row(plane, 0), *this, otherOffset, otherEnd))
      return true;
  return false;
}

bool LocalSpan::overlaps(const LocalSpan &other) const {
  if (empty() || other.empty() || other.end() <= offset ||
      other.offset >= end())
    return false;
  if (rows * planes < other.rows * other.planes)
    return other.overlaps(*this);
  for (uint64_t plane = 0; plane < other.planes; ++plane)
    for (uint64_t index = 0; index < other.rows; ++index)
      if (overlaps(other.row(plane, index), other.rowBytes))
        return true;
  return false;
}

bool LocalSpan::covers(const LocalSpan &other) const {
  if (isContiguous())
    return other.offset >= offset && other.end() <= end();
  return offset == other.offset && rowBytes == other.rowBytes &&
         rows == other.rows && rowStride == other.rowStride &&
         planes == other.planes && planeStride == other.planeStride;
}

LocalSpan makeSpan(uint64_t offset, uint64_t bytes) {
  LocalSpan span;
  span.offset = offset;
  span.rowBytes = bytes;
  return span;
}

bool makeSpan(int64_t offset, uint64_t rowBytes, uint64_t rows,
              int64_t rowStride, uint64_t planes, int64_t planeStride,
              uint64_t limit, LocalSpan &span) {
  span = LocalSpan();
  if (rowBytes == 0 || rows == 0 || planes == 0)
    return true;
  __int128 low = offset;
  if (rows == 1)
    rowStride = 0;
  if (planes == 1)
    planeStride = 0;
  bool inside = normalise(low, rows, rowStride, span.rowStride) &
                normalise(low, planes, planeStride, span.planeStride);
  __int128 end = low + __int128(span.planeStride) * (planes - 1) +
                 __int128(span.rowStride) * (rows - 1) + rowBytes;
  if (!inside || low < 0 || end > __int128(limit))
    return false;
  span.offset = uint64_t(low);
  span.rowBytes = rowBytes;
  span.rows = rows;
  span.planes = planes;
  mergeRows(span);
  return true;
}

} // namespace kevolve::simulator
