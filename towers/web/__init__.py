"""The browser app: ``towers serve``."""
