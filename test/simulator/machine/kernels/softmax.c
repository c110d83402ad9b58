/* a[1] = softmax of each row of a[0]; a[2..3] = rows, columns (fp32). Rows are
 * dealt to the PEs; exp runs on the SE, the rest on the vector core. The next
 * row is loaded and the last one stored meanwhile. */
#include "mtia_intrinsics.h"
#include <riscv_vector.h>

/* n is a multiple of a vector register group (128 floats with VLEN 512). */
static float largest(const float *x, uint64_t n) {
  size_t vl = __riscv_vsetvlmax_e32m8();
  vfloat32m8_t found = __riscv_vle32_v_f32m8(x, vl);
  for (uint64_t i = vl; i < n; i += vl)
    found = __riscv_vfmax_vv_f32m8(found, __riscv_vle32_v_f32m8(x + i, vl), vl);
  vfloat32m1_t start = __riscv_vfmv_s_f_f32m1(x[0], 1);
  return __riscv_vfmv_f_s_f32m1_f32(
      __riscv_vfredmax_vs_f32m8_f32m1(found, start, vl));
}

static float total(const float *x, uint64_t n) {
  size_t vl = __riscv_vsetvlmax_e32m8();
  vfloat32m8_t sum = __riscv_vfmv_v_f_f32m8(0, vl);
  for (uint64_t i = 0; i < n; i += vl)
    sum = __riscv_vfadd_vv_f32m8(sum, __riscv_vle32_v_f32m8(x + i, vl), vl);
  vfloat32m1_t start = __riscv_vfmv_s_f_f32m1(0, 1);
  return __riscv_vfmv_f_s_f32m1_f32(
      __riscv_vfredusum_vs_f32m8_f32m1(sum, start, vl));
}

static void row(float *x, uint64_t n) {
  float top = largest(x, n);
  for (uint64_t i = 0; i < n; ++i)
    x[i] -= top;
  mtia_wait(mtia_se_unary(MTIA_SE_EXP, MTIA_SE_FP32, x, x, n));
  float scale = 1 / total(x, n);
  for (uint64_t i = 0; i < n; ++i)
    x[i] *= scale;
}

void kernel(const uint64_t *a) {
  uint64_t rows = a[2], n = a[3], bytes = n * 4, step = mtia_num_pes();
  uint64_t i = mtia_pe_id(), turn = 0;
  if (i >= rows)
    return;
  mtia_ticket next = mtia_dma_load(mtia_local(2048), (char *)a[0] + i * bytes, bytes);
  for (; i < rows; i += step) {
    float *x = mtia_local(2048 + turn * bytes);
    turn = turn == 2 ? 0 : turn + 1;
    mtia_wait(next);
    if (i + step < rows)
      next = mtia_dma_load(mtia_local(2048 + turn * bytes),
                           (char *)a[0] + (i + step) * bytes, bytes);
    row(x, n);
    mtia_dma_store((char *)a[1] + i * bytes, x, bytes);
  }
  mtia_wait_all();
}
