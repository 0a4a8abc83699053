"""Materials for the traced scene, as nodes of Blender. Runs inside Blender's own Python.

Kinds: ``plain``, ``metal``, ``glow`` (its colour is its radiance), ``print`` and ``tile`` (an ink over a
body, with a relief), and the tables' ``wood``, ``marble``, ``cloth``, ``felt``, ``carpet``, ``checked``
and ``dotted``, whose patterns are calculated from a place in metres. All take ``rgb`` (linear) and
``roughness``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Bpy = Any
"""Blender's module ``bpy``, which exists inside Blender only and is therefore handed in."""


class Nodes:
    """A material being built: nodes by type, and links between them."""

    def __init__(self, bpy: Bpy, name: str) -> None:
        self.material = bpy.data.materials.new(name)
        self.material.use_nodes = True
        self._bpy = bpy
        self._tree = self.material.node_tree
        self.body = self._tree.nodes["Principled BSDF"]

    def add(self, kind: str, **inputs: Any) -> Any:
        """A node, its inputs by name; a value that is an output of another node is linked."""
        node = self._tree.nodes.new(kind)
        for name, value in inputs.items():
            self.set(node, name.replace("_", " "), value)
        return node

    def set(self, node: Any, name: str, value: Any) -> None:
        """Give one input a value or a link."""
        if hasattr(value, "is_linked"):
            self._tree.links.new(value, node.inputs[name])
        else:
            node.inputs[name].default_value = value

    def place(self) -> Any:
        """Where a point lies, in metres of the world."""
        return self.add("ShaderNodeNewGeometry").outputs["Position"]

    def stretched(self, x: float, y: float) -> Any:
        """The same, scaled."""
        return self.add("ShaderNodeMapping", Vector=self.place(), Scale=(x, y, 1.0)).outputs[0]

    def mixed(self, factor: Any, first: Any, second: Any) -> Any:
        """Two colours in a proportion; colours are outputs or linear RGB."""
        node = self.add("ShaderNodeMixRGB", Fac=factor)
        for name, colour in (("Color1", first), ("Color2", second)):
            self.set(node, name, colour if hasattr(colour, "is_linked") else (*colour, 1.0))
        return node.outputs[0]

    def image(self, path: str, colour: bool) -> Any:
        """A picture laid over the object by its own coordinates."""
        node = self.add("ShaderNodeTexImage")
        node.image = self._bpy.data.images.load(path)
        node.image.colorspace_settings.name = "sRGB" if colour else "Non-Color"
        node.extension = "CLIP"
        return node

    def bumpy(self, height: Any, metres: float, strength: float = 1.0) -> None:
        """A surface that is uneven by so much."""
        bump = self.add("ShaderNodeBump", Height=height, Distance=metres, Strength=strength)
        self.set(self.body, "Normal", bump.outputs[0])

    def noise(self, vector: Any, scale: float, detail: float = 3.0, distortion: float = 0.0) -> Any:
        """Cloudy noise, 0 to 1."""
        node = self.add("ShaderNodeTexNoise", Vector=vector, Scale=scale, Detail=detail)
        self.set(node, "Distortion", distortion)
        return node.outputs["Fac"]

    def steep(self, value: Any, low: float, high: float) -> Any:
        """A value with what lies under ``low`` at 0 and above ``high`` at 1."""
        node = self.add("ShaderNodeMapRange", Value=value)
        self.set(node, "From Min", low)
        self.set(node, "From Max", high)
        return node.outputs[0]


def material(bpy: Bpy, name: str, spec: dict[str, Any]) -> Any:
    """A Blender material for a specification; see the module."""
    nodes = Nodes(bpy, name)
    nodes.set(nodes.body, "Base Color", (*spec["rgb"], 1.0))
    nodes.set(nodes.body, "Roughness", spec["roughness"])
    nodes.set(nodes.body, "Clearcoat", spec.get("coat", 0.0))
    PATTERNS[spec["kind"]](nodes, spec)
    return nodes.material


def _plain(nodes: Nodes, spec: dict[str, Any]) -> None:
    rough = nodes.noise(nodes.place(), 60.0)
    nodes.set(nodes.body, "Roughness", _varied(nodes, rough, spec["roughness"]))


def _varied(nodes: Nodes, value: Any, middle: float) -> Any:
    node = nodes.add("ShaderNodeMapRange", Value=value)
    nodes.set(node, "To Min", middle * 0.8)
    nodes.set(node, "To Max", min(1.0, middle * 1.2))
    return node.outputs[0]


def _metal(nodes: Nodes, _spec: dict[str, Any]) -> None:
    nodes.set(nodes.body, "Metallic", 1.0)


def _glow(nodes: Nodes, spec: dict[str, Any]) -> None:
    brightest = max(*spec["rgb"], 1e-6)
    nodes.set(nodes.body, "Base Color", (0.0, 0.0, 0.0, 1.0))
    nodes.set(nodes.body, "Emission", (*(v / brightest for v in spec["rgb"]), 1.0))
    nodes.set(nodes.body, "Emission Strength", brightest)


