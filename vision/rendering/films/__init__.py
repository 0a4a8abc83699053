"""Films of a table: one table picture after picture, with hands, light and a camera that misbehaves.

`stage` paints what lies there and only what changed, `hands` reaches over it, `disturbances` does to
the finished picture what lamps, sensors, cables and elbows do.
"""

from vision.rendering.films.disturbances import PLAIN, Disturbance
from vision.rendering.films.hands import Hand
from vision.rendering.films.stage import Piece, Seen, Stage
from vision.rendering.films.takes import Take, Taker

__all__ = ["PLAIN", "Disturbance", "Hand", "Piece", "Seen", "Stage", "Take", "Taker"]
