"""One live table: the loop that watches it, the log of what happened, and its settings.

This is the only package where a camera, a reader, a referee and a log meet. It knows nothing of web
pages: what it shows goes out as frozen values on a ``Board``.
"""
