"""Network and training defaults of Torres, found by entry points."""
