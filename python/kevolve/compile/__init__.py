"""Triton kernels and IR files to artifacts, for every target, with no device."""
