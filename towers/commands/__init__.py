"""The commands of ``towers``, one file each. A command imports its libraries when it runs, so that ``--help`` is quick."""
