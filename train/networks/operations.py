"""Operations of the networks, plain and fused; each fused one saves over 10 % of training time.

Boards and circles are rows of cells [B, N, C]: N cells in reading order (a square number), C features innermost.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable
from torch.nn import functional

_SIDE = 8  # of a board that is convolved
_CENTRE = (1, 1)  # of a 3×3 kernel
_MANY = 64  # rows from which `first` is faster without gradients


class Plain:
    """The operations with PyTorch's modules and autograd."""

    @staticmethod
    def residual(x: Tensor, conv: nn.Conv2d, pool: nn.Linear) -> Tensor:
        """relu(x + conv(x) + pool(mean and maximum of x)), [B, 64, C] to the same."""
        whole = pool(Plain.pooled(x)[1])
        return as_cells(torch.relu_(conv(as_board(x)).add_(as_board(x)).add_(whole[:, :, None, None])))

    @staticmethod
    def pooled(x: Tensor) -> tuple[Tensor, Tensor]:
        """x [B, N, C], and its means and maxima over the cells [B, 2C]. Read x from the result afterwards."""
        return x, torch.cat([x.mean(1), x.amax(1)], 1)

    @staticmethod
    def first(rows: Tensor, shift: Tensor, scale: Tensor, layer: nn.Linear) -> Tensor:
        """layer((rows - shift) / scale), [B, size] to [B, out]; rows hold no numbers below 0."""
        return layer((rows - shift) / scale)  # type: ignore[no-any-return]


class Fused(Plain):
    """The same values and gradients up to rounding, with fewer passes over memory; without gradients mostly Plain.

    Among equal maxima the first gets the gradient, where PyTorch divides it.
    """

    @staticmethod
    def residual(x: Tensor, conv: nn.Conv2d, pool: nn.Linear) -> Tensor:
        if not torch.is_grad_enabled():
            return Plain.residual(x, conv, pool)
        return _Residual.apply(x, conv.weight, conv.bias, pool.weight, pool.bias)  # type: ignore[no-any-return]

    @staticmethod
    def pooled(x: Tensor) -> tuple[Tensor, Tensor]:
        if not torch.is_grad_enabled():
            return Plain.pooled(x)
        return _Pooled.apply(x)  # type: ignore[no-any-return]

    @staticmethod
    def first(rows: Tensor, shift: Tensor, scale: Tensor, layer: nn.Linear) -> Tensor:
        # Not worth it for few rows without gradients; impossible for none.
        if len(rows) < (1 if torch.is_grad_enabled() else _MANY):
            return Plain.first(rows, shift, scale, layer)
        weight = layer.weight / scale
        bias = layer.bias - weight @ shift
        # Many entries are 0 in all rows: seats and cards that these games don't have.
        used = rows.amax(0).nonzero()[:, 0]
        return functional.linear(rows.index_select(1, used), weight.index_select(1, used), bias)


def choose_operations(module: nn.Module, operations: type[Plain]) -> None:
    """Use these *operations* throughout *module*."""
    for part in module.modules():
        if hasattr(part, "operations"):
            part.operations = operations


def as_board(x: Tensor) -> Tensor:
    """[B, 64, C] to [B, C, 8, 8], the same memory."""
    return x.transpose(1, 2).unflatten(2, (_SIDE, _SIDE))


def as_cells(x: Tensor) -> Tensor:
    """[B, C, 8, 8] to [B, 64, C], the same memory."""
    return x.flatten(2).transpose(1, 2)


def _pool(x: Tensor) -> tuple[Tensor, Tensor]:
    """Means and maxima over the cells [B, 2C], and where the maxima lie [B, 1, C]."""
    n, count, features = x.shape
    side = math.isqrt(count)
    # The gradient of `amax` is divided among equal maxima in five passes; the pooling remembers the place.
    top, places = functional.max_pool2d_with_indices(x.transpose(1, 2).unflatten(2, (side, side)), side)
    return torch.cat([x.mean(1), top.flatten(1)], 1), places.view(n, 1, features)


class _Pooled(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> tuple[Tensor, Tensor]:
        pooled, places = _pool(x)
        ctx.save_for_backward(places)
        return x.view_as(x), pooled

    @staticmethod
    @once_differentiable  # type: ignore[untyped-decorator]
    def backward(ctx: Any, of_x: Tensor, of_pool: Tensor) -> Tensor:  # type: ignore[override]
        (places,) = ctx.saved_tensors
        count, features = of_x.shape[1:]
        whole = torch.add(of_x, of_pool[:, None, :features], alpha=1 / count)
        return whole.scatter_add_(1, places, of_pool[:, None, features:])


class _Residual(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, x: Tensor, weight: Tensor, bias: Tensor, pool_weight: Tensor, pool_bias: Tensor
    ) -> Tensor:  # fmt: skip
        pooled, places = _pool(x)
        # x + conv(x) is one convolution, with the identity added to its kernels.
        kernel = weight.clone()
        kernel[:, :, *_CENTRE].diagonal().add_(1)
        y = functional.conv2d(as_board(x), kernel, None, padding=1)
        whole = torch.addmm(bias + pool_bias, pooled, pool_weight.t())
        y.add_(whole[:, :, None, None]).relu_()
        ctx.save_for_backward(x, kernel, y, pooled, pool_weight, places)
        return as_cells(y)

    @staticmethod
    @once_differentiable  # type: ignore[untyped-decorator]
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, ...]:  # type: ignore[override]
        x, kernel, y, pooled, pool_weight, places = ctx.saved_tensors
        passed = torch.ops.aten.threshold_backward(as_board(gradient), y, 0)
        of_x, of_kernel, _ = torch.ops.aten.convolution_backward(
            passed, as_board(x), kernel, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1, [True, True, False]
        )
        of_whole = as_cells(passed).sum(1)
        of_bias = of_whole.sum(0)
        of_x, of_pool, features = as_cells(of_x), of_whole @ pool_weight, x.shape[2]
        of_x.add_(of_pool[:, None, :features], alpha=1 / x.shape[1])
        of_x.scatter_add_(1, places, of_pool[:, None, features:])
        return of_x, of_kernel, of_bias, of_whole.t() @ pooled, of_bias
