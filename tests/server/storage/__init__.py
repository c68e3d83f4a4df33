"""Tests of what keeps hosted matches."""
