//===- MtiaOps.td - Operations of the mtia dialect ----------*- tablegen -*-===//
#ifndef KEVOLVE_DIALECTS_MTIA_OPS
#define KEVOLVE_DIALECTS_MTIA_OPS

include "dialects/Mtia/MtiaDialect.td"

def Mtia_Element : AnyTypeOf<[I1, I8, I16, I32, I64, F16, BF16, F32, F64]>;
def Mtia_LocalBuffer : StaticShapeMemRefOf<[Mtia_Element]>;
def Mtia_MatmulOperand : StaticShapeMemRefOf<[F16, BF16, I8]>;
def Mtia_MatmulResult : StaticShapeMemRefOf<[F32, I32]>;
def Mtia_SeBuffer : StaticShapeMemRefOf<[F32, F16, BF16]>;

//===----------------------------------------------------------------------===//
// FI: data movement
//===----------------------------------------------------------------------===//

/// A box of global memory: element (i, j, ..) lies at byte address
/// base + i*strides[0] + j*strides[1] + .., and takes part iff
/// lower[d] <= i_d < upper[d] in every dimension d. Mixed lists, as those of
/// memref.subview.
class Mtia_DmaOp<string mnemonic, MemoryEffect global>
    : Mtia_Op<mnemonic, [AttrSizedOperandSegments, MemoryEffects<[global]>]> {
  code mixedAccessors = [{
    /// Byte strides of global memory, one per dimension.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedStrides() {
      ::mlir::Builder b(getContext());
      return ::mlir::getMixedValues(getStaticStrides(), getStrides(), b);
    }
    /// First index that takes part, one per dimension.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedLower() {
      ::mlir::Builder b(getContext());
      return ::mlir::getMixedValues(getStaticLower(), getLower(), b);
    }
    /// First index past those that take part, one per dimension.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedUpper() {
      ::mlir::Builder b(getContext());
      return ::mlir::getMixedValues(getStaticUpper(), getUpper(), b);
    }
    ::mlir::MemRefType getBufferType() {
      return ::llvm::cast<::mlir::MemRefType>(getBuffer().getType());
    }
  }];
  let hasVerifier = 1;
  let results = (outs Mtia_Ticket:$ticket);
}

def Mtia_DmaLoadOp : Mtia_DmaOp<"dma_load", MemRead<Mtia_GlobalMemory>> {
  let summary = "Moves a box of global memory into a local buffer";
  let description = [{
    Starts a DMA that copies, for every index inside the box `[lower, upper)`,
    the element at byte address `base + sum(i_d * strides[d])` to the same index
    of `buffer`. Elements outside the box keep their value. The box is clamped
    to the buffer's shape, so any bounds are allowed; an empty box moves nothing.

    ```mlir
    %t = mtia.dma_load %base strides [%row, 2] lower [0, 0] upper [%m, 32]
           into %buf : memref<64x32xf16> -> !mtia.ticket
    ```
  }];
  let arguments = (ins Arg<I64, "", [MemRead<Mtia_GlobalMemory>]>:$base,
                       Variadic<Index>:$strides, Variadic<Index>:$lower,
                       Variadic<Index>:$upper, DenseI64ArrayAttr:$static_strides,
                       DenseI64ArrayAttr:$static_lower, DenseI64ArrayAttr:$static_upper,
                       Arg<Mtia_LocalBuffer, "", [MemWrite]>:$buffer);
  let assemblyFormat = [{
    $base `strides` custom<DynamicIndexList>($strides, $static_strides)
    `lower` custom<DynamicIndexList>($lower, $static_lower)
    `upper` custom<DynamicIndexList>($upper, $static_upper)
    `into` $buffer attr-dict `:` type($buffer) `->` type($ticket)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$base,
      "::llvm::ArrayRef<::mlir::OpFoldResult>":$strides,
      "::llvm::ArrayRef<::mlir::OpFoldResult>":$lower,
      "::llvm::ArrayRef<::mlir::OpFoldResult>":$upper, "::mlir::Value":$buffer)>];
  let extraClassDeclaration = mixedAccessors;
}

def Mtia_DmaStoreOp : Mtia_DmaOp<"dma_store", MemWrite<Mtia_GlobalMemory>> {
  let summary = "Moves a local buffer out to a box of global memory";
  let description = [{
    Starts a DMA that copies, for every index inside the box `[lower, upper)`,
    the element of `buffer` to byte address `base + sum(i_d * strides[d])`.
    Nothing is written for indices outside the box.

    ```mlir
    %t = mtia.dma_store %buf to %base strides [4] lower [0] upper [%n]
           : memref<128xf32> -> !mtia.ticket
    ```
  }];
  let arguments = (ins Arg<Mtia_LocalBuffer, "", [MemRead]>:$buffer,
                       Arg<I64, "", [MemWrite<Mtia_GlobalMemory>]>:$base,
                       Variadic<Index>:$strides, Variadic<Index>:$lower,
                       Variadic<Index>:$upper, DenseI64ArrayAttr:$static_strides,
                       DenseI64ArrayAttr:$static_lower, DenseI64ArrayAttr:$static_upper);
  let assemblyFormat = [{
    $buffer `to` $base `strides` custom<DynamicIndexList>($strides, $static_strides)
    `lower` custom<DynamicIndexList>($lower, $static_lower)
    `upper` custom<DynamicIndexList>($upper, $static_upper)
    attr-dict `:` type($buffer) `->` type($ticket)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$buffer, "::mlir::Value":$base,
      "::llvm::ArrayRef<::mlir::OpFoldResult>":$strides,
      "::llvm::ArrayRef<::mlir::OpFoldResult>":$lower,
      "::llvm::ArrayRef<::mlir::OpFoldResult>":$upper)>];
  let extraClassDeclaration = mixedAccessors;
}

