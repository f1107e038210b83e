"""The commands of ``towers``, one per file. A command imports its libraries when it runs, so that ``--help`` is fast."""
