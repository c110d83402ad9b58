/* Auto-vectorised loops over float, double and half. */
#include "runtime.h"
#define N 1003
static float a[N], b[N], c[N];
static double d[N];
static _Float16 h[N], g[N];

static void fill(void) {
  for (int i = 0; i < N; ++i) {
    a[i] = (float)(i64)next_random() * 0x1p-61f;
    b[i] = (float)(i64)next_random() * 0x1p-60f;
    h[i] = (_Float16)a[i];
  }
}
static void axpy(float s) {
  for (int i = 0; i < N; ++i)
    c[i] = a[i] * s + b[i];
}
static void mixed(void) {
  for (int i = 0; i < N; ++i)
    d[i] = (double)a[i] / (1.0 + (double)b[i] * b[i]);
}
static void halves(void) {
  for (int i = 0; i < N; ++i)
    g[i] = (_Float16)(h[i] * (_Float16)1.5 + (_Float16)a[i]);
}
static void selected(void) {
  for (int i = 0; i < N; ++i)
    if (a[i] > b[i])
      c[i] = __builtin_sqrtf(a[i] - b[i]) + (float)(int)(c[i] * 100);
}
static float dot(void) {
#pragma clang fp reassociate(on)
  float s = 0;
  for (int i = 0; i < N; ++i)
    s += a[i] * b[i];
  return s;
}
int run(void) {
  fill();
  axpy(2.5f);
  emit(c, sizeof(c));
  mixed();
  emit(d, sizeof(d));
  halves();
  emit(g, sizeof(g));
  selected();
  emit(c, sizeof(c));
  float s = dot();
  emit(&s, sizeof(s));
  return 0;
}
