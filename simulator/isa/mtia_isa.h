/*===- mtia_isa.h - What software and the simulated MTIA agree on
 * ----------===//
 *
 * The one contract between the lowering (passes/MtiaToLLVM), hand-written MTIA
 * C++ and the simulator: the memory map, the CSRs and the encoding of the
 * custom instructions. Plain C, no includes beyond <stdint.h>.
 *
 * A processing element (PE) has two RISC-V harts and a command processor (CP).
 * A hart sets up a command in the CP's parameter registers (cp.set), issues it
 * (cp.issue, which returns a ticket) and may wait for it (cp.wait). Units (FI =
 * DMA, DPE, SE) run asynchronously; the CP orders commands of one PE whose
 * local memory ranges overlap (read after write, write after read, write after
 * write), so software waits only before a *hart* touches data that a unit
 * produces or still reads.
 *===----------------------------------------------------------------------===*/
#ifndef KEVOLVE_SIMULATOR_ISA_MTIA_ISA_H
#define KEVOLVE_SIMULATOR_ISA_MTIA_ISA_H

#include <stdint.h>

/*--- Memory map (addresses as a hart sees them) ---------------------------*/
/* A jump here ends the hart: the initial return address. */
#define MTIA_HALT_ADDRESS UINT64_C(0)
/* Code and constants of the ELF are linked here and up to MTIA_CODE_LIMIT. */
#define MTIA_CODE_BASE UINT64_C(0x00010000)
#define MTIA_CODE_LIMIT UINT64_C(0x10000000)
/* Local memory (LS) of the PE the hart belongs to; its size is the chip's. */
#define MTIA_LS_BASE UINT64_C(0x10000000)
/* The argument block lies at the bottom of LS, the stacks of core 0 and core 1
 * at the top, and the kernel's buffers between. */
#define MTIA_LS_ARGUMENT_BYTES UINT64_C(1024)
#define MTIA_LS_STACK_BYTES UINT64_C(16384) /* of both cores together */
/* Everything from here up is DRAM: tensors, at the addresses of the host. */
#define MTIA_DRAM_BASE UINT64_C(0x0000000100000000)

/*--- Argument block ---------------------------------------------------------
 * a0 points at it on entry: 8-byte slots; first the kernel's arguments in order
 * (pointers as addresses, integers sign-extended, floats as bits in the low
 * bytes), then grid x, y, z and the address of the probe record area (0: none).
 *--------------------------------------------------------------------------*/

/*--- CSRs (read only) beside cycle, time, instret and mhartid ---------------*/
#define MTIA_CSR_PE 0xCC0      /* index of this PE among those of the launch */
#define MTIA_CSR_NUM_PES 0xCC1 /* PEs that take part in the launch */
#define MTIA_CSR_CORE 0xCC2    /* 0 = core A (scalar), 1 = core B (vector) */

/*--- Custom instructions: R-type, opcode custom-0 (0x0B) --------------------*/
#define MTIA_OPCODE 0x0B
/* funct3 */
#define MTIA_F3_SET 0   /* p[2*funct7] = rs1, p[2*funct7+1] = rs2 */
#define MTIA_F3_ISSUE 1 /* funct7 = command; rd = ticket; rs1, rs2 operands */
#define MTIA_F3_WAIT 2  /* wait for ticket rs1 (0: returns at once) */
#define MTIA_F3_WAIT_ALL 3 /* wait for every command this hart has issued */

#define MTIA_NUM_PARAMETERS 8

/* funct7 of cp.issue. Tickets are 1, 2, 3, ... per hart. Parameters keep their
 * value from one command to the next. */

/* FI: DMA. rs1 = destination, rs2 = source; one of them in LS.
 *   p0 = bytes of a contiguous row      p1 = rows      p2 = planes
 *   p3 = global stride from row to row  p4 = local stride from row to row
 *   p5 = global stride plane to plane   p6 = local stride plane to plane
 * Strides are signed bytes. Nothing moves when p0, p1 or p2 is 0. */
#define MTIA_CMD_DMA_LOAD 0x00
#define MTIA_CMD_DMA_STORE 0x01
/* FI: fill. rs1 = LS destination, rs2 = the value's bits.
 *   p0 = elements of a row, p1 = rows, p2 = planes, p4/p6 = local strides as
 *   above, p7 = bytes of an element (1, 2, 4, 8). */
#define MTIA_CMD_FILL 0x02

/* DPE: C (+)= A * B in LS. rs1 = C, rs2 = A, p0 = B.
 *   p1 = M | N << 16 | K << 32
 *   p2 = row stride of A in bytes | row stride of B in bytes << 32
 *   p3 = row stride of C in bytes | flags << 32
 * A is M x K (K x M with TRANSPOSE_A), B is K x N (N x K with TRANSPOSE_B);
 * products are exact, C is fp32 (int32 for int8), accumulated in fp32 in
 * increasing k. */
#define MTIA_CMD_DPE_MATMUL 0x08
#define MTIA_DPE_TYPE_MASK 0xF
#define MTIA_DPE_FP16 0
#define MTIA_DPE_BF16 1
#define MTIA_DPE_INT8 2
#define MTIA_DPE_ACCUMULATE 0x10 /* else C is overwritten */
#define MTIA_DPE_TRANSPOSE_A 0x20
#define MTIA_DPE_TRANSPOSE_B 0x40

/* SE: dst[i] = f(src[i]) over contiguous elements. rs1 = dst, rs2 = src.
 *   p0 = elements, p1 = function | element type << 8 */
#define MTIA_CMD_SE_UNARY 0x10
#define MTIA_SE_EXP 0
#define MTIA_SE_EXP2 1
#define MTIA_SE_LOG 2
#define MTIA_SE_LOG2 3
#define MTIA_SE_SIN 4
#define MTIA_SE_COS 5
#define MTIA_SE_TANH 6
#define MTIA_SE_SIGMOID 7
#define MTIA_SE_ERF 8
#define MTIA_SE_SQRT 9
#define MTIA_SE_RSQRT 10
#define MTIA_SE_RECIPROCAL 11
#define MTIA_SE_FP32 0
#define MTIA_SE_FP16 1
#define MTIA_SE_BF16 2

#endif /* KEVOLVE_SIMULATOR_ISA_MTIA_ISA_H */
