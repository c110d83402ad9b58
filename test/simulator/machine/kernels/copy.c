/* Copies a[2] bytes from a[0] to a[1], each PE its part, in tiles that three
 * buffers take turns with. */
#include "mtia_intrinsics.h"

#define TILE 32768
#define BUFFERS 3

void kernel(const uint64_t *a) {
  uint64_t bytes = a[2] / mtia_num_pes();
  char *from = (char *)a[0] + mtia_pe_id() * bytes;
  char *to = (char *)a[1] + mtia_pe_id() * bytes;
  for (uint64_t at = 0, turn = 0; at < bytes; at += TILE) {
    char *buffer = mtia_local(2048 + turn * TILE);
    uint64_t size = bytes - at < TILE ? bytes - at : TILE;
    mtia_dma_load(buffer, from + at, size);
    mtia_dma_store(to + at, buffer, size);
    turn = turn + 1 == BUFFERS ? 0 : turn + 1;
  }
  mtia_wait_all();
}
