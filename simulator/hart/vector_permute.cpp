//===- vector_permute.cpp - Slides, gathers, compress, moves
//------------------===//
#include "simulator/hart/vector_binary.h"

using namespace kevolve::simulator;

namespace {

/// The offset or index of the .vx and .vi forms is a whole XLEN value.
template <class Source> uint64_t scalarIndex(Hart &h, const Instruction &i) {
  return Source::template get<uint64_t>(h, i);
}

template <class Source> struct SlideUp {
  template <class T> static void run(Hart &h, const Instruction &i) {
    const uint64_t offset = scalarIndex<Source>(h, i);
    T *vd = group<T>(h, i.rd);
    const T *a = group<T>(h, i.rs2);
    forActive(h, i, [=](uint64_t e) {
      if (e >= offset)
        vd[e] = a[e - offset];
    });
  }
};

/// vd may be vs2: elements are read at or above the one that is written.
template <class Source> struct SlideDown {
  template <class T> static void run(Hart &h, const Instruction &i) {
    const uint64_t offset = scalarIndex<Source>(h, i), count = vlmax(h);
    T *vd = group<T>(h, i.rd);
    const T *a = group<T>(h, i.rs2);
    forActiveInOrder(h, i, [=](uint64_t e) {
      vd[e] = offset < count && e + offset < count ? a[e + offset] : T(0);
    });
  }
};

template <class T>
void slideUpByOne(Hart &h, const Instruction &i, T incoming) {
  T *vd = group<T>(h, i.rd);
  const T *a = group<T>(h, i.rs2);
  forActive(h, i, [=](uint64_t e) { vd[e] = e == 0 ? incoming : a[e - 1]; });
}

template <class T>
void slideDownByOne(Hart &h, const Instruction &i, T incoming) {
  T *vd = group<T>(h, i.rd);
  const T *a = group<T>(h, i.rs2);
  const uint64_t last = h.regs.vl - 1;
  forActiveInOrder(
      h, i, [=](uint64_t e) { vd[e] = e == last ? incoming : a[e + 1]; });
}

// clang-format off
struct Slide1Up { template <class T> static void run(Hart &h, const Instruction &i) { slideUpByOne<T>(h, i, FromX::get<T>(h, i)); } };
struct Slide1Down { template <class T> static void run(Hart &h, const Instruction &i) { slideDownByOne<T>(h, i, FromX::get<T>(h, i)); } };
struct FSlide1Up { template <class F> static void run(Hart &h, const Instruction &i) { slideUpByOne<typename F::Bits>(h, i, FromF::get<F>(h, i)); } };
struct FSlide1Down { template <class F> static void run(Hart &h, const Instruction &i) { slideDownByOne<typename F::Bits>(h, i, FromF::get<F>(h, i)); } };
// clang-format on

template <class T, class Index>
void gather(Hart &h, const Instruction &i, const Index *index) {
  T *vd = group<T>(h, i.rd);
  const T *a = group<T>(h, i.rs2);
  const uint64_t count = vlmax(h);
  forActive(h, i,
            [=](uint64_t e) { vd[e] = index[e] < count ? a[index[e]] : T(0); });
}

struct Gather {
  template <class T> static void run(Hart &h, const Instruction &i) {
    gather<T>(h, i, group<T>(h, i.rs1));
  }
};
struct Gather16 {
  template <class T> static void run(Hart &h, const Instruction &i) {
    gather<T>(h, i, group<uint16_t>(h, i.rs1));
  }
};
template <class Source> struct GatherScalar {
  template <class T> static void run(Hart &h, const Instruction &i) {
    const uint64_t index = scalarIndex<Source>(h, i);
    const T value = index < vlmax(h) ? group<T>(h, i.rs2)[index] : T(0);
    T *vd = group<T>(h, i.rd);
    forActive(h, i, [=](uint64_t e) { vd[e] = value; });
  }
};

struct Compress {
  template <class T> static void run(Hart &h, const Instruction &i) {
    T *vd = group<T>(h, i.rd);
    const T *a = group<T>(h, i.rs2);
    const uint8_t *selected = h.regs.v[i.rs1];
    for (uint64_t e = 0; e < h.regs.vl; ++e)
      if (maskBit(selected, e))
        *vd++ = a[e];
  }
};

//--- Moves of element 0 and of whole registers
//--------------------------------------

struct MoveToX {
  template <class T> static void run(Hart &h, const Instruction &i) {
    h.setX(i.rd, uint64_t(int64_t(Signed<T>(group<T>(h, i.rs2)[0]))));
  }
};
struct MoveFromX {
  template <class T> static void run(Hart &h, const Instruction &i) {
    if (h.regs.vstart < h.regs.vl)
      group<T>(h, i.rd)[0] = FromX::get<T>(h, i);
  }
};
struct MoveToF {
  template <class F> static void run(Hart &h, const Instruction &i) {
    h.regs.f[i.rd] = box<F>(group<typename F::Bits>(h, i.rs2)[0]);
  }
};
struct MoveFromF {
  template <class F> static void run(Hart &h, const Instruction &i) {
    if (h.regs.vstart < h.regs.vl)
      group<typename F::Bits>(h, i.rd)[0] = FromF::get<F>(h, i);
  }
};

template <unsigned kCount> struct MoveRegisters {
  template <class T> static void run(Hart &h, const Instruction &i) {
    if (i.rd % kCount != 0 || i.rs2 % kCount != 0)
      return raiseIllegal(h, i);
    const uint64_t start = h.regs.vstart * sizeof(T);
    if (start < kCount * kVlenBytes)
      std::memmove(h.regs.v[i.rd] + start, h.regs.v[i.rs2] + start,
                   kCount * kVlenBytes - start);
  }
};

constexpr Width kNone = Width::None, kSame = Width::Same;

VectorOperation permuting(VectorOperation o, bool disjoint) {
  o.cost = VectorCost::Permute;
  o.disjoint = disjoint;
  return o;
}
VectorOperation unmasked(VectorOperation o, Width vd, Width vs2) {
  o.mask = MaskUse::Forbidden;
  o.vd = vd;
  o.vs2 = vs2;
  return o;
}

void addSlides(VectorTable &t) {
  t.add(kIVX, 0x0e, permuting(allWidths<SlideUp<FromX>>("vslideup.vx"), true));
  t.add(kIVI, 0x0e,
        permuting(allWidths<SlideUp<FromUnsigned>>("vslideup.vi"), true));
  t.add(kIVX, 0x0f,
        permuting(allWidths<SlideDown<FromX>>("vslidedown.vx"), false));
  t.add(kIVI, 0x0f,
        permuting(allWidths<SlideDown<FromUnsigned>>("vslidedown.vi"), false));
  t.add(kMVX, 0x0e, permuting(allWidths<Slide1Up>("vslide1up"), true));
  t.add(kMVX, 0x0f, permuting(allWidths<Slide1Down>("vslide1down"), false));
  t.add(kFVF, 0x0e, permuting(floatWidths<FSlide1Up>("vfslide1up"), true));
  t.add(kFVF, 0x0f, permuting(floatWidths<FSlide1Down>("vfslide1down"), false));
}

void addGathers(VectorTable &t) {
  t.add(kIVV, 0x0c, permuting(allWidths<Gather>("vrgather.vv", kSame), true));
  t.add(kIVV, 0x0e,
        permuting(allWidths<Gather16>("vrgatherei16", Width::Index16), true));
  t.add(kIVX, 0x0c,
        permuting(allWidths<GatherScalar<FromX>>("vrgather.vx"), true));
  t.add(kIVI, 0x0c,
        permuting(allWidths<GatherScalar<FromUnsigned>>("vrgather.vi"), true));
  VectorOperation compress =
      permuting(allWidths<Compress>("vcompress.vm", Width::Mask), true);
  compress.mask = MaskUse::Forbidden;
  compress.needsVstart0 = true;
  t.add(kMVV, 0x17, compress);
}

void addMoves(VectorTable &t) {
  t.addUnary(kMVV, 0x10, 0,
             unmasked(allWidths<MoveToX>("vmv.x.s"), kNone, kNone));
  t.addByVs2(kMVX, 0x10, 0,
             unmasked(allWidths<MoveFromX>("vmv.s.x"), kNone, kNone));
  t.addUnary(kFVV, 0x10, 0,
             unmasked(floatWidths<MoveToF>("vfmv.f.s"), kNone, kNone));
  t.addByVs2(kFVF, 0x10, 0,
             unmasked(floatWidths<MoveFromF>("vfmv.s.f"), kNone, kNone));
  t.addUnary(kIVI, 0x27, 0,
             unmasked(allWidths<MoveRegisters<1>>("vmv1r"), kNone, kNone));
  t.addUnary(kIVI, 0x27, 1,
             unmasked(allWidths<MoveRegisters<2>>("vmv2r"), kNone, kNone));
  t.addUnary(kIVI, 0x27, 3,
             unmasked(allWidths<MoveRegisters<4>>("vmv4r"), kNone, kNone));
  t.addUnary(kIVI, 0x27, 7,
             unmasked(allWidths<MoveRegisters<8>>("vmv8r"), kNone, kNone));
}

} // namespace

void kevolve::simulator::addVectorPermute(VectorTable &t) {
  addSlides(t);
  addGathers(t);
  addMoves(t);
}
