"""The first half of a transformer's feed-forward block, in half precision."""

import torch
from torch import nn

TOKENS, FEATURES, HIDDEN = 512, 512, 1024


class Model(nn.Module):
    """gelu(x @ weight + bias): half precision in and out, the epilogue in float32."""

    def __init__(self, features, hidden):
        super().__init__()
        self.weight = nn.Parameter((torch.randn(features, hidden) / features**0.5).half())
        self.bias = nn.Parameter(torch.randn(hidden))

    def forward(self, x):
        hidden = torch.matmul(x, self.weight).float()
        hidden = hidden + self.bias
        return nn.functional.gelu(hidden).type_as(x)


def get_inputs():
    return [torch.randn(TOKENS, FEATURES).half()]


def get_init_inputs():
    return [FEATURES, HIDDEN]
