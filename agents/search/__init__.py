"""Tree search over whole turns, for any game that can propose turns and value positions."""
