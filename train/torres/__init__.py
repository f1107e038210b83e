"""What training knows of Torres: its network and its defaults, found by entry points like those of any game."""
