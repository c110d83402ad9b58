/* Auto-vectorised integer loops: widths, reductions, gathers, strides. */
#include "runtime.h"
#define N 777
static u8 bytes[N];
static short shorts[N];
static int words[N], table[256];
static i64 longs[N];

static void fill(void) {
  for (int i = 0; i < N; ++i) {
    bytes[i] = (u8)next_random();
    shorts[i] = (short)next_random();
    words[i] = (int)next_random();
    longs[i] = (i64)next_random();
  }
  for (int i = 0; i < 256; ++i)
    table[i] = (int)next_random();
}
static void mix(void) {
  for (int i = 0; i < N; ++i)
    longs[i] = longs[i] / (words[i] | 1) + (i64)shorts[i] * words[i];
}
static void lookup(void) {
  for (int i = 0; i < N; ++i)
    words[i] = table[bytes[i]] ^ (words[i] >> (bytes[i] & 31));
}
static void strides(void) {
  for (int i = 0; 3 * i + 2 < N; ++i)
    shorts[3 * i] = (short)(shorts[3 * i + 1] - shorts[3 * i + 2]);
}
static void saturate(void) {
  for (int i = 0; i < N; ++i) {
    int v = bytes[i] + shorts[i] / 64;
    bytes[i] = (u8)(v < 0 ? 0 : v > 255 ? 255 : v);
  }
}
static u64 sums(void) {
  u64 total = 0;
  int largest = words[0];
  for (int i = 0; i < N; ++i) {
    total += bytes[i] + (u64)__builtin_popcountl((u64)longs[i]);
    largest = words[i] > largest ? words[i] : largest;
  }
  return total ^ (u64)largest;
}
int run(void) {
  fill();
  mix();
  lookup();
  strides();
  saturate();
  emit(longs, sizeof(longs));
  emit(words, sizeof(words));
  emit(shorts, sizeof(shorts));
  emit(bytes, sizeof(bytes));
  u64 total = sums();
  emit(&total, sizeof(total));
  return 0;
}
