"""Triton IR to kevolve's MLIR and back; Triton kernels to IR and binaries without a device."""
