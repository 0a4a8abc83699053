"""From pixels to what lies on the table: frames, placements and layouts.

Pixels are BGR ``uint8`` arrays of shape (height, width, 3) throughout, as OpenCV has them; x grows
to the right and y downwards. This package reports what it sees and never judges it: it knows the
engine's values (tiles, melds, layouts), but not its referee.
"""
