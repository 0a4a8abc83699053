"""Doubtful readings of a turn: counted, examined, and asked about. `engine.doubt` gives the rulings."""
