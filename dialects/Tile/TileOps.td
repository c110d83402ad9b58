//===- TileOps.td - Operations of the tile dialect ----------*- tablegen -*-===//
#ifndef KEVOLVE_DIALECTS_TILE_OPS
#define KEVOLVE_DIALECTS_TILE_OPS

include "dialects/Tile/TileDialect.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// Types and attributes
//===----------------------------------------------------------------------===//

def Tile_Shaped : AnyTypeOf<[AnyRankedTensor, AnyMemRef],
    "ranked tensor (or memref, after bufferization)">;
def Tile_Addresses : AnyTypeOf<[RankedTensorOf<[I64]>, MemRefOf<[I64]>],
    "tensor or memref of 64-bit byte addresses">;
def Tile_Mask : AnyTypeOf<[RankedTensorOf<[I1]>, MemRefOf<[I1]>],
    "tensor or memref of i1">;
def Tile_AddressOrAddresses : AnyTypeOf<[I64, Tile_Addresses],
    "64-bit byte address, or tensor or memref of them">;
def Tile_MaskOrFlag : AnyTypeOf<[I1, Tile_Mask], "i1, or tensor or memref of i1">;

// The numbers are those of Triton's RMWOp (TritonAttrDefs.td).
def Tile_AtomicKind : I32EnumAttr<"AtomicKind", "what an atomic update computes", [
    I32EnumAttrCase<"And", 1, "and">, I32EnumAttrCase<"Or", 2, "or">,
    I32EnumAttrCase<"Xor", 3, "xor">, I32EnumAttrCase<"Add", 4, "add">,
    I32EnumAttrCase<"FAdd", 5, "fadd">, I32EnumAttrCase<"Max", 6, "max">,
    I32EnumAttrCase<"Min", 7, "min">, I32EnumAttrCase<"UMax", 8, "umax">,
    I32EnumAttrCase<"UMin", 9, "umin">, I32EnumAttrCase<"Xchg", 10, "xchg">]> {
  let cppNamespace = "::kevolve::tile";
}

// The numbers are those of Triton's MemSemantic (TritonAttrDefs.td).
def Tile_Ordering : I32EnumAttr<"Ordering", "memory ordering of an atomic", [
    I32EnumAttrCase<"Relaxed", 1, "relaxed">,
    I32EnumAttrCase<"Acquire", 2, "acquire">,
    I32EnumAttrCase<"Release", 3, "release">,
    I32EnumAttrCase<"AcqRel", 4, "acq_rel">]> {
  let cppNamespace = "::kevolve::tile";
}

//===----------------------------------------------------------------------===//
// Strided boxes
//===----------------------------------------------------------------------===//

class Tile_BoxOp<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, !listconcat(traits, [
        AttrSizedOperandSegments,
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>])> {
  code boxDeclaration = [{
    /// Strides in bytes, one for each dimension of the tile.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedStrides() {
      return ::mlir::getMixedValues(getStaticStrides(), getStrides(), getContext());
    }
    /// First index of the box, one for each dimension of the tile.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedLower() {
      return ::mlir::getMixedValues(getStaticLower(), getLower(), getContext());
    }
    /// One past the last index of the box, one for each dimension of the tile.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedUpper() {
      return ::mlir::getMixedValues(getStaticUpper(), getUpper(), getContext());
    }
    /// Whether the box is known to hold every element of the tile.
    bool coversTile();
  }];
  let hasVerifier = 1;
}

