/* A[0] -> local memory -> A[1], both sides with the strides given:
 * a[2..4] = row bytes, rows, planes; a[5..8] = strides of the load (global row,
 * local row, global plane, local plane); a[9..10] = global strides of the
 * store; a[11] = local offset of the first byte; a[12] = offset of
 * the load's first byte in a[0]. */
#include "mtia_intrinsics.h"

void kernel(const uint64_t *a) {
  char *buffer = mtia_local(a[11]);
  struct mtia_dma_shape load = {a[2], a[3], a[4], a[5], a[6], a[7], a[8]};
  struct mtia_dma_shape store = {a[2], a[3], a[4], a[9], a[6], a[10], a[8]};
  mtia_dma_load_3d(buffer, (char *)a[0] + a[12], load);
  mtia_wait(mtia_dma_store_3d((void *)a[1], buffer, store));
}
