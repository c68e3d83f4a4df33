"""Tests of what runs on top of games and search."""
