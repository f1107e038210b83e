"""The commands of ``towers``, one file each; what a command works with it imports when it runs, so that help is quick."""
