"""Fitting agents: MaskablePPO over the native vector environment, checkpoints, evaluation. Part of towers."""
