// RUN: kevolve-opt %s --split-input-file --verify-diagnostics

func.func @rank(%base: i64, %buf: memref<1x1x1x1x1x1xf32>) {
  // expected-error@+1 {{moves buffers of rank 0 to 5, got 'memref<1x1x1x1x1x1xf32>'}}
  %t = mtia.dma_load %base strides [4, 4, 4, 4, 4, 4] lower [0, 0, 0, 0, 0, 0] upper [1, 1, 1, 1, 1, 1] into %buf : memref<1x1x1x1x1x1xf32> -> !mtia.ticket
  return
}

// -----

func.func @counts(%base: i64, %buf: memref<4x4xf32>) {
  // expected-error@+1 {{needs one of strides per dimension of 'memref<4x4xf32>', got 1}}
  %t = mtia.dma_load %base strides [4] lower [0, 0] upper [4, 4] into %buf : memref<4x4xf32> -> !mtia.ticket
  return
}

// -----

func.func @counts_store(%base: i64, %buf: memref<4x4xf32>) {
  // expected-error@+1 {{needs one of upper per dimension of 'memref<4x4xf32>', got 3}}
  %t = mtia.dma_store %buf to %base strides [16, 4] lower [0, 0] upper [4, 4, 4] : memref<4x4xf32> -> !mtia.ticket
  return
}

// -----

func.func @dynamic(%base: i64, %buf: memref<?xf32>) {
  // expected-error@+1 {{must be statically shaped memref}}
  %t = mtia.dma_load %base strides [4] lower [0] upper [4] into %buf : memref<?xf32> -> !mtia.ticket
  return
}

// -----

func.func @element(%base: i64, %buf: memref<4xcomplex<f32>>) {
  // expected-error@+1 {{must be statically shaped memref}}
  %t = mtia.dma_load %base strides [8] lower [0] upper [4] into %buf : memref<4xcomplex<f32>> -> !mtia.ticket
  return
}

// -----

func.func @layout(%base: i64, %buf: memref<4x4xf32, strided<[?, 1]>>) {
  // expected-error@+1 {{buffer must have a static strided layout}}
  %t = mtia.dma_load %base strides [16, 4] lower [0, 0] upper [4, 4] into %buf : memref<4x4xf32, strided<[?, 1]>> -> !mtia.ticket
  return
}

// -----

func.func @space(%base: i64, %buf: memref<4xf32, 1>) {
  // expected-error@+1 {{buffer must be in local memory (the default memory space)}}
  %t = mtia.dma_load %base strides [4] lower [0] upper [4] into %buf : memref<4xf32, 1> -> !mtia.ticket
  return
}

// -----

func.func @fill_type(%v: f16, %buf: memref<4xf32>) {
  // expected-error@+1 {{fills 'memref<4xf32>' with a value of type 'f16'}}
  %t = mtia.fill %v into %buf : f16, memref<4xf32> -> !mtia.ticket
  return
}

// -----

func.func @shapes(%a: memref<32x64xf16>, %b: memref<48x64xf16>, %c: memref<32x48xf32>) {
  // expected-error@+1 {{shapes do not fit: 32x64 times 48x64 into 32x48}}
  %t = mtia.dpe_matmul %a, %b into %c : memref<32x64xf16>, memref<48x64xf16>, memref<32x48xf32> -> !mtia.ticket
  return
}

// -----

func.func @elements(%a: memref<4x4xf16>, %b: memref<4x4xbf16>, %c: memref<4x4xf32>) {
  // expected-error@+1 {{operands must have one element type, got 'f16' and 'bf16'}}
  %t = mtia.dpe_matmul %a, %b into %c : memref<4x4xf16>, memref<4x4xbf16>, memref<4x4xf32> -> !mtia.ticket
  return
}

// -----

func.func @result_type(%a: memref<4x4xf16>, %b: memref<4x4xf16>, %c: memref<4x4xi32>) {
  // expected-error@+1 {{accumulates f16 and bf16 in f32 and i8 in i32, got 'f16' into 'i32'}}
  %t = mtia.dpe_matmul %a, %b into %c : memref<4x4xf16>, memref<4x4xf16>, memref<4x4xi32> -> !mtia.ticket
  return
}

// -----

func.func @matrix(%a: memref<4xf16>, %b: memref<4x4xf16>, %c: memref<4x4xf32>) {
  // expected-error@+1 {{a must be a matrix, got 'memref<4xf16>'}}
  %t = mtia.dpe_matmul %a, %b into %c : memref<4xf16>, memref<4x4xf16>, memref<4x4xf32> -> !mtia.ticket
  return
}

// -----

func.func @rows(%a: memref<4x4xf16, strided<[8, 2]>>, %b: memref<4x4xf16>, %c: memref<4x4xf32>) {
  // expected-error@+1 {{a must have contiguous rows}}
  %t = mtia.dpe_matmul %a, %b into %c : memref<4x4xf16, strided<[8, 2]>>, memref<4x4xf16>, memref<4x4xf32> -> !mtia.ticket
  return
}

// -----

func.func @too_wide(%a: memref<1x65536xf16>, %b: memref<65536x1xf16>, %c: memref<1x1xf32>) {
  // expected-error@+1 {{dimensions must be below 65536}}
  %t = mtia.dpe_matmul %a, %b into %c : memref<1x65536xf16>, memref<65536x1xf16>, memref<1x1xf32> -> !mtia.ticket
  return
}

// -----

func.func @se_shape(%x: memref<64xf32>, %y: memref<32xf32>) {
  // expected-error@+1 {{needs one shape and element type}}
  %t = mtia.se_unary <exp> %x into %y : memref<64xf32>, memref<32xf32> -> !mtia.ticket
  return
}

// -----

func.func @se_contiguous(%x: memref<4x8xf32, strided<[16, 1]>>, %y: memref<4x8xf32>) {
  // expected-error@+1 {{src must be contiguous}}
  %t = mtia.se_unary <exp> %x into %y : memref<4x8xf32, strided<[16, 1]>>, memref<4x8xf32> -> !mtia.ticket
  return
}

// -----

func.func @place() {
  // expected-error@+1 {{offset 2 must be a non-negative multiple of the element's 4 bytes}}
  %b = mtia.local_buffer {offset = 2 : i64} : memref<4xf32>
  return
}

// -----

func.func @place_layout() {
  // expected-error@+1 {{must be contiguous}}
  %b = mtia.local_buffer {offset = 0 : i64} : memref<4xf32, strided<[2]>>
  return
}
