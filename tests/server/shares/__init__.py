"""Tests of what callers share."""
