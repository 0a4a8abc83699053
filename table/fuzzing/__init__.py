"""Whole games played by machines that also try what may not be, to find out whether the games hold.

`campaign` plays many games, `one_game` one of them, with everything that is checked on the way; `world`
knows where every tile truly is, and `plain_referee` judges a second time, from the sentences of the
rules.
"""
