"""A whole game as the fold of its events: what happened goes in, the state of the game comes out."""
