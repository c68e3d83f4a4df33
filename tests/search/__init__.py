"""Tests of bots and search."""
