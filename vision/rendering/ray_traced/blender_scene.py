"""Builds a described scene in Blender and traces it: ``blender -b -t 1 --python THIS -- SCENE.json``.

Runs inside Blender's own Python, with nothing but Blender and the standard library. The file says where
its results go: a picture in linear light (Radiance HDR), and for each tile the share of its face that a
ray from the camera reaches.
"""

from __future__ import annotations

import importlib
import json
import math
import sys
from pathlib import Path
from typing import Any

CORNER_STEPS, BEVEL_STEPS = 5, 3
"""Pieces of a quarter circle: of a tile's outline, and of its rounded edge."""

DOME_STEPS = 7
"""Rings of a domed face between its border and its middle."""

RAYS = 10
"""Each way over a tile's face: so finely it is asked what of it is covered."""

Vertex = tuple[float, float, float]


def outline(width: float, height: float, corner: float) -> list[tuple[float, float]]:
    """A rectangle with round corners, counter-clockwise."""
    points = []
    for k, (sx, sy) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        x, y = sx * (width / 2 - corner), sy * (height / 2 - corner)
        for step in range(CORNER_STEPS + 1):
            angle = math.pi / 2 * (k + step / CORNER_STEPS)
            points.append((x + corner * math.cos(angle), y + corner * math.sin(angle)))
    return points


def tile_mesh(spec: dict[str, float]) -> tuple[list[Vertex], list[list[int]]]:
    """Vertices and faces of a tile: a box with round corners and rounded upper and lower edges; its
    face is domed where ``dome`` is not 0."""
    width, height, thick = spec["width"], spec["height"], spec["thickness"]
    corner, bevel = max(spec["corner"], spec["bevel"] * 1.05), spec["bevel"]
    levels = []
    for step in range(BEVEL_STEPS + 1):
        angle = math.pi / 2 * step / BEVEL_STEPS
        inset, rise = bevel * (1 - math.sin(angle)), bevel * (1 - math.cos(angle))
        levels.append((inset, rise))
    rings = levels + [(inset, thick - rise) for inset, rise in reversed(levels)]
    vertices: list[Vertex] = []
    for inset, z in rings:
        ring = outline(width - 2 * inset, height - 2 * inset, corner - inset)
        vertices += [(x, y, z) for x, y in ring]
    around = 4 * (CORNER_STEPS + 1)
    faces = [list(range(around - 1, -1, -1))]
    for level in range(len(rings) - 1):
        for k in range(around):
            a, b = level * around + k, level * around + (k + 1) % around
            faces.append([a, b, b + around, a + around])
    last = len(rings) - 1
    if spec["dome"]:
        for step in range(1, DOME_STEPS + 1):
            share = 1 - step / (DOME_STEPS + 1)
            z = thick + spec["dome"] * (1 - share * share)
            vertices += [
                (x * share, y * share, z) for x, y, _ in vertices[last * around :][:around]
            ]
            level = last + step
            for k in range(around):
                a, b = (level - 1) * around + k, (level - 1) * around + (k + 1) % around
                faces.append([a, b, b + around, a + around])
        last += DOME_STEPS
    faces.append([last * around + k for k in range(around)])
    return vertices, faces


