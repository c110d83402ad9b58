"""The gate of a SwiGLU feed-forward block, after its two projections."""

import torch
from torch import nn

TOKENS, HIDDEN = 1024, 1024


class Model(nn.Module):
    """silu(gate) * up, clamped and scaled."""

    def __init__(self, limit):
        super().__init__()
        self.limit = limit
        self.scale = nn.Parameter(torch.rand(HIDDEN))

    def forward(self, gate, up):
        active = nn.functional.silu(gate)
        mixed = active * torch.clamp(up, -self.limit, self.limit)
        return mixed * self.scale


def get_inputs():
    return [torch.randn(TOKENS, HIDDEN), torch.randn(TOKENS, HIDDEN)]


def get_init_inputs():
    return [7.0]
