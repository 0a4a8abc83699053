"""The working parts of `engine.solver`: run states, the dynamic programme, laying out its answer."""
