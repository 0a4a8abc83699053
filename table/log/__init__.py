"""The event log from the inside: its file, its writer, and what is done when the file is damaged.

Everybody else goes through ``table.event_log``.
"""
