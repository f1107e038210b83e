"""Compiled code: loops over games, the hooks of a game, compilation, intrinsics, the random stream."""
