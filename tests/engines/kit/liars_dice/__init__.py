"""Liar's dice of the box."""
