"""Network and training defaults of the market game, found by entry points."""
