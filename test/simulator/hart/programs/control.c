/* Scalar code: recursion, indirect calls, sorting, atomics, division. */
#include "runtime.h"
static u32 keys[500];
static u64 counter;

static u64 ackermann(u64 m, u64 n) {
  if (m == 0)
    return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
static int rising(u32 a, u32 b) { return a > b; }
static int falling(u32 a, u32 b) { return a < b; }
static void sort(int (*after)(u32, u32)) {
  for (int i = 1; i < 500; ++i)
    for (int j = i; j > 0 && after(keys[j - 1], keys[j]); --j) {
      u32 swapped = keys[j];
      keys[j] = keys[j - 1];
      keys[j - 1] = swapped;
    }
}
static u64 collatz(u64 n) {
  u64 steps = 0;
  while (n != 1) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    ++steps;
  }
  return steps;
}
int run(void) {
  int (*volatile orders[])(u32, u32) = {rising, falling};
  for (int k = 0; k < 2; ++k) {
    for (int i = 0; i < 500; ++i)
      keys[i] = (u32)next_random();
    sort(orders[k]);
    emit(keys, sizeof(keys));
  }
  for (u64 n = 1; n < 3000; ++n)
    __atomic_fetch_add(&counter, collatz(n) * n % 1000003, __ATOMIC_SEQ_CST);
  u64 results[] = {ackermann(2, 9), counter, next_random()};
  emit(results, sizeof(results));
  return 7;
}
