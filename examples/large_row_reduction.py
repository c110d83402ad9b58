"""The relative error of long signals: few rows, each far longer than local memory."""

import torch
from torch import nn

ROWS, COLS = 16, 65536


class Model(nn.Module):
    """Root of the mean squared difference of two signals, one number per row."""

    def forward(self, signal, target):
        difference = signal - target
        mean_square = (difference * difference).mean(dim=-1)
        return torch.sqrt(mean_square)


def get_inputs():
    return [torch.randn(ROWS, COLS), torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
