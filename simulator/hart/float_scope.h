//===- float_scope.h - The host's FP unit, borrowed -------------*- C++ -*-===//
//
// While a FloatScope lives, host arithmetic rounds as the instruction wants;
// when it ends, the flags that arithmetic raised are the hart's. Operands must
// be read from memory, and results written to it, inside the scope: its ends
// are compiler barriers for memory only.
//
//===----------------------------------------------------------------------===//
#ifndef KEVOLVE_SIMULATOR_HART_FLOAT_SCOPE_H
#define KEVOLVE_SIMULATOR_HART_FLOAT_SCOPE_H

#include "simulator/hart/float_format.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

namespace kevolve::simulator {

/// The host's status register: MXCSR, or <cfenv> elsewhere.
class HostFloat {
public:
#if defined(__SSE2__)
  static void begin(Rounding mode) {
    static constexpr unsigned kControl[] = {0, 3, 1, 2, 0};
    const unsigned wanted = 0x1f80 | kControl[unsigned(mode)] << 13;
    if (_mm_getcsr() != wanted)
      _mm_setcsr(wanted);
    barrier();
  }
  static bool roundsToNearest() { return (_mm_getcsr() & 0x6000) == 0; }
  static uint8_t end() {
    barrier();
    const unsigned raised = _mm_getcsr();
    if (raised != 0x1f80)
      _mm_setcsr(0x1f80);
    return uint8_t((raised & 0x20) >> 5 | (raised & 0x10) >> 3 |
                   (raised & 0x08) >> 1 | (raised & 0x04) << 1 |
                   (raised & 0x01) << 4);
  }
#else
  static void begin(Rounding mode) {
    static const int kControl[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD,
                                   FE_UPWARD, FE_TONEAREST};
    std::feclearexcept(FE_ALL_EXCEPT);
    std::fesetround(kControl[unsigned(mode)]);
    barrier();
  }
  static bool roundsToNearest() { return std::fegetround() == FE_TONEAREST; }
  static uint8_t end() {
    barrier();
    const int raised = std::fetestexcept(FE_ALL_EXCEPT);
    std::fesetround(FE_TONEAREST);
    return uint8_t((raised & FE_INEXACT ? kInexact : 0) |
                   (raised & FE_UNDERFLOW ? kUnderflow : 0) |
                   (raised & FE_OVERFLOW ? kOverflow : 0) |
                   (raised & FE_DIVBYZERO ? kDivideByZero : 0) |
                   (raised & FE_INVALID ? kInvalid : 0));
  }
#endif

private:
  static void barrier() { asm volatile("" ::: "memory"); }
};

/// Arithmetic of one instruction on format F. `flags` collects what software
/// raises; half is computed in double, whose overflow and underflow mean
/// nothing.
template <class F> class FloatScope {
public:
  FloatScope(Rounding mode, uint8_t &accrued) : mode(mode), accrued(accrued) {
    HostFloat::begin(mode);
  }
  ~FloatScope() {
    const uint8_t trusted =
        kNative ? 0x1f : kInvalid | kDivideByZero | kInexact;
    accrued |= flags | (HostFloat::end() & trusted);
  }
  FloatScope(const FloatScope &) = delete;
  FloatScope &operator=(const FloatScope &) = delete;

  static constexpr bool kNative = sizeof(typename F::Bits) >= 4;
  const Rounding mode;
  uint8_t flags = 0;

private:
  uint8_t &accrued;
};

} // namespace kevolve::simulator

#endif // KEVOLVE_SIMULATOR_HART_FLOAT_SCOPE_H
