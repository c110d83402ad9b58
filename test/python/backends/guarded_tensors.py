"""Tensors at the edge of what is mapped: one step beyond them ends the process."""

import ctypes
import ctypes.util
import mmap

import torch

_LIBC = ctypes.CDLL(ctypes.util.find_library("c"), use_errno=True)
# Tensors hold no reference to the mapping that they lie in.
_MAPPINGS = []


def guarded(tensor, before=False):
    """A copy of a contiguous tensor that ends where an unmapped page begins.

    With `before` it begins where one ends.
    """
    size_bytes = tensor.numel() * tensor.element_size()
    pages = -(-max(size_bytes, 1) // mmap.PAGESIZE)
    mapping = mmap.mmap(-1, (pages + 2) * mmap.PAGESIZE)
    _MAPPINGS.append(mapping)
    start = ctypes.addressof(ctypes.c_char.from_buffer(mapping))
    for page in (0, pages + 1):
        _protect(start + page * mmap.PAGESIZE)
    offset = mmap.PAGESIZE if before else (pages + 1) * mmap.PAGESIZE - size_bytes
    copy = torch.frombuffer(mapping, dtype=tensor.dtype, count=tensor.numel(), offset=offset)
    return copy.view(tensor.shape).copy_(tensor)


def _protect(address):
    if _LIBC.mprotect(ctypes.c_void_p(address), mmap.PAGESIZE, 0):
        raise OSError(ctypes.get_errno(), "mprotect")
