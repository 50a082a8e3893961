"""Everything that reads memory: search, recall, knows, and the index beneath them."""
