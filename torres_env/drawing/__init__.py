"""Drawings of Torres: SVG (picture.py and its parts) and text, from positions alone."""
