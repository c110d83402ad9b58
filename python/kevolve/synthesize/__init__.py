"""From a problem to Triton kernels: capture, plan, emit, and rewrite plans."""
