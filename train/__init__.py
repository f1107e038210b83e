"""Training: MaskablePPO on the native vector environment, checkpoints, evaluation. Part of towers."""
