"""The networks' operations with gradients by hand: values and gradients are those of the modules, and of small steps."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from train.networks.operations import Fused, Plain, as_board, as_cells
from train.networks.policy import Chosen, _choose

WIDTH = 3
DOUBLE = torch.float64


def layers() -> tuple[nn.Conv2d, nn.Linear, nn.Linear]:
    torch.manual_seed(1)
    return (
        nn.Conv2d(WIDTH, WIDTH, 3, padding=1, dtype=DOUBLE),
        nn.Linear(2 * WIDTH, WIDTH, dtype=DOUBLE),
        nn.Linear(WIDTH, WIDTH, dtype=DOUBLE),
    )


def reckon(kind: type[Plain], name: str, x: torch.Tensor) -> tuple[torch.Tensor, list[torch.Tensor]]:
    """The results of an operation, and the gradients of its inputs and weights."""
    conv, pool, mix = layers()
    x = x.clone().requires_grad_()
    if name == "residual":
        results, parts = kind.residual(x, conv, pool), [conv, pool]
    elif name == "pooled":
        same, pooled = kind.pooled(x)
        # Both are read, so that both hand gradients back.
        results, parts = torch.cat([same.flatten(1) ** 2, pooled**3], 1), []
    else:
        rows = x[:, 0].abs() * torch.tensor([1, 0, 1])  # a column without anything in it
        scale, shift = torch.tensor([1.0, 4.0, 0.5], dtype=DOUBLE), torch.tensor([0.0, 2.0, -1.0], dtype=DOUBLE)
        results, parts = kind.first(rows, shift, scale, mix), [mix]
    weights = torch.arange(results.numel(), dtype=DOUBLE).sin().view(results.shape)
    (results * weights).sum().backward()
    return results.detach(), [
        x.grad,
        *(weight.grad for part in parts for weight in part.parameters()),
    ]


@pytest.mark.parametrize("name", ["residual", "pooled", "first"])
def test_fused_operations_are_the_plain_ones(name):
    x = torch.randn(5, 64, WIDTH, dtype=DOUBLE, generator=torch.Generator().manual_seed(2))
    plain, of_plain = reckon(Plain, name, x)
    fused, of_fused = reckon(Fused, name, x)
    torch.testing.assert_close(fused, plain)
    assert len(of_plain) > 1 or name == "pooled"
    for one, other in zip(of_fused, of_plain, strict=True):
        assert one.abs().max() > 0
        torch.testing.assert_close(one, other)


@pytest.mark.parametrize("name", ["residual", "pooled"])
def test_gradients_are_those_of_small_steps(name):
    conv, pool, _ = layers()
    x = torch.randn(2, 64, WIDTH, dtype=DOUBLE, generator=torch.Generator().manual_seed(3)).requires_grad_()
    if name == "residual":
        inputs = (x, *conv.parameters(), *pool.parameters())
        assert torch.autograd.gradcheck(lambda x, *_: Fused.residual(x, conv, pool), inputs)
    else:
        assert torch.autograd.gradcheck(Fused.pooled, (x,))


def test_among_equal_maxima_one_gets_the_gradient():
    x = torch.ones(1, 4, 1, dtype=DOUBLE).requires_grad_()
    Fused.pooled(x)[1][0, 1].backward()
    assert x.grad.ravel().tolist() == [1, 0, 0, 0]


def test_cells_are_the_board_in_reading_order():
    x = torch.arange(2 * 64 * 3.0).view(2, 64, 3)
    board = as_board(x)
    assert board[1, 2, 3, 5] == x[1, 8 * 3 + 5, 2]
    assert board.data_ptr() == x.data_ptr() and torch.equal(as_cells(board), x)


def test_probabilities_and_entropies_have_their_gradients():
    logits = torch.randn(4, 6, dtype=DOUBLE, generator=torch.Generator().manual_seed(4)).requires_grad_()
    masks = torch.tensor([[1, 1, 0, 0, 1, 0], [1, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0]]).bool()
    actions = torch.tensor([[4], [0], [2], [3]])
    assert torch.autograd.gradcheck(lambda logits: Chosen.apply(logits, masks, actions), (logits,))
    chosen, entropy = Chosen.apply(logits, masks, actions)
    for row in range(4):
        legal = torch.softmax(logits[row, masks[row]], 0)
        torch.testing.assert_close(entropy[row], -(legal * legal.log()).sum())
        place = masks[row, : actions[row, 0]].sum()
        torch.testing.assert_close(chosen[row], legal[place].log())
    assert entropy[1] == 0 and chosen[1] == 0


@pytest.mark.parametrize("point", [0.0, 1 - 2**-24])
def test_the_utmost_draws_are_legal(monkeypatch, point):
    """A random number may be 0, and as near to 1 as floats go; neither end of the table is legal here."""
    logits = torch.tensor([[-1e8, 0.3, -1e8, -2.0, -1e8], [-1e8, -1e8, 5.0, -1e8, -1e8]])
    monkeypatch.setattr(torch, "rand", lambda *shape: torch.full(shape, point))
    first, second = _choose(logits, False).tolist()
    assert first == (3 if point == 0 else 1) and second == 2


@pytest.mark.parametrize("broken", [float("nan"), float("inf")])
def test_a_broken_network_draws_nothing(broken):
    with pytest.raises(ValueError, match="training has diverged"):
        _choose(torch.tensor([[0.0, 1.0], [broken, 0.0]]), False)


@pytest.mark.parametrize("rows", [torch.zeros(0, 3), torch.zeros(2, 3)])
def test_rows_without_anything_in_them(rows):
    layer, shift, scale = nn.Linear(3, 4), torch.tensor([1.0, 0.0, 2.0]), torch.tensor([2.0, 1.0, 1.0])
    torch.testing.assert_close(Fused.first(rows, shift, scale, layer), Plain.first(rows, shift, scale, layer))


def test_draws_have_their_probabilities():
    torch.manual_seed(5)
    logits = torch.tensor([[0.0, -1e8, 1.0, 2.0, -1e8]])
    expected = torch.softmax(logits, 1)[0]
    drawn = _choose(logits.expand(40_000, 5), False)
    shares = torch.bincount(drawn, minlength=5) / len(drawn)
    assert shares[1] == shares[4] == 0
    torch.testing.assert_close(shares, expected, atol=5 * 0.5 / 200, rtol=0)
    assert _choose(logits, True).tolist() == [3]
