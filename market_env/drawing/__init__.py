"""Drawings of the market game: SVG (picture.py and its parts) and text, from positions alone."""
