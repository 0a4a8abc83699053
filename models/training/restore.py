"""Shipped ONNX files as starting points: the networks can be trained on by whoever has only those.

Export folds each batch norm into its convolution. Here every one is put back, with the mean and
variance that samples have before it, so that the network answers as the file does and its norms are
those that training expects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from models.training.half_turns import HalfTurnConv, HalfTurnReaderNet, size_of
from models.training.nets import CarefulReaderNet, FinderNet, ReaderNet
from models.training.stored import in_32_bits

CALIBRATION = "class_summands"
"""What export adds to the answers of a network: no weight of it."""


class RestoreError(Exception):
    """An ONNX file that does not hold the weights of this network."""


def load_exported(net: nn.Module, path: Path, run: Callable[[nn.Module], object]) -> None:
    """Fill ``net`` with the weights of an exported file.

    Layers that only training has begin at zero: no gradient passes them before they know something
    themselves.

    ``run`` sends samples through the network, all of them in one batch: its norms are taken from
    them. Raises RestoreError where names and shapes do not fit.
    """
    weights = [
        (tensor.name, torch.from_numpy(np.array(numpy_helper.to_array(tensor), np.float32)))
        for tensor in in_32_bits(path).graph.initializer
        if tensor.name != CALIBRATION
    ]
    named = {name.removeprefix("net."): value for name, value in weights if _is_named(name)}
    unnamed = [value for name, value in weights if not _is_named(name)]
    folded = _fill_folded(net, unnamed, named)
    for name, parameter in net.named_parameters():
        if name in folded:
            continue
        if _is_left_out(name, net, named):
            parameter.data.zero_()
            continue
        if name in named:
            value = named[name]
        elif unnamed:
            value = unnamed.pop(0).T  # a matrix product holds its weights the other way round
        else:
            raise RestoreError(f"{path}: there are no weights for {name}")
        if isinstance(net.get_submodule(name.rpartition(".")[0]), HalfTurnConv):
            value = value[: len(value) // 2]  # the other half is the same, turned
        if value.shape != parameter.shape:
            raise RestoreError(
                f"{path}: {name} is {tuple(parameter.shape)}, the file has {tuple(value.shape)}"
            )
        parameter.data.copy_(value)
    if unnamed:
        raise RestoreError(f"{path}: {len(unnamed)} weights belong to nothing in this network")
    _set_norms(net, run)


def load_folded(net: FinderNet, path: Path) -> None:
    """Fill a finder that has no norms with the weights of an exported one: it then answers alike.

    Raises RestoreError where the file holds no such network.
    """
    twin = FinderNet()
    load_exported(twin, path, lambda filled: filled(torch.rand(4, 3, 64, 64)))
    kept = dict(twin.state_dict())
    for name, module in twin.named_modules():
        if isinstance(module, nn.Sequential) and isinstance(module[-1], nn.ReLU):
            kernel, norm = module[0], module[1]
            assert isinstance(kernel, nn.Conv2d)
            assert isinstance(norm, nn.BatchNorm2d)
            assert norm.running_var is not None
            assert norm.running_mean is not None
            factor = norm.weight / torch.sqrt(norm.running_var + norm.eps)
            for field in norm.state_dict():
                del kept[f"{name}.1.{field}"]
            kept[f"{name}.0.weight"] = kernel.weight * factor[:, None, None, None]
            kept[f"{name}.0.bias"] = norm.bias - norm.running_mean * factor
    net.load_state_dict(kept)


def load_reader(net: ReaderNet, path: Path) -> None:
    """Fill a reader with the weights of an exported one; raises RestoreError where that is another."""
    load_exported(net, path, lambda _: None)


def reader_of(path: Path) -> ReaderNet:
    """The reader that an ONNX file or a checkpoint (.pt) holds, whichever it is.

    Raises RestoreError where it holds none.
    """
    if path.suffix == ".pt":
        averaged = torch.load(path, map_location="cpu", weights_only=True)["ema"]
        net = _sized(path, averaged)
        net.load_state_dict(averaged)
        return net
    net = _sized(path, {tensor.name for tensor in in_32_bits(path).graph.initializer})
    load_reader(net, path)
    return net


def _sized(path: Path, names: Iterable[str]) -> ReaderNet:
    """A reader that weights of these names fit into."""
    names = set(names)
    if any(name.endswith("tile.last.0.0.weight") for name in names):
        return CarefulReaderNet()
    try:
        return HalfTurnReaderNet(size_of(names))
    except ValueError as error:
        raise RestoreError(f"{path}: {error}") from error


def _is_named(name: str) -> bool:
    return name.startswith("net.")


def _is_left_out(name: str, net: nn.Module, named: dict[str, Tensor]) -> bool:
    """Whether a layer serves training alone: its bias would have kept its name in the file."""
    layer, _, kind = name.rpartition(".")
    has_bias = getattr(net.get_submodule(layer), "bias", None) is not None
    return kind in ("weight", "bias") and has_bias and f"{layer}.bias" not in named


def _fill_folded(net: nn.Module, unnamed: list[Tensor], named: dict[str, Tensor]) -> set[str]:
    """Fill each convolution that a norm follows, and put its bias into the norm; what was filled.

    The file has them unnamed, in the order in which they are used, which is that of the modules; named
    where a network without norms was exported.
    """
    filled = set()
    pairs = [
        (f"{name}.0.weight", f"{name}.1", module)
        for name, module in net.named_modules()
        if isinstance(module, nn.Sequential)
        and len(module) > 1
        and isinstance(module[0], nn.Conv2d)
        and isinstance(module[1], nn.BatchNorm2d)
    ]
    # Linear weights of the file are unnamed, too, but have two dimensions, and biases of norms one.
    kernels = [value for value in unnamed if value.ndim == 4]
    biases = [value for value in unnamed if value.ndim == 1]
    if not kernels:
        kernels = [named.pop(weight) for weight, _, _ in pairs if weight in named]
        biases = [
            named.pop(weight.replace("weight", "bias")) for weight, _, _ in pairs[: len(kernels)]
        ]
    if len(kernels) != len(pairs) or len(biases) != len(pairs):
        raise RestoreError(f"{len(kernels)} convolutions with norms, and {len(pairs)} are expected")
    unnamed[:] = [value for value in unnamed if value.ndim == 2]
    for (weight, norm, module), kernel, bias in zip(pairs, kernels, biases, strict=True):
        if kernel.shape != module[0].weight.shape:
            raise RestoreError(f"{weight}: the file has {tuple(kernel.shape)}")
        module[0].weight.data.copy_(kernel)
        module[1].bias.data.copy_(bias)
        filled |= {weight, f"{norm}.weight", f"{norm}.bias"}
    return filled


def _set_norms(net: nn.Module, run: Callable[[nn.Module], object]) -> None:
    """Give each norm the mean and variance before it, and factors that make it add its bias alone."""

    def measure(norm: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        assert isinstance(norm, nn.BatchNorm2d)
        variance, mean = torch.var_mean(inputs[0].detach().float(), dim=(0, 2, 3), correction=0)
        norm.running_mean = mean
        norm.running_var = variance
        norm.weight.data.copy_(torch.sqrt(variance + norm.eps))
        norm.bias.data.add_(mean)

    norms = [module for module in net.modules() if isinstance(module, nn.BatchNorm2d)]
    hooks = [norm.register_forward_pre_hook(measure) for norm in norms]
    was_training = net.training
    net.eval()
    with torch.no_grad():
        run(net)
    net.train(was_training)
    for hook in hooks:
        hook.remove()
