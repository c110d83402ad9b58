/* C (a[0], fp32) = A (a[1]) * B (a[2]) in fp16, all row by row; a[3..5] = M, N, K,
 * multiples of the tile sizes. The PEs take the tiles of C in turn, down
 * the columns, so that those at work share panels of B; panels of A
 * and B are loaded while the DPE works on the ones before. */
#include "mtia_intrinsics.h"

#ifndef BM
#define BM 128
#define BN 128
#define BK 128
#endif
#define PANEL_A (BM * BK * 2)
#define PANEL_B (BK * BN * 2)
#define BYTES_C (BM * BN * 4)

static void tile(const uint64_t *a, uint64_t row, uint64_t column, char *c) {
  uint64_t n = a[4], k = a[5];
  char *panels = mtia_local(2048 + 2 * BYTES_C);
  for (uint64_t at = 0, turn = 0; at < k; at += BK, turn ^= 1) {
    char *panel_a = panels + turn * (PANEL_A + PANEL_B);
    char *panel_b = panel_a + PANEL_A;
    struct mtia_matmul_shape shape = {
        BM, BN, BK, BK * 2, BN * 2, BN * 4,
        MTIA_DPE_FP16 | (at ? MTIA_DPE_ACCUMULATE : 0)};
    mtia_dma_load_2d(panel_a, (char *)a[1] + (row * k + at) * 2, BK * 2, BM,
                     BK * 2, k * 2);
    mtia_dma_load_2d(panel_b, (char *)a[2] + (at * n + column) * 2, BN * 2, BK,
                     BN * 2, n * 2);
    mtia_dpe_matmul(c, panel_a, panel_b, shape);
  }
  mtia_dma_store_2d((char *)a[0] + (row * n + column) * 4, c, BN * 4, BM, n * 4,
                    BN * 4);
}

void kernel(const uint64_t *a) {
  uint64_t rows = a[3] / BM, tiles = a[4] / BN * rows;
  uint64_t turn = 0; /* one C is stored while the next is computed */
  for (uint64_t i = mtia_pe_id(); i < tiles; i += mtia_num_pes(), turn ^= 1)
    tile(a, i % rows * BM, i / rows * BN,
         mtia_local(2048 + turn * BYTES_C));
  mtia_wait_all();
}
