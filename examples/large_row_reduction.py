"""Cosine similarity of long signals: few rows, each far longer than local memory."""

import torch
from torch import nn

ROWS, COLS = 16, 65536


class Model(nn.Module):
    """One number per row: the dot product of two signals over the product of their lengths."""

    def forward(self, signal, target):
        product = (signal * target).sum(dim=-1)
        signal_square = (signal * signal).sum(dim=-1)
        target_square = (target * target).sum(dim=-1)
        return product / torch.sqrt(signal_square * target_square)


def get_inputs():
    return [torch.randn(ROWS, COLS), torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