class Builder:
    """The scene as it is put together."""

    def __init__(self, bpy: Any, materials: Any, scene: dict[str, Any]) -> None:
        self._bpy, self._materials, self._scene = bpy, materials, scene
        self._of_label: dict[str, Any] = {}
        self._of_spec: dict[str, Any] = {}
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self._world = bpy.context.scene

    def _material(self, spec: dict[str, Any]) -> Any:
        key = json.dumps(spec, sort_keys=True)
        if key not in self._of_spec:
            self._of_spec[key] = self._materials.material(self._bpy, f"m{len(self._of_spec)}", spec)
        return self._of_spec[key]

    def _object(self, mesh: Any, matrix: Any) -> None:
        thing = self._bpy.data.objects.new(mesh.name, mesh)
        self._world.collection.objects.link(thing)
        thing.matrix_world = transposed(matrix)

    def add_tiles(self) -> None:
        """All tiles, those of one label as one mesh."""
        for tile in self._scene["tiles"]:
            label = tile["label"]
            if label not in self._of_label:
                self._of_label[label] = self._tile_mesh(label)
            self._object(self._of_label[label], tile["matrix"])

    def _tile_mesh(self, label: str) -> Any:
        spec = self._scene["tile"]
        vertices, faces = tile_mesh(spec)
        mesh = self._bpy.data.meshes.new(f"tile {label}")
        mesh.from_pydata(vertices, [], faces)
        material = {**spec["material"], **self._scene["prints"].get(label, {})}
        mesh.materials.append(self._material({**spec["material"]}))
        mesh.materials.append(self._material(material))
        coordinates = mesh.uv_layers.new().data
        for polygon in mesh.polygons:
            polygon.use_smooth = len(polygon.vertices) == 4
            polygon.material_index = int(polygon.normal[2] > 0.9)
            for loop in polygon.loop_indices:
                x, y, _ = mesh.vertices[mesh.loops[loop].vertex_index].co
                coordinates[loop].uv = (x / spec["width"] + 0.5, y / spec["height"] + 0.5)
        return mesh

    def add_things(self) -> None:
        """The table and everything on it that is no tile."""
        for thing in self._scene["things"]:
            shape, (a, b, c) = thing["shape"], thing["size"]
            mesh = self._bpy.data.meshes.new(shape)
            vertices, faces = SHAPES[shape](a, b, c)
            mesh.from_pydata(vertices, [], faces)
            mesh.materials.append(self._material(thing["material"]))
            coordinates = mesh.uv_layers.new().data
            for polygon in mesh.polygons:
                polygon.use_smooth = shape in ROUND
                for loop in polygon.loop_indices:
                    x, y, _ = mesh.vertices[mesh.loops[loop].vertex_index].co
                    coordinates[loop].uv = (x / a + 0.5, y / b + 0.5 if b else 0.5)
            self._object(mesh, thing["matrix"])

    def add_light(self) -> None:
        """The panorama and the lamps."""
        bpy, light = self._bpy, self._scene["light"]
        world = bpy.data.worlds.new("world")
        self._world.world = world
        world.use_nodes = True
        tree = world.node_tree
        panorama = tree.nodes.new("ShaderNodeTexEnvironment")
        panorama.image = bpy.data.images.load(str(hdri_folder(bpy) / f"{light['hdri']}.exr"))
        turned = tree.nodes.new("ShaderNodeMapping")
        turned.inputs["Rotation"].default_value[2] = light["turn"]
        directions = tree.nodes.new("ShaderNodeTexCoord").outputs["Generated"]
        tree.links.new(directions, turned.inputs["Vector"])
        tree.links.new(turned.outputs[0], panorama.inputs["Vector"])
        tree.links.new(panorama.outputs[0], tree.nodes["Background"].inputs["Color"])
        tree.nodes["Background"].inputs["Strength"].default_value = light["strength"]
        world.cycles.sampling_method, world.cycles.sample_map_resolution = "MANUAL", 256
        for lamp in light["lamps"]:
            data = bpy.data.lights.new("lamp", "AREA")
            data.shape, data.size = "DISK", lamp["across"]
            data.energy, data.color = lamp["watts"], lamp["rgb"]
            thing = bpy.data.objects.new("lamp", data)
            self._world.collection.objects.link(thing)
            thing.matrix_world = transposed(lamp["matrix"])

    def add_camera(self) -> None:
        """The camera, with a real one's small depth of field."""
        camera = self._scene["camera"]
        data = self._bpy.data.cameras.new("camera")
        data.sensor_fit, data.sensor_width, data.lens = "HORIZONTAL", 36.0, camera["focal_mm"]
        data.clip_start = 0.01
        data.dof.use_dof = True
        data.dof.focus_distance, data.dof.aperture_fstop = camera["focus"], camera["stop"]
        thing = self._bpy.data.objects.new("camera", data)
        self._world.collection.objects.link(thing)
        thing.matrix_world = transposed(camera["matrix"])
        self._world.camera = thing

    def render(self) -> None:
        """Trace the picture into the file that the scene names."""
        scene, render = self._world, self._world.render
        render.engine = "CYCLES"
        render.resolution_x, render.resolution_y = self._scene["width"], self._scene["height"]
        render.resolution_percentage = 100
        render.filepath = self._scene["picture"]
        render.image_settings.file_format = "HDR"
        cycles = scene.cycles
        cycles.samples, cycles.seed = self._scene["samples"], self._scene["seed"]
        cycles.use_adaptive_sampling = cycles.use_denoising = False
        cycles.pixel_filter_type = "BOX"  # so that a spark stays in the pixel it fell in
        cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 2, 1, 1
        cycles.sample_clamp_indirect, cycles.blur_glossy = 4.0, 0.5
        cycles.caustics_reflective = cycles.caustics_refractive = False
        self._keep_passes()
        self._bpy.ops.render.render(write_still=True)

    def _keep_passes(self) -> None:
        """Write what guides the denoising beside the picture: albedo, and the normal plus one."""
        scene = self._world
        scene.view_layers[0].cycles.denoising_store_passes = True
        scene.use_nodes = True
        tree = scene.node_tree
        layers = tree.nodes.new("CompositorNodeRLayers")
        shifted = tree.nodes.new("CompositorNodeMixRGB")
        shifted.blend_type = "ADD"
        shifted.inputs[2].default_value = (1.0, 1.0, 1.0, 1.0)
        tree.links.new(layers.outputs["Denoising Normal"], shifted.inputs[1])
        files = tree.nodes.new("CompositorNodeOutputFile")
        files.base_path = str(Path(self._scene["picture"]).parent)
        files.format.file_format = "HDR"
        files.file_slots.clear()
        sources = {"albedo": layers.outputs["Denoising Albedo"], "normal": shifted.outputs[0]}
        for name, source in sources.items():
            files.file_slots.new(name)
            tree.links.new(source, files.inputs[name])
        picture = tree.nodes.new("CompositorNodeComposite")
        tree.links.new(layers.outputs["Image"], picture.inputs[0])

    def visible(self) -> list[float]:
        """For each tile the share of its face from which the camera's place is in plain sight."""
        graph = self._bpy.context.evaluated_depsgraph_get()
        eye = [row[3] for row in self._scene["camera"]["matrix"][:3]]
        shares = []
        for tile in self._scene["tiles"]:
            points = face_points(self._scene["tile"], tile["matrix"])
            free = 0
            for point in points:
                way = [e - p for e, p in zip(eye, point, strict=True)]
                length = math.sqrt(sum(v * v for v in way))
                unit = [v / length for v in way]
                start = [p + 0.0002 * v for p, v in zip(point, unit, strict=True)]
                free += not self._world.ray_cast(graph, start, unit, distance=length)[0]
            shares.append(round(free / len(points), 4))
        return shares


