"""What comes back of 91 days when nobody asks for it by name."""