def Tile_LoadOp : Tile_BoxOp<"load", [DestinationStyleOpInterface]> {
  let summary = "Load a strided box of global memory into a tile";
  let description = [{
    Element (i, j, ...) of the result is read from byte address
    `base + i * strides[0] + j * strides[1] + ...` if `lower[d] <= i_d < upper[d]`
    holds in every dimension `d`; other elements keep the value they have in
    `init`, and their memory is not touched. Strides may be zero or negative;
    bounds may lie outside of the tile. Strides and bounds are a mix of
    integers and `index` values.

    ```mlir
    %r = tile.load %base strides [%s, 2] lower [0, 0] upper [%m, 32]
           outs(%init : tensor<64x32xf16>) -> tensor<64x32xf16>
    tile.load %base strides [%s, 2] lower [0, 0] upper [%m, 32]
           outs(%buffer : memref<64x32xf16>)
    ```
  }];
  let arguments = (ins I64:$base, Variadic<Index>:$strides, Variadic<Index>:$lower,
    Variadic<Index>:$upper, DenseI64ArrayAttr:$static_strides,
    DenseI64ArrayAttr:$static_lower, DenseI64ArrayAttr:$static_upper,
    Tile_Shaped:$init);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    $base `strides` custom<DynamicIndexList>($strides, $static_strides)
    `lower` custom<DynamicIndexList>($lower, $static_lower)
    `upper` custom<DynamicIndexList>($upper, $static_upper)
    `outs` `(` $init `:` type($init) `)` attr-dict (`->` type($result)^)?
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$base,
    "::llvm::ArrayRef<::mlir::OpFoldResult>":$strides,
    "::llvm::ArrayRef<::mlir::OpFoldResult>":$lower,
    "::llvm::ArrayRef<::mlir::OpFoldResult>":$upper, "::mlir::Value":$init)>];
  let extraClassDeclaration = boxDeclaration # [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getInitMutable(); }
    ::mlir::ShapedType getTileType() {
      return ::llvm::cast<::mlir::ShapedType>(getInit().getType());
    }
  }];
}

def Tile_StoreOp : Tile_BoxOp<"store"> {
  let summary = "Store a tile into a strided box of global memory";
  let description = [{
    Element (i, j, ...) of the value is written to byte address
    `base + i * strides[0] + j * strides[1] + ...` if `lower[d] <= i_d < upper[d]`
    holds in every dimension `d`; other memory is not touched. When several
    elements have the same address, one of them is stored, and which is not
    defined.

    ```mlir
    tile.store %value into %base strides [%s, 2] lower [0, 0] upper [%m, 32]
      : tensor<64x32xf16>
    ```
  }];
  let arguments = (ins Tile_Shaped:$value, I64:$base, Variadic<Index>:$strides,
    Variadic<Index>:$lower, Variadic<Index>:$upper,
    DenseI64ArrayAttr:$static_strides, DenseI64ArrayAttr:$static_lower,
    DenseI64ArrayAttr:$static_upper);
  let assemblyFormat = [{
    $value `into` $base `strides` custom<DynamicIndexList>($strides, $static_strides)
    `lower` custom<DynamicIndexList>($lower, $static_lower)
    `upper` custom<DynamicIndexList>($upper, $static_upper)
    attr-dict `:` type($value)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$base,
    "::llvm::ArrayRef<::mlir::OpFoldResult>":$strides,
    "::llvm::ArrayRef<::mlir::OpFoldResult>":$lower,
    "::llvm::ArrayRef<::mlir::OpFoldResult>":$upper)>];
  let extraClassDeclaration = boxDeclaration # [{
    ::mlir::ShapedType getTileType() {
      return ::llvm::cast<::mlir::ShapedType>(getValue().getType());
    }
  }];
}

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

def Tile_GatherOp : Tile_Op<"gather", [DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Load elements from a tensor of addresses";
  let description = [{
    Elements whose mask is false keep the value they have in `init`, and their
    address is not touched. Without a mask all elements are loaded.

    ```mlir
    %r = tile.gather %addresses : tensor<8xi64> mask %mask : tensor<8xi1>
           outs(%init : tensor<8xf32>) -> tensor<8xf32>
    ```
  }];
  let arguments = (ins Tile_Addresses:$addresses, Optional<Tile_Mask>:$mask,
    Tile_Shaped:$init);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    $addresses `:` type($addresses) (`mask` $mask^ `:` type($mask))?
    `outs` `(` $init `:` type($init) `)` attr-dict (`->` type($result)^)?
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$addresses, "::mlir::Value":$mask,
    "::mlir::Value":$init)>];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getInitMutable(); }
  }];
  let hasVerifier = 1;
}

