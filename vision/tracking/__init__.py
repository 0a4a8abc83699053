"""Which tile is which, from picture to picture: by where it lies and how it looks, and nothing else."""
