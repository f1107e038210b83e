"""Compiled code: the loops over games, what a game gives to them, compiling, intrinsics, the random stream."""
