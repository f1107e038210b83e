"""Write the generated parts of the documents: tables between markers, pictures, measured figures.

A table stands between ``<!-- generated: NAME -->`` and ``<!-- end -->``, where NAME is a key of documents.TABLES or
documents.MEASURED.
"""
