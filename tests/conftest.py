"""Properties draw the same examples every time, and no test looks at the wall clock."""

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")
