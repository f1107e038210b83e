"""Slow, plain implementations written from the rules alone, to test the fast ones against."""
