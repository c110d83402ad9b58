/* One DPE command: C (a[0], fp32 or int32) (+)= A (a[1]) * B (a[2]);
 * a[3..5] = M, N, K; a[6] = flags; a[7] = bytes of an operand's element. Rows in
 * local memory are padded by 32 bytes. */
#include "mtia_intrinsics.h"

#define PAD 32

void kernel(const uint64_t *a) {
  uint64_t m = a[3], n = a[4], k = a[5], flags = a[6], size = a[7];
  uint64_t rows_a = flags & MTIA_DPE_TRANSPOSE_A ? k : m;
  uint64_t bytes_a = (flags & MTIA_DPE_TRANSPOSE_A ? m : k) * size;
  uint64_t rows_b = flags & MTIA_DPE_TRANSPOSE_B ? n : k;
  uint64_t bytes_b = (flags & MTIA_DPE_TRANSPOSE_B ? k : n) * size;
  uint64_t stride_a = (bytes_a + PAD + 3) & ~3ull;
  uint64_t stride_b = (bytes_b + PAD + 3) & ~3ull;
  uint64_t stride_c = n * 4 + PAD;
  char *at_a = mtia_local(2048), *at_b = at_a + rows_a * stride_a;
  char *at_c = at_b + rows_b * stride_b;
  struct mtia_matmul_shape shape = {m, n, k, stride_a, stride_b, stride_c, flags};
  mtia_dma_load_2d(at_a, (void *)a[1], bytes_a, rows_a, stride_a, bytes_a);
  mtia_dma_load_2d(at_b, (void *)a[2], bytes_b, rows_b, stride_b, bytes_b);
  mtia_dma_load_2d(at_c, (void *)a[0], n * 4, m, stride_c, n * 4);
  mtia_dpe_matmul(at_c, at_a, at_b, shape);
  mtia_wait(mtia_dma_store_2d((void *)a[0], at_c, n * 4, m, n * 4, stride_c));
}
