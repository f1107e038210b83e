"""Compiled players of Torres."""
