"""Documents, and what writes their generated parts."""
