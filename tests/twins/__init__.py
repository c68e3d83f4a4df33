"""Slow models of the games, written from the rules alone."""
