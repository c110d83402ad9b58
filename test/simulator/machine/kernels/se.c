/* a[1][i] = f(a[0][i]) for a[2] elements of a[3] bytes; a[4] = function,
 * a[5] = element type. */
#include "mtia_intrinsics.h"

void kernel(const uint64_t *a) {
  void *buffer = mtia_local(2048);
  mtia_dma_load(buffer, (void *)a[0], a[2] * a[3]);
  mtia_se_unary(a[4], a[5], buffer, buffer, a[2]);
  mtia_wait(mtia_dma_store((void *)a[1], buffer, a[2] * a[3]));
}
