"""The commands of `meldwatch`, a module each.

A module imports only click when it is loaded: everything heavy is imported inside the command that
needs it, so that `meldwatch --help` and tab completion stay quick on a Raspberry Pi.
"""
