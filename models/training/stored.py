"""How an ONNX file stores its weights: in 32 bits, in 16, or in eight; and back in 32 again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

MANY = 1024
"""Weights of one layer from which on they are stored in half precision."""

QUANTISED = "_quantized"
"""What ONNX Runtime adds to the name of weights when it puts them into eight bits."""


def store_in_half_precision(path: Path) -> None:
    """Stores the many weights of an ONNX file in 16 bits, in half the room.

    Whoever opens it has them in 32 again: the same numbers if half precision holds them.
    """
    model = onnx.load(str(path))
    casts = {}
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype == np.float32 and values.size >= MANY:
            wide = f"{tensor.name}_in_32_bits"
            casts[tensor.name] = onnx.helper.make_node(
                "Cast", [tensor.name], [wide], to=onnx.TensorProto.FLOAT
            )
            tensor.CopyFrom(numpy_helper.from_array(values.astype(np.float16), tensor.name))
    _rename_inputs(model, {name: cast.output[0] for name, cast in casts.items()})
    _set_nodes(model, [*casts.values(), *model.graph.node])
    onnx.save(model, str(path))


def in_32_bits(path: Path) -> onnx.ModelProto:
    """The network of an ONNX file with all its weights in 32 bits under their own names, and nothing
    rounded between its layers. Of a file that has them so already it is the same network."""
    model = onnx.load(str(path))
    _dequantise(model)
    stored = {tensor.name: tensor for tensor in model.graph.initializer}
    casts = [n for n in model.graph.node if n.op_type == "Cast" and n.input[0] in stored]
    for cast in casts:
        tensor = stored[cast.input[0]]
        values = numpy_helper.to_array(tensor).astype(np.float32)
        tensor.CopyFrom(numpy_helper.from_array(values, tensor.name))
    _rename_inputs(model, {cast.output[0]: cast.input[0] for cast in casts})
    _set_nodes(model, [node for node in model.graph.node if node not in casts])
    return model


def _dequantise(model: onnx.ModelProto) -> None:
    """Takes out all that rounds. Where a layer's numbers begin at 0 this is all that is left of the ReLU
    behind it, which is put back."""
    stored = {tensor.name: tensor for tensor in model.graph.initializer}
    instead: dict[str, str] = {}
    nodes, scales = [], set()
    for node in model.graph.node:
        if node.op_type not in ("QuantizeLinear", "DequantizeLinear"):
            nodes.append(node)
            continue
        source, scale, zero = node.input
        scales |= {scale, zero}
        name = instead.get(source, source)
        if source in stored:
            name = source.removesuffix(QUANTISED)
            tensor = stored[source]
            tensor.CopyFrom(_multiplied_out(tensor, stored[scale], stored[zero], name))
        elif node.op_type == "QuantizeLinear" and not numpy_helper.to_array(stored[zero]).any():
            nodes.append(onnx.helper.make_node("Relu", [name], [node.output[0]]))
            continue
        instead[node.output[0]] = name
    kept = [tensor for tensor in model.graph.initializer if tensor.name not in scales]
    del model.graph.initializer[:]
    model.graph.initializer.extend(kept)
    _set_nodes(model, nodes)
    _rename_inputs(model, instead)


def _multiplied_out(
    weights: onnx.TensorProto, scale: onnx.TensorProto, zero: onnx.TensorProto, name: str
) -> onnx.TensorProto:
    """Weights that are whole numbers, as what they stand for; each channel has its scale."""
    values, factors, offsets = (
        numpy_helper.to_array(tensor).astype(np.float32) for tensor in (weights, scale, zero)
    )
    per_channel = (-1, *(1,) * (values.ndim - 1))
    stand_for = (values - offsets.reshape(per_channel)) * factors.reshape(per_channel)
    return numpy_helper.from_array(stand_for, name)


def _rename_inputs(model: onnx.ModelProto, names: dict[str, str]) -> None:
    for node in model.graph.node:
        for place, name in enumerate(node.input):
            node.input[place] = names.get(name, name)


def _set_nodes(model: onnx.ModelProto, nodes: list[onnx.NodeProto]) -> None:
    del model.graph.node[:]
    model.graph.node.extend(nodes)
