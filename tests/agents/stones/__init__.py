"""A little game for the tests: one to four players take stones from a heap, and the last stone wins."""
