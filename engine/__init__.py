"""The games: tiles, melds, layouts, rules and the referee.

Pure Python on the standard library alone: no clock, no randomness, no pixels. Time and everything
that was seen arrive as arguments. The only files read are the rule data packed with this package.
"""
