"""Writes the generated parts of the documents: tables, pictures, measurements.

A table is the text between ``<!-- generated: NAME -->`` and ``<!-- end -->``, where NAME is a key of documents.TABLES or
documents.MEASURED.
"""
