"""Players as the games see them: the protocol, specs, and opponents that are asked from Python."""
