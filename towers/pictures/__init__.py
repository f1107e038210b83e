"""Recorded games as pictures: an animation, and a page that steps through them."""
