"""Players of Torres in compiled code."""
