"""A small game of another distribution: players take one to three stones in turn, and the last stone is worth a point."""
