"""The first stage of our backends: what Triton's front end emits, cleaned up by Triton itself."""

from __future__ import annotations

from typing import Any

from triton._C.libtriton import ir, passes


def make_ttir(module: Any, metadata: dict[str, Any]) -> Any:
    """Triton's own clean-up of what its front end emits."""
    manager = ir.pass_manager(module.context)
    manager.enable_debug()
    passes.common.add_inliner(manager)
    passes.ttir.add_rewrite_tensor_descriptor_to_pointer(manager)
    passes.common.add_canonicalizer(manager)
    passes.ttir.add_combine(manager)
    passes.ttir.add_reorder_broadcast(manager)
    passes.common.add_cse(manager)
    passes.ttir.add_triton_licm(manager)
    passes.common.add_symbol_dce(manager)
    passes.ttir.add_loop_unroll(manager)
    passes.common.add_canonicalizer(manager)
    manager.run(module, "make_ttir")
    metadata["name"] = str(module.get_entry_func_name())
    # Triton's loader compares it with a limit of GPUs; local memory has its own check.
    metadata["shared"] = 0
    return module