def Tile_ScatterOp : Tile_Op<"scatter", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Store elements to a tensor of addresses";
  let description = [{
    Elements whose mask is false are not stored. When several elements have the
    same address, one of them is stored, and which is not defined.

    ```mlir
    tile.scatter %value : tensor<8xf32> to %addresses : tensor<8xi64>
      mask %mask : tensor<8xi1>
    ```
  }];
  let arguments = (ins Tile_Shaped:$value, Tile_Addresses:$addresses,
    Optional<Tile_Mask>:$mask);
  let assemblyFormat = [{
    $value `:` type($value) `to` $addresses `:` type($addresses)
    (`mask` $mask^ `:` type($mask))? attr-dict
  }];
  let hasVerifier = 1;
}

def Tile_LoadScalarOp : Tile_Op<"load_scalar", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Load one value from global memory";
  let description = [{
    ```mlir
    %v = tile.load_scalar %address : f32
    ```
  }];
  let arguments = (ins I64:$address);
  let results = (outs AnyTypeOf<[AnySignlessInteger, AnyFloat]>:$result);
  let assemblyFormat = "$address attr-dict `:` type($result)";
}

def Tile_StoreScalarOp : Tile_Op<"store_scalar", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Store one value to global memory";
  let description = [{
    ```mlir
    tile.store_scalar %v into %address : f32
    ```
  }];
  let arguments = (ins AnyTypeOf<[AnySignlessInteger, AnyFloat]>:$value, I64:$address);
  let assemblyFormat = "$value `into` $address attr-dict `:` type($value)";
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

class Tile_AtomicOp<string mnemonic> : Tile_Op<mnemonic, [
    AttrSizedOperandSegments, DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  code atomicDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getInitMutable(); }
    /// Whether the operation updates one address.
    bool isScalar() { return getAddress().getType().isInteger(64); }
  }];
  let results = (outs Optional<AnyType>:$result);
  let hasVerifier = 1;
}

def Tile_AtomicRMWOp : Tile_AtomicOp<"atomic_rmw"> {
  let summary = "Update values in global memory, each atomically";
  let description = [{
    Replaces the value at each address by `kind(old, value)`. The result, if
    there is one, holds the old values. On one address the result is a scalar
    (zero where the mask is false); on a tensor of addresses the operation is in
    destination style, and elements that are masked off keep the value of
    `init`. Without `init` the old values are dropped.

    ```mlir
    %old = tile.atomic_rmw fadd relaxed %value at %address mask %flag : (f32, i64, i1) -> f32
    %r = tile.atomic_rmw add acq_rel %values at %addresses outs(%init)
           : (tensor<8xi32>, tensor<8xi64>, tensor<8xi32>) -> tensor<8xi32>
    ```
  }];
  let arguments = (ins Tile_AtomicKind:$kind, Tile_Ordering:$ordering, AnyType:$value,
    Tile_AddressOrAddresses:$address, Optional<Tile_MaskOrFlag>:$mask,
    Optional<Tile_Shaped>:$init);
  let assemblyFormat = [{
    $kind $ordering $value `at` $address (`mask` $mask^)? (`outs` `(` $init^ `)`)?
    attr-dict `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = atomicDeclaration;
}

def Tile_AtomicCASOp : Tile_AtomicOp<"atomic_cas"> {
  let summary = "Compare and swap values in global memory, each atomically";
  let description = [{
    Stores `value` at each address that holds `expected` (bitwise). The result,
    if there is one, holds the old values; see `tile.atomic_rmw` for its forms.

    ```mlir
    %old = tile.atomic_cas acquire %expected, %value at %address : (i32, i32, i64) -> i32
    ```
  }];
  let arguments = (ins Tile_Ordering:$ordering, AnyType:$expected, AnyType:$value,
    Tile_AddressOrAddresses:$address, Optional<Tile_MaskOrFlag>:$mask,
    Optional<Tile_Shaped>:$init);
  let assemblyFormat = [{
    $ordering $expected `,` $value `at` $address (`mask` $mask^)?
    (`outs` `(` $init^ `)`)? attr-dict `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = atomicDeclaration;
}

#endif // KEVOLVE_DIALECTS_TILE_OPS
