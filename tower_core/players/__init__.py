"""Players: the protocol, specs, compiled players, and opponents implemented in Python."""
