// RUN: kevolve-opt %s --split-input-file --verify-diagnostics

func.func @strides(%base: i64, %init: tensor<4x4xf32>) {
  // expected-error @+1 {{has 1 strides for a tile of rank 2}}
  %r = tile.load %base strides [4] lower [0, 0] upper [4, 4] outs(%init : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @bounds(%base: i64, %value: tensor<4x4xf32>) {
  // expected-error @+1 {{has 3 upper bounds for a tile of rank 2}}
  tile.store %value into %base strides [16, 4] lower [0, 0] upper [4, 4, 4] : tensor<4x4xf32>
  return
}

// -----

func.func @dynamic_count(%base: i64, %value: tensor<4xf32>) {
  // expected-error @+1 {{has a wrong number of dynamic lower bounds}}
  "tile.store"(%value, %base) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>,
    static_strides = array<i64: 4>, static_lower = array<i64: -9223372036854775808>,
    static_upper = array<i64: 4>}> : (tensor<4xf32>, i64) -> ()
  return
}

// -----

func.func @load_result(%base: i64, %init: tensor<4xf32>) {
  // expected-error @+1 {{with a tensor destination must have a result}}
  tile.load %base strides [4] lower [0] upper [4] outs(%init : tensor<4xf32>)
  return
}

// -----

func.func @load_memref_result(%base: i64, %init: memref<4xf32>) {
  // expected-error @+1 {{expected the number of tensor results (1) to be equal to the number of output tensors (0)}}
  %r = tile.load %base strides [4] lower [0] upper [4] outs(%init : memref<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @load_type(%base: i64, %init: tensor<4xf32>) {
  // expected-error @+1 {{expected type of operand #1 ('tensor<4xf32>') to match type of corresponding result ('tensor<4xf16>')}}
  %r = tile.load %base strides [4] lower [0] upper [4] outs(%init : tensor<4xf32>) -> tensor<4xf16>
  return
}

// -----

func.func @gather_shape(%addresses: tensor<8xi64>, %init: tensor<4xf32>) {
  // expected-error @+1 {{destination must have the shape of the addresses, but has type 'tensor<4xf32>'}}
  %r = tile.gather %addresses : tensor<8xi64> outs(%init : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @gather_mask(%addresses: tensor<8xi64>, %mask: tensor<4xi1>, %init: tensor<8xf32>) {
  // expected-error @+1 {{mask must have the shape of the addresses, but has type 'tensor<4xi1>'}}
  %r = tile.gather %addresses : tensor<8xi64> mask %mask : tensor<4xi1> outs(%init : tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @scatter_mixed(%addresses: memref<8xi64>, %value: tensor<8xf32>) {
  // expected-error @+1 {{mixes tensors and memrefs}}
  tile.scatter %value : tensor<8xf32> to %addresses : memref<8xi64>
  return
}

// -----

func.func @scalar_mask(%address: i64, %value: i32, %mask: tensor<4xi1>) {
  // expected-error @+1 {{on one address needs a mask of type i1}}
  tile.atomic_rmw add relaxed %value at %address mask %mask : (i32, i64, tensor<4xi1>) -> ()
  return
}

// -----

func.func @scalar_value(%address: i64, %value: tensor<4xi32>) {
  // expected-error @+1 {{on one address needs an integer or float value}}
  tile.atomic_rmw add relaxed %value at %address : (tensor<4xi32>, i64) -> ()
  return
}

// -----

func.func @scalar_destination(%address: i64, %value: i32, %init: memref<i32>) {
  // expected-error @+1 {{on one address has no destination}}
  tile.atomic_rmw add relaxed %value at %address outs(%init) : (i32, i64, memref<i32>) -> ()
  return
}

// -----

func.func @scalar_result(%address: i64, %value: i32) {
  // expected-error @+1 {{result must have the type of the value}}
  %r = tile.atomic_rmw add relaxed %value at %address : (i32, i64) -> i64
  return
}

// -----

func.func @kind(%address: i64, %value: f32) {
  // expected-error @+1 {{kind 'add' does not fit 'f32'}}
  tile.atomic_rmw add relaxed %value at %address : (f32, i64) -> ()
  return
}

// -----

func.func @cas_types(%address: i64, %expected: i32, %value: i64) {
  // expected-error @+1 {{expected and new value must have the same type}}
  tile.atomic_cas relaxed %expected, %value at %address : (i32, i64, i64) -> ()
  return
}

// -----

func.func @atomic_destination_type(%a: tensor<4xi64>, %v: tensor<4xi32>, %init: tensor<4xi16>) {
  // expected-error @+1 {{destination must have the element type of the value}}
  %r = tile.atomic_rmw add relaxed %v at %a outs(%init) : (tensor<4xi32>, tensor<4xi64>, tensor<4xi16>) -> tensor<4xi16>
  return
}
