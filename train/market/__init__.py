"""What training knows of the market game: its network and its defaults, found by entry points like those of any game."""
