"""A second, independent renderer: tiles as solids, traced through Blender's Cycles, for measuring only.

It shares no drawing code with the pictures that the networks learn from. Blender is a program that one
installs and runs; nothing of it is needed by anything else here.
"""
