"""RMS normalisation of a residual stream in half precision, as in Llama's reference code."""

import torch
from torch import nn

TOKENS, FEATURES = 1024, 2048


class Model(nn.Module):
    """RMSNorm(x + residual): normalised in float32, scaled in half precision."""

    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(features).half())
        self.eps = eps

    def forward(self, x, residual):
        stream = (x + residual).float()
        mean_square = stream.pow(2).mean(-1, keepdim=True)
        normal = stream * torch.rsqrt(mean_square + self.eps)
        return normal.type_as(x) * self.weight


def get_inputs():
    return [torch.randn(TOKENS, FEATURES).half(), torch.randn(TOKENS, FEATURES).half()]


def get_init_inputs():
    return [FEATURES, 1e-6]
