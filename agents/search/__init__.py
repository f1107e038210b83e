"""Tree search: over whole turns of games that propose them, over single actions of any other game."""
