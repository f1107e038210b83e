"""A small game of another distribution: players take one to three pebbles in turn, and the last stone is worth a point."""
