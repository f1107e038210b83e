"""Write what the documents tell of the code: tables between their markers, and what is played for.

A table stands between ``<!-- generated: NAME -->`` and ``<!-- end -->``, where NAME is a key of documents.TABLES or
documents.MEASURED.
"""
