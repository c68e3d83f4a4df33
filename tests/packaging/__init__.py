"""Tests of what is built, shipped and installed."""
