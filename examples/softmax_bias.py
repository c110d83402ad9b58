"""Softmax of scaled scores with a bias, as at the end of attention with a positional bias."""

import torch
from torch import nn

ROWS, COLS = 1024, 2048


class Model(nn.Module):
    """softmax(x * scale + bias) over the last dimension."""

    def __init__(self, cols, scale):
        super().__init__()
        self.scale = scale
        self.bias = nn.Parameter(torch.randn(cols))

    def forward(self, x):
        scores = x * self.scale + self.bias
        return torch.softmax(scores, dim=-1)


def get_inputs():
    return [8 * torch.randn(ROWS, COLS)]


def get_init_inputs():
    return [COLS, 0.125]
