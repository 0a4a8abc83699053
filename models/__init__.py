"""The networks of Meldwatch and what runs them: pictures in, tiles as quads with ranked classes out.

Using them needs numpy, OpenCV and ONNX Runtime; :mod:`models.training` also needs PyTorch.
"""
