"""Kuhn poker of the box."""
