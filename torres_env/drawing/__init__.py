"""Drawings of positions: SVG (picture.py and its parts) and text."""
