"""A rival detector for the benchmark: YOLOX-Nano, as its paper and code describe it.

Ge, Liu, Wang, Li, Sun: YOLOX, Exceeding YOLO Series in 2021 (arXiv 2107.08430); the code is under the
Apache-2.0 licence. Only its layers are built here, with weights drawn at random: what a network answers
depends on its weights, how long it takes does not. It needs the package ``onnx``, which tables do not.
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

WIDTH, REPEATS = 16, (1, 3, 3, 1)
"""Channels of the first layer, and bottlenecks of the four stages, at width 0.25 and depth 0.33."""
HEAD_CHANNELS = 64
STRIDES = (8, 16, 32)
OPSET = 17


class RivalMissingError(RuntimeError):
    """The rival cannot be built here; says what to install."""


def yolox_nano(classes: int, size_hw: tuple[int, int]) -> bytes:
    """The ONNX file of a YOLOX-Nano for pictures (1, 3, H, W), sides multiples of 32.

    Three outputs at strides 8, 16 and 32, each (1, 5 + classes, h, w): box, whether, and what.
    Raises RivalMissingError without the package ``onnx``.
    """
    try:
        onnx = importlib.import_module("onnx")
    except ImportError as error:
        raise RivalMissingError("install the package onnx to build the rival network") from error
    graph = _Graph(onnx)
    scales = _neck(graph, _backbone(graph))
    outputs = [_head(graph, scale, classes) for scale in scales]
    return graph.file(size_hw, outputs)


class _Maps:
    """A tensor of the graph: its name and its channels."""

    def __init__(self, name: str, channels: int) -> None:
        self.name, self.channels = name, channels


class _Graph:
    """Nodes and weights, added one by one."""

    def __init__(self, onnx: Any) -> None:
        self.onnx, self.nodes, self.weights = onnx, [], []  # type: ignore[var-annotated]
        self.rng = np.random.default_rng(1)

    def node(self, kind: str, inputs: list[str], **attributes: Any) -> str:
        name = f"t{len(self.nodes)}"
        self.nodes.append(self.onnx.helper.make_node(kind, inputs, [name], **attributes))
        return name

    def weight(self, values: Any) -> str:
        name = f"w{len(self.weights)}"
        self.weights.append(self.onnx.numpy_helper.from_array(values, name))
        return name

    def plain(
        self, maps: _Maps, outputs: int, kernel: int = 1, stride: int = 1, groups: int = 1
    ) -> _Maps:
        """A convolution with its bias; its batch norm is taken to be folded in."""
        shape = (outputs, maps.channels // groups, kernel, kernel)
        values = self.rng.normal(0, np.prod(shape[1:]) ** -0.5, shape).astype(np.float32)
        inputs = [maps.name, self.weight(values), self.weight(np.zeros(outputs, np.float32))]
        pads = [kernel // 2] * 4
        return _Maps(
            self.node("Conv", inputs, strides=[stride] * 2, pads=pads, group=groups), outputs
        )

    def conv(
        self, maps: _Maps, outputs: int, kernel: int = 1, stride: int = 1, groups: int = 1
    ) -> _Maps:
        """The same with the activation x sigmoid(x)."""
        out = self.plain(maps, outputs, kernel, stride, groups)
        return _Maps(self.node("Mul", [out.name, self.node("Sigmoid", [out.name])]), outputs)

    def separable(self, maps: _Maps, outputs: int, stride: int = 1) -> _Maps:
        """3 x 3 for each channel, then 1 x 1 across them."""
        return self.conv(self.conv(maps, maps.channels, 3, stride, maps.channels), outputs)

    def join(self, *parts: _Maps) -> _Maps:
        name = self.node("Concat", [part.name for part in parts], axis=1)
        return _Maps(name, sum(part.channels for part in parts))

    def stage(self, maps: _Maps, outputs: int, repeats: int, *, shortcut: bool) -> _Maps:
        """A cross stage partial layer: one half goes through bottlenecks, one past them."""
        half = outputs // 2
        through, past = self.conv(maps, half), self.conv(maps, half)
        for _ in range(repeats):
            out = self.separable(self.conv(through, half), half)
            if shortcut:
                out = _Maps(self.node("Add", [through.name, out.name]), half)
            through = out
        return self.conv(self.join(through, past), outputs)

    def doubled(self, maps: _Maps) -> _Maps:
        scales = self.weight(np.array([1, 1, 2, 2], np.float32))
        name = self.node("Resize", [maps.name, "", scales], mode="nearest")
        return _Maps(name, maps.channels)

    def file(self, size_hw: tuple[int, int], outputs: list[_Maps]) -> bytes:
        helper, number = self.onnx.helper, self.onnx.TensorProto.FLOAT
        pictures = helper.make_tensor_value_info("pictures", number, [1, 3, *size_hw])
        shapes = [
            [1, maps.channels, size_hw[0] // stride, size_hw[1] // stride]
            for maps, stride in zip(outputs, STRIDES, strict=True)
        ]
        given = [
            helper.make_tensor_value_info(maps.name, number, shape)
            for maps, shape in zip(outputs, shapes, strict=True)
        ]
        graph = helper.make_graph(self.nodes, "yolox-nano", [pictures], given, self.weights)
        opset = [helper.make_opsetid("", OPSET)]
        model = helper.make_model(graph, opset_imports=opset, ir_version=8)
        return bytes(model.SerializeToString())


def _backbone(graph: _Graph) -> list[_Maps]:
    """Maps at strides 8, 16 and 32."""
    starts = [(0, 0), (1, 0), (0, 1), (1, 1)]
    axes, steps = (graph.weight(np.array(v, np.int64)) for v in ([2, 3], [2, 2]))
    ends = graph.weight(np.array([1 << 30, 1 << 30], np.int64))
    corners = [
        _Maps(
            graph.node(
                "Slice", ["pictures", graph.weight(np.array(s, np.int64)), ends, axes, steps]
            ),
            3,
        )
        for s in starts
    ]
    maps = graph.conv(graph.join(*corners), WIDTH, 3)
    scales = []
    for number, repeats in enumerate(REPEATS):
        maps = graph.separable(maps, 2 * maps.channels, stride=2)
        last = number == len(REPEATS) - 1
        maps = _pooled(graph, maps) if last else maps
        maps = graph.stage(maps, maps.channels, repeats, shortcut=not last)
        scales.append(maps)
    return scales[1:]


def _pooled(graph: _Graph, maps: _Maps) -> _Maps:
    """Spatial pyramid pooling at 5, 9 and 13."""
    small = graph.conv(maps, maps.channels // 2)
    pools = [
        _Maps(
            graph.node("MaxPool", [small.name], kernel_shape=[k, k], pads=[k // 2] * 4),
            small.channels,
        )
        for k in (5, 9, 13)
    ]
    return graph.conv(graph.join(small, *pools), maps.channels)


def _neck(graph: _Graph, scales: list[_Maps]) -> list[_Maps]:
    """A path aggregation network over the three scales: down to fine, and up again."""
    fine, middle, coarse = scales
    top = graph.conv(coarse, middle.channels)
    joined = graph.join(graph.doubled(top), middle)
    between = graph.conv(graph.stage(joined, middle.channels, 1, shortcut=False), fine.channels)
    joined = graph.join(graph.doubled(between), fine)
    first = graph.stage(joined, fine.channels, 1, shortcut=False)
    joined = graph.join(graph.separable(first, fine.channels, stride=2), between)
    second = graph.stage(joined, middle.channels, 1, shortcut=False)
    joined = graph.join(graph.separable(second, middle.channels, stride=2), top)
    return [first, second, graph.stage(joined, coarse.channels, 1, shortcut=False)]


def _head(graph: _Graph, maps: _Maps, classes: int) -> _Maps:
    """Decoupled: what is told from one branch, where and whether from the other."""
    stem = graph.conv(maps, HEAD_CHANNELS)
    what, where = stem, stem
    for _ in range(2):
        what, where = (graph.separable(branch, HEAD_CHANNELS) for branch in (what, where))
    return graph.join(graph.plain(where, 4), graph.plain(where, 1), graph.plain(what, classes))
