/*===- mtia_intrinsics.h - MTIA's custom instructions in C
 * -----------------===//
 *
 * For kernels written in C or C++: one inline function per custom instruction
 * and, on top of them, one per command. Compile freestanding for riscv64 with
 * +v and link at MTIA_CODE_BASE:
 *
 *   zig clang --target=riscv64-unknown-elf -march=rv64imafdcv_zvl512b ...
 *
 *   void kernel(const uint64_t *arguments) {
 *     float *tile = (float *)mtia_local(2048);
 *     mtia_ticket loaded = mtia_dma_load(tile, (void *)arguments[0], 4096);
 *     mtia_wait(loaded);
 *     ...
 *===----------------------------------------------------------------------===*/
#ifndef KEVOLVE_SIMULATOR_ISA_MTIA_INTRINSICS_H
#define KEVOLVE_SIMULATOR_ISA_MTIA_INTRINSICS_H

#include "mtia_isa.h"

#define MTIA_INLINE static inline __attribute__((always_inline))

typedef uint64_t mtia_ticket;

/*--- Instructions ---------------------------------------------------------*/

/* p[2 * pair] = first, p[2 * pair + 1] = second */
#define mtia_set(pair, first, second)                                          \
  __asm__ volatile(".insn r 0x0B, 0, %2, x0, %0, %1"                           \
                   :                                                           \
                   : "r"((uint64_t)(first)), "r"((uint64_t)(second)),          \
                     "i"(pair))

/* The memory clobber keeps the core's own accesses on their side of it. */
#define mtia_issue(command, rs1, rs2)                                          \
  __extension__({                                                              \
    mtia_ticket mtia_issued;                                                   \
    __asm__ volatile(".insn r 0x0B, 1, %3, %0, %1, %2"                         \
                     : "=r"(mtia_issued)                                       \
                     : "r"((uint64_t)(rs1)), "r"((uint64_t)(rs2)),             \
                       "i"(command)                                            \
                     : "memory");                                              \
    mtia_issued;                                                               \
  })

MTIA_INLINE void mtia_wait(mtia_ticket ticket) {
  __asm__ volatile(".insn r 0x0B, 2, 0, x0, %0, x0" : : "r"(ticket) : "memory");
}

MTIA_INLINE void mtia_wait_all(void) {
  __asm__ volatile(".insn r 0x0B, 3, 0, x0, x0, x0" : : : "memory");
}

/*--- Where am I ------------------------------------------------------------*/

#define mtia_read_csr(csr)                                                     \
  __extension__({                                                              \
    uint64_t mtia_value;                                                       \
    __asm__ volatile("csrr %0, %1" : "=r"(mtia_value) : "i"(csr));             \
    mtia_value;                                                                \
  })

MTIA_INLINE uint64_t mtia_pe_id(void) { return mtia_read_csr(MTIA_CSR_PE); }
MTIA_INLINE uint64_t mtia_num_pes(void) {
  return mtia_read_csr(MTIA_CSR_NUM_PES);
}
MTIA_INLINE uint64_t mtia_cycles(void) { return mtia_read_csr(0xC00); }

/* Local memory at a byte offset; buffers start above the argument block. */
MTIA_INLINE void *mtia_local(uint64_t offset) {
  return (void *)(MTIA_LS_BASE + offset);
}

/*--- FI ---------------------------------------------------------------------*/

/* Three dimensions: rows of row_bytes, strides in bytes on both sides. */
struct mtia_dma_shape {
  uint64_t row_bytes, rows, planes;
  int64_t global_row_stride, local_row_stride;
  int64_t global_plane_stride, local_plane_stride;
};

MTIA_INLINE void mtia_set_dma(struct mtia_dma_shape shape) {
  mtia_set(0, shape.row_bytes, shape.rows);
  mtia_set(1, shape.planes, shape.global_row_stride);
  mtia_set(2, shape.local_row_stride, shape.global_plane_stride);
  /* p7 belongs to fills, which set it themselves. */
  mtia_set(3, shape.local_plane_stride, 0);
}

MTIA_INLINE mtia_ticket mtia_dma_load_3d(void *local, const void *global,
                                         struct mtia_dma_shape shape) {
  mtia_set_dma(shape);
  return mtia_issue(MTIA_CMD_DMA_LOAD, local, global);
}

MTIA_INLINE mtia_ticket mtia_dma_store_3d(void *global, const void *local,
                                          struct mtia_dma_shape shape) {
  mtia_set_dma(shape);
  return mtia_issue(MTIA_CMD_DMA_STORE, global, local);
}

MTIA_INLINE mtia_ticket mtia_dma_load_2d(void *local, const void *global,
                                         uint64_t row_bytes, uint64_t rows,
                                         int64_t local_row_stride,
                                         int64_t global_row_stride) {
  struct mtia_dma_shape shape = {row_bytes,        rows, 1, global_row_stride,
                                 local_row_stride, 0,    0};
  return mtia_dma_load_3d(local, global, shape);
}

MTIA_INLINE mtia_ticket mtia_dma_store_2d(void *global, const void *local,
                                          uint64_t row_bytes, uint64_t rows,
                                          int64_t global_row_stride,
                                          int64_t local_row_stride) {
  struct mtia_dma_shape shape = {row_bytes,        rows, 1, global_row_stride,
                                 local_row_stride, 0,    0};
  return mtia_dma_store_3d(global, local, shape);
}

MTIA_INLINE mtia_ticket mtia_dma_load(void *local, const void *global,
                                      uint64_t bytes) {
  return mtia_dma_load_2d(local, global, bytes, 1, 0, 0);
}

MTIA_INLINE mtia_ticket mtia_dma_store(void *global, const void *local,
                                       uint64_t bytes) {
  return mtia_dma_store_2d(global, local, bytes, 1, 0, 0);
}

MTIA_INLINE mtia_ticket mtia_fill(void *local, uint64_t value_bits,
                                  uint64_t elements, uint64_t element_bytes) {
  mtia_set(0, elements, 1);
  mtia_set(1, 1, 0);
  mtia_set(2, 0, 0);
  mtia_set(3, 0, element_bytes);
  return mtia_issue(MTIA_CMD_FILL, local, value_bits);
}

/*--- DPE --------------------------------------------------------------------*/

/* C (+)= A * B; strides in bytes; flags = MTIA_DPE_* or-ed together. */
struct mtia_matmul_shape {
  uint64_t m, n, k;
  uint64_t stride_a, stride_b, stride_c;
  uint64_t flags;
};

MTIA_INLINE mtia_ticket mtia_dpe_matmul(void *c, const void *a, const void *b,
                                        struct mtia_matmul_shape shape) {
  mtia_set(0, b, shape.m | shape.n << 16 | shape.k << 32);
  mtia_set(1, shape.stride_a | shape.stride_b << 32,
           shape.stride_c | shape.flags << 32);
  return mtia_issue(MTIA_CMD_DPE_MATMUL, c, a);
}

/*--- SE ---------------------------------------------------------------------*/

MTIA_INLINE mtia_ticket mtia_se_unary(uint64_t function, uint64_t type,
                                      void *to, const void *from,
                                      uint64_t elements) {
  mtia_set(0, elements, function | type << 8);
  return mtia_issue(MTIA_CMD_SE_UNARY, to, from);
}

#endif /* KEVOLVE_SIMULATOR_ISA_MTIA_INTRINSICS_H */