def _print(nodes: Nodes, spec: dict[str, Any]) -> None:
    ink = nodes.image(spec["print"], colour=True)
    nodes.set(
        nodes.body,
        "Base Color",
        nodes.mixed(ink.outputs["Alpha"], spec["rgb"], ink.outputs["Color"]),
    )


def _tile(nodes: Nodes, spec: dict[str, Any]) -> None:
    body: Any = spec["rgb"]
    if spec.get("grain"):
        vector = nodes.add("ShaderNodeTexCoord").outputs["Object"]
        long = nodes.add("ShaderNodeMapping", Vector=vector, Scale=(900.0, 60.0, 900.0)).outputs[0]
        body = nodes.mixed(
            nodes.noise(long, 1.0, 4.0, 1.0), spec["rgb"], [0.6 * v for v in spec["rgb"]]
        )
    if "print" in spec:
        ink = nodes.image(spec["print"], colour=True)
        body = nodes.mixed(ink.outputs["Alpha"], body, ink.outputs["Color"])
        relief = nodes.image(spec["relief"], colour=False)
        nodes.bumpy(relief.outputs["Color"], spec["depth"])
    if not isinstance(body, (list, tuple)):
        nodes.set(nodes.body, "Base Color", body)


def _wood(nodes: Nodes, spec: dict[str, Any]) -> None:
    vector = nodes.stretched(1.0, 9.0)
    rings = nodes.noise(vector, spec["scale"], 6.0, 2.5)
    fine = nodes.noise(nodes.stretched(8.0, 160.0), spec["scale"], 2.0)
    shade = nodes.steep(rings, 0.35, 0.65)
    grain = nodes.mixed(nodes.steep(fine, 0.3, 0.9), spec["rgb"], [0.75 * v for v in spec["rgb"]])
    nodes.set(nodes.body, "Base Color", nodes.mixed(shade, grain, spec["second"]))


def _marble(nodes: Nodes, spec: dict[str, Any]) -> None:
    veins = nodes.noise(nodes.place(), spec["scale"], 9.0, 4.0)
    colour = nodes.mixed(nodes.steep(veins, 0.52, 0.6), spec["rgb"], spec["second"])
    nodes.set(
        nodes.body, "Base Color", nodes.mixed(nodes.steep(veins, 0.6, 0.68), colour, spec["rgb"])
    )


def _cloth(nodes: Nodes, spec: dict[str, Any]) -> None:
    folds = nodes.noise(nodes.place(), 5.0)
    colour = nodes.mixed(folds, spec["rgb"], [0.8 * v for v in spec["rgb"]])
    nodes.set(nodes.body, "Base Color", colour)
    _weave(nodes, spec)


def _weave(nodes: Nodes, spec: dict[str, Any]) -> None:
    threads = nodes.add(
        "ShaderNodeTexChecker", Vector=nodes.place(), Scale=1400.0 * spec["scale"]
    ).outputs["Fac"]
    nodes.bumpy(threads, 0.0004)
    nodes.set(nodes.body, "Sheen", 0.3)


def _felt(nodes: Nodes, spec: dict[str, Any]) -> None:
    fibres = nodes.noise(nodes.place(), 2500.0, 4.0)
    dark = [0.6 * v for v in spec["rgb"]]
    nodes.set(nodes.body, "Base Color", nodes.mixed(fibres, spec["rgb"], dark))
    nodes.bumpy(fibres, 0.0008)
    nodes.set(nodes.body, "Sheen", 0.6)


def _carpet(nodes: Nodes, spec: dict[str, Any]) -> None:
    shapes = nodes.noise(nodes.place(), 14.0 * spec["scale"], 1.0, 1.5)
    pattern = nodes.mixed(nodes.steep(shapes, 0.48, 0.52), spec["rgb"], spec["second"])
    tufts = nodes.noise(nodes.place(), 450.0, 3.0)
    nodes.set(
        nodes.body, "Base Color", nodes.mixed(nodes.steep(tufts, 0.2, 1.4), pattern, (0, 0, 0))
    )
    nodes.bumpy(tufts, 0.004)


def _checked(nodes: Nodes, spec: dict[str, Any]) -> None:
    squares = nodes.add(
        "ShaderNodeTexChecker", Vector=nodes.place(), Scale=28.0 * spec["scale"]
    ).outputs["Fac"]
    nodes.set(nodes.body, "Base Color", nodes.mixed(squares, spec["rgb"], spec["second"]))
    _weave(nodes, spec)


def _dotted(nodes: Nodes, spec: dict[str, Any]) -> None:
    cells = nodes.add("ShaderNodeTexVoronoi", Vector=nodes.place(), Scale=30.0 * spec["scale"])
    inside = nodes.steep(cells.outputs["Distance"], 0.3, 0.34)
    nodes.set(nodes.body, "Base Color", nodes.mixed(inside, spec["second"], spec["rgb"]))
    _weave(nodes, spec)


PATTERNS: dict[str, Callable[[Nodes, dict[str, Any]], None]] = {
    "plain": _plain,
    "metal": _metal,
    "glow": _glow,
    "print": _print,
    "tile": _tile,
    "wood": _wood,
    "marble": _marble,
    "cloth": _cloth,
    "felt": _felt,
    "carpet": _carpet,
    "checked": _checked,
    "dotted": _dotted,
}
