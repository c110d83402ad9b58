"""Triton backends for machines that Triton does not know."""
