// RUN: kevolve-opt %s --split-input-file --mtia-plan-local-memory=local-memory-bytes=65536 --verify-diagnostics

func.func @too_large(%base: i64) attributes {kevolve.kernel} {
  // expected-error @below {{kernel needs 65536 bytes of local memory for its tiles and has 48128: reduce the tile or cb_multiplier}}
  %a = memref.alloc() : memref<128x128xf32>
  %t = mtia.dma_load %base strides [512, 4] lower [0, 0] upper [128, 128] into %a : memref<128x128xf32> -> !mtia.ticket
  mtia.wait %t
  return
}

// -----

func.func @dynamic(%n: index) attributes {kevolve.kernel} {
  // expected-error @below {{local memory holds buffers of static shape, not 'memref<?xf32>'}}
  %a = memref.alloc(%n) : memref<?xf32>
  return
}
