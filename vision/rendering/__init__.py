"""Pictures with known truth: tiles of any maker on any table, for training and tests."""

from vision.rendering.arrangements import TilePose
from vision.rendering.live import TILE_SIZE_MM, RenderedTable
from vision.rendering.scene import RenderedPicture

__all__ = ["TILE_SIZE_MM", "RenderedPicture", "RenderedTable", "TilePose"]
