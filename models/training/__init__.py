"""Training of the two networks on PyTorch; never installed where Meldwatch only watches."""
