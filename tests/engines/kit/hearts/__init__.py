"""Hearts of the box."""