def Mtia_FillOp : Mtia_Op<"fill"> {
  let summary = "Fills a local buffer with one value";
  let description = [{
    ```mlir
    %t = mtia.fill %zero into %buf : f32, memref<64x32xf32> -> !mtia.ticket
    ```
  }];
  let arguments = (ins Mtia_Element:$value, Arg<Mtia_LocalBuffer, "", [MemWrite]>:$buffer);
  let results = (outs Mtia_Ticket:$ticket);
  let assemblyFormat = [{
    $value `into` $buffer attr-dict `:` type($value) `,` type($buffer) `->` type($ticket)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// DPE and SE: computation
//===----------------------------------------------------------------------===//

def Mtia_DpeMatmulOp : Mtia_Op<"dpe_matmul"> {
  let summary = "Multiplies two matrices of local memory on the DPE";
  let description = [{
    `c = a * b`, or `c += a * b` with `accumulate`. `a` is M x K (K x M with
    `transpose_a`), `b` is K x N (N x K with `transpose_b`), `c` is M x N. The
    products are exact and summed in f32 (i32 for i8) in increasing k. Rows are
    contiguous; the distance from row to row is free.

    ```mlir
    %t = mtia.dpe_matmul %a, %b into %c {accumulate}
           : memref<32x64xf16>, memref<64x32xf16>, memref<32x32xf32> -> !mtia.ticket
    ```
  }];
  let arguments = (ins Arg<Mtia_MatmulOperand, "", [MemRead]>:$a,
                       Arg<Mtia_MatmulOperand, "", [MemRead]>:$b,
                       Arg<Mtia_MatmulResult, "", [MemRead, MemWrite]>:$c,
                       UnitAttr:$accumulate, UnitAttr:$transpose_a, UnitAttr:$transpose_b);
  let results = (outs Mtia_Ticket:$ticket);
  let assemblyFormat = [{
    $a `,` $b `into` $c attr-dict `:` type($a) `,` type($b) `,` type($c) `->` type($ticket)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    int64_t getM() { return ::llvm::cast<::mlir::MemRefType>(getC().getType()).getDimSize(0); }
    int64_t getN() { return ::llvm::cast<::mlir::MemRefType>(getC().getType()).getDimSize(1); }
    int64_t getK() {
      return ::llvm::cast<::mlir::MemRefType>(getA().getType()).getDimSize(getTransposeA() ? 0 : 1);
    }
  }];
}

def Mtia_SeUnaryOp : Mtia_Op<"se_unary"> {
  let summary = "Evaluates a function on every element on the SE";
  let description = [{
    `dst[i] = function(src[i])`; both buffers are contiguous and have the same
    shape and element type. `dst` may be `src`.

    ```mlir
    %t = mtia.se_unary <exp> %x into %y : memref<64xf32>, memref<64xf32> -> !mtia.ticket
    ```
  }];
  let arguments = (ins Mtia_SeFunctionAttr:$function,
                       Arg<Mtia_SeBuffer, "", [MemRead]>:$src,
                       Arg<Mtia_SeBuffer, "", [MemWrite]>:$dst);
  let results = (outs Mtia_Ticket:$ticket);
  let assemblyFormat = [{
    $function $src `into` $dst attr-dict `:` type($src) `,` type($dst) `->` type($ticket)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

def Mtia_WaitOp : Mtia_Op<"wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Waits until a command is done";
  let description = [{
    Blocks this hart until the command has finished. Its effects are on all
    memory, so that nothing the hart does with data of the command moves across.

    ```mlir
    mtia.wait %t
    ```
  }];
  let arguments = (ins Mtia_Ticket:$ticket);
  let assemblyFormat = "$ticket attr-dict";
}

def Mtia_WaitAllOp : Mtia_Op<"wait_all", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Waits until every command this hart has issued is done";
  let description = [{
    ```mlir
    mtia.wait_all
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Mtia_NoTicketOp : Mtia_Op<"no_ticket", [Pure]> {
  let summary = "The ticket of no command: waiting for it returns at once";
  let description = [{
    Starts a chain of loop-carried tickets.

    ```mlir
    %t = mtia.no_ticket : !mtia.ticket
    ```
  }];
  let results = (outs Mtia_Ticket:$ticket);
  let assemblyFormat = "attr-dict `:` type($ticket)";
}

//===----------------------------------------------------------------------===//
// Where a hart is, and where its data lies
//===----------------------------------------------------------------------===//

def Mtia_PeIdOp : Mtia_Op<"pe_id", [Pure]> {
  let summary = "Index of this PE among those that take part in the launch";
  let description = [{
    ```mlir
    %i = mtia.pe_id : index
    ```
  }];
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Mtia_NumPesOp : Mtia_Op<"num_pes", [Pure]> {
  let summary = "Number of PEs that take part in the launch";
  let description = [{
    ```mlir
    %n = mtia.num_pes : index
    ```
  }];
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Mtia_LocalBufferOp : Mtia_Op<"local_buffer", [Pure]> {
  let summary = "A buffer at a fixed place in local memory";
  let description = [{
    What the local memory planner turns `memref.alloc` into. `offset` counts
    bytes from the start of local memory.

    ```mlir
    %b = mtia.local_buffer {offset = 4096 : i64} : memref<64x32xf16>
    ```
  }];
  let arguments = (ins I64Attr:$offset);
  let results = (outs Mtia_LocalBuffer:$buffer);
  let assemblyFormat = "attr-dict `:` type($buffer)";
  let hasVerifier = 1;
}

#endif // KEVOLVE_DIALECTS_MTIA_OPS
