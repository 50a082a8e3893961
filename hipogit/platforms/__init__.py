"""One small file per agent platform; `hosts` is the part that runs at every turn."""