def transposed(matrix: list[list[float]]) -> list[list[float]]:
    """A matrix in the order in which Blender takes nested lists."""
    return [list(column) for column in zip(*matrix, strict=True)]


def face_points(spec: dict[str, float], matrix: list[list[float]]) -> list[Vertex]:
    """Points all over a tile's upper face, a little above it, in the world."""
    points = []
    for i in range(RAYS):
        for j in range(RAYS):
            x = ((i + 0.5) / RAYS - 0.5) * spec["width"] * 0.96
            y = ((j + 0.5) / RAYS - 0.5) * spec["height"] * 0.96
            local = (x, y, spec["thickness"] + spec["dome"] + 0.0001, 1.0)
            a, b, c = (sum(m * v for m, v in zip(row, local, strict=True)) for row in matrix[:3])
            points.append((a, b, c))
    return points


def box(a: float, b: float, c: float) -> tuple[list[Vertex], list[list[int]]]:
    """A box around its middle."""
    vertices = [
        (x * a / 2, y * b / 2, z * c / 2) for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)
    ]
    sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
    return vertices, sides


def cylinder(a: float, b: float, c: float) -> tuple[list[Vertex], list[list[int]]]:
    """An upright cylinder around its middle."""
    n = 48
    turns = [2 * math.pi * k / n for k in range(n)]
    vertices = [
        (a / 2 * math.cos(t), b / 2 * math.sin(t), z * c / 2) for z in (-1, 1) for t in turns
    ]
    faces = [[k, (k + 1) % n, n + (k + 1) % n, n + k] for k in range(n)]
    return vertices, [*faces, list(range(n - 1, -1, -1)), list(range(n, 2 * n))]


