"""Probes: putting them into kernels, and reading what they recorded."""
