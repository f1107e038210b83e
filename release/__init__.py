"""Building what is published, and checking it: ``make dist``."""
