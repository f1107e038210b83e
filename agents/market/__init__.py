"""Players of the market game in compiled code."""