def ring(a: float, b: float, _c: float) -> tuple[list[Vertex], list[list[int]]]:
    """A torus with radii ``a`` and ``b``, its axis upright."""
    n, m = 32, 12
    vertices = []
    for i in range(n):
        t = 2 * math.pi * i / n
        for j in range(m):
            s = 2 * math.pi * j / m
            reach = a + b * math.cos(s)
            vertices.append((reach * math.cos(t), reach * math.sin(t), b * math.sin(s)))
    faces = [
        [i * m + j, (i + 1) % n * m + j, (i + 1) % n * m + (j + 1) % m, i * m + (j + 1) % m]
        for i in range(n)
        for j in range(m)
    ]
    return vertices, faces


def limb(a: float, b: float, c: float) -> tuple[list[Vertex], list[list[int]]]:
    """A bar from the origin along x, ``a`` long, its radius from ``b`` to ``c``, with round ends."""
    n, m = 20, 5
    quarter = [math.pi / 2 * k / m for k in range(m + 1)]
    rings = [(-b * math.cos(t), b * math.sin(t)) for t in quarter[1:]]
    rings += [(a + c * math.sin(t), c * math.cos(t)) for t in quarter[:-1]]
    turns = [2 * math.pi * k / n for k in range(n)]
    vertices = [(x, r * math.cos(t), r * math.sin(t)) for x, r in rings for t in turns]
    faces = [
        [i * n + k, i * n + (k + 1) % n, (i + 1) * n + (k + 1) % n, (i + 1) * n + k]
        for i in range(len(rings) - 1)
        for k in range(n)
    ]
    last = (len(rings) - 1) * n
    return vertices, [*faces, list(range(n - 1, -1, -1)), list(range(last, last + n))]


SHAPES = {"box": box, "sheet": box, "cylinder": cylinder, "ring": ring, "limb": limb}

ROUND = ("ring", "limb")


def hdri_folder(bpy: Any) -> Path:
    """Where Blender keeps its panoramas."""
    for kind in ("SYSTEM", "LOCAL"):
        folder = Path(bpy.utils.resource_path(kind)) / "datafiles" / "studiolights" / "world"
        if folder.is_dir():
            return folder
    raise FileNotFoundError("this Blender has no panoramas of light")


def main() -> None:
    """Build and trace the scene whose file is named after ``--``."""
    bpy = importlib.import_module("bpy")
    sys.path.insert(0, str(Path(__file__).parent))
    materials = importlib.import_module("blender_materials")
    scene = json.loads(Path(sys.argv[sys.argv.index("--") + 1]).read_text("utf-8"))
    builder = Builder(bpy, materials, scene)
    builder.add_tiles()
    builder.add_things()
    builder.add_light()
    builder.add_camera()
    Path(scene["visible"]).write_text(json.dumps(builder.visible()))
    builder.render()


if __name__ == "__main__":
    main()
